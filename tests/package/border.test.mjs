// Tests the border between JavaScript and the core: bytes that cross it, a growing memory, no code from texts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { applyPatch, configMap, create, createCluster, decode, dist, encode, kConfigMaps, kReproducible, matches, parseFieldSelector, parseSelector, text } from './support.mjs';

const post = (cluster, body) => cluster.request({ method: 'POST', target: kConfigMaps, body });
const bytesOf = (value) => new TextEncoder().encode(value);

/** Texts with one to four bytes per character, around the sizes at which the writing method changes. */
const kTexts = ['', 'é', '漢', '😀', ...[95, 96, 97, 5_000, 70_000].flatMap((size) => ['a', 'é', '漢', '😀'].map((c) => c.repeat(size)))];

test('texts and bytes of every size cross as they are', async () => {
  const cluster = await createCluster(kReproducible);
  for (const [i, value] of kTexts.entries()) {
    for (const body of [JSON.stringify(configMap(`s-${i}`, { value })), bytesOf(JSON.stringify(configMap(`b-${i}`, { value })))]) {
      const made = await post(cluster, body);
      assert.equal(made.status, 201, text(made.body));
      assert.equal(JSON.parse(text(made.body)).data.value, value);
    }
  }
  const { items } = await (await cluster.fetch(kConfigMaps)).json();
  assert.equal(items.length, 2 * kTexts.length);
  cluster.dispose();
});

test('an answer is the caller\'s: what comes later does not change it', async () => {
  const cluster = await createCluster(kReproducible);
  await create(cluster, configMap('a'));
  const first = await cluster.request({ target: `${kConfigMaps}/a` });
  const kept = first.body.slice();
  const snapshot = cluster.snapshot();
  const size = snapshot.length;
  for (let i = 0; i < 50; i++) await create(cluster, configMap(`b-${i}`, { value: 'x'.repeat(50_000) }));
  assert.deepEqual(first.body, kept);
  assert.equal(snapshot.length, size);
  assert.equal(first.body.buffer.byteLength, first.body.length);
  cluster.dispose();
});

test('the memory grows while things cross', async () => {
  const cluster = await createCluster(kReproducible);
  const reader = (await cluster.request({ target: `${kConfigMaps}?watch=true&resourceVersion=2` })).stream.getReader();
  const value = 'é'.repeat(300_000);
  for (let i = 0; i < 40; i++) {
    const event = reader.read();
    assert.equal((await post(cluster, JSON.stringify(configMap(`big-${i}`, { value })))).status, 201);
    const { type, object } = JSON.parse(text((await event).value));
    assert.deepEqual([type, object.metadata.name, object.data.value.length], ['ADDED', `big-${i}`, value.length]);
  }
  const list = await cluster.request({ target: kConfigMaps });
  assert.equal(JSON.parse(text(list.body)).items.length, 40);
  const large = { apiVersion: 'v1', kind: 'List', items: Array.from({ length: 10 }, (_, i) => configMap(`loaded-${i}`, { value: '漢'.repeat(300_000) })) };
  await cluster.load(JSON.stringify(large));
  assert.equal((await (await cluster.fetch(`${kConfigMaps}/loaded-9`)).json()).data.value.length, 300_000);
  const again = await createCluster({ ...kReproducible, snapshot: cluster.snapshot() });
  assert.equal((await again.request({ target: kConfigMaps })).body.length, (await cluster.request({ target: kConfigMaps })).body.length);
  for (const each of [cluster, again]) each.dispose();
});

test('functions take and give large things', () => {
  const object = configMap('large', { value: '漢'.repeat(600_000) });
  for (const type of ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']) {
    assert.equal(decode(encode(object, type), type).data.value, object.data.value);
  }
  const patched = applyPatch(object, { data: { other: 'é'.repeat(700_000) } }, { contentType: 'application/merge-patch+json' });
  assert.deepEqual([patched.data.value.length, patched.data.other.length], [600_000, 700_000]);
  assert.ok(matches('a=b', { metadata: { labels: { a: 'b', c: object.data.value } } }));
  assert.ok(matches(parseFieldSelector('metadata.name=large'), object));
  assert.equal(String(parseSelector(` tier in ( web , db ) ,app `)), 'app,tier in (db,web)');
});

test('a line break in the head of a request is refused, and the cluster goes on', async () => {
  const cluster = await createCluster(kReproducible);
  const kFaulty = [
    [{ target: '/version\n' }, '/version\\n'],
    [{ method: 'GET\n', target: '/version' }, 'GET\\n'],
    [{ target: '/version', headers: [['x-a\nb', 'c']] }, 'x-a\\nb'],
    [{ target: '/version', headers: { 'x-a': 'b\nc' } }, 'b\\nc'],
  ];
  for (const [request, what] of kFaulty) {
    await assert.rejects(cluster.request(request), { name: 'TypeError', message: `tabernetes: no request has a line break in its head: "${what}"` });
  }
  assert.equal((await cluster.request({ target: '/version' })).status, 200);
  cluster.dispose();
});

test('headers cross as they are: empty, with colons, more than once, beyond ASCII', async () => {
  const cluster = await createCluster(kReproducible);
  const { status, body } = await cluster.request({ target: kConfigMaps, headers: [['x-empty', ''], ['x-colon:', 'a: b'], ['Accept', 'application/yaml'], ['x-far', 'é漢😀']] });
  assert.equal(status, 200);
  assert.match(text(body), /^apiVersion: v1\nitems: /);
  const warned = await post(cluster, JSON.stringify({ ...configMap('w'), extra: 1 }));
  assert.deepEqual(warned.headers.filter(([name]) => name === 'Warning'), [['Warning', '299 - "unknown field \\"extra\\""']]);
  cluster.dispose();
});

test('no code is made of texts, and the compiled module may be handed in, as in an edge worker', () => {
  const program = `
    import { readFileSync } from 'node:fs';
    const wasm = new WebAssembly.Module(readFileSync(process.argv[1]));
    delete globalThis.process;
    const { applyPatch, createCluster, ready } = await import('${pathToFileURL(join(dist, 'index.js'))}');
    const cluster = await createCluster({ wasm, controllers: 'none', scheduler: false });
    const watch = (await cluster.fetch('/api/v1/namespaces?watch=true')).body.getReader();
    const { value } = await watch.read();
    await ready({ wasm, patches: true });
    const patched = applyPatch({ apiVersion: 'v1', kind: 'Pod' }, { metadata: { name: 'p' } }, { contentType: 'application/merge-patch+json' });
    console.log(value.length > 100, patched.metadata.name);
    cluster.dispose();`;
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', program];
  assert.equal(execFileSync(process.execPath, [...flags, join(dist, 'tabernetes.wasm')], { encoding: 'utf8' }), 'true p\n');
  for (const file of ['index.js', 'websocket.js']) assert.doesNotMatch(readFileSync(join(dist, file), 'utf8'), /new Function\(|[^.\w]eval\(/);
});

test('what is not the core fails, and the next one works', async () => {
  const stranger = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  await assert.rejects(createCluster({ wasm: stranger }));
  const cluster = await createCluster({ ...kReproducible, wasm: readFileSync(join(dist, 'tabernetes.wasm')) });
  assert.equal((await cluster.fetch('/version')).status, 200);
  cluster.dispose();
});
