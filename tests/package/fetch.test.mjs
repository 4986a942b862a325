// Tests cluster.fetch in place of the global fetch.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMap, create, createCluster, kConfigMaps, kReproducible } from './support.mjs';

let cluster;
test.beforeEach(async () => (cluster = await createCluster(kReproducible)));
test.afterEach(() => cluster.dispose());

test('create, read, list, replace, patch, delete', async () => {
  const created = await create(cluster, configMap('a'));
  assert.equal(created.status, 201);
  const object = await created.json();
  assert.equal(object.metadata.namespace, 'default');

  const list = await (await cluster.fetch(kConfigMaps)).json();
  assert.equal(list.kind, 'ConfigMapList');
  assert.ok(list.items.some((item) => item.metadata.name === 'a'));

  object.data.key = 'other';
  const replaced = await cluster.fetch(`${kConfigMaps}/a`, { method: 'PUT', body: JSON.stringify(object) });
  assert.equal(replaced.status, 200);
  assert.notEqual((await replaced.json()).metadata.resourceVersion, object.metadata.resourceVersion);
  const stale = await cluster.fetch(`${kConfigMaps}/a`, { method: 'PUT', body: JSON.stringify(object) });
  assert.equal(stale.status, 409);

  const patched = await cluster.fetch(`${kConfigMaps}/a`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ data: { key: null, more: 'yes' } }),
  });
  assert.deepEqual((await patched.json()).data, { more: 'yes' });

  assert.equal((await cluster.fetch(`${kConfigMaps}/a`, { method: 'DELETE' })).status, 200);
  assert.equal((await cluster.fetch(`${kConfigMaps}/a`)).status, 404);
});

test('any origin or none, a URL or a Request', async () => {
  await create(cluster, configMap('a'));
  for (const input of [
    `${kConfigMaps}/a`,
    `https://kubernetes.example:6443${kConfigMaps}/a`,
    new URL(`http://localhost${kConfigMaps}/a`),
    new Request(`http://localhost${kConfigMaps}/a`),
  ]) {
    const response = await cluster.fetch(input);
    assert.equal(response.status, 200);
    assert.equal((await response.json()).metadata.name, 'a');
  }
  assert.equal((await cluster.fetch('https://k8s.example/version')).url, 'https://k8s.example/version');
});

test('a Request with a body, and init that overrides it', async () => {
  const request = new Request(`http://localhost${kConfigMaps}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(configMap('from-request')),
  });
  assert.equal((await cluster.fetch(request)).status, 201);
  const read = new Request(`http://localhost${kConfigMaps}/from-request`);
  assert.equal((await cluster.fetch(read, { method: 'DELETE' })).status, 200);
});

test('it is bound', async () => {
  const { fetch } = cluster;
  assert.equal((await fetch('/version')).status, 200);
});

test('a text without a content type is taken as Kubernetes takes it; one with a wrong type is refused', async () => {
  assert.equal((await create(cluster, configMap('a'))).status, 201);
  const wrong = await cluster.fetch(kConfigMaps, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify(configMap('b')),
  });
  assert.equal(wrong.status, 415);
});

test('a stream as body', async () => {
  const bytes = new TextEncoder().encode(JSON.stringify(configMap('streamed')));
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.slice(0, 10));
      controller.enqueue(bytes.slice(10));
      controller.close();
    },
  });
  const response = await cluster.fetch(kConfigMaps, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  assert.equal(response.status, 201);
});

test('YAML in and out', async () => {
  const response = await cluster.fetch(kConfigMaps, {
    method: 'POST',
    headers: { 'content-type': 'application/yaml', accept: 'application/yaml' },
    body: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: from-yaml\ndata:\n  a: "1"\n',
  });
  assert.equal(response.status, 201);
  assert.equal(response.headers.get('content-type'), 'application/yaml');
  assert.match(await response.text(), /^ {2}name: from-yaml$/m);
});

test('HEAD has the headers of GET and no body', async () => {
  const response = await cluster.fetch('/healthz', { method: 'HEAD' });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(await response.text(), '');
});

test('API errors are Responses with a Status', async () => {
  for (const [path, init, code, reason] of [
    [`${kConfigMaps}/nope`, {}, 404, 'NotFound'],
    [kConfigMaps, { method: 'POST', body: '{' }, 400, 'BadRequest'],
    ['/api/v1/namespaces/nowhere/configmaps', { method: 'POST', body: JSON.stringify(configMap('a')) }, 404, 'NotFound'],
    [kConfigMaps, { method: 'POST', body: JSON.stringify(configMap('Not A Name')) }, 422, 'Invalid'],
    ['/version', { method: 'POST' }, 405, 'MethodNotAllowed'],
  ]) {
    const response = await cluster.fetch(path, init);
    const status = await response.json();
    assert.deepEqual([response.status, status.kind, status.code, status.reason], [code, 'Status', code, reason], path);
  }
});

test('warnings that repeat are all there', async () => {
  const response = await cluster.fetch(`${kConfigMaps}?fieldValidation=Warn`, {
    method: 'POST',
    body: JSON.stringify({ ...configMap('a'), wrong: 1, alsoWrong: 2 }),
  });
  assert.equal(response.status, 201);
  assert.equal(response.headers.get('warning'), '299 - "unknown field \\"wrong\\"", 299 - "unknown field \\"alsoWrong\\""');
});

