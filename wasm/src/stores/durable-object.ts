// A backend in the SQLite storage of a Durable Object.
import { crc32 } from './crc32.js';
import { kSchemaSteps, type SqlDatabase, type SqlRow, SqlStore, type SqlValue } from './sql-store.js';

/** What is used of an object's storage. */
export interface ObjectStorage {
  sql?: { exec(statements: string, ...values: SqlValue[]): Iterable<SqlRow> };
  transactionSync<T>(work: () => T): T;
  /** Resolves when all that was written is durable. */
  sync(): Promise<void>;
  setAlarm(time: number): Promise<void>;
  deleteAlarm(): Promise<void>;
}

/** Returns whether the object has SQLite. Objects of the old kind throw when asked. */
export function hasSql(storage: ObjectStorage): boolean {
  try {
    storage.sql!.exec('SELECT 1');
    return true;
  } catch {
    return false;
  }
}

class ObjectDatabase implements SqlDatabase {
  readonly #sql: NonNullable<ObjectStorage['sql']>;

  constructor(private readonly storage: ObjectStorage) {
    this.#sql = storage.sql!;
  }

  run(statement: string, ...values: SqlValue[]): void {
    this.#sql.exec(statement, ...values);
  }

  rows(statement: string, ...values: SqlValue[]): Iterable<SqlRow> {
    return this.#sql.exec(statement, ...values);
  }

  transaction(work: () => void): void {
    this.storage.transactionSync(work);
  }

  sum(bytes: Uint8Array): number {
    return crc32(bytes);
  }
}

/** Opens the store, whose schema becomes the newest one. Throws if a newer package has written it. */
export function openObjectStore(storage: ObjectStorage): SqlStore {
  const database = new ObjectDatabase(storage);
  database.transaction(() => {
    // SQLite's own number for it, user_version, cannot be used there.
    database.run('CREATE TABLE IF NOT EXISTS schema (one INTEGER PRIMARY KEY CHECK (one = 1), number INTEGER NOT NULL)');
    const [row] = database.rows('SELECT number FROM schema');
    const schema = Number(row?.['number'] ?? 0);
    if (schema > kSchemaSteps.length) throw new Error(`tabernetes: this object has schema ${schema}, written by a newer tabernetes; this one knows schemas up to ${kSchemaSteps.length}`);
    for (const step of kSchemaSteps.slice(schema)) database.run(step);
    if (schema < kSchemaSteps.length) database.run('INSERT OR REPLACE INTO schema (one, number) VALUES (1, ?1)', kSchemaSteps.length);
  });
  return new SqlStore(database, {
    describe: (error) => `the object's storage: ${(error as Error).message}`,
    sync: () => storage.sync(),
  });
}
