// A data directory, as the native server has it (mock-server/data_directory.h, data_file.h): one process owns it, and keeps
// its cluster's data in one file there.
import { closeSync, mkdirSync, openSync, readFileSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { kSchemaSteps, SqlStore } from '../stores/sql-store.js';
import { systemMessage } from './manifests.js';
import { loadSqlite, SqliteFile } from './sqlite.js';

type Sqlite = Awaited<ReturnType<typeof loadSqlite>>;

export const dataFileIn = (directory: string) => `${directory}/tabernetes.db`;

/** "tbnt": PRAGMA application_id. */
const kApplication = 0x7462_6e74;

/** Opens a data file: `create` brings it to the newest schema, for a cluster to use; `existing` leaves it as it is. */
export function openDataFile(sqlite: Sqlite, path: string, mode: 'create' | 'existing'): SqliteFile {
  const file = new SqliteFile(sqlite, path, mode);
  checkSchema(file, mode);
  if (mode === 'existing') return file;
  file.execute('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536');
  for (let step = file.number('PRAGMA user_version'); step < kSchemaSteps.length; step++) {
    const own = `PRAGMA application_id = ${kApplication}; PRAGMA user_version = ${step + 1}`;
    file.execute(`BEGIN IMMEDIATE; ${kSchemaSteps[step]}; ${own}; COMMIT`);
  }
  return file;
}

function checkSchema(file: SqliteFile, mode: 'create' | 'existing'): void {
  const schema = file.number('PRAGMA user_version');
  const fresh = file.number('SELECT count(*) FROM sqlite_schema') === 0;
  const ours = file.number('PRAGMA application_id') === kApplication && schema > 0;
  if (!ours && !(fresh && mode === 'create')) file.fail('this is not a file of tabernetes');
  if (schema > kSchemaSteps.length) file.fail(`it has schema ${schema}, written by a newer tabernetes; this one knows schemas up to ${kSchemaSteps.length}`);
}

/** The right to a directory. Ends with the process, however that ends. */
export class DataDirectory {
  readonly #owner: SqliteFile;

  /** Creates the directory if it does not exist. Throws who owns it, or what else is wrong. */
  constructor(sqlite: Sqlite, path: string) {
    attempt(path, () => mkdirSync(path, { mode: 0o700 }), 'EEXIST');
    const lock = `${path}/lock`;
    attempt(lock, () => closeSync(openSync(lock, 'a', 0o600)));
    this.#owner = new SqliteFile(sqlite, `${path}/owner.db`, 'create');
    this.#owner.execute('PRAGMA busy_timeout = 0');
    try {
      this.#owner.execute('BEGIN EXCLUSIVE'); // held until the end; nothing is written
    } catch (error) {
      if (!(error as Error).message.endsWith('database is locked')) throw error;
      const pid = readFileSync(lock, 'utf8').trim();
      throw new Error(`${path}: ${pid === '' ? 'another process' : `process ${pid}`} has this data directory`);
    }
    attempt(lock, () => writeFileSync(lock, `${process.pid}\n`));
  }

  release(): void {
    this.#owner.close();
  }
}

function attempt(path: string, work: () => void, but?: string): void {
  try {
    work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== but) throw new Error(`${path}: ${systemMessage(error)}`);
  }
}

/** The backend of --data-dir. */
export interface DataStore {
  backend: SqlStore;
  /** Gives the directory back. Nothing may be proposed afterwards. */
  close(): void;
}

/** Takes the directory. `warn` is told when changes cannot be stored, and when they can again. */
export async function openDataDirectory(path: string, warn: (line: string) => void): Promise<DataStore> {
  const sqlite = await loadSqlite();
  const directory = new DataDirectory(sqlite, path);
  const file = openDataFile(sqlite, dataFileIn(path), 'create');
  const first = statSync(file.path);
  let closed = false;
  const backend = new SqlStore(file, {
    describe: (error) => (error as Error).message,
    obstacle: () => whatBecameOf(file.path, first),
    onProblem: (problem) => warn(problem === '' ? 'changes are stored again' : `changes cannot be stored: ${problem}`),
    // Requests that have arrived together share a commit.
    schedule: (work) => void setImmediate(() => closed || work()),
  });
  return {
    backend,
    close() {
      closed = true;
      file.close();
      directory.release();
    },
  };
}

/** Says whether a file is still the one that was there at first. */
function whatBecameOf(path: string, first: Stats): string {
  try {
    const { dev, ino } = statSync(path);
    return dev === first.dev && ino === first.ino ? '' : `${path}: another file has taken its place`;
  } catch (error) {
    return `${path}: ${systemMessage(error)}`;
  }
}
