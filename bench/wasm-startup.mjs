import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { median } from './lib/native.mjs';

const index = new URL('../dist/index.js', import.meta.url);

export const doc = 'createCluster() in Node, with the module compiled and without';
export const missing = () => (existsSync(index) ? undefined : 'dist/ is not built');

/** Returns the milliseconds from the import to the cluster, in a new process. */
function coldOnce() {
  const program = `
    const start = performance.now();
    const { createCluster } = await import('${index}');
    await createCluster();
    console.log(performance.now() - start);`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }));
}

/** Returns the milliseconds of `work`. */
async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export async function run() {
  const { createCluster } = await import(index);
  const cold = Array.from({ length: 11 }, coldOnce);
  (await createCluster()).dispose(); // compiles
  const [warm, first] = [[], []];
  for (let i = 0; i < 31; ++i) {
    let cluster;
    warm.push(await timed(async () => (cluster = await createCluster())));
    first.push(await timed(() => cluster.fetch('/api/v1/namespaces')));
    cluster.dispose();
  }
  return [
    { measure: 'warm, median of 31', value: median(warm), unit: 'ms', budget: 10 },
    { measure: 'cold, median of 11', value: median(cold), unit: 'ms', budget: 70 },
    { measure: 'its first answer', value: median(first), unit: 'ms' },
  ];
}
