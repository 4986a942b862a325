import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measurePods } from './lib/cluster.mjs';

const top = dirname(dirname(fileURLToPath(import.meta.url)));
const binary = join(top, 'build', 'release', 'bin', 'ownership_bench');

export const doc = 'what it costs to book who owns the fields of a new object';
export const missing = () => (existsSync(binary) ? undefined : `${binary} is not built`);

export const run = () => measurePods(binary, [], 2048);
