// Tests applyPatch, serverSideApply and fieldOwners: patches without a server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPatch, createCluster, fieldOwners, kReproducible, serverSideApply, StatusError } from './support.mjs';

const kJsonPatch = 'application/json-patch+json';
const kMergePatch = 'application/merge-patch+json';
const kStrategic = 'application/strategic-merge-patch+json';

const deployment = () => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web', tier: 'front' } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx:1' }, { name: 'log', image: 'log:1' }] } },
  },
});

const containers = (object) => object.spec.template.spec.containers.map(({ name, image }) => `${name} ${image}`);

/** Returns the thrown Status. */
function failure(work) {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    assert.equal(error.message, error.status.message ?? '');
    return error.status;
  }
  assert.fail('nothing was thrown');
}

test('each type of patch does what the server does with it', () => {
  const object = deployment();
  const merged = applyPatch(object, { metadata: { labels: { tier: null } }, spec: { replicas: 3 } }, { contentType: kMergePatch });
  assert.equal(merged.spec.replicas, 3);
  assert.deepEqual(merged.metadata.labels, { app: 'web' });

  const operations = [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'nginx:2' }];
  assert.deepEqual(containers(applyPatch(object, operations, { contentType: kJsonPatch })), ['web nginx:2', 'log log:1']);

  const part = { spec: { template: { spec: { containers: [{ name: 'log', image: 'log:2' }] } } } };
  assert.deepEqual(containers(applyPatch(object, part, { contentType: kStrategic })), ['web nginx:1', 'log log:2']);
  assert.deepEqual(containers(applyPatch(object, part, { contentType: kMergePatch })), ['log log:2']);
  assert.deepEqual(object, deployment());
});

test('a patch may be the text of a request', () => {
  assert.equal(applyPatch(deployment(), '{"spec":{"replicas":2}}', { contentType: kMergePatch }).spec.replicas, 2);
  assert.equal(applyPatch(deployment(), '[{"op":"test","path":"/kind","value":"Deployment"}]', { contentType: kJsonPatch }).kind, 'Deployment');
});

test('other kinds are patched as they are', () => {
  const odd = { apiVersion: 'example.com/v1', kind: 'Odd', metadata: { name: 'o' }, z: [1, { a: null }] };
  assert.deepEqual(applyPatch(odd, { y: { x: null, w: 1 } }, { contentType: kMergePatch }), { ...odd, y: { w: 1 } });
  assert.equal(failure(() => applyPatch(odd, {}, { contentType: kStrategic })).code, 415);
});

test('what the server would refuse is thrown as its Status', () => {
  const object = deployment();
  assert.deepEqual(failure(() => applyPatch(object, [{ op: 'remove', path: '/nope' }], { contentType: kJsonPatch })), {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'the server rejected our request due to an error in our request',
    reason: 'Invalid',
    details: {},
    code: 422,
  });
  assert.equal(failure(() => applyPatch(object, '{', { contentType: kMergePatch })).message, 'error decoding patch: unexpected end of JSON input');
  assert.equal(
    failure(() => applyPatch(object, { spec: { replicas: 'many' } }, { contentType: kStrategic })).message,
    ' "" is invalid: patch: Invalid value: "map[spec:map[replicas:many]]": unrecognized type: int32',
  );
  assert.equal(failure(() => applyPatch(object, {}, { contentType: 'text/plain' })).reason, 'UnsupportedMediaType');
});

test('unknown fields are dropped and told, or refused', () => {
  const told = [];
  const options = { contentType: kMergePatch, onWarning: (text) => told.push(text) };
  const patched = applyPatch(deployment(), { spec: { replica: 3 } }, options);
  assert.equal(patched.spec.replica, undefined);
  assert.deepEqual(told, ['unknown field "spec.replica"']);
  applyPatch(deployment(), { spec: { replica: 3 } }, { ...options, fieldValidation: 'Ignore' });
  assert.equal(told.length, 1);
  assert.match(failure(() => applyPatch(deployment(), { spec: { replica: 3 } }, { ...options, fieldValidation: 'Strict' })).message, /strict decoding error: unknown field "spec.replica"$/);
});

const entry = (manager, operation, fieldsV1, rest = {}) => ({ manager, operation, apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1, ...rest });

test('the owners of fields, and where the fields are', () => {
  const object = deployment();
  object.metadata.managedFields = [
    entry('kubectl', 'Apply', {
      'f:spec': { 'f:replicas': {}, 'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"log"}': { '.': {}, 'f:image': {} } } } } },
    }),
    entry('hpa', 'Update', { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } }, { subresource: 'scale', time: '2026-01-01T00:00:00Z' }),
  ];
  const kubectl = { manager: 'kubectl', operation: 'Apply', apiVersion: 'apps/v1' };
  const hpa = { manager: 'hpa', operation: 'Update', apiVersion: 'apps/v1', subresource: 'scale', time: '2026-01-01T00:00:00Z' };
  const log = '.spec.template.spec.containers[name="log"]';
  assert.deepEqual(fieldOwners(object), [
    { path: '.spec.paused', managers: [hpa] },
    { path: '.spec.replicas', pointer: '/spec/replicas', managers: [kubectl, hpa] },
    { path: log, pointer: '/spec/template/spec/containers/1', managers: [kubectl] },
    { path: `${log}.image`, pointer: '/spec/template/spec/containers/1/image', managers: [kubectl] },
  ]);
  assert.deepEqual(fieldOwners(deployment()), []);
  object.metadata.managedFields[0].operation = 'Take';
  assert.equal(failure(() => fieldOwners(object)).message, 'metadata.managedFields cannot be read');
});

