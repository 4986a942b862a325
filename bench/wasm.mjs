import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pod } from './lib/native.mjs';

const index = new URL('../dist/index.js', import.meta.url);
const native = fileURLToPath(new URL('../build/release/bin/core_bench', import.meta.url));

export const doc = 'the npm package in Node, beside the same calls of the native core; processor time of each';
export const missing = () => {
  if (!existsSync(index)) return 'dist/ is not built';
  return existsSync(native) ? undefined : `${native} is not built`;
};

const kMany = 100_000;
const kSome = 10_000;
const kPage = 500;
const kLeastSeconds = 0.5;
const kPods = '/api/v1/namespaces/default/pods';

/** Name and shard are replaced for each pod; core_bench has the same placeholders. */
const kTemplate = pod('pod-########').replace('"labels":{', '"labels":{"shard":"####",');
const numbered = (number) =>
  kTemplate.replace('########', String(number).padStart(8, '0')).replace('####', String(number % 1000).padStart(4, '0'));
const manifest = (pods) =>
  `{"apiVersion":"v1","kind":"List","items":[${Array.from({ length: pods }, (_, i) => numbered(i)).join(',')}]}`;

/** Returns the seconds of processor time of `work`, including the engine's concurrent compiling and collecting. */
async function secondsOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Returns the same for one `work`, from many repetitions. */
async function secondsEach(work) {
  let done = 0;
  const took = await secondsOf(async () => {
    for (const start = performance.now(); performance.now() - start < 1000 * kLeastSeconds; done++) await work();
  });
  return took / done;
}

const get = (cluster, target) => cluster.request({ target });

async function post(cluster, number) {
  const { status } = await cluster.request({ method: 'POST', target: kPods, body: numbered(number) });
  if (status !== 201) throw new Error(`create: ${status}`);
}

async function walkPages(cluster) {
  const target = `/api/v1/pods?limit=${kPage}`;
  const tokenOf = ({ body }) => new TextDecoder().decode(body.subarray(0, 300)).match(/"continue":"([^"]*)"/)?.[1];
  let token = tokenOf(await get(cluster, target));
  while (token) token = tokenOf(await get(cluster, `${target}&continue=${token}`));
}

/** Returns the seconds from a write until all watchers have read its event. */
async function writeToWatchers(createCluster, watchers) {
  const cluster = await createCluster();
  const readers = [];
  for (let i = 0; i < watchers; i++) {
    const { stream } = await get(cluster, '/api/v1/pods?watch=true&resourceVersion=2');
    readers.push(stream.getReader());
  }
  let number = 0;
  const took = await secondsEach(async () => {
    const events = readers.map((reader) => reader.read());
    await post(cluster, number++);
    await Promise.all(events);
  });
  cluster.dispose();
  return took;
}

/** Takes the measures of core_bench, in the same order, and the bytes of memory of 100,000 pods. */
async function measure() {
  const memories = [];
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...args) => {
    const instance = await instantiate(...args);
    memories.push(Object.values(instance.exports).find((each) => each instanceof WebAssembly.Memory));
    return instance;
  };
  const { createCluster } = await import(index);
  const rows = new Map();

  const many = await createCluster();
  const all = manifest(kMany);
  rows.set('load of 100,000 pods', 1e3 * (await secondsOf(() => many.load(all))));
  const memory = memories.at(-1).buffer.byteLength;
  rows.set('fork of 100,000 pods', 1e3 * (await secondsEach(() => many.fork().dispose())));
  const selected = () => get(many, '/api/v1/pods?labelSelector=shard%3D0007');
  rows.set('label selector, 100 of 100,000 pods', 1e3 * (await secondsEach(selected)));
  rows.set('snapshot of 100,000 pods', 1e3 * (await secondsEach(() => many.snapshot())));
  many.dispose();

  const some = await createCluster({ load: manifest(kSome) });
  rows.set('list of 10,000 pods', 1e3 * (await secondsEach(() => get(some, '/api/v1/pods'))));
  rows.set('the same by pages of 500', 1e3 * (await secondsEach(() => walkPages(some))));
  rows.set('get', 1e6 * (await secondsEach(() => get(some, `${kPods}/pod-00000007`))));
  const fetched = 1e6 * (await secondsEach(async () => (await some.fetch(`${kPods}/pod-00000007`)).arrayBuffer()));
  let number = kSome;
  rows.set('create', 1e6 * (await secondsEach(() => post(some, number++))));
  some.dispose();
  for (const watchers of [1, 100, 10_000]) {
    rows.set(`a write and its event to watchers: ${watchers}`, 1e3 * (await writeToWatchers(createCluster, watchers)));
  }
  WebAssembly.instantiate = instantiate;
  return { rows, fetched, memory, loaded: all.length };
}

const kBudgets = { 'load of 100,000 pods': 3000, 'fork of 100,000 pods': 1 };

export async function run() {
  const { rows, fetched, memory, loaded } = await measure();
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-bench-'));
  writeFileSync(join(folder, 'pod.json'), kTemplate);
  const { status, stdout } = spawnSync(native, [join(folder, 'pod.json')], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  rmSync(folder, { recursive: true });
  if (status !== 0) throw new Error(`${native} ended with ${status}`);

  const result = [];
  for (const { measure: name, value, unit } of JSON.parse(stdout)) {
    const ours = rows.get(name);
    result.push({ measure: name, value: ours, unit, budget: kBudgets[name] });
    result.push({ measure: '  native core', value, unit });
    result.push({ measure: '  WASM to native', value: ours / value, unit: '×' });
  }
  result.push({ measure: 'get, through fetch and its Response', value: fetched, unit: 'us' });
  result.push({ measure: 'memory of the module with 100,000 pods', value: memory / 2 ** 20, unit: 'MiB' });
  result.push({ measure: '  to the bytes of their manifest', value: memory / loaded, unit: '×' });
  return result;
}
