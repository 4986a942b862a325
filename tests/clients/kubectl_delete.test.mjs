// Tests kubectl delete with every flag and with control loops: cascades, finalizers, grace periods, a namespace that is
// stuck.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { kubectlOf } from './kubectl_client.mjs';
import { startServer } from './server.mjs';

let server;
let kubectl, outcome, refused, start, fileOf;

before(async () => {
  server = await startServer('--seed', '1', '--nodes', '0', '--controllers', 'all');
  ({ kubectl, outcome, refused, start, fileOf } = kubectlOf(server));
});
after(async () => assert.equal(await server.stop(), 0));

/** Creates objects in the namespace default and returns their uids. */
async function create(...objects) {
  const file = fileOf({ kind: 'List', apiVersion: 'v1', items: objects });
  return (await kubectl('create', '-f', file, '-o', 'jsonpath={.metadata.uid}{"\\n"}')).split('\n').filter(Boolean);
}

const configMap = (name, metadata = {}) => ({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, ...metadata } });
const ownedBy = (name, uid) => ({ ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid, blockOwnerDeletion: true }] });
const held = { finalizers: ['example.com/hold'] };
const letGo = (kind, name) => kubectl('patch', kind, name, '--type=merge', '-p', '{"metadata":{"finalizers":null}}');

/** Returns the names of the ConfigMaps that exist. */
const present = async (...names) => (await kubectl('get', 'configmap', ...names, '--ignore-not-found', '-o', 'name')).split('\n').filter(Boolean);

async function family(name) {
  const [uid] = await create(configMap(name));
  await create(configMap(`${name}-kid`, { ...ownedBy(name, uid), labels: { family: name } }));
}

test('--cascade: background and foreground take the dependents along, orphan leaves them', async () => {
  for (const cascade of ['background', 'foreground']) {
    await family(cascade);
    assert.equal(await kubectl('delete', 'configmap', cascade, `--cascade=${cascade}`), `configmap "${cascade}" deleted`);
    await kubectl('wait', '--for=delete', `configmap/${cascade}-kid`, '--timeout=10s');
    assert.deepEqual(await present(cascade, `${cascade}-kid`), []);
  }
  await family('orphan');
  await kubectl('delete', 'configmap', 'orphan', '--cascade=orphan');
  assert.deepEqual(await present('orphan', 'orphan-kid'), ['configmap/orphan-kid']);
  assert.equal(await kubectl('get', 'configmap', 'orphan-kid', '-o', 'jsonpath={.metadata.ownerReferences}'), '');
});

test('a foreground deletion waits for a dependent that a finalizer holds', async () => {
  const [uid] = await create(configMap('patient'));
  await create(configMap('slow', { ...ownedBy('patient', uid), ...held }));
  assert.equal(await kubectl('delete', 'configmap', 'patient', '--cascade=foreground', '--wait=false'), 'configmap "patient" deleted');
  assert.match(await refused('wait', '--for=delete', 'configmap/patient', '--timeout=1s'), /timed out waiting for the condition on configmaps\/patient/);
  assert.equal(await kubectl('get', 'configmap', 'patient', '-o', 'jsonpath={.metadata.finalizers[*]} {.metadata.deletionGracePeriodSeconds}'), 'foregroundDeletion 0');
  const waiting = kubectl('wait', '--for=delete', 'configmap/patient', '--timeout=20s');
  await letGo('configmap', 'slow');
  await waiting;
  assert.deepEqual(await present('patient', 'slow'), []);
});

