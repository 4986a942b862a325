// Tests fork: an independent cluster, at once.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { configMap, create, createCluster, eventReader, kConfigMaps, kReproducible, text } from './support.mjs';

let parent;
beforeEach(async () => (parent = await createCluster({ ...kReproducible, load: [configMap('a'), configMap('b')] })));
afterEach(() => parent.dispose());

const list = async (cluster, query = '') => (await cluster.fetch(`${kConfigMaps}?${query}`)).json();
const namesIn = async (cluster) => (await list(cluster)).items.map(({ metadata }) => metadata.name);
const watchFrom = async (cluster, version) =>
  eventReader((await cluster.fetch(`${kConfigMaps}?watch=true&resourceVersion=${version}`)).body);
const nameOf = ({ type, object }) => `${type} ${object.metadata.name}`;

/** Returns an answer without its time. */
async function raw(cluster, request) {
  const { status, headers, body } = await cluster.request(request);
  return { status, headers, body: text(body) };
}

test('it has the same objects and versions, and goes its own way', async () => {
  const before = await list(parent);
  const fork = parent.fork();
  assert.deepEqual(await list(fork), before);
  assert.equal((await create(fork, configMap('forked'))).status, 201);
  await parent.fetch(`${kConfigMaps}/a`, { method: 'DELETE' });
  assert.deepEqual(await namesIn(fork), ['a', 'b', 'forked']);
  assert.deepEqual(await namesIn(parent), ['b']);
  fork.dispose();
  assert.deepEqual(await namesIn(parent), ['b']);
});

test('forks that are fed the same requests answer the same bytes', async () => {
  const forks = [parent.fork(), parent.fork(), parent.fork()];
  const requests = [
    { method: 'POST', target: kConfigMaps, body: JSON.stringify({ ...configMap(''), metadata: { generateName: 'x-' } }) },
    { method: 'PUT', target: `${kConfigMaps}/a`, body: JSON.stringify(configMap('a', { other: 'yes' })) },
    { method: 'DELETE', target: `${kConfigMaps}/b` },
    { target: `${kConfigMaps}?limit=1` },
    { target: '/api/v1/namespaces', headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } },
  ];
  for (const request of requests) {
    const answers = [];
    for (const fork of forks) answers.push(await raw(fork, request));
    assert.deepEqual(answers[1], answers[0]);
    assert.deepEqual(answers[2], answers[0]);
  }
  for (const fork of forks) fork.dispose();
});

test('without a seed, forks draw uids of their own', async () => {
  const random = await createCluster();
  const uids = new Set();
  for (const cluster of [random, random.fork(), random.fork()]) {
    uids.add((await (await create(cluster, configMap('a'))).json()).metadata.uid);
    cluster.dispose();
  }
  assert.equal(uids.size, 3);
});

test('watches stay with the parent, and neither sees the events of the other', async () => {
  const { metadata } = await list(parent);
  const open = await watchFrom(parent, metadata.resourceVersion);
  const pending = open();
  const fork = parent.fork();
  const forked = await watchFrom(fork, metadata.resourceVersion);
  await create(fork, configMap('in-fork'));
  await create(parent, configMap('in-parent'));
  await create(fork, configMap('in-fork-too'));
  assert.equal(nameOf(await pending), 'ADDED in-parent');
  assert.equal(nameOf(await forked()), 'ADDED in-fork');
  assert.equal(nameOf(await forked()), 'ADDED in-fork-too');
  fork.dispose();
  assert.equal(await forked(), null);
  await create(parent, configMap('after'));
  assert.equal(nameOf(await open()), 'ADDED after');
});

test('tokens and versions from before work in both', async () => {
  const old = (await list(parent)).metadata.resourceVersion;
  const { metadata } = await list(parent, 'limit=1');
  await parent.fetch(`${kConfigMaps}/b`, { method: 'DELETE' });
  const fork = parent.fork();
  await create(fork, configMap('c'));
  await create(parent, configMap('d'));
  for (const cluster of [parent, fork]) {
    const rest = await list(cluster, `limit=1&continue=${metadata.continue}`);
    assert.deepEqual([rest.metadata.resourceVersion, rest.items[0].metadata.name], [old, 'b']);
    const exact = await list(cluster, `resourceVersion=${old}&resourceVersionMatch=Exact`);
    assert.deepEqual(exact.items.map((item) => item.metadata.name), ['a', 'b']);
    const events = await watchFrom(cluster, old);
    assert.equal(nameOf(await events()), 'DELETED b');
  }
  fork.dispose();
});

test('a fixed clock is at the same time and moves by itself; a running one runs on', async () => {
  parent.advance(90_000);
  const fork = parent.fork();
  assert.equal(fork.now.toISOString(), '2026-01-01T00:01:30.000Z');
  fork.advance(1000);
  assert.equal(fork.now.toISOString(), '2026-01-01T00:01:31.000Z');
  assert.equal(parent.now.toISOString(), '2026-01-01T00:01:30.000Z');
  fork.dispose();

  const real = await createCluster();
  real.advance(3_600_000);
  const ahead = real.fork();
  assert.ok(Math.abs(ahead.now - real.now) < 1000);
  assert.ok(ahead.now - Date.now() > 3_500_000);
  real.dispose();
  ahead.dispose();
});

test('a fork of a fork, many at once, and each outlives the others', async () => {
  const forks = Array.from({ length: 100 }, () => parent.fork());
  await Promise.all(forks.map((fork, i) => create(fork, configMap(`only-in-${i}`))));
  const child = forks[7].fork();
  for (const fork of forks.slice(0, 99)) fork.dispose();
  assert.deepEqual(await namesIn(child), ['a', 'b', 'only-in-7']);
  assert.deepEqual(await namesIn(forks[99]), ['a', 'b', 'only-in-99']);
  forks[99].dispose();
  parent.dispose();
  assert.equal((await create(child, configMap('z'))).status, 201);
  assert.deepEqual(await namesIn(child), ['a', 'b', 'only-in-7', 'z']);
  child.dispose();
  await assert.rejects(child.fetch('/version'), /disposed/);
  assert.throws(() => parent.fork(), /disposed/);
});

test('reset goes back to what the parent began with', async () => {
  await create(parent, configMap('later'));
  const fork = parent.fork();
  fork.reset();
  assert.deepEqual(await namesIn(fork), ['a', 'b']);
  assert.deepEqual(await namesIn(parent), ['a', 'b', 'later']);
  fork.dispose();
});

const mapValues = (object, change) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

test('a trap in one ends all that share its memory, and no other', async () => {
  const trap = new WebAssembly.RuntimeError('unreachable');
  let broken = false;
  const { instantiate } = WebAssembly;
  const breakable = (call) => (...args) => {
    if (broken) throw trap;
    return call(...args);
  };
  // The core calls JavaScript to create the view of a snapshot.
  WebAssembly.instantiate = (module, imports) =>
    instantiate(module, mapValues(imports, (functions) => mapValues(functions, breakable)));
  const cluster = await createCluster(kReproducible);
  WebAssembly.instantiate = instantiate;
  const fork = cluster.fork();
  const events = await watchFrom(cluster, 1);
  const pending = events();
  broken = true;
  assert.throws(() => fork.snapshot(), trap);
  await assert.rejects(fork.fetch('/version'), trap);
  await assert.rejects(pending, trap);
  await assert.rejects(cluster.fetch('/version'), trap);
  assert.throws(() => cluster.snapshot(), trap);
  assert.equal((await parent.fetch('/version')).status, 200);
});
