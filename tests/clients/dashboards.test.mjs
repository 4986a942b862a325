// Tests the requests of dashboards (Headlamp, the OpenShift console, Freelens, k9s), taken from their sources: the
// media types that they ask for, and how they use the answers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import WebSocket from 'ws';
import { startServer } from './server.mjs';

const kPods = '/api/v1/namespaces/default/pods';
const kMeta = 'g=meta.k8s.io;v=v1';
let server;

const get = async (path, accept) => {
  const response = await fetch(server.url + path, { headers: accept ? { accept } : {} });
  return { status: response.status, type: response.headers.get('content-type'), body: await response.json() };
};
const send = async (method, path, body, type = 'application/json') => {
  const response = await fetch(server.url + path, { method, headers: { 'content-type': type }, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
};
const pod = (name) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } });

/** Returns the next `count` lines of a watch over HTTP. */
async function watchLines(path, accept, count, meanwhile) {
  const gone = new AbortController();
  const response = await fetch(server.url + path, { headers: { accept }, signal: gone.signal });
  assert.equal(response.status, 200);
  await meanwhile?.();
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    assert.ok(chunk.endsWith('\n'), 'an event is never cut'); // some decode each chunk alone
    text += chunk;
    if (text.split('\n').length > count) break;
  }
  gone.abort();
  return text.trimEnd().split('\n').slice(0, count).map((line) => JSON.parse(line));
}

before(async () => {
  server = await startServer('--seed', '1', '--clock', '2026-01-01T00:00:00Z');
  for (const name of ['a', 'b', 'c']) assert.equal((await send('POST', kPods, pod(name))).status, 201);
});
after(async () => assert.equal(await server.stop(), 0));

