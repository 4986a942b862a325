// Tests a watch as a streaming Response.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { configMap, create, createCluster, eventReader, kConfigMaps, kReproducible, text } from './support.mjs';

let cluster;
test.beforeEach(async () => (cluster = await createCluster(kReproducible)));
test.afterEach(() => cluster.dispose());

const watch = (query = '', init) => cluster.fetch(`${kConfigMaps}?watch=true${query}`, init);
const nameOf = ({ type, object }) => `${type} ${object.metadata.name}`;

test('events arrive as they happen', async () => {
  const response = await watch('&resourceVersion=0');
  assert.equal(response.status, 200);
  const next = eventReader(response.body);
  const pending = next(); // requested before there is any
  await create(cluster, configMap('a'));
  assert.equal(nameOf(await pending), 'ADDED a');
  await cluster.fetch(`${kConfigMaps}/a`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: '{"data":{"b":"c"}}',
  });
  await cluster.fetch(`${kConfigMaps}/a`, { method: 'DELETE' });
  assert.equal(nameOf(await next()), 'MODIFIED a');
  assert.equal(nameOf(await next()), 'DELETED a');
});

test('it begins where a list ended', async () => {
  await create(cluster, configMap('before'));
  const { metadata } = await (await cluster.fetch(kConfigMaps)).json();
  await create(cluster, configMap('after'));
  const next = eventReader((await watch(`&resourceVersion=${metadata.resourceVersion}`)).body);
  assert.equal(nameOf(await next()), 'ADDED after');
});

test('timeoutSeconds ends it, by the cluster\'s time', async () => {
  const next = eventReader((await watch('&timeoutSeconds=5')).body);
  const end = next();
  cluster.advance(4_000);
  await create(cluster, configMap('in-time'));
  assert.equal(nameOf(await end), 'ADDED in-time');
  const last = next();
  cluster.advance(2_000);
  assert.equal(await last, null);
});

test('timeoutSeconds ends it in real time too', async () => {
  const real = await createCluster();
  const next = eventReader((await real.fetch(`${kConfigMaps}?watch=true&timeoutSeconds=1&resourceVersion=0`)).body);
  const alive = setTimeout(() => {}, 10_000); // the cluster's own timer keeps no program alive
  const begun = Date.now();
  while ((await next()) !== null);
  clearTimeout(alive);
  assert.ok(Date.now() - begun >= 900);
  real.dispose();
});

test('an abort breaks it off', async () => {
  const abort = new AbortController();
  const next = eventReader((await watch('', { signal: abort.signal })).body);
  const pending = next();
  abort.abort();
  await assert.rejects(pending, { name: 'AbortError' });
});

test('cancel closes it, and the cluster goes on', async () => {
  const { body } = await watch();
  await body.cancel();
  assert.equal((await create(cluster, configMap('a'))).status, 201);
});

test('dispose ends it', async () => {
  const next = eventReader((await watch()).body);
  const pending = next();
  cluster.dispose();
  assert.equal(await pending, null);
});

test('a thousand watches see the same', async () => {
  const readers = [];
  for (let i = 0; i < 1000; i++) readers.push(eventReader((await watch('&resourceVersion=0')).body));
  const pending = readers.map((next) => next());
  await create(cluster, configMap('seen'));
  for (const event of await Promise.all(pending)) assert.equal(nameOf(event), 'ADDED seen');
});

test('request gives it as a stream', async () => {
  const { status, stream, body } = await cluster.request({ target: `${kConfigMaps}?watch=1` });
  assert.equal(status, 200);
  assert.equal(body.length, 0);
  const pending = eventReader(stream)();
  await create(cluster, configMap('a'));
  assert.equal(nameOf(await pending), 'ADDED a');
});

test('each chunk is one whole event, in memory of its own', async () => {
  await cluster.load(Array.from({ length: 300 }, (_, i) => configMap(`map-${i}`, { value: 'é'.repeat(2000) })));
  const { stream } = await cluster.request({ target: `${kConfigMaps}?watch=1&allowWatchBookmarks=true` });
  const reader = stream.getReader();
  const types = [];
  for (let i = 0; i < 301; i++) {
    const { value } = await reader.read();
    const line = text(value);
    assert.equal(line.indexOf('\n'), line.length - 1);
    types.push(JSON.parse(line).type);
    assert.equal(value.buffer.byteLength, value.length);
  }
  assert.deepEqual(types, [...Array(300).fill('ADDED'), 'BOOKMARK']);
});

test('a reader that takes its time is not read ahead of', async () => {
  const slow = await createCluster(kReproducible);
  await slow.load(Array.from({ length: 100 }, (_, i) => configMap(`map-${i}`, { value: 'x'.repeat(20_000) })));
  // Events are copied out of the core's memory at once.
  const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
  const slice = mock.method(typedArray, 'slice');
  const copied = () => slice.mock.calls.filter(({ result }) => result.length > 20_000).length;
  const reader = (await slow.fetch(`${kConfigMaps}?watch=1`)).body.getReader();
  const rest = () => new Promise((resolve) => setTimeout(resolve, 20));
  await rest();
  assert.equal(copied(), 0);
  await reader.read();
  const first = copied();
  assert.ok(first > 0 && first < 20, `${first} events`); // a part of the 2 MB
  await create(slow, configMap('later'));
  await rest();
  assert.equal(copied(), first);
  for (let i = 1; i < 100; i++) await reader.read();
  assert.equal(copied(), 100);
  slice.mock.restore();
  assert.equal(JSON.parse(text((await reader.read()).value)).object.metadata.name, 'later');
  slow.dispose();
});

test('reads that wait together each get their event, and so do all watches', async () => {
  const streams = await Promise.all(Array.from({ length: 3 }, () => cluster.request({ target: `${kConfigMaps}?watch=1&resourceVersion=0` })));
  const names = streams.map(({ stream }) => {
    const reader = stream.getReader();
    return Promise.all(Array.from({ length: 5 }, async () => nameOf(JSON.parse(text((await reader.read()).value)))));
  });
  for (const name of ['a', 'b', 'c']) await create(cluster, configMap(name));
  await cluster.load([configMap('d'), configMap('e')]); // two in one turn
  for (const each of names) assert.deepEqual(await each, ['ADDED a', 'ADDED b', 'ADDED c', 'ADDED d', 'ADDED e']);
});

test('a consumer that runs as its event arrives may use the cluster, and end it', async () => {
  const { stream } = await cluster.request({ target: `${kConfigMaps}?watch=1&resourceVersion=0` });
  const others = await Promise.all(Array.from({ length: 2 }, () => watch('&resourceVersion=0')));
  const ends = others.map(async ({ body }) => (await new Response(body).text()).split('\n').length - 1);
  const seen = [];
  const piped = stream.pipeTo(
    new WritableStream({
      write(event) {
        seen.push(nameOf(JSON.parse(text(event))));
        if (seen.length === 3) return cluster.dispose();
        void create(cluster, configMap(`next-${seen.length}`));
        cluster.advance(10);
      },
    }),
  );
  await create(cluster, configMap('first'));
  await piped;
  assert.deepEqual(seen, ['ADDED first', 'ADDED next-1', 'ADDED next-2']);
  for (const events of await Promise.all(ends)) assert.ok(events >= 2 && events <= 3, `${events} events`);
});

test('a watch that cannot be had is a plain answer', async () => {
  const response = await watch('&labelSelector=a%20b');
  assert.equal(response.status, 400);
  assert.equal((await response.json()).kind, 'Status');
});
