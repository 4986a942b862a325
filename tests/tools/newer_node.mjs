// A newer Node.js than the one that runs the tests, from the registry.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const kNewerNode = '22.21.1';

/** Installs it outside of the checkout, where it stays, and returns its path. */
export async function newerNode() {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(tmpdir(), `tabernetes-node-${userInfo().uid}-${kNewerNode}`);
  const program = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const flags = ['--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=4'];
  await promisify(execFile)('npm', ['install', '--prefix', folder, ...flags, `${name}@${kNewerNode}`], { cwd: tmpdir(), timeout: 400_000 });
  return program;
}