test('a stuck finalizer: terminating, still there, gone once it is let go', async () => {
  await create(configMap('stuck', held));
  await kubectl('delete', 'configmap', 'stuck', '--wait=false');
  const yaml = await kubectl('get', 'configmap', 'stuck', '-o', 'yaml');
  assert.match(yaml, /deletionGracePeriodSeconds: 0\n {2}deletionTimestamp: "\d{4}-/);
  assert.match(yaml, /finalizers:\n {2}- example\.com\/hold\n/);
  assert.match(await refused('create', 'configmap', 'stuck'), /object is being deleted: configmaps "stuck" already exists/);
  const deleting = start('delete', 'configmap', 'stuck');
  const ended = once(deleting, 'exit');
  const [told] = await once(deleting.stdout, 'data'); // it has sent the request and waits now
  assert.equal(`${told}`, 'configmap "stuck" deleted\n');
  assert.equal(deleting.exitCode, null);
  await letGo('configmap', 'stuck');
  assert.deepEqual(await ended, [0, null]);
  assert.deepEqual(await present('stuck'), []);
});

test('--all, -l, --dry-run, --ignore-not-found, --field-selector, files', async () => {
  await create(configMap('x', { labels: { set: 'l' } }), configMap('y', { labels: { set: 'l' } }), configMap('z'));
  assert.equal(await kubectl('delete', 'configmap', 'x', '--dry-run=server'), 'configmap "x" deleted (server dry run)');
  assert.equal(await kubectl('delete', 'configmap', 'x', '--dry-run=client'), 'configmap "x" deleted (dry run)');
  assert.deepEqual(await present('x'), ['configmap/x']);
  assert.equal(await kubectl('delete', 'configmap', '-l', 'set=l'), 'configmap "x" deleted\nconfigmap "y" deleted');
  assert.equal(await kubectl('delete', 'configmap', '--field-selector', 'metadata.name=z'), 'configmap "z" deleted');
  assert.equal(await refused('delete', 'configmap', 'z'), 'Error from server (NotFound): configmaps "z" not found');
  assert.equal(await kubectl('delete', 'configmap', 'z', '--ignore-not-found'), '');
  await create(configMap('w'));
  assert.match(await kubectl('delete', 'configmap', '--all', '-o', 'name'), /configmap\/w/);
});

test('pods: graces, --now, --force', async () => {
  const pod = (name, spec = {}) => ({ kind: 'Pod', apiVersion: 'v1', metadata: { name }, spec: { containers: [{ name: 'c', image: 'registry.example/c' }], ...spec } });
  await create(pod('pending'), pod('bound', { nodeName: 'node-1' }), pod('now', { nodeName: 'node-1' }));
  assert.equal(await kubectl('delete', 'pod', 'pending'), 'pod "pending" deleted');
  await kubectl('delete', 'pod', 'bound', '--grace-period=20', '--wait=false');
  assert.equal(await kubectl('get', 'pod', 'bound', '-o', 'jsonpath={.metadata.deletionGracePeriodSeconds} {.metadata.generation}'), '20 2');
  assert.match(await kubectl('get', 'pods', 'bound', '--no-headers'), /^bound +0\/1 +Terminating /);
  await kubectl('delete', 'pod', 'now', '--now', '--wait=false');
  assert.equal(await kubectl('get', 'pod', 'now', '-o', 'jsonpath={.metadata.deletionGracePeriodSeconds}'), '1');
  const { stdout, stderr } = await outcome(['delete', 'pod', 'bound', 'now', '--force', '--grace-period=0']);
  assert.match(stderr, /Immediate deletion does not wait for confirmation/);
  assert.equal(stdout, 'pod "bound" force deleted\npod "now" force deleted');
});

test('a namespace goes with all that is in it', async () => {
  await kubectl('create', 'namespace', 'full');
  await kubectl('create', 'configmap', 'in-it', '-n', 'full');
  assert.equal(await kubectl('delete', 'namespace', 'full', '--timeout=20s'), 'namespace "full" deleted');
  assert.match(await refused('get', 'configmap', '-n', 'full', 'in-it'), /configmaps "in-it" not found|namespaces "full" not found/);
  assert.match(await refused('create', 'configmap', 'late', '-n', 'full'), /namespaces "full" not found/);
});

test('a stuck namespace says what holds it, and /finalize lets it go', async () => {
  await kubectl('create', 'namespace', 'stuck');
  await kubectl('create', 'configmap', 'anchor', '-n', 'stuck');
  await kubectl('patch', 'configmap', 'anchor', '-n', 'stuck', '--type=merge', '-p', '{"metadata":{"finalizers":["example.com/hold"]}}');
  await kubectl('delete', 'namespace', 'stuck', '--wait=false');
  await kubectl('wait', '--for=condition=NamespaceContentRemaining', 'namespace/stuck', '--timeout=10s');
  const yaml = await kubectl('get', 'namespace', 'stuck', '-o', 'yaml');
  for (const text of [
    /message: All resources successfully discovered\n {4}reason: ResourcesDiscovered\n {4}status: "False"\n {4}type: NamespaceDeletionDiscoveryFailure/,
    /message: 'Some resources are remaining: configmaps\. has 1 resource instances'\n {4}reason: SomeResourcesRemain\n {4}status: "True"\n {4}type: NamespaceContentRemaining/,
    /message: 'Some content in the namespace has finalizers remaining: example\.com\/hold\n {6}in 1 resource instances'\n {4}reason: SomeFinalizersRemain\n {4}status: "True"\n {4}type: NamespaceFinalizersRemaining/,
    /spec:\n {2}finalizers:\n {2}- kubernetes\nstatus:/,
    /phase: Terminating$/,
  ]) assert.match(yaml, text);
  assert.match(await kubectl('get', 'namespace', 'stuck', '--no-headers'), /^stuck +Terminating /);
  const file = fileOf({ kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'stuck' }, spec: { finalizers: [] } });
  await kubectl('replace', '--raw', '/api/v1/namespaces/stuck/finalize', '-f', file);
  assert.match(await refused('get', 'namespace', 'stuck'), /namespaces "stuck" not found/);
});
