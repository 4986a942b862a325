// Tests clients with a cache, and clients that wait, through cut connections, forced compactions and restarts of the
// server: in the end their state must equal the server's.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import * as k8s from '@kubernetes/client-node';
import { cuttingProxy } from './cutting_proxy.mjs';
import { linesOf, Reflector } from './reflector.mjs';
import { startServer, top } from './server.mjs';

const kConfigMaps = '/api/v1/namespaces/default/configmaps';
const kPods = '/api/v1/namespaces/default/pods';
const kNames = ['first', 'second', 'third', ...Array.from({ length: 9 }, (_, i) => `c${i}`)];
const kFlags = ['--load', join(top, 'tests/clients/manifests/settings.yaml')];

let server;
let proxy;
const kubectlPath = execFileSync(process.execPath, [join(top, 'tools/kubectl.mjs')], { encoding: 'utf8' }).trim();

beforeEach(async () => {
  server = await startServer(...kFlags);
  proxy = await cuttingProxy(server.url);
});
afterEach(async () => {
  proxy.close();
  assert.equal(await server.stop(), 0);
});

/** Sends a request directly, not through the proxy, and returns the parsed answer. */
async function ask(method, path, body, type = 'application/json') {
  const response = await fetch(server.url + path, { method, headers: { 'content-type': type }, body: body && JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

const patch = (path, body) => ask('PATCH', path, body, 'application/merge-patch+json');
const compact = async () => assert.equal((await ask('POST', '/-/tabernetes/compact')).status, 200);

async function restart() {
  assert.equal(await server.stop(), 0);
  server = await startServer(...kFlags);
  proxy.moveTo(server.url);
}

/** Returns a generator of numbers below a bound, the same in every run. */
function numbers(seed) {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Creates, changes and deletes ConfigMaps. Labels are added and removed, for watches with a selector. */
async function write(count, below) {
  for (let i = 0; i < count; i++) {
    const name = kNames[below(kNames.length)];
    const labels = { kept: below(2) ? 'yes' : null };
    const changed = below(4) ? await patch(`${kConfigMaps}/${name}`, { metadata: { labels }, data: { n: String(below(1000)) } }) : await ask('DELETE', `${kConfigMaps}/${name}`);
    if (changed.status === 404) await ask('POST', kConfigMaps, { metadata: { name, labels: labels.kept ? labels : {} }, data: { n: '0' } });
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(condition, what) {
  for (let i = 0; i < 1600; i++) {
    if (await condition()) return;
    await pause(25);
  }
  assert.fail(`waited in vain for ${typeof what === 'function' ? what() : what}`);
}

/** Returns the server's state, name by name, in the form of watch events. */
async function truth(query = '') {
  const { body } = await ask('GET', kConfigMaps + query);
  return new Map(body.items.map((item) => [item.metadata.name, { kind: 'ConfigMap', apiVersion: 'v1', ...item }]));
}

const versionsOf = (cache) => [...cache.values()].map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).sort().join(' ');

/** Waits until `cache()` has the server's versions. */
async function inSync(cache, query) {
  const wanted = versionsOf(await truth(query));
  await until(() => versionsOf(cache()) === wanted, () => `${wanted}, still ${versionsOf(cache())}`);
}

/** The failures, each between two rounds of writes. */
const kTroubles = {
  'a cut connection': async () => proxy.cut(),
  'a compaction': compact,
  'a compaction while the connection is cut': async (below) => {
    proxy.cut();
    await write(5, below);
    await compact();
    await write(5, below);
    proxy.cut();
    await compact();
  },
  'a restart': restart,
  'cuts in the middle of writing': async (below) => {
    for (let i = 0; i < 5; i++) {
      await write(4, below);
      proxy.cut();
    }
  },
};

for (const [trouble, happen] of Object.entries(kTroubles)) {
  test(`streaming lists stay in sync through ${trouble}`, async (t) => {
    const below = numbers(1);
    const all = new Reflector(proxy.url + kConfigMaps);
    const some = new Reflector(proxy.url + kConfigMaps, { labelSelector: 'kept=yes' });
    for (const each of [all, some]) {
      each.start();
      t.after(() => each.stop());
    }
    for (let round = 0; round < 3; round++) {
      await write(15, below);
      await happen(below);
      await write(15, below);
    }
    await inSync(() => all.cache);
    await inSync(() => some.cache, '?labelSelector=kept%3Dyes');
    assert.deepEqual(Object.fromEntries(all.cache), Object.fromEntries(await truth()));
    assert.deepEqual(Object.fromEntries(some.cache), Object.fromEntries(await truth('?labelSelector=kept%3Dyes')));
    assert.deepEqual([...all.faults, ...some.faults], []);
    assert.ok(all.synced && all.counts.streamed > 0);
  });

  test(`informers of @kubernetes/client-node stay in sync through ${trouble}`, async (t) => {
    const below = numbers(2);
    const config = new k8s.KubeConfig();
    config.loadFromClusterAndUser({ name: 'proxy', server: proxy.url, skipTLSVerify: true }, { name: 'nobody' });
    const core = config.makeApiClient(k8s.CoreV1Api);
    const informer = k8s.makeInformer(config, kConfigMaps, () => core.listNamespacedConfigMap({ namespace: 'default' }));
    let stopped = false;
    informer.on('error', () => setTimeout(() => stopped || informer.start(), 20));
    t.after(async () => {
      stopped = true;
      await informer.stop();
    });
    await informer.start();
    for (let round = 0; round < 3; round++) {
      await write(15, below);
      await happen(below);
      await write(15, below);
    }
    const cache = () => new Map(informer.list('default').map((object) => [object.metadata.name, object]));
    await inSync(cache);
    const data = (objects) => Object.fromEntries([...objects].map(([name, object]) => [name, { data: object.data, labels: object.metadata.labels, uid: object.metadata.uid }]));
    assert.deepEqual(data(cache()), data(await truth()));
  });
}

test('a version of an earlier life of the server is gone, not of the future', async () => {
  const { body } = await ask('GET', kConfigMaps);
  await write(40, numbers(3));
  const { body: last } = await ask('GET', kConfigMaps);
  await restart();
  for (const version of [body.metadata.resourceVersion, last.metadata.resourceVersion]) {
    const response = await fetch(`${server.url}${kConfigMaps}?watch=1&resourceVersion=${version}`);
    assert.equal(response.status, 200);
    const event = JSON.parse(await response.text());
    assert.equal(event.type, 'ERROR');
    assert.equal(event.object.code, 410);
    assert.match(event.object.message, new RegExp(`^too old resource version: ${version} \\(\\d+\\)$`));
  }
});

/** Starts a kubectl that uses the proxy and returns { output(), errors(), exited }. */
function kubectl(...args) {
  const child = spawn(kubectlPath, ['--kubeconfig', server.kubeconfig, '--server', proxy.url, '--cache-dir', join(server.dir, 'cache'), ...args]);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => (texts[name] += chunk));
  return { output: () => texts.stdout, errors: () => texts.stderr, exited: new Promise((resolve) => child.once('exit', resolve)) };
}

test('kubectl get -w shows every change through compactions, and ends when its connection is cut', async () => {
  const below = numbers(4);
  const { body: start } = await ask('GET', kConfigMaps);
  const watch = kubectl('get', 'configmaps', '-w', '--output-watch-events', '-o', 'json');
  await until(() => eventsOf(watch.output()).length === 3, 'the three at the start');
  const stop = new AbortController();
  const seen = recordEvents(start.metadata.resourceVersion, stop.signal);
  for (let round = 0; round < 3; round++) {
    await write(20, below);
    await compact();
  }
  const last = await ask('POST', kConfigMaps, { metadata: { name: 'last' } });
  const end = `ADDED last@${last.body.metadata.resourceVersion}`;
  await until(() => seen.at(-1) === end && eventsOf(watch.output()).at(-1) === end, () => `${end}, still ${seen.at(-1)} and ${eventsOf(watch.output()).at(-1)}`);
  assert.deepEqual(eventsOf(watch.output()).slice(3), seen);
  assert.ok(seen.length > 40, `${seen.length} events`);
  proxy.cut();
  assert.equal(typeof (await watch.exited), 'number');
  stop.abort();
});

/** Watches directly, not through the proxy. Returns a list that grows with the events. */
function recordEvents(version, signal) {
  const events = [];
  const record = async () => {
    const response = await fetch(`${server.url}${kConfigMaps}?watch=1&resourceVersion=${version}`, { signal });
    for await (const line of linesOf(response)) events.push(eventText(JSON.parse(line)));
  };
  record().catch((error) => assert.equal(error.name, 'AbortError'));
  return events;
}

const eventText = ({ type, object }) => `${type} ${object.metadata.name}@${object.metadata.resourceVersion}`;

/** Returns the events that kubectl printed, one per line. The last line may be incomplete. */
const eventsOf = (text) => text.split('\n').slice(0, -1).map((line) => eventText(JSON.parse(line)));

const kPod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'main', image: 'nginx' }] } };
const kReady = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };

