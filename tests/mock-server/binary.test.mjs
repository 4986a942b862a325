// Tests the binary as it ships: host and core together.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commandLineOf } from './command_line.mjs';
import { checkCommandOf } from './check_command.mjs';
import { configurationOf } from './configuration.mjs';
import { Wire, binary, run, serve, waitFor } from './server.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tabernetes-binary-'));
after(() => rmSync(folder, { recursive: true }));

let server;
before(async () => (server = await serve(binary)));
after(async () => assert.equal(await server.stop(), 0));

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name, data = { a: 'b' }) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
const post = (url, object) => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(object) });
const get = (path, ...headers) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers.map((h) => `${h}\r\n`).join('')}\r\n`;
const names = async (url) => (await (await fetch(url + configMaps)).json()).items.map((item) => item.metadata.name);

test('an object is created, read, listed, replaced and deleted', async () => {
  const created = await post(server.url + configMaps, configMap('one'));
  assert.equal(created.status, 201);
  const object = await created.json();
  const url = `${server.url}${configMaps}/one`;
  assert.deepEqual(await (await fetch(url)).json(), object);
  assert.ok((await names(server.url)).includes('one'));
  object.data.a = 'c';
  const replaced = await fetch(url, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(object) });
  assert.equal(replaced.status, 200);
  assert.equal((await (await fetch(url)).json()).data.a, 'c');
  assert.equal((await fetch(url, { method: 'DELETE' })).status, 200);
  assert.equal((await fetch(url)).status, 404);
});

test('HEAD says how long the body of GET is', async () => {
  const path = '/readyz'; // resources refuse HEAD
  const head = await fetch(server.url + path, { method: 'HEAD' });
  const body = await (await fetch(server.url + path)).text();
  assert.equal(head.status, 200);
  assert.equal(Number(head.headers.get('content-length')), Buffer.byteLength(body));
});

test('pages of this machine may read answers, watches too; others may not', async () => {
  const origin = 'http://localhost:5173';
  const allowed = (response) => response.headers.get('access-control-allow-origin');
  const preflight = await fetch(server.url + configMaps, { method: 'OPTIONS', headers: { origin } });
  assert.equal(preflight.status, 204);
  assert.equal(allowed(preflight), origin);
  assert.equal(allowed(await fetch(server.url + configMaps, { headers: { origin } })), origin);
  assert.equal(allowed(await fetch(`${server.url}${configMaps}?watch=1&timeoutSeconds=1`, { headers: { origin } })), origin);
  assert.equal(allowed(await fetch(server.url + configMaps, { headers: { origin: 'https://evil.example' } })), null);
});

test('large lists are gzipped for those who take it, and say the same', async () => {
  for (let i = 0; i < 5; i++) {
    assert.equal((await post(server.url + configMaps, configMap(`large-${i}`, { text: `${i}`.repeat(50_000) }))).status, 201);
  }
  const plain = await fetch(server.url + configMaps, { headers: { 'accept-encoding': 'identity' } });
  const zipped = await fetch(server.url + configMaps, { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(plain.headers.get('content-encoding'), null);
  assert.equal(zipped.headers.get('content-encoding'), 'gzip');
  assert.equal(zipped.headers.get('content-length'), null);
  assert.equal(await zipped.text(), await plain.text());
  for (let i = 0; i < 5; i++) await fetch(`${server.url}${configMaps}/large-${i}`, { method: 'DELETE' });
});

test('a body over 3 MiB gets the Status for it, and nothing is stored', async () => {
  const answer = await post(server.url + configMaps, configMap('large', { a: 'x'.repeat(3 * 1024 * 1024) }));
  assert.equal(answer.status, 413);
  const status = await answer.json();
  assert.equal(status.reason, 'RequestEntityTooLarge');
  assert.equal(status.message, 'Request entity too large: limit is 3145728');
  assert.ok(!(await names(server.url)).includes('large'));
});

test('half a body changes nothing', async () => {
  const body = JSON.stringify(configMap('half'));
  const wire = new Wire(server.port);
  wire.send(`POST ${configMaps} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length + 1}\r\n\r\n${body}`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  wire.socket.resetAndDestroy();
  assert.ok(!(await names(server.url)).includes('half'));
});

test('a watch starts at once and brings each event as a line in a chunk', async () => {
  const wire = new Wire(server.port);
  wire.send(get(`${configMaps}?watch=true&fieldSelector=metadata.name=seen`));
  await wire.until(/^HTTP\/1\.1 200 OK\r\n[^]*Transfer-Encoding: chunked\r\n\r\n$/);
  await post(server.url + configMaps, configMap('unseen'));
  await post(server.url + configMaps, configMap('seen'));
  const all = await wire.until(/\}\n\r\n$/);
  const [, size, line] = all.match(/\r\n\r\n([0-9a-f]+)\r\n([^]*)\r\n$/);
  assert.equal(parseInt(size, 16), line.length);
  const event = JSON.parse(line);
  assert.deepEqual([event.type, event.object.metadata.name], ['ADDED', 'seen']);
  wire.destroy();
});

test('a thousand watches: few threads, the server answers, every one gets the event', async () => {
  const wires = Array.from({ length: 1000 }, () => new Wire(server.port).send(get(`${configMaps}?watch=true&fieldSelector=metadata.name=popular`)));
  await Promise.all(wires.map((wire) => wire.until(/chunked\r\n\r\n$/, 30_000)));
  const threads = Number(readFileSync(`/proc/${server.pid}/status`, 'utf8').match(/Threads:\s+(\d+)/)[1]);
  assert.ok(threads < 20, `${threads} threads`);
  assert.equal((await post(server.url + configMaps, configMap('popular'))).status, 201);
  await Promise.all(wires.map((wire) => wire.until(/"ADDED"[^]*popular[^]*\n\r\n$/, 30_000)));
  for (const wire of wires) wire.destroy();
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
});

test('what was written is read on every other connection at once', async () => {
  const object = await (await post(server.url + configMaps, configMap('mine'))).json();
  const wires = Array.from({ length: 8 }, () => new Wire(server.port));
  for (let n = 0; n < 100; ++n) {
    object.data.a = `value-${n}`;
    const put = await fetch(`${server.url}${configMaps}/mine`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(object) });
    object.metadata = (await put.json()).metadata;
    for (const wire of wires) {
      wire.received = '';
      wire.send(get(`${configMaps}/mine`));
    }
    await Promise.all(wires.map((wire) => wire.until(/\}\n?$/)));
    for (const wire of wires) assert.ok(wire.received.includes(`"value-${n}"`), wire.received);
  }
  for (const wire of wires) wire.destroy();
});

test('watches on every thread bring the same events in the same order', async () => {
  const wires = Array.from({ length: 16 }, () => new Wire(server.port).send(get(`${configMaps}?watch=true&labelSelector=flow`)));
  await Promise.all(wires.map((wire) => wire.until(/chunked\r\n\r\n$/)));
  const labelled = (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { flow: '' } } });
  await Promise.all(Array.from({ length: 100 }, (_, n) => post(server.url + configMaps, labelled(`flow-${n}`))));
  const events = (wire) => wire.received.match(/"name":"flow-\d+"[^\n]*/g) ?? [];
  await waitFor(() => wires.every((wire) => events(wire).length === 100));
  const versions = events(wires[0]).map((event) => Number(event.match(/"resourceVersion":"(\d+)"/)[1]));
  assert.deepEqual(versions, [...new Set(versions)].sort((a, b) => a - b));
  for (const wire of wires) {
    assert.deepEqual(events(wire), events(wires[0]));
    wire.destroy();
  }
});

test('timeoutSeconds ends a watch in its time', async () => {
  const wire = new Wire(server.port);
  wire.send(get(`${configMaps}?watch=true&resourceVersion=0&timeoutSeconds=1`));
  await wire.until(/chunked\r\n\r\n/);
  await wire.until(/\r\n0\r\n\r\n$/, 4000);
  wire.destroy();
});

test('SIGTERM ends watches with their last chunk', async () => {
  const own = await serve(binary);
  const wire = new Wire(own.port);
  wire.send(get('/api/v1/pods?watch=true'));
  await wire.until(/chunked\r\n\r\n/);
  const stopped = own.stop();
  assert.match(await wire.untilEnded(), /\r\n0\r\n\r\n$/);
  assert.equal(await stopped, 0);
});

test('SIGTERM ends the watches of every thread while objects are written', async () => {
  const own = await serve(binary);
  const wires = Array.from({ length: 40 }, () => new Wire(own.port).send(get(`${configMaps}?watch=true`)));
  await Promise.all(wires.map((wire) => wire.until(/chunked\r\n\r\n/)));
  let stopping = false;
  const writers = Array.from({ length: 8 }, async (_, id) => {
    for (let n = 0; !stopping; ++n) await post(own.url + configMaps, configMap(`w${id}-${n}`)).catch(() => {});
  });
  await Promise.all(wires.map((wire) => wire.until(/"name":"w\d-3"/)));
  const stopped = own.stop();
  for (const wire of wires) assert.match((await wire.untilEnded()).slice(-12), /\n\r\n0\r\n\r\n$/);
  assert.equal(await stopped, 0);
  stopping = true;
  await Promise.all(writers);
});

test('--load: a folder whose files need each other', async () => {
  const manifests = join(folder, 'manifests');
  mkdirSync(manifests);
  writeFileSync(
    join(manifests, 'a.yaml'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: first, namespace: shop}\ndata: {a: "1"}\n---\n' +
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: second, namespace: default}\n',
  );
  writeFileSync(join(manifests, 'b.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }] }));
  const own = await serve(binary, '--load', manifests);
  assert.equal((await fetch(`${own.url}/api/v1/namespaces/shop/configmaps/first`)).status, 200);
  assert.equal((await fetch(`${own.url}${configMaps}/second`)).status, 200);
  await own.stop();
});

test('--load: which document of which file is wrong', async () => {
  const file = join(folder, 'bad.yaml');
  writeFileSync(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: good}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: Not_Good}\n');
  const { code, stdout, stderr } = await run(binary, ['serve', '--listen', '127.0.0.1:0', '--load', file]);
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.ok(stderr.startsWith(`tabernetes: ${file}: document 2: `), stderr);
  assert.match(stderr, /Not_Good/);
});

test('--seed and --clock: the same requests get the same bytes', async () => {
  const bodies = async () => {
    const own = await serve(binary, '--seed', '7', '--clock', '2026-01-01T00:00:00Z');
    const body = await (await post(own.url + configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'x-' } })).text();
    const all = await (await fetch(`${own.url}/api/v1/namespaces`)).text();
    await own.stop();
    return body + all;
  };
  const first = await bodies();
  assert.match(first, /"creationTimestamp":"2026-01-01T00:00:00Z"/);
  assert.equal(await bodies(), first);
});

test('a clock that stands still moves when told, and with it what waits for the time', async () => {
  const own = await serve(binary, '--clock', '2026-01-01T00:00:00Z');
  const wire = new Wire(own.port);
  wire.send(get(`${configMaps}?watch=true&timeoutSeconds=60`));
  await wire.until(/chunked\r\n\r\n/);
  const answer = await post(`${own.url}/-/tabernetes/clock`, { advance: '90s' });
  assert.deepEqual(await answer.json(), { now: '2026-01-01T00:01:30Z' });
  await wire.until(/\r\n0\r\n\r\n$/);
  assert.equal((await fetch(own.url)).headers.get('date'), 'Thu, 01 Jan 2026 00:01:30 GMT');
  await own.stop();
});

test('a running clock goes on from where it was set', async () => {
  const own = await serve(binary);
  await post(`${own.url}/-/tabernetes/clock`, { advance: '24h' });
  const ahead = async () => Date.parse((await fetch(own.url)).headers.get('date')) - Date.now() - 86_400_000;
  assert.ok(Math.abs(await ahead()) < 2000);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  assert.ok(Math.abs(await ahead()) < 2000);
  await own.stop();
});

commandLineOf(binary);
checkCommandOf(binary);
configurationOf(binary);
