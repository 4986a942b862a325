// Tests a protobuf client with definitions of its own: it reads the server's answers, and the server reads its
// requests.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, kProtobuf, readObject, watch, writeObject } from './protobuf_client.mjs';
import { startServer } from './server.mjs';

const kConfigMaps = '/api/v1/namespaces/default/configmaps';
const kDeployments = '/apis/apps/v1/namespaces/default/deployments';
let server;

before(async () => (server = await startServer('--seed', '1', '--clock', '2026-01-01T00:00:00Z')));
after(async () => assert.equal(await server.stop(), 0));

const configMap = (name, fields = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...fields });
const json = async (path) => (await fetch(server.url + path)).json();

test('an object is created, read, replaced under its version, and deleted', async () => {
  const sent = configMap('a', { data: { k: 'v', e: '' }, binaryData: { b: Buffer.from([0, 255]).toString('base64') }, immutable: false });
  const created = await call(server, 'POST', kConfigMaps, sent);
  assert.equal(created.status, 201);
  const { metadata, ...rest } = created.object;
  assert.deepEqual(rest, { apiVersion: 'v1', kind: 'ConfigMap', data: { k: 'v', e: '' }, binaryData: { b: 'AP8=' }, immutable: false });
  assert.match(metadata.uid, /^[0-9a-f-]{36}$/);
  assert.deepEqual(metadata.creationTimestamp, { seconds: Date.UTC(2026) / 1000, nanos: 0 });
  assert.deepEqual((await json(`${kConfigMaps}/a`)).binaryData, { b: 'AP8=' });

  const read = await call(server, 'GET', `${kConfigMaps}/a`);
  assert.deepEqual(read.object, created.object);
  const changed = { ...read.object, data: { k: 'w' } };
  const replaced = await call(server, 'PUT', `${kConfigMaps}/a`, changed);
  assert.equal(replaced.status, 200);
  assert.deepEqual(replaced.object.data, { k: 'w' });
  assert.ok(Number(replaced.object.metadata.resourceVersion) > Number(metadata.resourceVersion));

  const stale = await call(server, 'PUT', `${kConfigMaps}/a`, changed);
  assert.deepEqual([stale.status, stale.object.kind, stale.object.reason, stale.object.code], [409, 'Status', 'Conflict', 409]);
  const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'another' } };
  assert.equal((await call(server, 'DELETE', `${kConfigMaps}/a`, options)).object.reason, 'Conflict');
  const deleted = await call(server, 'DELETE', `${kConfigMaps}/a`, { ...options, preconditions: { uid: metadata.uid } });
  assert.deepEqual([deleted.status, deleted.object.status, deleted.object.details.uid], [200, 'Success', metadata.uid]);
  assert.equal((await call(server, 'GET', `${kConfigMaps}/a`)).object.message, 'configmaps "a" not found');
});

test('quantities, numbers or strings, and defaults arrive', async () => {
  const labels = { app: 'web' };
  const { status, object } = await call(server, 'POST', kDeployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'c', image: 'nginx:1', resources: { limits: { cpu: { string: '1500m' }, memory: { string: '1Gi' } } } }] },
      },
      strategy: { rollingUpdate: { maxSurge: { type: 0, intVal: 3 } } },
    },
  });
  assert.equal(status, 201);
  assert.equal(object.spec.replicas, 1);
  assert.deepEqual(object.spec.strategy, {
    type: 'RollingUpdate',
    rollingUpdate: { maxUnavailable: { type: 1, intVal: 0, strVal: '25%' }, maxSurge: { type: 0, intVal: 3, strVal: '' } },
  });
  const [container] = object.spec.template.spec.containers;
  assert.deepEqual(container.resources.limits, { cpu: { string: '1500m' }, memory: { string: '1Gi' } });
  assert.equal(container.imagePullPolicy, 'IfNotPresent');
  assert.equal(object.spec.template.spec.terminationGracePeriodSeconds, 30);
  assert.deepEqual((await json(`${kDeployments}/web`)).spec.strategy.rollingUpdate, { maxUnavailable: '25%', maxSurge: 3 });
});

test('a list comes in pages', async () => {
  for (const name of ['p1', 'p2', 'p3']) assert.equal((await call(server, 'POST', kConfigMaps, configMap(name))).status, 201);
  const first = (await call(server, 'GET', `${kConfigMaps}?limit=2`)).object;
  assert.equal(first.kind, 'ConfigMapList');
  assert.deepEqual(first.items.map(({ metadata }) => metadata.name), ['p1', 'p2']);
  assert.equal(first.metadata.remainingItemCount, 1);
  const second = (await call(server, 'GET', `${kConfigMaps}?limit=2&continue=${first.metadata.continue}`)).object;
  assert.deepEqual(second.items.map(({ metadata }) => metadata.name), ['p3']);
  assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion);
  const bad = await call(server, 'GET', `${kConfigMaps}?limit=2&continue=x`);
  assert.equal(bad.object.reason, 'BadRequest');
});

