import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const binary = join(dirname(folder), 'build', 'bench', 'bin', 'representations_bench');

export const doc = 'LIST of 10,000 pods of 2 KiB in each representation, cold and warm, beside a copy of the bytes';
export const missing = () => (existsSync(binary) ? undefined : `${binary} is not built`);

export function run() {
  const { status, stdout } = spawnSync(binary, [join(folder, 'data', 'pod.json')], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${binary} ended with ${status}`);
  return JSON.parse(stdout);
}
