// 100,000 pods, in the native core (cluster_bench) and in the npm package, for the benchmarks.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pod } from './native.mjs';

const top = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const binary = join(top, 'build', 'release', 'bin', 'cluster_bench');
const index = join(top, 'dist', 'index.js');

export const missingClusterBench = () => (existsSync(binary) ? undefined : `${binary} is not built`);

const template = (size) => pod('pod-########', size);

/** Returns the rows of `cluster_bench WHAT`. A pod's JSON has about `size` bytes. */
export const measureNative = (what, size) => measurePods(binary, [what], size);

/** Returns the rows that a benchmark prints for a template pod of about `size` bytes of JSON. */
export function measurePods(binary, flags, size) {
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-bench-'));
  try {
    const file = join(folder, 'pod.json');
    writeFileSync(file, template(size));
    const { status, stdout } = spawnSync(binary, [...flags, file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    if (status !== 0) throw new Error(`${binary} ended with ${status}`);
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the package's module, or undefined if it is not built. */
export const importPackage = async () => (existsSync(index) ? import(index) : undefined);

/** Returns a manifest of 100,000 pods as JSON. */
export function manifest(size, pods = 100_000) {
  const text = template(size);
  const items = Array.from({ length: pods }, (_, i) => text.replace('########', String(i).padStart(8, '0')));
  return `{"apiVersion":"v1","kind":"List","items":[${items.join(',')}]}`;
}
