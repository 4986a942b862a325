// Tests snapshot, restore, compact and reset: the state of a cluster as a whole.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { configMap, create, createCluster, eventReader, kConfigMaps, kReproducible, text } from './support.mjs';

let cluster;
beforeEach(async () => (cluster = await createCluster({ ...kReproducible, load: [configMap('a'), configMap('b')] })));
afterEach(() => cluster.dispose());

const list = async (from, query = '') => (await from.fetch(`${kConfigMaps}?${query}`)).json();
const watch = async (query) => eventReader((await cluster.fetch(`${kConfigMaps}?watch=true&${query}`)).body);
const everything = async (of) => {
  const bodies = [];
  for (const path of ['/api/v1/namespaces', '/api/v1/configmaps', '/api/v1/services']) {
    bodies.push(await (await of.fetch(path)).text());
  }
  return bodies;
};

test('a snapshot is JSON, and makes a cluster with the same objects, versions and time', async () => {
  cluster.advance(60_000);
  await create(cluster, configMap('c', { value: '\u{1f600}\u0000' }));
  const bytes = cluster.snapshot();
  assert.ok(bytes instanceof Uint8Array);
  assert.equal(typeof JSON.parse(text(bytes)), 'object');
  for (const snapshot of [bytes, bytes.buffer, text(bytes), structuredClone(bytes)]) {
    const again = await createCluster({ ...kReproducible, snapshot });
    assert.deepEqual(await everything(again), await everything(cluster));
    assert.equal(again.now.toISOString(), '2026-01-01T00:01:00.000Z');
    again.dispose();
  }
});

test('it goes on as the cluster itself would: the next uids are the same', async () => {
  const again = await createCluster({ ...kReproducible, seed: 99, snapshot: cluster.snapshot() });
  const made = (of) => create(of, configMap('next')).then((response) => response.text());
  assert.equal(await made(again), await made(cluster));
  again.dispose();
});

test('load comes on top of a snapshot, and reset goes back to both', async () => {
  const again = await createCluster({ ...kReproducible, snapshot: cluster.snapshot(), load: configMap('loaded') });
  const names = async () => (await list(again)).items.map(({ metadata }) => metadata.name);
  await create(again, configMap('later'));
  assert.deepEqual(await names(), ['a', 'b', 'later', 'loaded']);
  again.reset();
  assert.deepEqual(await names(), ['a', 'b', 'loaded']);
  again.dispose();
});

test('restore puts the old state back at a new version, and ends watches', async () => {
  const before = await list(cluster);
  const snapshot = cluster.snapshot();
  const events = await watch(`resourceVersion=${before.metadata.resourceVersion}`);
  await cluster.fetch(`${kConfigMaps}/a`, { method: 'DELETE' });
  const { metadata } = await list(cluster);
  cluster.restore(snapshot);
  assert.equal((await events()).type, 'DELETED');
  assert.equal(await events(), null);
  const after = await list(cluster);
  assert.deepEqual(after.items, before.items);
  assert.ok(Number(after.metadata.resourceVersion) > Number(metadata.resourceVersion));
});

test('a document that is none changes nothing', async () => {
  const before = await everything(cluster);
  for (const wrong of ['', '{', '[]', '{}', 'null', new Uint8Array([0xff]), '{"kind":"ConfigMap","apiVersion":"v1"}']) {
    assert.throws(() => cluster.restore(wrong), (error) => error instanceof Error && error.message !== '');
    await assert.rejects(createCluster({ snapshot: wrong }), Error);
  }
  for (const wrong of [undefined, 1, {}, [1]]) assert.throws(() => cluster.restore(wrong), TypeError);
  assert.deepEqual(await everything(cluster), before);
});

test('compact: older versions are gone, in lists and in watches; the present one stays', async () => {
  const old = (await list(cluster)).metadata.resourceVersion;
  const { metadata: page } = await list(cluster, 'limit=1');
  await create(cluster, configMap('c'));
  const present = (await list(cluster)).metadata.resourceVersion;
  const open = await watch(`resourceVersion=${present}`);
  cluster.compact();

  const exact = await cluster.fetch(`${kConfigMaps}?resourceVersion=${old}&resourceVersionMatch=Exact`);
  assert.equal(exact.status, 410);
  assert.equal((await exact.json()).message, 'The resourceVersion for the provided list is too old.');
  const next = await cluster.fetch(`${kConfigMaps}?limit=1&continue=${page.continue}`);
  assert.equal(next.status, 410);
  assert.ok((await next.json()).metadata.continue);
  const gone = await watch(`resourceVersion=${old}`);
  const { type, object } = await gone();
  assert.deepEqual([type, object.code, object.reason], ['ERROR', 410, 'Expired']);
  assert.equal(await gone(), null);

  assert.equal((await list(cluster, `resourceVersion=${present}&resourceVersionMatch=Exact`)).items.length, 3);
  await create(cluster, configMap('d'));
  assert.equal((await open()).object.metadata.name, 'd');
});

test('compact to a version: that one can still be read', async () => {
  const versions = [];
  for (const name of ['c', 'd', 'e']) versions.push((await (await create(cluster, configMap(name))).json()).metadata.resourceVersion);
  cluster.compact(versions[1]);
  const at = async (version) => (await cluster.fetch(`${kConfigMaps}?resourceVersion=${version}&resourceVersionMatch=Exact`)).status;
  assert.deepEqual([await at(versions[0]), await at(versions[1]), await at(versions[2])], [410, 200, 200]);
  assert.throws(() => cluster.compact(versions[0]), {
    message: `resourceVersion: Invalid value: "${versions[0]}": compacted already: the oldest version is ${versions[1]}`,
  });
  assert.throws(() => cluster.compact('1000'), {
    message: `resourceVersion: Invalid value: "1000": not reached yet: the cluster is at ${versions[2]}`,
  });
  assert.throws(() => cluster.compact('x'), {
    message: 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
  });
});

test('watchHistory: how long the past can be read', async () => {
  const short = await createCluster({ ...kReproducible, watchHistory: 10_000, load: configMap('a') });
  const { metadata } = await list(short);
  await create(short, configMap('b'));
  const past = async () => (await short.fetch(`${kConfigMaps}?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`)).status;
  short.advance(9_000);
  assert.equal(await past(), 200);
  short.advance(2_000);
  await create(short, configMap('c'));
  assert.equal(await past(), 410);
  short.dispose();
});

test('the endpoints do the same', async () => {
  const send = (method, call, body) => cluster.request({ method, target: `/-/tabernetes/${call}`, body });
  const got = await send('GET', 'snapshot');
  assert.deepEqual(text(got.body), text(cluster.snapshot()));
  await cluster.fetch(`${kConfigMaps}/a`, { method: 'DELETE' });
  assert.equal((await send('PUT', 'snapshot', got.body)).status, 200);
  assert.equal((await list(cluster)).items.length, 2);
  assert.equal((await send('POST', 'compact')).status, 200);
  assert.equal((await send('POST', 'reset')).status, 200);
});

test('after dispose they are misuse', () => {
  cluster.dispose();
  for (const call of ['snapshot', 'compact', 'reset', 'fork']) assert.throws(() => cluster[call](), /disposed/);
  assert.throws(() => cluster.restore('{}'), /disposed/);
});
