// Tests patches of every type by @kubernetes/client-node, unmodified, against the native server.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import * as k8s from '@kubernetes/client-node';
import { startServer } from './server.mjs';

const namespace = 'default';
const name = 'web';
let server;
let apps;

before(async () => {
  server = await startServer('--seed', '1');
  const config = new k8s.KubeConfig();
  config.loadFromFile(server.kubeconfig);
  apps = config.makeApiClient(k8s.AppsV1Api);
});
after(async () => assert.equal(await server.stop(), 0));

beforeEach(async () => {
  await apps.deleteNamespacedDeployment({ namespace, name }).catch(() => {});
  const containers = [{ name: 'web', image: 'web:1' }, { name: 'log', image: 'log:1' }];
  const template = { metadata: { labels: { app: name } }, spec: { containers } };
  await apps.createNamespacedDeployment({
    namespace,
    fieldManager: 'creator',
    body: { metadata: { name }, spec: { replicas: 1, selector: { matchLabels: { app: name } }, template } },
  });
});

const as = (strategy) => k8s.setHeaderOptions('Content-Type', strategy);
const patch = (strategy, body, options = {}) => apps.patchNamespacedDeployment({ namespace, name, body, ...options }, as(strategy));
const images = ({ spec }) => spec.template.spec.containers.map((container) => container.image);
const managers = ({ metadata }) => metadata.managedFields.map(({ manager, operation }) => `${manager} ${operation}`);

test('JSON Patch', async () => {
  const patched = await patch(k8s.PatchStrategy.JsonPatch, [
    { op: 'test', path: '/spec/replicas', value: 1 },
    { op: 'replace', path: '/spec/replicas', value: 3 },
    { op: 'remove', path: '/spec/template/spec/containers/0' },
  ]);
  assert.equal(patched.spec.replicas, 3);
  assert.deepEqual(images(patched), ['log:1']);
  await assert.rejects(patch(k8s.PatchStrategy.JsonPatch, [{ op: 'test', path: '/spec/replicas', value: 1 }]), (error) => error.code === 422);
});

test('merge patch and strategic merge patch take lists differently', async () => {
  const body = { spec: { template: { spec: { containers: [{ name: 'log', image: 'log:2' }] } } } };
  const strategic = await patch(k8s.PatchStrategy.StrategicMergePatch, body, { fieldManager: 'patcher' });
  assert.deepEqual(images(strategic), ['web:1', 'log:2']);
  assert.deepEqual(managers(strategic), ['creator Update', 'patcher Update']);
  assert.deepEqual(images(await patch(k8s.PatchStrategy.MergePatch, body)), ['log:2']);
});

test('a dry run, field validation and a subresource', async () => {
  const body = { spec: { replicas: 9 } };
  assert.equal((await patch(k8s.PatchStrategy.MergePatch, body, { dryRun: 'All' })).spec.replicas, 9);
  assert.equal((await apps.readNamespacedDeployment({ namespace, name })).spec.replicas, 1);
  await assert.rejects(patch(k8s.PatchStrategy.MergePatch, { spec: { replica: 9 } }, { fieldValidation: 'Strict' }), (error) => {
    assert.equal(error.code, 422);
    assert.match(error.body, /strict decoding error: unknown field/);
    return true;
  });
  const scale = await apps.patchNamespacedDeploymentScale({ namespace, name, body }, as(k8s.PatchStrategy.MergePatch));
  assert.equal(scale.spec.replicas, 9);
});