const kNow = '2026-01-01T00:00:00Z';
const config = (spec = {}) => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec });
const ownersOf = (object) => fieldOwners(object).map(({ path, managers }) => `${path} ${managers.map(({ manager }) => manager)}`);

test('an apply creates, shares, gives up and conflicts', () => {
  const { object, changed, conflicts, status } = serverSideApply(null, config({ replicas: 1, paused: true }), { manager: 'one', now: kNow });
  assert.deepEqual([changed, conflicts, status], [true, [], undefined]);
  assert.deepEqual(ownersOf(object), ['.spec.paused one', '.spec.replicas one']);

  const shared = serverSideApply(object, 'apiVersion: apps/v1\nkind: Deployment\nspec:\n  replicas: 1\n', { manager: 'two', now: kNow });
  assert.equal(shared.changed, false); // so the new entry has no time, and is first
  assert.deepEqual(ownersOf(shared.object), ['.spec.paused one', '.spec.replicas two,one']);

  const givenUp = serverSideApply(shared.object, config(), { manager: 'one' }).object;
  assert.deepEqual([givenUp.spec.replicas, givenUp.spec.paused], [1, undefined]);
  assert.deepEqual(ownersOf(givenUp), ['.spec one', '.spec.replicas two']);

  const refused = serverSideApply(givenUp, config({ replicas: 2 }), { manager: 'one' });
  assert.equal(refused.object, undefined);
  assert.equal(refused.status.code, 409);
  assert.equal(refused.status.message, 'Apply failed with 1 conflict: conflict with "two": .spec.replicas');
  const two = { manager: 'two', operation: 'Apply', apiVersion: 'apps/v1' };
  assert.deepEqual(refused.conflicts, [{ manager: two, fields: ['.spec.replicas'], message: 'conflict with "two"' }]);

  const forced = serverSideApply(givenUp, config({ replicas: 2 }), { manager: 'one', force: true, now: kNow });
  assert.deepEqual(ownersOf(forced.object), ['.spec.replicas one']);
  assert.deepEqual(serverSideApply(forced.object, config({ replicas: 2 }), { manager: 'one' }), { object: forced.object, changed: false, conflicts: [] });
});

test('patches move fields to who patches', () => {
  const { object } = serverSideApply(null, config({ replicas: 1, paused: true }), { manager: 'one', now: kNow });
  const patched = applyPatch(object, { spec: { replicas: 4 } }, { contentType: kMergePatch, manager: 'scaler', subresource: 'scale', now: kNow });
  const scaler = { manager: 'scaler', operation: 'Update', apiVersion: 'apps/v1', subresource: 'scale', time: kNow };
  assert.deepEqual(fieldOwners(patched).at(-1), { path: '.spec.replicas', pointer: '/spec/replicas', managers: [scaler] });
  assert.deepEqual(applyPatch(object, { spec: { replicas: 1 } }, { contentType: kMergePatch, manager: 'scaler' }), object);
  assert.equal(applyPatch(deployment(), { spec: { replicas: 4 } }, { contentType: kMergePatch, manager: 'scaler' }).metadata.managedFields, undefined);
});

test('what cannot be applied is thrown', () => {
  assert.equal(
    failure(() => serverSideApply(null, config({ replica: 1 }), { manager: 'one' })).message,
    'failed to create typed patch object (/web; apps/v1, Kind=Deployment): .spec.replica: field not declared in schema',
  );
  assert.equal(failure(() => serverSideApply(null, config(), { manager: '' })).details.causes[0].field, 'fieldManager');
  assert.equal(failure(() => serverSideApply({ apiVersion: 'v1', kind: 'Pod' }, config(), { manager: 'one' })).message, 'invalid object type: apps/v1, Kind=Deployment');
});

test('a cluster makes the same of a patch', async () => {
  const cluster = await createCluster(kReproducible);
  const path = '/api/v1/namespaces/default/configmaps/c';
  const live = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', labels: { a: '1' } }, data: { k: 'v' } };
  const posted = await cluster.fetch('/api/v1/namespaces/default/configmaps?fieldManager=me', { method: 'POST', body: JSON.stringify(live) });
  const stored = await posted.json();
  cluster.advance(60_000);
  const patch = { metadata: { labels: { a: null, b: '2' } }, data: { k: 'w' } };
  const answer = await cluster.fetch(`${path}?fieldManager=you`, { method: 'PATCH', headers: { 'content-type': kMergePatch }, body: JSON.stringify(patch) });
  const there = await answer.json();
  const here = applyPatch(stored, patch, { contentType: kMergePatch, manager: 'you', now: cluster.now });
  here.metadata.resourceVersion = there.metadata.resourceVersion;
  assert.deepEqual(here, there);
  cluster.dispose();
});
