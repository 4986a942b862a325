#!/usr/bin/env node
// Runs the native server under concurrent load, preferably the build with the thread sanitizer:
//
//   node tests/stress/run.mjs [--seconds 10] [--seed 1]      TABERNETES_BINARY names another binary
//
// 64 writers with optimistic concurrency, 1,000 watchers from random versions (some over WebSocket), paging readers,
// deletecollections and compactions run at the same time. Fails if a write is lost, a watcher misses or repeats an
// event, pages do not match, the sanitizer reports a race, or the shutdown is not clean. The last line is `N passed, N
// failed`.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { churner, compactor, pager, sweeper, waiter, writer } from './actors.mjs';
import { Api, configMaps, randomFrom, sleep, startServer, versionOf } from './api.mjs';
import { Checks } from './checks.mjs';
import { History } from './history.mjs';
import { Watcher, overHttp, overWebSocket } from './watcher.mjs';

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const seconds = option('seconds', 10);
const seed = option('seed', 1);
const kCounters = 8;
const kWriters = 64;
const kPatience = 60_000; // for the last watcher to get the last event

const top = fileURLToPath(new URL('../../', import.meta.url));
const binary = process.env.TABERNETES_BINARY ?? join(top, 'build', 'tsan', 'bin', 'tabernetes');

const checks = new Checks();
const check = (...what) => checks.check(...what);

const random = randomFrom(seed);
const server = await startServer(binary);
const api = new Api(server.url);
for (const name of ['stress', 'pages', 'sweep']) {
  await api.expect(201, 'POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}
const base = api.latest;
const counters = [];
for (let i = 0; i < kCounters; ++i) {
  const metadata = { name: `counter-${i}`, labels: { parity: i % 2 ? 'odd' : 'even' } };
  const created = await api.expect(201, 'POST', configMaps('stress'), { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { count: '0' } });
  counters.push({ namespace: 'stress', name: metadata.name, successes: 0, conflicts: 0, versions: [versionOf(created)] });
}

// The watched collections and the number of watchers of each.
const everything = { path: '/api/v1/configmaps', count: 50 };
const collection = { path: configMaps('stress'), count: 150 };
const groups = [
  everything,
  collection,
  ...['even', 'odd'].map((parity) => ({ path: `${configMaps('stress')}?labelSelector=parity%3D${parity}`, count: 40 })),
  ...counters.map(({ name }) => ({ path: `${configMaps('stress')}?fieldSelector=metadata.name%3D${name}`, count: 90 })),
];
for (const group of groups) group.history = new History();

// One watcher stays from the first write to the last, whatever is compacted.
const witness = new Watcher(api, overHttp, collection.path, collection.history, base, { random });
await witness.opened;

const end = Date.now() + seconds * 1000;
const common = { running: () => Date.now() < end, random, pause: 300 };
const counts = { lists: 0, pages: 0, waited: 0, deleted: 0, compactions: 0 };
const actors = [
  ...Array.from({ length: kWriters }, (_, i) => writer(api, counters[i % kCounters], common)),
  ...[0, 1, 2].map((id) => churner(api, 'pages', id, common)),
  ...[0, 1, 2].map(() => pager(api, 'pages', counts, common)),
  ...[0, 1, 2].map((id) => sweeper(api, 'sweep', id, counts, common)),
  ...[0, 1, 2].map(() => waiter(api, 'stress', counts, common)),
  compactor(api, counts, common),
];

const watchers = [witness];
async function openWatchers() {
  const dealt = groups.flatMap((group) => Array(group.count).fill(group)).slice(1);
  for (const [i, group] of dealt.entries()) {
    // Half start at the beginning, the others during the first half of the run, from any version that still exists.
    const early = i % 2 === 0;
    if (!early && i % 20 === 1) await sleep((seconds * 500) / (dealt.length / 20));
    const oldest = Math.max(base, api.compacted);
    const version = early && oldest === base ? base : oldest + Math.floor(random() * (api.latest - oldest + 1));
    const transport = i % 8 === 5 ? overWebSocket : overHttp;
    watchers.push(new Watcher(api, transport, group.path, group.history, version, { random, hops: i % 10 === 3 }));
    if (i % 50 === 0) await sleep(1);
  }
}

await check(`${seconds} seconds of writers, readers, sweepers and compactions (seed ${seed})`, async () => {
  await Promise.all([openWatchers(), ...actors]);
  return `${api.requests} requests`;
});
await check('no write was lost: each counter is the number of its successes', async () => {
  for (const counter of counters) {
    const object = await api.expect(200, 'GET', `${configMaps('stress')}/${counter.name}`);
    if (Number(object.data.count) !== counter.successes) throw new Error(`${counter.name} is ${object.data.count}, not ${counter.successes}`);
  }
  const sum = (key) => counters.reduce((n, counter) => n + counter[key], 0);
  if (sum('successes') < 20 || sum('conflicts') < 20) throw new Error('too few writes');
  return `${sum('successes')} writes, ${sum('conflicts')} conflicts`;
});
const written = counters.flatMap((counter) => counter.versions).sort((a, b) => a - b);
await check('each write got a version of its own', () => {
  for (let i = 1; i < written.length; ++i) if (written[i] === written[i - 1]) throw new Error(`version ${written[i]} twice`);
});
await check(`${watchers.length} watchers saw the same history, without a gap or a repetition`, async () => {
  const until = Date.now() + kPatience;
  // The last event of each group's history.
  const everyCounter = counters.map((counter) => counter.versions.at(-1));
  for (const watcher of watchers) {
    const counter = counters.findIndex(({ name }) => watcher.path.endsWith(`%3D${name}`));
    const parity = ['even', 'odd'].findIndex((name) => watcher.path.endsWith(name));
    const seen = counter >= 0 ? [everyCounter[counter]] : parity >= 0 ? everyCounter.filter((_, i) => i % 2 === parity) : everyCounter;
    await watcher.reach(Math.max(...seen), until);
  }
  for (const group of groups) group.history.check();
  const total = (key, list) => list.reduce((n, each) => n + each[key], 0);
  return `${total('deliveries', groups.map((g) => g.history))} events, ${total('resumed', watchers)} resumed, ${total('restarted', watchers)} begun anew`;
});
await check('the history holds every write and nothing else', () => {
  if (witness.resumed) throw new Error('the first watch did not go on');
  const seen = collection.history.versions();
  if (seen.join() !== written.join()) throw new Error(`${seen.length} events, ${written.length} writes`);
});
await check('pages made the Exact list of their version', () => {
  if (counts.lists < 5 || counts.pages < 10) throw new Error('too few');
  return `${counts.lists} lists of ${counts.pages} pages`;
});
await check('answers waited for their version', () => {
  if (counts.waited < 5) throw new Error('too few');
  return `${counts.waited}`;
});
await check('collections were deleted, the history was compacted', () => {
  if (counts.deleted < 10 || counts.compactions < 2) throw new Error('too few');
  return `${counts.deleted} objects, ${counts.compactions} compactions`;
});
await check('SIGTERM ends every watch as it should be, and nothing was reported', async () => {
  const ends = watchers.map((watcher) => watcher.ends());
  api.close();
  const { code, report } = await server.stop();
  if (report) throw new Error(report);
  if (code !== 0) throw new Error(`exit code ${code}`);
  const clean = (await Promise.all(ends)).filter(Boolean).length;
  if (clean !== watchers.length) throw new Error(`${watchers.length - clean} watches broke off`);
});
checks.end();
