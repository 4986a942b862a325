// Tests kubectl's ways to change objects: client-side apply, edit, patch, set, scale, label, annotate, diff, replace.
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { kubectlOf } from './kubectl_client.mjs';
import { startServer } from './server.mjs';

let server;
let kubectl, outcome, fileOf;

before(async () => {
  server = await startServer('--seed', '1');
  ({ kubectl, outcome, fileOf } = kubectlOf(server));
});
after(async () => assert.equal(await server.stop(), 0));

const get = async (name) => JSON.parse(await kubectl('get', name, '-o', 'json', '--show-managed-fields'));
const managers = ({ metadata }) => metadata.managedFields.map(({ manager, operation, subresource = '' }) => `${manager} ${operation} ${subresource}`.trim());

const deployment = ({ image = 'web:1', replicas = '  replicas: 2\n', labels = '    tier: front\n', env = '' } = {}) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app: web
${labels}spec:
${replicas}  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: ${image}
${env}`;
const first = () => fileOf(deployment(), 'web.yaml');

test('apply: created, unchanged, configured, and what was given up goes', async () => {
  assert.equal(await kubectl('apply', '-f', first()), 'deployment.apps/web created');
  assert.equal(await kubectl('apply', '-f', first()), 'deployment.apps/web unchanged');
  assert.deepEqual(managers(await get('deployment/web')), ['kubectl-client-side-apply Update']);

  await kubectl('set', 'env', 'deployment/web', 'BY=hand');
  const changed = fileOf(deployment({ image: 'web:2', labels: '', env: '        env:\n        - {name: BY_FILE, value: "1"}\n' }));
  assert.equal(await kubectl('apply', '-f', changed), 'deployment.apps/web configured');
  const object = await get('deployment/web');
  assert.deepEqual(object.metadata.labels, { app: 'web' });
  const [container] = object.spec.template.spec.containers;
  assert.equal(container.image, 'web:2');
  assert.deepEqual(container.env, [{ name: 'BY_FILE', value: '1' }, { name: 'BY', value: 'hand' }]);
  assert.equal(object.metadata.generation, 3);
});

test('diff shows what an apply would change, and changes nothing', async () => {
  const before = await get('deployment/web');
  const { code, stdout } = await outcome(['diff', '-f', fileOf(deployment({ image: 'web:3', labels: '' }))], { KUBECTL_EXTERNAL_DIFF: 'diff -U0' });
  assert.equal(code, 1);
  assert.match(stdout, /^-.* image: web:2$/m);
  assert.match(stdout, /^\+.* image: web:3$/m);
  assert.match(stdout, /^-.*name: BY_FILE$/m);
  assert.deepEqual(await get('deployment/web'), before);
  const same = fileOf(deployment({ image: 'web:2', labels: '', env: '        env:\n        - {name: BY_FILE, value: "1"}\n' }));
  assert.deepEqual(await outcome(['diff', '-f', same]), { code: 0, stdout: '', stderr: '' });
});

test('patch of each type', async () => {
  const containers = async () => (await get('deployment/web')).spec.template.spec.containers.map(({ name, image }) => `${name} ${image}`);
  const list = (image) => JSON.stringify({ spec: { template: { spec: { containers: [{ name: 'log', image }] } } } });
  assert.equal(await kubectl('patch', 'deployment', 'web', '-p', list('log:1')), 'deployment.apps/web patched');
  assert.deepEqual(await containers(), ['log log:1', 'web web:2']);
  assert.equal(await kubectl('patch', 'deployment', 'web', '-p', list('log:1')), 'deployment.apps/web patched (no change)');
  await kubectl('patch', 'deployment', 'web', '--type', 'json', '-p', '[{"op":"remove","path":"/spec/template/spec/containers/1"}]');
  assert.deepEqual(await containers(), ['log log:1']);
  await kubectl('patch', 'deployment', 'web', '--type', 'merge', '-p', list('log:2'));
  assert.deepEqual(await containers(), ['log log:2']);
  assert.deepEqual(managers(await get('deployment/web')).sort(), ['kubectl-client-side-apply Update', 'kubectl-patch Update']);
  await kubectl('patch', 'deployment', 'web', '--subresource', 'status', '--type', 'merge', '-p', '{"status":{"replicas":1}}');
  const object = await get('deployment/web');
  assert.equal(object.status.replicas, 1);
  assert.ok(managers(object).includes('kubectl-patch Update status'));
});

test('a patch that is refused says why', async () => {
  const refused = async (...args) => (await outcome(['patch', 'deployment', 'web', ...args])).stderr;
  assert.equal(
    await refused('--type', 'json', '-p', '[{"op":"remove","path":"/nope"}]'),
    'The request is invalid: the server rejected our request due to an error in our request',
  );
  assert.match(await refused('-p', '{"spec":{"replicas":"many"}}'), /unrecognized type: int32$/);
  assert.equal(
    await refused('--type', 'merge', '-p', '{"metadata":{"name":"other"}}'),
    'Error from server (BadRequest): the name of the object (other) does not match the name on the URL (web)',
  );
});

test('set image, scale, rollout restart', async () => {
  assert.equal(await kubectl('set', 'image', 'deployment/web', 'log=log:9'), 'deployment.apps/web image updated');
  assert.equal(await kubectl('scale', 'deployment/web', '--replicas', '5'), 'deployment.apps/web scaled');
  assert.equal(await kubectl('rollout', 'restart', 'deployment/web'), 'deployment.apps/web restarted');
  const object = await get('deployment/web');
  assert.equal(object.spec.replicas, 5);
  assert.equal(object.spec.template.spec.containers[0].image, 'log:9');
  assert.match(object.spec.template.metadata.annotations['kubectl.kubernetes.io/restartedAt'], /^\d{4}-/);
  assert.ok(managers(object).includes('kubectl Update scale'));
  assert.ok(managers(object).includes('kubectl-set Update'));
});

test('label and annotate add, replace, remove', async () => {
  for (const verb of ['label', 'annotate']) {
    const field = async () => (await get('deployment/web')).metadata[`${verb === 'label' ? 'label' : 'annotation'}s`];
    assert.equal(await kubectl(verb, 'deployment', 'web', 'stage=one'), `deployment.apps/web ${verb === 'label' ? 'labeled' : 'annotated'}`);
    assert.equal((await field()).stage, 'one');
    assert.match((await outcome([verb, 'deployment', 'web', 'stage=two'])).stderr, /already has a value|--overwrite is false/);
    await kubectl(verb, 'deployment', 'web', '--overwrite', 'stage=two');
    assert.equal((await field()).stage, 'two');
    await kubectl(verb, 'deployment', 'web', 'stage-');
    assert.equal((await field()).stage, undefined);
  }
});

test('edit sends what the editor changed', async () => {
  const editor = fileOf('#!/bin/sh\nsed -i "s/replicas: 5/replicas: 6/" "$1"\n', 'editor.sh');
  chmodSync(editor, 0o755);
  const { code, stdout } = await outcome(['edit', 'deployment', 'web'], { KUBE_EDITOR: editor });
  assert.deepEqual([code, stdout], [0, 'deployment.apps/web edited']);
  const object = await get('deployment/web');
  assert.equal(object.spec.replicas, 6);
  assert.ok(managers(object).includes('kubectl-edit Update'));
  assert.equal((await outcome(['edit', 'deployment', 'web'], { KUBE_EDITOR: 'true' })).stdout, '');
});

test('replace puts the whole object, under its version', async () => {
  const object = await get('deployment/web');
  delete object.metadata.annotations;
  object.spec.replicas = 1;
  assert.equal(await kubectl('replace', '-f', fileOf(object, 'web.json')), 'deployment.apps/web replaced');
  assert.equal((await get('deployment/web')).spec.replicas, 1);
  assert.match((await outcome(['replace', '-f', join(server.dir, 'web.json')])).stderr, /^Error from server \(Conflict\): .*the object has been modified; please apply your changes/);
});

test('apply --server-side: created, shared, conflicts shown, forced, given up', async () => {
  const manifest = (data) => fileOf(`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: ${JSON.stringify(data)}\n`);
  const apply = (data, ...flags) => outcome(['apply', '--server-side', '-f', manifest(data), ...flags]);
  const owners = async () => managers(await get('configmap/settings')).sort();
  assert.equal((await apply({ a: '1', b: '2' })).stdout, 'configmap/settings serverside-applied');
  assert.deepEqual(await owners(), ['kubectl Apply']);
  assert.equal((await apply({ a: '1' }, '--field-manager', 'other')).stdout, 'configmap/settings serverside-applied');
  assert.deepEqual(await owners(), ['kubectl Apply', 'other Apply']);

  const refused = await apply({ a: '9' }, '--field-manager', 'other');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^error: Apply failed with 1 conflict: conflict with "kubectl": \.data\.a\nPlease review the fields above/);
  assert.equal((await get('configmap/settings')).data.a, '1');
  assert.equal((await apply({ a: '9' }, '--field-manager', 'other', '--force-conflicts')).code, 0);
  assert.equal((await apply({ b: '2' })).code, 0);
  const object = await get('configmap/settings');
  assert.deepEqual(object.data, { a: '9', b: '2' });
  assert.equal((await apply({}, '--field-manager', 'other')).code, 0);
  assert.deepEqual((await get('configmap/settings')).data, { b: '2' });
  assert.deepEqual(await owners(), ['kubectl Apply', 'other Apply']);
});

test('apply --server-side takes over what apply did from its own side', async () => {
  const manifest = fileOf('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: moved}\ndata: {a: "1"}\n');
  assert.equal(await kubectl('apply', '-f', manifest), 'configmap/moved created');
  assert.equal(await kubectl('apply', '--server-side', '-f', manifest), 'configmap/moved serverside-applied');
  // As with a kube-apiserver, kubectl owns its client-side annotation under a separate manager.
  assert.deepEqual(managers(await get('configmap/moved')), ['kubectl Apply', 'kubectl-last-applied Apply']);
});

test('diff --server-side shows what an apply would change', async () => {
  const manifest = fileOf('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: moved}\ndata: {a: "2"}\n');
  const { code, stdout } = await outcome(['diff', '--server-side', '-f', manifest], { KUBECTL_EXTERNAL_DIFF: 'diff -U0' });
  assert.equal(code, 1);
  assert.match(stdout, /^-  a: "1"\n\+  a: "2"$/m);
  assert.equal((await get('configmap/moved')).data.a, '1');
});
