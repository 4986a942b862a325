// How long createCluster() takes in Node. With TABERNETES_OTHER_DIST=<folder> another build of the package is measured
// alternately in the same run.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { median } from './lib/native.mjs';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const other = process.env.TABERNETES_OTHER_DIST;
const kColdRuns = 41;

export const doc = 'createCluster() in Node, with the module compiled and without';
export const missing = () => [dist, other].filter(Boolean).map((folder) => join(folder, 'index.js')).find((file) => !existsSync(file));

/**
 * Returns what it takes from the import to the cluster, in a new process: milliseconds, and those of them in which its
 * main thread had a core. The engine's own threads compile meanwhile; on a busy machine the main thread waits for them.
 */
function coldOnce(folder) {
  const program = `
    import { readFileSync } from 'node:fs';
    // Milliseconds of a core that the main thread has had; not known outside of Linux.
    const used = () => {
      try {
        return Number(readFileSync('/proc/self/task/' + process.pid + '/schedstat', 'utf8').split(' ')[0]) / 1e6;
      } catch {
        return NaN;
      }
    };
    const [start, before] = [performance.now(), used()];
    const { createCluster } = await import(${JSON.stringify(pathToFileURL(join(folder, 'index.js')).href)});
    await createCluster();
    console.log(JSON.stringify([performance.now() - start, used() - before]));`;
  const [took, computed] = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }));
  return { took, computed };
}

/** Returns the milliseconds of `work`. */
async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function warmRows(folder) {
  const { createCluster } = await import(pathToFileURL(join(folder, 'index.js')).href);
  for (let i = 0; i < 5; i++) (await createCluster()).dispose(); // until what is hot is compiled well
  const [warm, first] = [[], []];
  for (let i = 0; i < 31; ++i) {
    let cluster;
    warm.push(await timed(async () => (cluster = await createCluster())));
    first.push(await timed(() => cluster.fetch('/api/v1/namespaces')));
    cluster.dispose();
  }
  return [
    { measure: 'warm, median of 31', value: median(warm), unit: 'ms', budget: 10 },
    { measure: 'its first answer', value: median(first), unit: 'ms' },
  ];
}

export async function run() {
  const builds = [dist, other].filter(Boolean).map((folder) => ({ folder, cold: [] }));
  for (let i = 0; i < kColdRuns; i++) for (const { folder, cold } of builds) cold.push(coldOnce(folder));
  const rows = builds.flatMap(({ cold }, which) => {
    const of = which === 0 ? '' : ', the other build';
    return [
      { measure: `cold, median of ${kColdRuns}${of}`, value: median(cold.map(({ took }) => took)), unit: 'ms', ...(which === 0 ? { budget: 40 } : {}) },
      { measure: `  the fastest of them${of}`, value: Math.min(...cold.map(({ took }) => took)), unit: 'ms' },
      ...(cold.some(({ computed }) => Number.isNaN(computed)) ? [] : [{ measure: `  its main thread's computing${of}`, value: median(cold.map(({ computed }) => computed)), unit: 'ms' }]),
    ];
  });
  return [...(await warmRows(dist)), ...rows];
}
