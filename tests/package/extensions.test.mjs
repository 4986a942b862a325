// The core in two modules: what is not in the first is loaded when something needs it, and at no other time.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { mock, test } from 'node:test';
import { applyPatch, compareResourceVersions, createCluster, decode, encode, matches, parseFieldSelector, parseSelector, ready, serverSideApply } from '../../dist/index.js';
import { loadScenarios } from '../conformance/runner/files.mjs';
import { runSuite } from '../conformance/runner/suite.mjs';
import { kSeed, kTokenFile, startOf, timeOfScenario } from '../conformance/runner/transports/start.mjs';
import { WasmTransport } from '../conformance/runner/transports/wasm.mjs';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const read = (name) => readFileSync(`${dist}${name}`);
const modules = { wasm: await WebAssembly.compile(read('core.wasm')), extensions: await WebAssembly.compile(read('extensions.wasm')) };
const kDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'crontabs.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'crontabs', kind: 'CronTab' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { replicas: { type: 'integer' } }, 'x-kubernetes-validations': [{ rule: 'self.replicas > 3' }] } },
          },
        },
      },
    ],
  },
};
const kCronTab = { apiVersion: 'example.com/v1', kind: 'CronTab', metadata: { name: 'small' }, spec: { replicas: 1 } };
const kCronTabs = '/apis/example.com/v1/namespaces/default/crontabs';

async function send(cluster, path, object) {
  const response = await cluster.fetch(path, object && { method: 'POST', body: JSON.stringify(object) });
  const text = await response.text();
  return { status: response.status, message: text.startsWith('{') ? JSON.parse(text).message : text };
}

/** Runs `work` and gives how often the extensions were loaded while everything waited. */
async function countLate(work) {
  const warn = mock.method(console, 'warn', () => {});
  try {
    await work();
  } finally {
    warn.mock.restore();
  }
  return warn.mock.calls.map(({ arguments: [text] }) => text);
}

/** A source that tells how often it was asked for. */
function counted(bytes) {
  const source = { asked: 0, then: (resolve) => (source.asked++, resolve(new Response(bytes))) };
  return source;
}

