import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const binary = join(dirname(dirname(fileURLToPath(import.meta.url))), 'build', 'release', 'bin', 'store_bench');

export const doc = 'the store by itself: 100,000 records under the keys of pods, std::map as the peer';
export const missing = () => (existsSync(binary) ? undefined : `${binary} is not built`);

export function run() {
  const { status, stdout } = spawnSync(binary, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`${binary} ended with ${status}`);
  return JSON.parse(stdout);
}