test('what is served: aggregated discovery with its fallbacks, as Headlamp asks', async () => {
  const as = ['v2', 'v2beta1'].map((version) => `application/json;v=${version};g=apidiscovery.k8s.io;as=APIGroupDiscoveryList`).join();
  for (const path of ['/api', '/apis']) {
    const { type, body } = await get(path, `${as},application/json`);
    assert.equal(type, 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList');
    for (const { versions } of body.items) for (const { resources } of versions) for (const { verbs, responseKind } of resources) assert.ok(verbs.length > 0 && responseKind.kind);
  }
  const legacy = await get('/apis', 'application/json');
  assert.deepEqual([legacy.type, legacy.body.kind], ['application/json', 'APIGroupList']);
});

test('a list in pages, then a watch over WebSocket from its version, as Headlamp and the OpenShift console do', async () => {
  const first = (await get(`${kPods}?limit=2`)).body;
  assert.equal(first.kind.slice(0, -4), 'Pod'); // the list's kind without its last letters is the kind of the items
  const rest = (await get(`${kPods}?limit=2&continue=${encodeURIComponent(first.metadata.continue)}`)).body;
  assert.deepEqual([...first.items, ...rest.items].map(({ metadata }) => metadata.name), ['a', 'b', 'c']);
  const version = parseInt(rest.metadata.resourceVersion, 10);
  assert.equal(String(version), rest.metadata.resourceVersion);
  const url = `${server.url.replace('http', 'ws')}${kPods}?watch=1&resourceVersion=${version}`;
  const socket = new WebSocket(url, ['base64.binary.k8s.io'], { origin: 'http://localhost:3000' });
  const message = new Promise((resolve, reject) => socket.once('message', (data, binary) => resolve([data, binary])).once('error', reject));
  await new Promise((resolve) => socket.once('open', resolve));
  assert.equal(socket.protocol, 'base64.binary.k8s.io');
  assert.equal((await send('PATCH', `${kPods}/a`, { metadata: { labels: { seen: 'yes' } } }, 'application/merge-patch+json;charset=UTF-8')).status, 200);
  const [data, binary] = await message;
  assert.equal(binary, false);
  const { type, object } = JSON.parse(data);
  assert.deepEqual([type, object.metadata.name, object.metadata.labels.seen], ['MODIFIED', 'a', 'yes']);
  assert.ok(parseInt(object.metadata.resourceVersion, 10) > version);
  socket.close();
});

test('metadata alone, with JSON to fall back on, as the OpenShift console asks', async () => {
  const accept = `application/json;as=PartialObjectMetadataList;${kMeta},application/json`;
  const { type, body } = await get('/api/v1/pods?limit=250', accept);
  assert.deepEqual([type, body.kind, body.apiVersion], ['application/json', 'PartialObjectMetadataList', 'meta.k8s.io/v1']);
  assert.deepEqual(body.items.map(({ kind, metadata, ...rest }) => [kind, metadata.name, rest]), ['a', 'b', 'c'].map((name) => ['PartialObjectMetadata', name, { apiVersion: 'meta.k8s.io/v1' }]));
  const one = await get(`${kPods}/a`, `application/json;as=PartialObjectMetadata;${kMeta},application/json`);
  assert.deepEqual(Object.keys(one.body), ['kind', 'apiVersion', 'metadata']);
});

test('tables of every list, and as they change, as k9s and kubectl ask', async () => {
  const accept = ['v1', 'v1beta1'].map((version) => `application/json;as=Table;v=${version};g=meta.k8s.io`).join() + ',application/json';
  const { type, body } = await get(`${kPods}?limit=500`, accept);
  assert.deepEqual([type, body.kind, body.apiVersion], ['application/json', 'Table', 'meta.k8s.io/v1']);
  const columns = body.columnDefinitions.filter(({ priority }) => priority === 0).map(({ name }) => name);
  assert.deepEqual(columns, ['Name', 'Ready', 'Status', 'Restarts', 'Age']);
  assert.deepEqual(body.rows.map(({ cells, object }) => [cells.slice(0, 5), object.kind, object.metadata.name])[0], [['a', '0/1', 'Pending', '0', '0s'], 'PartialObjectMetadata', 'a']);
  for (const path of ['/api/v1/nodes', '/apis/apps/v1/deployments', '/apis/rbac.authorization.k8s.io/v1/clusterroles', '/api/v1/events']) assert.equal((await get(path, accept)).body.kind, 'Table', path);
  // Only the first table of a watch has the columns.
  const path = `${kPods}?watch=true&resourceVersion=${body.metadata.resourceVersion}&includeObject=Object`;
  const events = await watchLines(path, accept, 3, async () => {
    await send('POST', kPods, pod('d'));
    await send('DELETE', `${kPods}/b`);
  });
  assert.deepEqual(events.map(({ type: event, object }) => [event, object.kind, object.columnDefinitions?.length ?? 0, object.rows[0].object.kind, object.rows[0].cells[0]]), [
    ['ADDED', 'Table', body.columnDefinitions.length, 'Pod', 'd'],
    ['MODIFIED', 'Table', 0, 'Pod', 'b'], // marked for deletion
    ['DELETED', 'Table', 0, 'Pod', 'b'], // gone at once, as it is scheduled nowhere
  ]);
});

test('what one may do, before a button is shown: Headlamp, Freelens, the OpenShift console', async () => {
  const kReviews = '/apis/authorization.k8s.io/v1';
  const resourceAttributes = { namespace: 'default', verb: 'delete', group: 'apps', resource: 'deployments', name: 'web' };
  const access = await send('POST', `${kReviews}/selfsubjectaccessreviews`, { kind: 'SelfSubjectAccessReview', apiVersion: 'authorization.k8s.io/v1', spec: { resourceAttributes } });
  assert.deepEqual([access.status, access.body.spec, access.body.status], [201, { resourceAttributes }, { allowed: true }]);
  const rules = await send('POST', `${kReviews}/selfsubjectrulesreviews`, { kind: 'SelfSubjectRulesReview', apiVersion: 'authorization.k8s.io/v1', spec: { namespace: 'default' } });
  assert.deepEqual(rules.body.status, {
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
  });
  const me = await send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' });
  assert.deepEqual(me.body.status.userInfo, { username: 'system:anonymous', groups: ['system:unauthenticated'] });
});

test('a preview of an edit is a dry run, and an editor reads YAML', async () => {
  const before = (await get(`${kPods}/c`)).body;
  const edited = { ...before, metadata: { ...before.metadata, labels: { app: 'edited' } } };
  const preview = await send('PUT', `${kPods}/c?dryRun=All&fieldValidation=Strict`, edited);
  assert.deepEqual([preview.status, preview.body.metadata.labels], [200, { app: 'edited' }]);
  assert.deepEqual((await get(`${kPods}/c`)).body, before);
  const yaml = await fetch(`${server.url}${kPods}/c`, { headers: { accept: 'application/yaml' } });
  assert.equal(yaml.headers.get('content-type'), 'application/yaml');
  assert.match(await yaml.text(), /^apiVersion: v1\nkind: Pod\nmetadata:\n/);
});
