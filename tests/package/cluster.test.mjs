// Tests createCluster, the raw request, time and dispose.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { configMap, create, createCluster, dist, kConfigMaps, kReproducible, text } from './support.mjs';

test('a fresh cluster has the namespaces of every cluster', async () => {
  const cluster = await createCluster();
  const { items } = await (await cluster.fetch('/api/v1/namespaces')).json();
  assert.deepEqual(items.map((item) => item.metadata.name), ['default', 'kube-node-lease', 'kube-public', 'kube-system']);
  cluster.dispose();
});

test('request gives status, headers as pairs and bytes', async () => {
  const cluster = await createCluster(kReproducible);
  const { status, headers, body, stream } = await cluster.request({ target: '/version' });
  assert.equal(status, 200);
  assert.ok(headers.some(([name, value]) => name === 'Content-Type' && value === 'application/json'));
  assert.ok(body instanceof Uint8Array);
  assert.match(JSON.parse(text(body)).gitVersion, /^v1\.36\./);
  assert.equal(stream, undefined);
  cluster.dispose();
});

test('HEAD is answered by the headers alone', async () => {
  const cluster = await createCluster(kReproducible);
  const { status, body } = await cluster.request({ method: 'HEAD', target: '/healthz' });
  assert.deepEqual([status, body.length], [200, 0]);
  cluster.dispose();
});

test('request takes a body as text, bytes or a buffer, and headers as pairs or an object', async () => {
  const cluster = await createCluster(kReproducible);
  const encoded = (name) => new TextEncoder().encode(JSON.stringify(configMap(name)));
  const bodies = [JSON.stringify(configMap('a')), encoded('b'), encoded('c').buffer];
  for (const [i, body] of bodies.entries()) {
    const headers = i % 2 ? { 'Content-Type': 'application/json' } : [['CONTENT-TYPE', 'application/json']];
    const { status } = await cluster.request({ method: 'POST', target: kConfigMaps, headers, body });
    assert.equal(status, 201);
  }
  cluster.dispose();
});

test('bytes that are no text go through unharmed', async () => {
  const cluster = await createCluster(kReproducible);
  const value = '\u0000\u00e9\u{1f600}\ufffd';
  await create(cluster, configMap('text', { value }));
  const read = await (await cluster.fetch(`${kConfigMaps}/text`)).json();
  assert.equal(read.data.value, value);
  const { status } = await cluster.request({ method: 'POST', target: kConfigMaps, body: new Uint8Array([0xff, 0xfe, 0x00]) });
  assert.equal(status, 400);
  cluster.dispose();
});

test('the same seed and time give the same bytes; other seeds other uids', async () => {
  const bytes = [];
  for (const seed of [1, 1, 2n]) {
    const cluster = await createCluster({ ...kReproducible, seed });
    bytes.push(await (await create(cluster, { ...configMap(''), metadata: { generateName: 'x-' } })).text());
    cluster.dispose();
  }
  assert.equal(bytes[0], bytes[1]);
  const [first, , other] = bytes.map((each) => JSON.parse(each).metadata);
  assert.notEqual(first.uid, other.uid);
  assert.notEqual(first.name, other.name);
  assert.equal(first.creationTimestamp, '2026-01-01T00:00:00Z');
});

test('without a seed every cluster has uids of its own', async () => {
  const uids = new Set();
  for (let i = 0; i < 3; i++) {
    const cluster = await createCluster();
    uids.add((await (await create(cluster, configMap('a'))).json()).metadata.uid);
    cluster.dispose();
  }
  assert.equal(uids.size, 3);
});

test('two clusters know nothing of each other', async () => {
  const [one, other] = await Promise.all([createCluster(kReproducible), createCluster(kReproducible)]);
  assert.equal((await create(one, configMap('mine'))).status, 201);
  assert.equal((await other.fetch(`${kConfigMaps}/mine`)).status, 404);
  one.dispose();
  assert.equal((await create(other, configMap('mine'))).status, 201);
  other.dispose();
});

test('time stands still when it is given, and moves with advance', async () => {
  const cluster = await createCluster(kReproducible);
  const created = async (name) => (await (await create(cluster, configMap(name))).json()).metadata.creationTimestamp;
  assert.equal(await created('a'), '2026-01-01T00:00:00Z');
  cluster.advance(90_000);
  assert.equal(cluster.now.toISOString(), '2026-01-01T00:01:30.000Z');
  assert.equal(await created('b'), '2026-01-01T00:01:30Z');
  assert.throws(() => cluster.advance(-1), RangeError);
  assert.throws(() => cluster.advance(NaN), RangeError);
  cluster.dispose();
});

