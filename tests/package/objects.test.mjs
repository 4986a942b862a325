// Tests what tests write again and again: apply, setStatus, wait, requests, as.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMap, create, createCluster, kConfigMaps, kReproducible, StatusError } from './support.mjs';

const pod = (name) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [{ name: 'main', image: 'nginx' }] } });
const kPods = '/api/v1/namespaces/default/pods';

let cluster;
test.beforeEach(async () => (cluster = await createCluster(kReproducible)));
test.afterEach(() => cluster.dispose());

test('apply creates, changes and takes over what others own', async () => {
  assert.equal((await cluster.apply(configMap('a', { x: '1' }))).metadata.resourceVersion.length > 0, true);
  await cluster.fetch(`${kConfigMaps}/a`, { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' }, body: '{"data":{"x":"2"}}' });
  const { data, metadata } = await cluster.apply(configMap('a', { x: '3' }), { manager: 'dashboard' });
  assert.deepEqual(data, { x: '3' });
  assert.ok(metadata.managedFields.some(({ manager }) => manager === 'dashboard'));
  await assert.rejects(cluster.apply(configMap('a', { x: '4' }), { force: false }), (error) => error instanceof StatusError && error.status.code === 409);
});

test('apply of a custom resource in a namespace of its own, and of a kind that is not served', async () => {
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
  await cluster.load({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'widgets.example.com' }, spec: { group: 'example.com', scope: 'Namespaced', names, versions: [version] } });
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'shop' } };
  assert.equal((await cluster.apply(widget)).metadata.namespace, 'shop');
  await assert.rejects(cluster.apply({ ...widget, kind: 'Gadget' }), /serves no kind "Gadget" of "example.com\/v1"/);
});

test('setStatus replaces the status, of kinds with and without a subresource for it', async () => {
  await cluster.apply(pod('web'));
  const { status } = await cluster.setStatus(pod('web'), { phase: 'Running', podIP: '10.0.0.1' });
  assert.equal(status.phase, 'Running');
  assert.equal((await cluster.setStatus(pod('web'), { phase: 'Failed' })).status.podIP, undefined);
  await assert.rejects(cluster.setStatus(pod('nobody'), {}), { name: 'StatusError' });
});

test('wait: for what is there, for what comes, for what goes', async () => {
  await cluster.apply(pod('web'));
  assert.equal((await cluster.wait(`${kPods}/web`)).metadata.name, 'web');
  const running = cluster.wait(`${kPods}/web`, (it) => it?.status.phase === 'Running');
  await cluster.setStatus(pod('web'), { phase: 'Running' });
  assert.equal((await running).status.phase, 'Running');
  const two = cluster.wait(kPods, (list) => list.items.length === 2);
  await cluster.apply(pod('db'));
  assert.equal((await two).items.length, 2);
  const gone = cluster.wait(`${kPods}/web`, (it) => it === undefined);
  await cluster.fetch(`${kPods}/web?gracePeriodSeconds=0`, { method: 'DELETE' });
  assert.equal(await gone, undefined);
});

