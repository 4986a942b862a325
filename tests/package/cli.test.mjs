// Tests `tabernetes` on the WebAssembly core in Node: the command line of the native binary.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import WebSocket from 'ws';
import { checkCommandOf } from '../mock-server/check_command.mjs';
import { commandLineOf } from '../mock-server/command_line.mjs';
import { configurationOf } from '../mock-server/configuration.mjs';
import { run, serve, waitFor, Wire } from '../mock-server/server.mjs';
import { webSocketsOfACluster } from '../mock-server/websocket_cluster.mjs';
import { webSocketFramesOf } from '../mock-server/websocket_frames.mjs';
import { configMap, dist, eventReader, kConfigMaps } from './support.mjs';

const cli = join(dist, 'cli.js');
const folder = mkdtempSync(join(tmpdir(), 'tabernetes-package-'));
after(() => rmSync(folder, { recursive: true }));
const file = (name, text) => (writeFileSync(join(folder, name), text), join(folder, name));

test('version and help', async () => {
  assert.match((await run(cli, ['version'])).stdout, /^tabernetes \d+\.\d+\.\d+ \(Kubernetes 1\.36\)\n$/);
  assert.match((await run(cli, ['--help'])).stdout, /serve/);
});

test('what cannot be had: what and where, exit 1, nothing served', async () => {
  const other = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address();
  const missing = join(folder, 'missing.yaml');
  const bad = file('bad.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: Bad Name\n');
  for (const [args, message] of [
    [['--listen', `127.0.0.1:${port}`], `cannot listen on 127.0.0.1:${port}: Address already in use`],
    [['--listen', '127.0.0.1:0', '--load', missing], `${missing}: No such file or directory`],
    [['--listen', '127.0.0.1:0', '--load', bad], new RegExp(`^tabernetes: ${bad}: document 1: .*Bad Name`)],
    [['--listen', '127.0.0.1:0', '--kubeconfig', '/nowhere/at/all'], /^tabernetes: cannot write the kubeconfig/],
  ]) {
    const { code, stdout, stderr } = await run(cli, ['serve', ...args]);
    assert.deepEqual([code, stdout], [1, '']);
    if (typeof message === 'string') assert.equal(stderr, `tabernetes: ${message}\n`);
    else assert.match(stderr, message);
  }
  other.close();
});