test('time is the real one otherwise, and advance runs ahead of it', async () => {
  const before = Date.now();
  const cluster = await createCluster();
  assert.ok(cluster.now.getTime() >= before && cluster.now.getTime() <= Date.now());
  cluster.advance(3_600_000);
  assert.ok(cluster.now.getTime() >= before + 3_600_000);
  const { metadata } = await (await create(cluster, configMap('late'))).json();
  assert.ok(Date.parse(metadata.creationTimestamp) >= before + 3_599_000);
  cluster.dispose();
});

test('after dispose every call is misuse, and says so', async () => {
  const cluster = await createCluster();
  cluster.dispose();
  cluster.dispose();
  await assert.rejects(cluster.fetch('/version'), /disposed/);
  await assert.rejects(cluster.request({ target: '/version' }), /disposed/);
  await assert.rejects(cluster.load(configMap('a')), /disposed/);
  assert.throws(() => cluster.advance(1), /disposed/);
});

test('wrong options are misuse', async () => {
  for (const [options, message] of [
    [{ seed: -1 }, /seed must be between/],
    [{ seed: 1.5 }, /seed must be a whole number/],
    [{ now: 'yesterday' }, /now is not a time/],
    [{ nodes: -1 }, /nodes must be between/],
    [{ watchHistory: -1 }, /watchHistory must be milliseconds/],
    [{ watchHistory: NaN }, /watchHistory must be milliseconds/],
    [{ controllers: 'some' }, /unknown controller some/],
    [{ featureGates: { NoSuchGate: true } }, /unrecognized feature gate: NoSuchGate/],
  ]) {
    await assert.rejects(createCluster(options), message);
  }
});

test('the WebAssembly can be handed in: module, bytes, address, response', async () => {
  const bytes = readFileSync(`${dist}tabernetes.wasm`);
  const sources = [
    new WebAssembly.Module(bytes),
    bytes,
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
    new URL(`file://${dist}tabernetes.wasm`),
    `file://${dist}tabernetes.wasm`,
    new Response(bytes, { headers: { 'content-type': 'application/wasm' } }),
    Promise.resolve(new Response(bytes)),
  ];
  for (const wasm of sources) {
    const cluster = await createCluster({ wasm });
    assert.equal((await cluster.fetch('/version')).status, 200);
    cluster.dispose();
  }
});

test('with roles callers may do what these say, and no more', async () => {
  const cluster = await createCluster({ ...kReproducible, authorizationMode: 'RBAC', tokenFile: 'admin-token,admin,1,system:masters' });
  const status = async (path, token) => (await cluster.fetch(path, token ? { headers: { authorization: `Bearer ${token}` } } : {})).status;
  assert.equal(await status('/api/v1/pods'), 403);
  assert.equal(await status('/version'), 200);
  assert.equal(await status('/api/v1/pods', 'wrong'), 401);
  assert.equal(await status('/api/v1/pods', 'admin-token'), 200);
  cluster.dispose();
  await assert.rejects(createCluster({ authorizationMode: 'abac' }), /TypeError: tabernetes: authorizationMode: "abac" is not a valid mode; AlwaysAllow, AlwaysDeny, ABAC, Webhook, Node and RBAC are/);
  await assert.rejects(createCluster({ authorizationMode: 'ABAC', authorizationPolicy: '\n[]' }), /TypeError: tabernetes: authorizationPolicy: line 2: a policy must be an object/);
  const readers = await createCluster({ ...kReproducible, authorizationMode: 'AlwaysDeny,ABAC', authorizationPolicy: '{"user": "jane", "readonly": true}' });
  const jane = readers.as({ user: 'jane', groups: ['system:authenticated'] });
  assert.equal((await jane.fetch('/api/v1/pods')).status, 200);
  const refused = await jane.fetch('/api/v1/namespaces/default/pods', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
  assert.equal((await refused.json()).message, 'pods is forbidden: User "jane" cannot create resource "pods" in API group "" in the namespace "default": Everything is forbidden.\nNo policy matched.');
  readers.dispose();
  const closed = await createCluster({ ...kReproducible, anonymousAuth: false });
  assert.equal((await closed.fetch('/version')).status, 401);
  closed.dispose();
});
