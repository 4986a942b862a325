// What real clients rely on without saying so, for every kind that is served. Others of their traps are tested where they belong:
// patches with a charset (conformance, topic `traps`), subprotocols of WebSockets (websocket.test.mjs), empty watches
// (tests/entries/little_suite.mjs), dashboards' conversations (tests/clients/dashboards.test.mjs).
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { listen } from '../../dist/node.js';
import { configMap, createCluster, kConfigMaps, kReproducible } from './support.mjs';

let cluster;
before(async () => {
  cluster = await createCluster(kReproducible);
});
after(() => cluster.dispose());

const get = async (path) => (await cluster.fetch(path)).json();

/** Returns every resource that can be listed: { path, kind }. */
async function listed() {
  const { groups } = await get('/apis');
  const versions = ['/api/v1', ...groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`))];
  const all = await Promise.all(versions.map(async (base) => (await get(base)).resources.map((each) => ({ ...each, path: `${base}/${each.name}` }))));
  return all.flat().filter(({ verbs }) => verbs.includes('list'));
}

test('a list is of the kind of its items with List behind it: clients cut four letters off', async () => {
  const resources = await listed();
  assert.ok(resources.length > 60, String(resources.length));
  for (const { path, kind } of resources) assert.equal((await get(path)).kind, `${kind}List`, path);
});

test('what can be watched says so: dashboards poll what does not', async () => {
  const polled = (await listed()).filter(({ verbs }) => !verbs.includes('watch')).map(({ name }) => name);
  assert.deepEqual([...new Set(polled)].sort(), ['componentstatuses']);
});

test('a resourceVersion is a whole number that grows, in objects, lists and events: clients parse and compare it', async () => {
  const versions = [];
  const note = ({ resourceVersion }) => {
    assert.match(resourceVersion, /^[1-9]\d*$/);
    versions.push(Number(resourceVersion));
  };
  const watch = await cluster.fetch(`${kConfigMaps}?watch=true&resourceVersion=${(await get(kConfigMaps)).metadata.resourceVersion}`);
  const reader = watch.body.getReader();
  for (const name of ['first', 'second', 'third']) {
    const created = await (await cluster.fetch(kConfigMaps, { method: 'POST', body: JSON.stringify(configMap(name)) })).json();
    note(created.metadata);
    const event = JSON.parse(new TextDecoder().decode((await reader.read()).value));
    assert.equal(event.object.metadata.resourceVersion, created.metadata.resourceVersion);
  }
  note((await get('/api/v1/namespaces')).metadata);
  await reader.cancel();
  assert.deepEqual(versions, [...versions].sort((a, b) => a - b));
});

test('a version that is gone is 410 in both forms: the status of a list, and the event of a watch', async () => {
  const fork = cluster.fork();
  await fork.apply(configMap('later'));
  fork.compact();
  const list = await fork.fetch(`${kConfigMaps}?resourceVersion=1&resourceVersionMatch=Exact`);
  assert.deepEqual([list.status, (await list.json()).reason], [410, 'Expired']);
  const watch = await fork.fetch(`${kConfigMaps}?watch=true&resourceVersion=1`);
  const [line] = (await watch.text()).split('\n');
  const { type, object } = JSON.parse(line);
  assert.deepEqual([watch.status, type, object.code, object.reason], [200, 'ERROR', 410, 'Expired']);
  fork.dispose();
});

test('each event comes whole, in a piece of its own, over a socket too: some clients decode each piece alone', async () => {
  const { url, close } = await listen(cluster);
  const { resourceVersion } = (await get(kConfigMaps)).metadata;
  const pieces = [];
  const response = await new Promise((resolve, reject) => http.get(`${url}${kConfigMaps}?watch=true&resourceVersion=${resourceVersion}`, resolve).on('error', reject));
  response.on('data', (piece) => pieces.push(String(piece)));
  for (let i = 0; i < 5; i++) {
    await cluster.apply(configMap(`piece-${i}`, { text: 'x'.repeat(3000) }));
    while (pieces.length <= i) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.deepEqual(pieces.map((piece) => JSON.parse(piece).object.metadata.name), [0, 1, 2, 3, 4].map((i) => `piece-${i}`));
  await close();
});

test('the OpenAPI documents of all groups have PATCH with fieldValidation: kubectl looks there for what it may send', async () => {
  const { paths } = await get('/openapi/v3');
  const groups = Object.entries(paths).filter(([name]) => /^api(s\/[^/]+)?\/v/.test(name));
  assert.ok(groups.length > 20);
  let patched = 0;
  for (const [name, { serverRelativeURL }] of groups) {
    const document = await get(serverRelativeURL);
    for (const [path, { patch }] of Object.entries(document.paths)) {
      if (patch?.['x-kubernetes-action'] !== 'patch') continue; // others are proxies
      patched++;
      assert.ok(patch['x-kubernetes-group-version-kind']?.kind, `${name} ${path}`);
      assert.ok(patch.parameters.some((each) => each.name === 'fieldValidation'), `${name} ${path}`);
    }
  }
  assert.ok(patched > 80, String(patched));
});
