import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measurePods } from './lib/cluster.mjs';

const top = dirname(dirname(fileURLToPath(import.meta.url)));
const binary = join(top, 'build', 'release', 'bin', 'patch_bench');

export const doc = 'each type of patch on a pod of 2 KiB and an object of 200 KiB, and of a server on a custom resource of 200 KiB, all with 10 managers';
export const missing = () => (existsSync(binary) ? undefined : `${binary} is not built`);

export const run = () => measurePods(binary, [], 2048);