/** Conditions for kubectl wait, the change that fulfils each, and kubectl's output. */
const kWaits = [
  { wait: ['pod/p', '--for=condition=Ready'], fulfil: () => patch(`${kPods}/p/status`, kReady), says: 'pod/p condition met\n' },
  { wait: ['configmap/first', '--for=jsonpath={.data.n}=7'], fulfil: () => patch(`${kConfigMaps}/first`, { data: { n: '7' } }), says: 'configmap/first condition met\n' },
  { wait: ['configmap/first', '--for=delete'], fulfil: () => ask('DELETE', `${kConfigMaps}/first`), says: 'configmap/first condition met\n' },
];

for (const { wait, fulfil, says } of kWaits) {
  test(`kubectl wait ${wait.join(' ')} outlives cuts and compactions`, async () => {
    assert.equal((await ask('POST', kPods, kPod)).status, 201);
    const waiting = kubectl('wait', '--timeout=30s', ...wait);
    await pause(700); // works with and without kubectl's watch being open by now
    for (let i = 0; i < 3; i++) {
      proxy.cut();
      await patch(`${kConfigMaps}/first`, { data: { n: String(i) } });
      await compact();
      await pause(100);
    }
    assert.equal(waiting.output(), '');
    await fulfil();
    assert.equal(await waiting.exited, 0, waiting.errors());
    assert.equal(waiting.output(), says);
  });
}
