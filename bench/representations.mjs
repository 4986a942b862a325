import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measurePods } from './lib/cluster.mjs';

const top = dirname(dirname(fileURLToPath(import.meta.url)));
const binary = join(top, 'build', 'release', 'bin', 'representations_bench');

export const doc = 'LIST of 10,000 pods of 2 KiB in each representation, cold and warm, beside a copy of the bytes';
export const missing = () => (existsSync(binary) ? undefined : `${binary} is not built`);

export const run = () => measurePods(binary, [], 2048);
