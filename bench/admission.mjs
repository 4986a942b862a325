import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const top = dirname(dirname(fileURLToPath(import.meta.url)));
const binary = join(top, 'build', 'release', 'bin', 'admission_bench');

export const doc = 'a create that no configured webhook and no policy matches';
export const missing = () => (existsSync(binary) ? undefined : `${binary} is not built`);

/** Upper limits of the rows, in their order. */
const kBudgets = [undefined, 1.03, 10];

export function run() {
  const { status, stdout } = spawnSync(binary, [], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`${binary} ended with ${status}`);
  return JSON.parse(stdout).map((row, i) => ({ ...row, budget: kBudgets[i] }));
}
