import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const binary = join(dirname(folder), 'build', 'release', 'bin', 'codec_bench');

export const doc = 'readers and writers on a pod of 2 KiB, yyjson alone and a copy of the bytes as peers';
export const missing = () => (existsSync(binary) ? undefined : `${binary} is not built`);

export function run() {
  const { status, stdout } = spawnSync(binary, [join(folder, 'data', 'pod.json')], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${binary} ended with ${status}`);
  return JSON.parse(stdout);
}
