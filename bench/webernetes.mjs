// The npm package beside @ngrok/webernetes, another simulator of a cluster in JavaScript, which answers no HTTP and has objects
// where ours has bytes. Both do the same work alternately, in this process. It is installed in the folder for temporary files.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { median } from './lib/native.mjs';

const kVersion = '0.3.5';
const kObjects = 20_000;
const kRound = 1000;
const kLists = 9;
const kWatchers = 100;
const kWatched = 200;
const kWatchRounds = 7;
const kEvents = '/api/v1/namespaces/default/events';
const kEventBytes = 885;

const dist = new URL('../dist/index.js', import.meta.url);
const folder = join(tmpdir(), `tabernetes-webernetes-${userInfo().uid}-${kVersion}`);
const peer = join(folder, 'webernetes.mjs');

export const doc = `creates, lists and watches of Events beside @ngrok/webernetes ${kVersion}`;

export function missing() {
  if (!existsSync(dist)) return 'dist/ is not built';
  if (existsSync(peer)) return undefined;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"peer","private":true}');
  try {
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `@ngrok/webernetes@${kVersion}`], { cwd: folder, stdio: 'pipe' });
    // Node.js cannot load it unbundled: its imports have no file extensions.
    buildSync({ stdin: { contents: "export * from '@ngrok/webernetes';", resolveDir: folder }, bundle: true, format: 'esm', platform: 'browser', outfile: peer, logLevel: 'silent' });
  } catch (error) {
    return `@ngrok/webernetes is not to be had: ${String(error.stderr ?? error.message).split('\n')[0]}`;
  }
}

/** Returns an Event whose JSON has 885 bytes. */
function event(number) {
  const name = `web-${String(number).padStart(6, '0')}`;
  const made = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: 'default', labels: { app: 'web', tier: 'frontend' } },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name, uid: '7c0f4c0e-9d6f-4a7f-8a51-5f0f2f3b8a11', fieldPath: 'spec.containers{main}' },
    reason: 'Pulled',
    message: '',
    source: { component: 'kubelet', host: 'node-1' },
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:00Z',
    count: 1,
    type: 'Normal',
  };
  made.message = 'x'.repeat(kEventBytes - JSON.stringify(made).length);
  return made;
}

/** The same work with each package: `create` one, `list` all; `watch` with many, which returns the part that counts. */
async function ours() {
  const { createCluster } = await import(dist);
  const cluster = await createCluster({ controllers: 'none', scheduler: false });
  const create = async (number) => {
    const { status } = await cluster.request({ method: 'POST', target: kEvents, body: JSON.stringify(event(number)) });
    if (status !== 201) throw new Error(`a create is answered ${status}`);
  };
  const list = async () => (await cluster.request({ target: kEvents })).body;
  const watch = async (first) => {
    const { metadata } = JSON.parse(new TextDecoder().decode((await cluster.request({ target: `${kEvents}?limit=1` })).body));
    const streams = await Promise.all(Array.from({ length: kWatchers }, () => cluster.request({ target: `${kEvents}?watch=true&resourceVersion=${metadata.resourceVersion}` })));
    const seen = streams.map(async ({ stream }) => {
      const reader = stream.getReader();
      for (let count = 0; count < kWatched; count++) await reader.read();
      await reader.cancel();
    });
    return async () => {
      for (let i = 0; i < kWatched; i++) await create(first + i);
      await Promise.all(seen);
    };
  };
  return { create, list, parse: (bytes) => JSON.parse(new TextDecoder().decode(bytes)).items.length, watch, end: () => cluster.dispose() };
}

async function theirs() {
  const { Cluster, Watch } = await import(pathToFileURL(peer).href);
  const cluster = new Cluster({ nodes: 1 }); // not started, so no controller works beside
  await cluster.api.corev1.createNamespace({ body: { metadata: { name: 'default' } } });
  const create = (number) => cluster.api.corev1.createNamespacedEvent({ namespace: 'default', body: event(number) });
  const list = () => cluster.api.corev1.listNamespacedEvent({ namespace: 'default' });
  const watch = async (first) => {
    const { metadata } = await list();
    const left = [];
    const seen = Array.from({ length: kWatchers }, () => new Promise((resolve, reject) => {
      let count = 0;
      const heard = (_, object) => {
        if (Number(object.metadata.name.slice(4)) >= first && ++count === kWatched) resolve();
      };
      left.push(new Watch(cluster.kubeConfig).watch(kEvents, { resourceVersion: metadata.resourceVersion }, heard, (error) => error && reject(error)));
    }));
    const watches = await Promise.all(left);
    return async () => {
      for (let i = 0; i < kWatched; i++) await create(first + i);
      await Promise.all(seen);
      for (const each of watches) each.abort();
    };
  };
  return { create, list, parse: (list) => list.items.length, watch, end: () => cluster.close?.() };
}

/** Returns the milliseconds of processor time of `work`. */
async function timed(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export async function run() {
  const all = [await ours(), await theirs()];
  const creates = [[], []];
  for (let from = 0; from < kObjects; from += kRound) {
    for (const [which, { create }] of all.entries()) {
      creates[which].push((await timed(async () => { for (let i = 0; i < kRound; i++) await create(from + i); })) / kRound);
    }
  }
  const [lists, parsed, watches] = [[[], []], [[], []], [[], []]];
  for (let i = 0; i < kLists; i++) {
    for (const [which, { list, parse }] of all.entries()) {
      let listed;
      const took = await timed(async () => (listed = await list()));
      lists[which].push(took);
      let count;
      parsed[which].push(took + (await timed(() => (count = parse(listed)))));
      if (count !== kObjects) throw new Error(`${count} objects are listed`);
    }
  }
  for (let i = 0; i < kWatchRounds; i++) {
    for (const [which, { watch }] of all.entries()) {
      const deliver = await watch(kObjects + i * kWatched);
      watches[which].push(((await timed(deliver)) * 1000) / kWatchers / kWatched);
    }
  }
  for (const { end } of all) await end();
  const rows = (measure, [mine, other], unit, atLeast, scale = 1) => {
    const [value, peer] = [median(mine) * scale, median(other) * scale];
    return [
      { measure, value, unit, budget: peer / atLeast },
      { measure: '  webernetes', value: peer, unit },
      { measure: '  times as fast', value: peer / value, unit: '×' },
    ];
  };
  return [
    ...rows(`create of an Event of ${kEventBytes} bytes`, creates, 'us', 1, 1000),
    ...rows(`list of ${kObjects.toLocaleString('en-US')}`, lists, 'ms', 5),
    ...rows('  the same, as objects', parsed, 'ms', 1),
    ...rows(`${kWatchers} watchers × ${kWatched} events, a delivery`, watches, 'us', 5),
  ];
}