test('everyday work needs the first module alone; a definition brings the second, once', async () => {
  const extensions = counted(read('extensions.wasm'));
  const cluster = await createCluster({ wasm: modules.wasm, extensions, now: 0, seed: 1 });
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a: '1' } };
  assert.equal((await send(cluster, '/api/v1/namespaces/default/configmaps', config)).status, 201);
  assert.equal((await send(cluster, '/api/v1/pods')).status, 200);
  assert.equal((await send(cluster, kCronTabs)).status, 404);
  assert.equal(extensions.asked, 0);
  const late = await countLate(async () => {
    assert.equal((await send(cluster, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', kDefinition)).status, 201);
    cluster.advance(1000);
    assert.deepEqual(await send(cluster, kCronTabs, kCronTab), {
      status: 422,
      message: 'CronTab.example.com "small" is invalid: spec: Invalid value: failed rule: self.replicas > 3',
    });
  });
  assert.deepEqual(late, []);
  assert.equal(extensions.asked, 1);
  cluster.dispose();
});

test('two clusters load them at the same time, a fork has them', async () => {
  const clusters = await Promise.all([1, 2].map((seed) => createCluster({ ...modules, now: 0, seed })));
  const created = await Promise.all(clusters.map((cluster) => send(cluster, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', kDefinition)));
  assert.deepEqual(created.map(({ status }) => status), [201, 201]);
  const fork = clusters[0].fork();
  fork.advance(1000);
  assert.equal((await send(fork, kCronTabs, kCronTab)).status, 422);
  for (const cluster of [fork, ...clusters]) cluster.dispose();
});

test('manifests, snapshots and options that need them wait for them', async () => {
  const late = await countLate(async () => {
    const loaded = await createCluster({ ...modules, load: [kDefinition, { ...kCronTab, spec: { replicas: 5 }, metadata: { name: 'large', namespace: 'default' } }] });
    const restored = await createCluster({ ...modules, snapshot: loaded.snapshot() });
    const guarded = await createCluster({ ...modules, authorizationMode: 'RBAC', tokenFile: 'admin-token,admin,1,system:masters' });
    for (const cluster of [loaded, restored]) assert.equal((await send(cluster, `${kCronTabs}/large`)).status, 200);
    assert.equal((await send(guarded, '/api/v1/pods')).status, 403);
    for (const cluster of [loaded, restored, guarded]) cluster.dispose();
  });
  assert.deepEqual(late, []);
});

test('what cannot wait loads them at once: from bytes, from a file', async () => {
  const whole = await createCluster({ load: [kDefinition] });
  const snapshot = whole.snapshot();
  whole.dispose();
  for (const extensions of [read('extensions.wasm'), pathToFileURL(`${dist}extensions.wasm`)]) {
    const cluster = await createCluster({ wasm: modules.wasm, extensions });
    const late = await countLate(() => cluster.restore(snapshot));
    assert.match(late.join(), /^tabernetes: the extensions of the core are loaded late, for \d+$/);
    assert.equal((await send(cluster, kCronTabs, kCronTab)).status, 422);
    cluster.dispose();
  }
});

test('what cannot wait overtakes what does, and they are loaded once', async () => {
  const whole = await createCluster({ load: [kDefinition] });
  const snapshot = whole.snapshot();
  whole.dispose();
  const cluster = await createCluster({ wasm: modules.wasm, extensions: read('extensions.wasm') });
  await send(cluster, '/api/v1/pods'); // Node's fetch has a WebAssembly of its own
  const [compile, instantiate] = ['compile', 'instantiate'].map((name) => mock.method(WebAssembly, name));
  const defined = send(cluster, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', kDefinition);
  while (compile.mock.callCount() === 0) await null;
  assert.equal((await countLate(() => cluster.restore(snapshot))).length, 1);
  assert.equal((await defined).status, 409);
  assert.equal(instantiate.mock.callCount(), 0);
  mock.restoreAll();
  cluster.dispose();
});

test('nothing else needs them: neither time and forks nor functions without a cluster', async () => {
  await ready(modules);
  const late = await countLate(async () => {
    const cluster = await createCluster({ ...modules, now: 0 });
    const state = cluster.snapshot();
    const fork = cluster.fork();
    assert.equal((await send(fork, '/api/v1/namespaces', { metadata: { name: 'team' } })).status, 201);
    fork.advance(600_000);
    fork.compact();
    fork.reset();
    fork.restore(state);
    const again = await createCluster({ ...modules, snapshot: state });
    for (const each of [cluster, fork, again]) each.dispose();
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels: { b: 'c' } } };
    for (const type of ['application/json', 'application/yaml', 'application/cbor', 'application/vnd.kubernetes.protobuf']) {
      assert.equal(decode(encode(pod, type), type).metadata.name, 'a');
    }
    assert.ok(matches(parseSelector('b in (c,d)'), pod.metadata.labels));
    assert.ok(matches(parseFieldSelector('metadata.name=a'), pod));
    assert.equal(compareResourceVersions('9', '10'), -1);
  });
  assert.deepEqual(late, []);
});

test('patches without a cluster need them, and ready brings them', async () => {
  await ready({ ...modules, patches: true });
  const late = await countLate(() => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
    assert.equal(applyPatch(pod, { metadata: { name: 'b' } }, { contentType: 'application/strategic-merge-patch+json' }).metadata.name, 'b');
    assert.equal(serverSideApply(null, pod, { manager: 'm' }).object.metadata.name, 'a');
  });
  assert.deepEqual(late, []);
});

test('extensions that cannot be loaded fail the request, not the cluster; the next one tries again', async () => {
  const answers = [new Response('', { status: 503 }), new Response(read('extensions.wasm'))];
  const extensions = { then: (resolve) => resolve(answers.shift()) };
  const cluster = await createCluster({ wasm: modules.wasm, extensions });
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await assert.rejects(send(cluster, definitions, kDefinition), /the WebAssembly answered 503/);
  assert.equal((await send(cluster, '/api/v1/pods')).status, 200);
  assert.equal((await send(cluster, definitions, kDefinition)).status, 201);
  cluster.dispose();
});

/** A fresh cluster a scenario, without the endpoints of the runner, which are the extensions'. */
class FreshTransport extends WasmTransport {
  async reset(name) {
    this.cluster?.dispose();
    const now = timeOfScenario(++this.scenarios);
    this.cluster = await this.createCluster({ seed: kSeed, now, nodes: 0, tokenFile: kTokenFile, ...startOf(name) });
  }
}

test('no conformance scenario finds the extensions missing', async () => {
  const transport = new FreshTransport((options) => createCluster({ ...options, ...modules }));
  let running = 0;
  const late = await countLate(() => runSuite(loadScenarios(), transport, () => running++));
  transport.close();
  assert.ok(running > 900, `${running} scenarios`);
  assert.deepEqual(late, []);
});
