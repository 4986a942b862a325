// A backend in an SQLite database: the tables and statements of mock-server/data_file.h, for every SQLite that JavaScript
// can reach. Numbers of 64 bits cross as decimal text, because not every one of these takes a bigint.
import type { Backend, Batch, Change, Outcome, Stored, StoredChange } from '../backend.js';

export type SqlValue = string | number | Uint8Array | null;
export type SqlRow = Readonly<Record<string, unknown>>;

/** An SQLite database. Everything throws what the database says. */
export interface SqlDatabase {
  run(statement: string, ...values: SqlValue[]): void;
  rows(statement: string, ...values: SqlValue[]): Iterable<SqlRow>;
  /** Makes all that `work` does durable, or nothing of it if something throws. */
  transaction(work: () => void): void;
  /** CRC-32. */
  sum(bytes: Uint8Array): number;
}

/** The steps from one schema to the next, as in mock-server/data_file.cc. */
export const kSchemaSteps: readonly string[] = [
  `CREATE TABLE versions (
     revision INTEGER PRIMARY KEY,
     key TEXT NOT NULL,
     time INTEGER NOT NULL,
     value BLOB,
     sum INTEGER,
     replaced INTEGER);
   CREATE INDEX versions_replaced ON versions (replaced) WHERE replaced IS NOT NULL;
   CREATE TABLE state (
     one INTEGER PRIMARY KEY CHECK (one = 1),
     revision INTEGER NOT NULL,
     oldest INTEGER NOT NULL,
     clock INTEGER NOT NULL,
     random INTEGER)`,
];

/** At most so many versions of no use are deleted with a batch, so that no commit takes long. */
const kMostTrimmed = 2000;

/** A placeholder for a number of 64 bits. */
const whole = (place: number) => `CAST(?${place} AS INTEGER)`;
/** An empty value, which some take for NULL, is one that has a sum. */
const kValue = `CASE WHEN ?5 IS NULL THEN NULL ELSE coalesce(?4, x'') END`;

const kInsert = `INSERT INTO versions (revision, key, time, value, sum, replaced) VALUES (${whole(1)}, ?2, ${whole(3)}, ${kValue}, ?5, ${whole(6)})`;
const kReplace = `UPDATE versions SET replaced = ${whole(1)} WHERE revision = ${whole(2)} AND replaced IS NULL`;
const kState = `INSERT OR REPLACE INTO state (one, revision, oldest, clock, random) VALUES (1, ${whole(1)}, ${whole(2)}, ${whole(3)}, ${whole(4)})`;
const kTrim = `DELETE FROM versions WHERE revision IN (SELECT revision FROM versions WHERE replaced <= ${whole(1)} LIMIT ${kMostTrimmed})`;
const kReadState = 'SELECT CAST(revision AS TEXT) AS revision, CAST(oldest AS TEXT) AS oldest, CAST(clock AS TEXT) AS clock, CAST(random AS TEXT) AS random FROM state';
const kReadVersions = `SELECT CAST(revision AS TEXT) AS revision, key, CAST(time AS TEXT) AS time, value, sum FROM versions
  WHERE replaced IS NULL OR replaced > ${whole(1)} ORDER BY versions.revision`;

const unsigned = (text: unknown) => BigInt.asUintN(64, BigInt(text as string));
const signed = (number: bigint) => String(BigInt.asIntN(64, number));

/** What a store needs to know of its host. */
export interface SqlStoreHost {
  /** Says what went wrong, for those whose requests fail. */
  describe(error: unknown): string;
  /** Returns why nothing can be stored, before it is tried; empty if it can. */
  obstacle?(): string;
  /** Told when a failure comes, changes, or ends (empty). */
  onProblem?(problem: string): void;
  /** When a batch is stored; in the call, if left out. */
  schedule?(work: () => void): void;
  /** Resolves when a transaction is durable; it is at its end, if left out. */
  sync?(): Promise<void>;
}

/** Keeps a cluster in a database that has the newest schema. */
export class SqlStore implements Backend {
  #problem = '';

  constructor(
    private readonly database: SqlDatabase,
    private readonly host: SqlStoreHost,
  ) {}

  takeStored(): Stored | undefined {
    const [state] = this.database.rows(kReadState);
    if (!state) return undefined;
    const { revision, oldest, clock, random } = state;
    const changes: StoredChange[] = [];
    for (const row of this.database.rows(kReadVersions, String(oldest))) changes.push(this.#changeOf(row));
    return { changes, revision: unsigned(revision), oldest: unsigned(oldest), clock: BigInt(clock as string), ...(random === null ? {} : { random: unsigned(random) }) };
  }

  /** A value that does not have its sum is given as an empty one, which the core takes for a damaged object. */
  #changeOf({ revision, key, time, value, sum }: SqlRow): StoredChange {
    const change = { revision: unsigned(revision), key: key as string, time: BigInt(time as string) };
    if (sum === null) return change;
    const bytes = new Uint8Array(value as ArrayBuffer);
    return { ...change, value: this.database.sum(bytes) === Number(sum) ? bytes : new Uint8Array() };
  }

  propose(batch: Batch, done: (outcome: Outcome) => void): void {
    (this.host.schedule ?? now)(() => {
      const outcome = this.#store(batch);
      if (outcome.kind !== 'durable' || !this.host.sync) return done(outcome);
      this.host.sync().then(
        () => done(outcome),
        (error: unknown) => done({ kind: 'failed', fault: this.host.describe(error) }),
      );
    });
  }

  #store(batch: Batch): Outcome {
    let problem = this.host.obstacle?.() ?? '';
    if (problem === '') {
      try {
        this.database.transaction(() => this.#write(batch));
      } catch (error) {
        problem = this.host.describe(error);
      }
    }
    if (problem !== this.#problem) this.host.onProblem?.(problem);
    this.#problem = problem;
    return problem === '' ? { kind: 'durable' } : { kind: 'failed', fault: problem };
  }

  #write(batch: Batch): void {
    if (batch.whole) this.database.run('DELETE FROM versions');
    for (const change of batch.changes) this.#writeChange(change, batch.whole);
    const { revision, oldest, clock, random } = batch;
    this.database.run(kState, signed(revision), signed(oldest), String(clock), random === undefined ? null : signed(random));
    this.database.run(kTrim, signed(oldest));
  }

  #writeChange({ key, revision, replaces, time, value }: Change, isWhole: boolean): void {
    const number = signed(revision);
    if (!isWhole && replaces !== 0n) this.database.run(kReplace, number, signed(replaces));
    const replaced = value ? null : number; // a deletion is of no use once it is past
    this.database.run(kInsert, number, key, String(time), value ?? null, value ? this.database.sum(value) : null, replaced);
  }
}

const now = (work: () => void) => work();