test('wait gives up in time, and says what was there', async () => {
  await cluster.apply(configMap('a', { x: '1' }));
  const late = cluster.wait(`${kConfigMaps}/a`, (it) => it.data.x === '2', { timeout: 20 });
  await assert.rejects(late, /configmaps\/a has not become what was waited for in 20 ms; it is \{.*"data":\{"x":"1"\}/);
  const reason = new Error('enough');
  const left = new AbortController();
  const aborted = cluster.wait(`${kConfigMaps}/b`, undefined, { signal: left.signal });
  left.abort(reason);
  await assert.rejects(aborted, reason);
  await assert.rejects(cluster.wait('/api/v1/nothings/a'), { name: 'StatusError' });
});

test('requests: what came, in order, without what the test sent for itself', async () => {
  await cluster.apply(configMap('own'));
  await create(cluster, configMap('a'));
  await cluster.fetch(`${kConfigMaps}/a`);
  await cluster.fetch('/apis/apps/v1/deployments?watch=1');
  await cluster.fetch('/apis/apps/v1/namespaces/default/deployments/web/scale');
  await cluster.fetch(kConfigMaps, { method: 'DELETE' });
  await cluster.fetch('/api/v1/namespaces/default/status');
  await cluster.fetch('/version');
  const seen = cluster.requests().map(({ verb, group, resource, subresource, namespace, name, status }) => [verb, group, resource, subresource, namespace, name, status].join(' ').replace(/ +/g, ' '));
  assert.deepEqual(seen, [
    'create configmaps default 201',
    'get configmaps default a 200',
    'watch apps deployments 200',
    'get apps deployments scale default web 404',
    'deletecollection configmaps default 200',
    'get namespaces status default default 200',
    'get 200',
  ]);
  assert.deepEqual(cluster.requests({ resource: 'deployments.apps/scale' }).length, 1);
  assert.deepEqual(cluster.requests({ resource: 'deployments' }).length, 1);
  assert.equal(cluster.requests({ verb: 'create' })[0].object.metadata.name, 'a');
  cluster.requests.clear();
  assert.deepEqual(cluster.requests(), []);
});

test('requests.next: one that came already, then the next one, and in time', async () => {
  await create(cluster, configMap('a'));
  const match = { verb: 'create', resource: 'configmaps' };
  assert.equal((await cluster.requests.next(match)).object.metadata.name, 'a');
  const next = cluster.requests.next(match);
  await create(cluster, configMap('b'));
  assert.equal((await next).object.metadata.name, 'b');
  await assert.rejects(cluster.requests.next(match, { timeout: 10 }), /no request \{"verb":"create","resource":"configmaps"\} in 10 ms; the last were:\n {2}POST/);
});

test('requests: the log keeps the last thousand', async () => {
  for (let i = 0; i < 2100; i++) await cluster.request({ target: `/version?${i}` });
  const all = cluster.requests();
  assert.equal(all.length, 1000);
  assert.equal(all.at(-1).target, '/version?2099');
});

test('as: another user, for every way to ask', async () => {
  const jane = cluster.as({ user: 'jane', groups: ['viewers'], extra: { 'example.com/team': ['shop'] } });
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const { status } = await (await create(jane, review, '/apis/authentication.k8s.io/v1/selfsubjectreviews')).json();
  assert.deepEqual(status.userInfo, { username: 'jane', groups: ['viewers', 'system:authenticated'], extra: { 'example.com/team': ['shop'] } });
  assert.equal(cluster.requests().at(-1).user, 'jane');
  await jane.apply(configMap('a'));
  assert.equal((await jane.wait(`${kConfigMaps}/a`)).metadata.name, 'a');
  const copy = jane.fork();
  await copy.fetch('/version');
  assert.equal(copy.requests().at(-1).user, 'jane');
  copy.dispose();
  assert.throws(() => cluster.as({}), TypeError);
});

test('as, with roles: the host names the user, and bindings decide', async () => {
  const guarded = await createCluster({ ...kReproducible, authorizationMode: 'RBAC', anonymousAuth: false });
  const admin = guarded.as({ user: 'admin', groups: ['system:masters'] });
  await admin.apply({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'viewers' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:aggregate-to-view' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'viewers' }],
  });
  const jane = guarded.as({ user: 'jane', groups: ['viewers'] });
  assert.equal((await jane.fetch(kPods)).status, 200);
  const { status, message } = await (await jane.fetch('/api/v1/secrets')).json();
  assert.deepEqual([status, message], ['Failure', 'secrets is forbidden: User "jane" cannot list resource "secrets" in API group "" at the cluster scope']);
  assert.equal((await guarded.fetch(kPods)).status, 401);
  // Headers of a caller are asked for permission as ever.
  const headers = { 'impersonate-user': 'jane', 'impersonate-group': 'viewers' };
  assert.equal((await jane.fetch(kPods, { headers })).status, 403);
  assert.equal((await admin.fetch(kPods, { headers })).status, 200);
  assert.equal((await admin.fetch('/api/v1/secrets', { headers })).status, 403);
  guarded.dispose();
});

test('no caller names a user by a header that only a host may set', async () => {
  await assert.rejects(cluster.request({ target: '/version', headers: { ':impersonate-user': 'admin' } }), TypeError);
});

test('corrupt makes an object unreadable, whoever may ask the API; there must be one', async () => {
  const guarded = await createCluster({ ...kReproducible, authorizationMode: 'RBAC', anonymousAuth: false });
  const admin = guarded.as({ user: 'admin', groups: ['system:masters'] });
  await admin.apply(configMap('a', { x: '1' }));
  await guarded.corrupt(`${kConfigMaps}/a`);
  const answer = await admin.fetch(`${kConfigMaps}/a`);
  assert.deepEqual([answer.status, (await answer.json()).message], [500, 'illegal base64 data at input byte 3']);
  await assert.rejects(guarded.corrupt(`${kConfigMaps}/b`), new RangeError(`tabernetes: there is no object at ${kConfigMaps}/b`));
  guarded.dispose();
});
