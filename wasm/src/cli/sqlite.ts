// Node's SQLite, where this Node.js has it.
import { existsSync, openSync, closeSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import * as zlib from 'node:zlib'; // not its member: older ones lack that
import type { SqlDatabase, SqlRow, SqlValue } from '../stores/sql-store.js';

type Sqlite = typeof import('node:sqlite');

/** Returns why this Node.js has no SQLite; empty if it has. */
export function sqliteLacks(): string {
  if (isBuiltin('node:sqlite')) return '';
  return `Node.js 22.13 or newer is needed (or 22.5 with --experimental-sqlite), not ${process.version.slice(1)}`;
}

/** Returns the module. Throws what is needed where there is none. */
export async function loadSqlite(): Promise<Sqlite> {
  const lack = sqliteLacks();
  if (lack !== '') throw new Error(lack);
  const { emitWarning } = process;
  process.emitWarning = () => {}; // that it is experimental
  try {
    return await import('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** How long to wait for another process: one that makes a backup, or checks the data. */
const kPatienceMilliseconds = 10_000;

/** A file with an SQLite database. What it throws begins with its path. */
export class SqliteFile implements SqlDatabase {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** `create`: the file may not exist yet, and is then for its owner alone. */
  constructor(
    { DatabaseSync }: Sqlite,
    readonly path: string,
    mode: 'create' | 'existing',
  ) {
    this.database = this.#try(() => {
      if (mode === 'create') closeSync(openSync(path, 'a', 0o600));
      else if (!existsSync(path)) throw new Error('unable to open database file');
      return new DatabaseSync(path);
    });
    this.execute(`PRAGMA busy_timeout = ${kPatienceMilliseconds}`);
  }

  /** Runs statements without results. */
  execute(statements: string): void {
    this.#try(() => this.database.exec(statements));
  }

  run(statement: string, ...values: SqlValue[]): void {
    this.#try(() => this.#prepared(statement).run(...values));
  }

  rows(statement: string, ...values: SqlValue[]): SqlRow[] {
    return this.#try(() => this.#prepared(statement).all(...values) as SqlRow[]);
  }

  /** Returns the first column of the first row as a number. */
  number(query: string): number {
    const [row] = this.rows(query);
    return row ? Number(Object.values(row)[0]) : 0;
  }

  transaction(work: () => void): void {
    this.execute('BEGIN IMMEDIATE');
    try {
      work();
      this.execute('COMMIT');
    } catch (error) {
      try {
        this.database.exec('ROLLBACK');
      } catch {
        // SQLite has rolled back by itself.
      }
      throw error;
    }
  }

  sum(bytes: Uint8Array): number {
    return zlib.crc32(bytes);
  }

  close(): void {
    this.#statements.clear();
    this.database.close();
  }

  fail(why: string): never {
    throw new Error(`${this.path}: ${why}`);
  }

  #prepared(statement: string): StatementSync {
    let prepared = this.#statements.get(statement);
    if (!prepared) this.#statements.set(statement, (prepared = this.database.prepare(statement)));
    return prepared;
  }

  #try<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      return this.fail((error as Error).message);
    }
  }
}
