// applyPatch, fieldOwners: patches without a server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPatch, fieldOwners, StatusError } from './support.mjs';

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

/** The Status that is thrown. */
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