test('an abort rejects as the global fetch does', async () => {
  const reason = new Error('no longer needed');
  await assert.rejects(cluster.fetch('/version', { signal: AbortSignal.abort(reason) }), reason);
  await assert.rejects(cluster.fetch('/version', { signal: AbortSignal.abort() }), { name: 'AbortError' });
});

test('many requests at once', async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => create(cluster, configMap(`many-${i}`))));
  const versions = await Promise.all(answers.map(async (answer) => (await answer.json()).metadata.resourceVersion));
  assert.equal(new Set(versions).size, 200);
});

test('fetch gives bodies as they are; request() as they would be on the wire', async () => {
  await create(cluster, { ...configMap('big'), data: { text: 'x'.repeat(200_000) } });
  const headers = { 'accept-encoding': 'gzip' };
  const fetched = await cluster.fetch(`${kConfigMaps}/big`, { headers });
  assert.equal(fetched.headers.get('content-encoding'), null);
  assert.equal((await fetched.json()).data.text.length, 200_000);

  const raw = await cluster.request({ target: `${kConfigMaps}/big`, headers });
  assert.deepEqual(raw.headers.filter(([name]) => /encoding|vary/i.test(name)), [['Content-Encoding', 'gzip'], ['Vary', 'Accept-Encoding']]);
  assert.ok(raw.body.length < 2_000);
  const plain = new Response(new Blob([raw.body]).stream().pipeThrough(new DecompressionStream('gzip')));
  assert.equal((await plain.json()).data.text.length, 200_000);

  const unasked = await cluster.request({ target: `${kConfigMaps}/big` });
  assert.equal(JSON.parse(new TextDecoder().decode(unasked.body)).data.text.length, 200_000);
});

test('the URL of a response can be set again, as MSW does', async () => {
  const response = await cluster.fetch('https://k8s.example/version#part');
  assert.equal(response.url, 'https://k8s.example/version');
  Object.defineProperty(response, 'url', { value: 'https://elsewhere.example/' });
  assert.equal(response.url, 'https://elsewhere.example/');
});

/** Behaves as the Headers of happy-dom: names come as they were given. */
class NamesAsGiven extends Headers {
  #given;
  constructor(given) {
    super(given);
    this.#given = Object.entries(given);
  }
  forEach(each) {
    for (const [name, value] of this.#given) each(value, name, this);
  }
  *[Symbol.iterator]() {
    yield* this.#given;
  }
}

test('names of headers in any case', async () => {
  const body = JSON.stringify(configMap('a'));
  const headers = new NamesAsGiven({ 'Content-Type': 'application/json', Accept: 'application/yaml' });
  const created = await cluster.fetch(kConfigMaps, { method: 'POST', headers, body });
  assert.deepEqual([created.status, created.headers.get('content-type')], [201, 'application/yaml']);
});

test('a text without a type, where a Request would not say so', async () => {
  // As in happy-dom, whose Request writes the type that it chose itself with capitals.
  const own = globalThis.Request;
  globalThis.Request = class extends own {
    get headers() {
      return new NamesAsGiven({ 'Content-Type': 'text/plain;charset=UTF-8' });
    }
  };
  try {
    assert.equal((await create(cluster, configMap('a'))).status, 201);
  } finally {
    globalThis.Request = own;
  }
});

test('an abort signal of another implementation, as in jsdom', async () => {
  const signal = Object.assign(new EventTarget(), { aborted: false, reason: undefined, throwIfAborted() {} });
  const watch = await cluster.fetch('/api/v1/pods?watch=1', { signal });
  const read = watch.body.getReader().read();
  signal.aborted = true;
  signal.reason = new Error('no longer needed');
  signal.dispatchEvent(new Event('abort'));
  await assert.rejects(read, signal.reason);
});

test('what a server hands to its handler beside the request is no init', async () => {
  const request = () => new Request('http://localhost/version');
  class Server {
    url = new URL('http://localhost:3000/elsewhere');
    method = 'DELETE';
  }
  for (const others of [
    [new Server()], // Bun
    [{ remoteAddr: { hostname: '127.0.0.1' }, completed: Promise.resolve() }], // Deno
    [{ method: 'DELETE', DATABASE: 'x' }], // a worker's env, called with it alone
    [{ method: 'DELETE' }, { waitUntil() {} }], // a worker's env and context
  ]) {
    const response = await cluster.fetch(request(), ...others);
    assert.equal(response.status, 200);
    assert.equal((await response.json()).major, '1');
  }
  assert.equal((await cluster.fetch(request(), { method: 'POST' })).status, 405);
});

test('bodies of every form', async () => {
  const json = JSON.stringify(configMap('x'));
  const headers = { 'content-type': 'application/json' };
  for (const [name, body] of Object.entries({
    text: json,
    bytes: new TextEncoder().encode(json),
    buffer: new TextEncoder().encode(json).buffer,
    view: new DataView(new TextEncoder().encode(json).buffer),
    blob: new Blob([json]),
  })) {
    await cluster.fetch(`${kConfigMaps}/x`, { method: 'DELETE' });
    assert.equal((await cluster.fetch(kConfigMaps, { method: 'POST', headers, body })).status, 201, name);
  }
  const typed = new Blob([JSON.stringify(configMap('typed'))], { type: 'application/json' });
  assert.equal((await cluster.fetch(kConfigMaps, { method: 'POST', body: typed })).status, 201);
  await assert.rejects(cluster.fetch(kConfigMaps, { body: json }), TypeError);
  await assert.rejects(cluster.fetch('http://:bad'), TypeError);
});
