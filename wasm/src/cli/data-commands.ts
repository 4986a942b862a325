// The commands that work on data directories, as mock-server/data_commands.h describes them: backup, restore, check-data.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { DataDirectory, dataFileIn, openDataFile } from './data-directory.js';
import { loadSqlite, type SqliteFile } from './sqlite.js';

/** A command on data, with its operands. */
export interface DataCommand {
  name: DataCommandName;
  from: string;
  to: string;
}

export type DataCommandName = 'backup' | 'restore' | 'check-data';

/** Their operands and help. */
export const kDataCommands: readonly { name: DataCommandName; operands: readonly string[]; help: string }[] = [
  { name: 'backup', operands: ['DIR', 'FILE'], help: 'Copy the data of a --data-dir to a new file, also while it is served' },
  { name: 'restore', operands: ['FILE', 'DIR'], help: 'Make a data directory of a backup' },
  { name: 'check-data', operands: ['DIR'], help: 'Check the data of a directory' },
];

/** Sets the exit code 1 after a line on stderr per problem. */
export async function runDataCommand({ name, from, to }: DataCommand): Promise<void> {
  let problems: string[];
  try {
    const sqlite = await loadSqlite();
    if (name === 'backup') {
      refuseExisting(to);
      copy(openDataFile(sqlite, dataFileIn(from), 'existing'), to);
      return;
    }
    const file = openDataFile(sqlite, name === 'restore' ? from : dataFileIn(from), 'existing');
    const report = check(file);
    problems = report.problems.map((problem) => `${from}: ${problem}`);
    if (name === 'check-data' && problems.length === 0) {
      process.stdout.write(`${from}: ${report.objects} objects in ${report.versions} versions up to resourceVersion ${report.revision}, all good\n`);
    }
    if (name === 'restore' && problems.length === 0) {
      const own = new DataDirectory(sqlite, to);
      refuseExisting(dataFileIn(to));
      copy(file, dataFileIn(to));
      own.release();
    }
  } catch (error) {
    problems = [(error as Error).message];
  }
  for (const problem of problems) process.stderr.write(`tabernetes: ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

function refuseExisting(path: string): void {
  if (existsSync(path)) throw new Error(`${path} exists already`);
}

/** Copies a database to `path`, where it appears when it is complete. */
function copy(from: SqliteFile, path: string): void {
  const partial = `${path}.partial`;
  rmSync(partial, { force: true });
  try {
    from.run('VACUUM INTO ?1', partial);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  renameSync(partial, path);
}

interface Report {
  objects: number;
  versions: number;
  revision: string;
  problems: string[];
}

/** Checks the file as a whole and each value. */
function check(file: SqliteFile): Report {
  const problems = file.rows('PRAGMA integrity_check').map(({ integrity_check: said }) => String(said)).filter((said) => said !== 'ok');
  file.execute('BEGIN'); // all of the following sees one state
  const [state] = file.rows('SELECT CAST(revision AS TEXT) AS revision FROM state');
  const revision = String(state?.['revision'] ?? 0);
  let objects = 0;
  let versions = 0;
  for (const { at, key, value, sum, replaced } of file.database.prepare('SELECT CAST(revision AS TEXT) AS at, key, value, sum, replaced IS NOT NULL AS replaced FROM versions').iterate()) {
    versions++;
    if (!replaced) objects++;
    if (value !== null && file.sum(value as Uint8Array) !== Number(sum)) problems.push(`${String(key)} at ${String(at)}: its bytes have changed since they were written`);
    if (BigInt(at as string) > BigInt(revision)) problems.push(`${String(key)} at ${String(at)}: newer than the state`);
  }
  for (const { key } of file.rows('SELECT key FROM versions WHERE replaced IS NULL GROUP BY key HAVING count(*) > 1')) problems.push(`${String(key)}: has two newest versions`);
  const lost = `SELECT old.key AS key, CAST(old.replaced AS TEXT) AS at FROM versions old
    LEFT JOIN versions new ON new.revision = old.replaced AND new.key = old.key
    WHERE old.replaced IS NOT NULL AND new.revision IS NULL AND old.replaced > (SELECT oldest FROM state)`;
  for (const { key, at } of file.rows(lost)) problems.push(`${String(key)} at ${String(at)}: is missing`);
  file.execute('COMMIT');
  return { objects, versions, revision, problems };
}
