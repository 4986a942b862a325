// `tabernetes` on the WASM core in Node: the command line of the native binary.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { run, serve, waitFor, Wire } from '../mock-server/server.mjs';
import { configMap, dist, eventReader, kConfigMaps } from './support.mjs';

const cli = join(dist, 'cli.js');
const folder = mkdtempSync(join(tmpdir(), 'tabernetes-package-'));
after(() => rmSync(folder, { recursive: true }));
const file = (name, text) => (writeFileSync(join(folder, name), text), join(folder, name));

test('version and help', async () => {
  assert.match((await run(cli, ['version'])).stdout, /^tabernetes \d+\.\d+\.\d+ \(Kubernetes 1\.36\)\n$/);
  assert.match((await run(cli, ['--help'])).stdout, /serve/);
  const help = await run(cli, ['serve', '--help']);
  assert.equal(help.code, 0);
  for (const flag of ['listen', 'load', 'kubeconfig', 'seed', 'clock', 'controllers', 'nodes', 'feature-gates', 'watch-history', 'ui', 'allowed-hosts']) {
    assert.match(help.stdout, new RegExp(`^  --${flag} `, 'm'));
  }
});

test('wrong flags: one line on stderr, exit 2', async () => {
  const see = '(see tabernetes serve --help)';
  for (const [args, line] of [
    [['serve', '--tls'], `tabernetes serve: unknown flag --tls ${see}`],
    [['serve', '--data-dir', folder], `tabernetes serve: unknown flag --data-dir ${see}`],
    [['serve', '--listen', 'nowhere'], `tabernetes serve: --listen: HOST:PORT or [IPV6]:PORT, not nowhere ${see}`],
    [['serve', '--nodes', 'many'], `tabernetes serve: --nodes: a whole number up to 10000, not many ${see}`],
    [['serve', '--clock', 'noon'], `tabernetes serve: --clock: a time such as 2026-01-01T00:00:00Z, not noon ${see}`],
    [['serve', '--watch-history', '5'], `tabernetes serve: --watch-history: a duration such as 90s, not 5 ${see}`],
    [['serve', '--watch-history=-1s'], `tabernetes serve: --watch-history: a duration such as 90s, not -1s ${see}`],
    [['serve', '--seed'], `tabernetes serve: --seed: a value is needed ${see}`],
    [['serve', '--feature-gates', 'Nope=true'], `tabernetes serve: --feature-gates: unrecognized feature gate: Nope ${see}`],
    [['serve', 'more'], `tabernetes serve: unexpected argument more ${see}`],
    [[], 'tabernetes: a command is needed: serve or version (see tabernetes --help)'],
  ]) {
    assert.deepEqual(await run(cli, args), { code: 2, stdout: '', stderr: `${line}\n` });
  }
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
    ...['--load', manifest, '--kubeconfig', kubeconfig, '--seed=7', '--clock', '2026-01-01T00:00:00Z', '--controllers', 'none'],
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