test('it serves what it loaded, reproducibly, and ends cleanly', async () => {
  const manifest = file('map.yaml', JSON.stringify(configMap('loaded')));
  const kubeconfig = join(folder, 'kubeconfig');
  const server = await serve(
    cli,
    ...['--load', manifest, '--kubeconfig', kubeconfig, '--seed=7', '--clock', '2026-01-01T00:00:00Z', '--controllers', 'none', '--scheduler=false'],
  );
  assert.match(readFileSync(kubeconfig, 'utf8'), new RegExp(`server: ${server.url}\n`));
  assert.equal(statSync(kubeconfig).mode & 0o777, 0o600);
  const object = await (await fetch(`${server.url}${kConfigMaps}/loaded`)).json();
  assert.equal(object.metadata.creationTimestamp, '2026-01-01T00:00:00Z');
  const head = await fetch(`${server.url}/healthz`, { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(await server.stop(), 0);
  assert.equal(server.output.stderr, '');
});

test('a watch streams, and ends with the server', async () => {
  const server = await serve(cli);
  const next = eventReader((await fetch(`${server.url}${kConfigMaps}?watch=true&resourceVersion=0`)).body);
  await fetch(server.url + kConfigMaps, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(configMap('seen')) });
  let event = await next();
  while (event.object.metadata.name !== 'seen') event = await next();
  assert.equal(event.type, 'ADDED');
  assert.equal(await server.stop('SIGINT'), 0);
  assert.equal(await next(), null);
});

test('a snapshot goes out and in, however large, and the history is as long as it is told to be', async (t) => {
  const server = await serve(cli, '--clock', '2026-01-01T00:00:00Z', '--watch-history', '1m30s');
  t.after(() => server.stop('SIGKILL'));
  const send = (method, path, body) =>
    fetch(server.url + path, { method, headers: { 'content-type': 'application/json' }, body });
  const large = (name) => JSON.stringify(configMap(name, { value: 'x'.repeat(900_000) }));
  for (const name of ['a', 'b', 'c', 'd']) assert.equal((await send('POST', kConfigMaps, large(name))).status, 201);
  const { metadata } = await (await fetch(server.url + kConfigMaps)).json();
  const snapshot = await (await send('GET', '/-/tabernetes/snapshot')).text();
  assert.ok(snapshot.length > 3_500_000);
  assert.equal((await send('DELETE', `${kConfigMaps}/a`)).status, 200);

  const exact = () => send('GET', `${kConfigMaps}?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`);
  for (const [advance, status] of [['60s', 200], ['60s', 410]]) {
    await send('POST', '/-/tabernetes/clock', JSON.stringify({ advance }));
    assert.equal((await exact()).status, status);
  }

  assert.equal((await send('PUT', '/-/tabernetes/snapshot', snapshot)).status, 200);
  assert.equal((await (await fetch(`${server.url}${kConfigMaps}/a`)).json()).data.value.length, 900_000);
  assert.equal((await send('PUT', '/-/tabernetes/snapshot', '{}')).status, 400);
  assert.equal(await server.stop(), 0);
});

test('the Host header is checked', async () => {
  const server = await serve(cli, '--allowed-hosts', 'good.example,.wide.example');
  for (const [host, status] of [
    ['127.0.0.1:1', 200],
    ['localhost', 200],
    ['[::1]:8001', 200],
    ['good.example', 200],
    ['a.wide.example', 200],
    ['evil.example', 403],
    ['good.example.evil.example', 403],
  ]) {
    const wire = new Wire(server.port).send(`GET /version HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    assert.match(await wire.untilEnded(), new RegExp(`^HTTP/1.1 ${status} `), host);
  }
  await server.stop();
});

/** Opens a WebSocket and collects its messages, [data, is binary], and its close code. */
async function openSocket(server, path, { protocols = [], ...options } = {}) {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`, protocols, { origin: 'http://localhost:5173', ...options });
  const seen = { socket, messages: [], code: undefined };
  socket.on('message', (data, binary) => seen.messages.push([data, binary]));
  socket.on('close', (code) => (seen.code = code));
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
    socket.once('unexpected-response', async (_, answer) => {
      let body = '';
      for await (const chunk of answer) body += chunk;
      reject(Object.assign(new Error(`answered ${answer.statusCode}`), { status: answer.statusCode, body }));
    });
  });
  return seen;
}

webSocketsOfACluster(cli);
webSocketFramesOf(cli);
commandLineOf(cli);
checkCommandOf(cli);
configurationOf(cli);

test('watches over WebSocket, as dashboards open them', async () => {
  const server = await serve(cli, '--seed', '1', '--controllers', 'none', '--scheduler=false');
  const watch = `${kConfigMaps}?watch=true`;
  const text = await openSocket(server, watch, { protocols: ['base64.binary.k8s.io'] });
  assert.equal(text.socket.protocol, 'base64.binary.k8s.io');
  const bytes = await openSocket(server, watch, { headers: { accept: 'application/vnd.kubernetes.protobuf' } });
  const post = (object) => fetch(server.url + kConfigMaps, { method: 'POST', body: JSON.stringify(object), headers: { 'content-type': 'application/json' } });
  assert.equal((await post(configMap('a'))).status, 201);
  await waitFor(() => text.messages.length === 1 && bytes.messages.length === 1);
  const [[line, isBinary]] = text.messages;
  assert.equal(isBinary, false);
  assert.match(String(line), /^\{"type":"ADDED","object":\{"kind":"ConfigMap",.*\}\n$/);
  assert.equal(bytes.messages[0][1], true);
  assert.equal(bytes.messages[0][0].subarray(0, 7).toString('latin1'), '\n\x05ADDED'); // no length before it
  // Covers a large event, a client that leaves, an end by the server, and a server that stops.
  const large = 'x'.repeat(1_000_000);
  await post(configMap('b', { large }));
  await waitFor(() => text.messages.length === 2);
  assert.equal(JSON.parse(text.messages[1][0]).object.data.large, large);
  text.socket.close();
  const short = await openSocket(server, `${watch}&timeoutSeconds=1`);
  await waitFor(() => short.code !== undefined, 5000);
  assert.deepEqual([short.messages.length, short.code, text.code], [2, 1000, 1005]);
  assert.equal(await server.stop(), 0);
  await waitFor(() => bytes.code !== undefined);
  assert.equal(bytes.code, 1001);
});

test('what does not become a WebSocket is answered over HTTP', async () => {
  const server = await serve(cli, '--seed', '1');
  const refused = (path, options) => openSocket(server, path, options).then(() => assert.fail('it opened'), ({ status, body }) => [status, body]);
  const [status, body] = await refused('/api/v1/namespaces/default/configmaps/nope');
  assert.deepEqual([status, JSON.parse(body).message], [404, 'configmaps "nope" not found']);
  assert.equal((await refused('/api/v1/namespaces'))[0], 200);
  assert.deepEqual(await refused(`${kConfigMaps}?watch=true`, { protocols: ['a', 'b'] }), [400, '']);
  assert.deepEqual(await refused(`${kConfigMaps}?watch=true`, { origin: 'https://evil.example' }), [
    403,
    '403 Forbidden: pages of https://evil.example may not open a WebSocket here (see --allowed-hosts)\n',
  ]);
  // Java's client asks for HTTP/2 with its first request, whatever that is, and the connection continues.
  const wire = new Wire(Number(new URL(server.url).port));
  const object = JSON.stringify(configMap('java'));
  const ask = 'Host: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n';
  wire.send(`POST ${kConfigMaps} HTTP/1.1\r\n${ask}Content-Type: application/json\r\nContent-Length: ${object.length}\r\n\r\n${object}`);
  assert.match(await wire.until(/"name":"java"/), /^HTTP\/1\.1 201 Created\r\n/);
  wire.send(`GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  assert.match(await wire.untilEnded(), /HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nok$/);
  assert.equal(await server.stop(), 0);
});

test('large answers are gzipped for those who take it', async () => {
  const server = await serve(cli);
  const path = '/api/v1/namespaces/default/configmaps';
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'big' }, data: { text: 'x'.repeat(200_000) } };
  const created = await fetch(server.url + path, { method: 'POST', body: JSON.stringify(object), headers: { 'content-type': 'application/json' } });
  assert.equal(created.status, 201);
  assert.equal(created.headers.get('content-encoding'), 'gzip'); // Node's fetch asks for it and decodes it
  assert.equal((await created.json()).data.text.length, 200_000);
  const wire = new Wire(server.port).send(`GET ${path}/big HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`);
  const answer = await wire.untilEnded();
  assert.match(answer, /\r\ncontent-encoding: gzip\r\nvary: accept-encoding\r\n/i);
  assert.match(answer, /\r\ntransfer-encoding: chunked\r\n/i);
  assert.doesNotMatch(answer, /content-length/i);
  assert.ok(answer.length < 10_000);
  const plain = new Wire(server.port).send(`GET ${path}/big HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  assert.match(await plain.untilEnded(), /\r\ncontent-length: 200\d\d\d\r\n/i);
  await server.stop();
});

test('pages of allowed origins may read answers: by default those of this machine', async () => {
  const preflight = (server, origin) =>
    fetch(`${server.url}/api/v1/pods`, { method: 'OPTIONS', headers: { origin } });
  const standard = await serve(cli);
  const chosen = await serve(cli, '--cors-allowed-origins', '^https://good\\.example$');
  const none = await serve(cli, '--cors-allowed-origins=');
  for (const [server, origin, status] of [
    [standard, 'http://localhost:5173', 204],
    [standard, 'https://good.example', 405],
    [chosen, 'https://good.example', 204],
    [chosen, 'http://localhost:5173', 405],
    [none, 'http://localhost:5173', 405],
  ]) {
    const answer = await preflight(server, origin);
    assert.equal(answer.status, status, origin);
    assert.equal(answer.headers.get('access-control-allow-origin'), status === 204 ? origin : null);
    // A page that cannot pass a preflight cannot do without one either. Pages of this machine always may.
    const reset = await fetch(`${server.url}/-/tabernetes/reset`, { method: 'POST', headers: { origin } });
    const may = status === 204 || origin === 'http://localhost:5173';
    assert.equal(reset.status, may ? 200 : 403, origin);
    if (!may) assert.equal(await reset.text(), `403 Forbidden: pages of ${origin} may not write here (see --cors-allowed-origins)\n`);
  }
  for (const server of [standard, chosen, none]) await server.stop();
});

test('half a body harms nobody', async () => {
  const server = await serve(cli);
  const wire = new Wire(server.port).send(`POST ${kConfigMaps} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"half`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  wire.destroy();
  await waitFor(async () => (await fetch(`${server.url}/version`)).status === 200);
  assert.equal(await server.stop(), 0);
});

test('the playground under /ui/, a browser at / is sent there, and --ui=false', async () => {
  const server = await serve(cli);
  const page = await fetch(`${server.url}/ui/`);
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-type'), /^text\/html/);
  const root = await fetch(server.url, { headers: { accept: 'text/html,*/*' }, redirect: 'manual' });
  assert.deepEqual([root.status, root.headers.get('location')], [302, '/ui/']);
  assert.match((await fetch(server.url)).headers.get('content-type'), /^application\/json/);
  assert.equal((await fetch(`${server.url}/ui/../cli.js`)).status, 404);
  assert.equal((await fetch(`${server.url}/ui/%2e%2e/cli.js`)).status, 404);
  await server.stop();
  const without = await serve(cli, '--ui=false');
  assert.equal((await fetch(`${without.url}/ui/`)).status, 404);
  await without.stop();
});