test('an informer lists, watches from there, and goes on', async () => {
  const list = (await call(server, 'GET', kConfigMaps)).object;
  const known = new Map((list.items ?? []).map((item) => [item.metadata.name, item]));
  const events = watch(server, `${kConfigMaps}?watch=true&allowWatchBookmarks=true&resourceVersion=${list.metadata.resourceVersion}`);
  const next = async () => (await events.next()).value;
  await call(server, 'POST', kConfigMaps, configMap('w', { data: { n: '1' } }));
  const added = await next();
  assert.deepEqual([added.type, added.object.data], ['ADDED', { n: '1' }]);
  known.set('w', added.object);
  await call(server, 'PUT', `${kConfigMaps}/w`, { ...added.object, data: { n: '2' } });
  const modified = await next();
  assert.deepEqual([modified.type, modified.object.data], ['MODIFIED', { n: '2' }]);
  await call(server, 'DELETE', `${kConfigMaps}/w`);
  const deleted = await next();
  assert.deepEqual([deleted.type, deleted.object.metadata.name], ['DELETED', 'w']);
  assert.ok(Number(deleted.object.metadata.resourceVersion) > Number(modified.object.metadata.resourceVersion));
  await events.return();
});

test('a streaming list ends with its bookmark', async () => {
  const events = watch(server, `${kConfigMaps}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`);
  const names = [];
  for await (const { type, object } of events) {
    if (type === 'BOOKMARK') {
      assert.deepEqual(object.metadata.annotations, { 'k8s.io/initial-events-end': 'true' });
      break;
    }
    names.push(`${type} ${object.metadata.name}`);
  }
  assert.deepEqual(names, ['ADDED p1', 'ADDED p2', 'ADDED p3']);
});

test('a version that is gone is told in the stream', async () => {
  await fetch(`${server.url}/-/tabernetes/compact`, { method: 'POST', body: '{}' });
  const [event] = [(await watch(server, `${kConfigMaps}?watch=true&resourceVersion=1`).next()).value];
  assert.deepEqual([event.type, event.object.kind, event.object.reason, event.object.code], ['ERROR', 'Status', 'Expired', 410]);
});

test('a metadata informer reads metadata alone', async () => {
  const asList = `${kProtobuf};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json`;
  const { object: list } = await call(server, 'GET', kConfigMaps, undefined, { accept: asList });
  assert.deepEqual([list.apiVersion, list.kind], ['meta.k8s.io/v1', 'PartialObjectMetadataList']);
  assert.deepEqual(list.items.map(({ metadata }) => metadata.name), ['p1', 'p2', 'p3']);
  assert.deepEqual(Object.keys(list.items[0]), ['metadata']);
  const asOne = asList.replaceAll('MetadataList', 'Metadata').replaceAll(';v=v1', ';v=v1;stream=watch');
  const events = watch(server, `${kConfigMaps}?watch=true&resourceVersion=${list.metadata.resourceVersion}`, asOne);
  const first = events.next();
  await call(server, 'POST', kConfigMaps, configMap('m', { data: { large: 'x' } }));
  const { type, object } = (await first).value;
  assert.deepEqual([type, object.apiVersion, object.kind, object.metadata.name], ['ADDED', 'meta.k8s.io/v1', 'PartialObjectMetadata', 'm']);
  assert.equal(object.data, undefined);
  await events.return();
});

test('where there is no protobuf, the next type of the list is taken', async () => {
  const accept = `${kProtobuf};as=Table;g=meta.k8s.io;v=v1,application/json;as=Table;g=meta.k8s.io;v=v1,application/json`;
  const response = await fetch(server.url + kConfigMaps, { headers: { accept } });
  assert.equal(response.headers.get('content-type'), 'application/json');
  const table = await response.json();
  assert.deepEqual(table.columnDefinitions.map(({ name }) => name), ['Name', 'Data', 'Age']);
  assert.deepEqual(table.rows.map(({ cells }) => cells), [['m', 1, '0s'], ['p1', 0, '0s'], ['p2', 0, '0s'], ['p3', 0, '0s']]);
});

test('bad bytes change nothing', async () => {
  const post = async (body) => {
    const response = await fetch(server.url + kConfigMaps, { method: 'POST', headers: { 'content-type': kProtobuf, accept: kProtobuf }, body });
    return readObject(new Uint8Array(await response.arrayBuffer()));
  };
  const whole = writeObject(configMap('bad', { data: { k: 'v' } }));
  for (const body of [whole.subarray(4), whole.subarray(0, whole.length - 5), Buffer.from('k8s\0'), Buffer.concat([Buffer.from('k8s\0'), Buffer.alloc(20, 255)])]) {
    const status = await post(body);
    assert.deepEqual([status.kind, status.reason, status.code], ['Status', 'BadRequest', 400]);
  }
  assert.equal((await call(server, 'GET', `${kConfigMaps}/bad`)).status, 404);
});
