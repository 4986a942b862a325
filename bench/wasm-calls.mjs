// The cost of calls through the npm package. With TABERNETES_OTHER_DIST=<folder> another build of the package is
// measured alternately in the same run, and each row has the ratio, which is comparable even on a noisy machine.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pod } from './lib/native.mjs';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const other = process.env.TABERNETES_OTHER_DIST;

export const doc = 'calls of the npm package in Node: get, create, list, deliveries of watches';
export const missing = () => [dist, other].filter(Boolean).find((folder) => !existsSync(join(folder, 'index.js')));

const kPods = '/api/v1/namespaces/default/pods';
const kRounds = 40;
const kRoundMilliseconds = 40;
const kListed = 500;
const kWatchers = 200;
/** Headers like a dashboard's, and several dozen of them. */
const kHeaders = [['accept', 'application/json'], ['user-agent', 'bench/1.0'], ['authorization', `Bearer ${'t'.repeat(40)}`]];

async function measuresOf(folder) {
  const { createCluster } = await import(pathToFileURL(resolve(folder, 'index.js')).href);
  const items = Array.from({ length: kListed }, (_, i) => JSON.parse(pod(`pod-${i}`)));
  const cluster = await createCluster({ load: items, controllers: 'none', scheduler: false });
  const watched = await createCluster({ controllers: 'none', scheduler: false });
  const readers = [];
  for (let i = 0; i < kWatchers; i++) {
    const { stream } = await watched.request({ target: `${kPods}?watch=true&resourceVersion=2` });
    readers.push(stream.getReader());
  }
  let number = 0;
  const template = pod('pod-########');
  const created = (into) => into.request({ method: 'POST', target: kPods, body: template.replace('########', `n${number++}`) });
  const deliver = async (count) => {
    const events = readers.slice(0, count).map((reader) => reader.read());
    await created(watched);
    await Promise.all(events);
  };
  const target = `${kPods}/pod-7`;
  const all = {
    'get, request': [() => cluster.request({ target, headers: kHeaders }), 1],
    'get, fetch': [async () => (await cluster.fetch(target)).arrayBuffer(), 1],
    'create, request': [() => created(cluster), 1],
    'list of 500, request': [() => cluster.request({ target: `${kPods}?limit=${kListed}` }), 1],
    'a write and its delivery to 200 watchers, a delivery': [() => deliver(kWatchers), kWatchers],
  };
  return { all, dispose: () => [cluster, watched].forEach((each) => each.dispose()) };
}

/** Returns the microseconds of processor time of one call, in one round. */
async function round([work, parts]) {
  const start = performance.now();
  const before = process.cpuUsage();
  let done = 0;
  for (; performance.now() - start < kRoundMilliseconds; done++) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / done / parts;
}

export async function run() {
  const builds = await Promise.all([dist, ...(other ? [other] : [])].map(measuresOf));
  const rows = [];
  for (const measure of Object.keys(builds[0].all)) {
    const best = builds.map(() => Infinity);
    for (let i = 0; i < kRounds; i++) {
      for (const [which, { all }] of builds.entries()) best[which] = Math.min(best[which], await round(all[measure]));
    }
    rows.push({ measure, value: best[0], unit: 'us' });
    if (measure === 'get, fetch') rows.push({ measure: '  beyond the request', value: best[0] - rows[0].value, unit: 'us', budget: 60 });
    if (other) rows.push({ measure: '  the other build', value: best[1], unit: 'us' }, { measure: '  ratio', value: best[0] / best[1], unit: '×' });
  }
  for (const { dispose } of builds) dispose();
  return rows;
}
