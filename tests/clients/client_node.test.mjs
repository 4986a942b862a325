// Tests @kubernetes/client-node, unmodified, against the native server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as k8s from '@kubernetes/client-node';
import { startServer } from './server.mjs';

let server;
let config;
let core;

before(async () => {
  server = await startServer('--seed', '1');
  config = new k8s.KubeConfig();
  config.loadFromFile(server.kubeconfig);
  core = config.makeApiClient(k8s.CoreV1Api);
});
after(async () => assert.equal(await server.stop(), 0));

const namespace = 'default';

/** Waits until `condition` holds. */
async function until(condition, what) {
  for (let i = 0; i < 400; ++i) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail(`waited in vain for ${what}`);
}

test('create, read, list, replace and delete', async () => {
  const made = await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'a', labels: { n: '1' } }, data: { k: 'v' } } });
  assert.equal(made.metadata.namespace, namespace);
  assert.ok(made.metadata.creationTimestamp instanceof Date);
  const read = await core.readNamespacedConfigMap({ namespace, name: 'a' });
  assert.deepEqual(read, made);
  const list = await core.listNamespacedConfigMap({ namespace, labelSelector: 'n=1' });
  assert.deepEqual(list.items.map((item) => item.metadata.name), ['a']);
  const replaced = await core.replaceNamespacedConfigMap({ namespace, name: 'a', body: { ...read, data: { k: 'w' } } });
  assert.equal(replaced.data.k, 'w');
  await assert.rejects(core.replaceNamespacedConfigMap({ namespace, name: 'a', body: read }), (error) => {
    assert.equal(error.code, 409);
    assert.match(error.body, /the object has been modified/);
    return true;
  });
  const status = await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
  assert.equal(status.status, 'Success');
  await assert.rejects(core.readNamespacedConfigMap({ namespace, name: 'a' }), (error) => error.code === 404);
});

test('a paged list has every object once', async () => {
  for (let i = 0; i < 7; ++i) await core.createNamespacedSecret({ namespace, body: { metadata: { name: `s${i}` } } });
  const names = [];
  let token;
  do {
    const page = await core.listNamespacedSecret({ namespace, limit: 3, _continue: token });
    names.push(...page.items.map((item) => item.metadata.name));
    token = page.metadata._continue;
  } while (token);
  assert.deepEqual(names, ['s0', 's1', 's2', 's3', 's4', 's5', 's6']);
});

test('a watch gives each event', async () => {
  const events = [];
  const watch = new k8s.Watch(config);
  const { metadata } = await core.listNamespacedConfigMap({ namespace });
  const request = await watch.watch(
    `/api/v1/namespaces/${namespace}/configmaps`,
    { resourceVersion: metadata.resourceVersion },
    (type, object) => events.push(`${type} ${object.metadata.name}`),
    () => {},
  );
  await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'w' } } });
  await core.replaceNamespacedConfigMap({ namespace, name: 'w', body: { metadata: { name: 'w' }, data: { a: 'b' } } });
  await core.deleteNamespacedConfigMap({ namespace, name: 'w' });
  await until(() => events.length >= 3, 'three events');
  request.abort();
  assert.deepEqual(events, ['ADDED w', 'MODIFIED w', 'DELETED w']);
});

test('an informer keeps a cache', async () => {
  await core.createNamespacedPod({ namespace, body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'main', image: 'nginx' }] } } });
  const informer = k8s.makeInformer(config, `/api/v1/namespaces/${namespace}/pods`, () => core.listNamespacedPod({ namespace }));
  const seen = [];
  for (const verb of ['add', 'update', 'delete']) informer.on(verb, (pod) => seen.push(`${verb} ${pod.metadata.name}`));
  informer.on('error', (error) => seen.push(`error ${error.message}`));
  await informer.start();
  await until(() => seen.includes('add p'), 'the pod that was there');
  await core.createNamespacedPod({ namespace, body: { metadata: { name: 'q' }, spec: { containers: [{ name: 'main', image: 'nginx' }] } } });
  await until(() => seen.includes('add q'), 'the new pod');
  assert.deepEqual(informer.list(namespace).map((pod) => pod.metadata.name).sort(), ['p', 'q']);
  await core.deleteNamespacedPod({ namespace, name: 'q' });
  await until(() => seen.includes('delete q'), 'the deletion');
  assert.equal(seen.some((line) => line.startsWith('error')), false, seen.join('; '));
  await informer.stop();
});
