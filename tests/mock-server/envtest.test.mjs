// Tests the binary in the places of kube-apiserver and etcd, as controller-runtime's envtest starts them.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { binary, run } from './server.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tabernetes-envtest-'));
const inFolder = (name) => join(folder, name);
const assets = inFolder('assets');
const apiserver = join(assets, 'kube-apiserver');
const etcd = join(assets, 'etcd');
const openssl = (...args) => execFileSync('openssl', args, { stdio: 'ignore' });
const running = [];

before(async () => {
  const made = await run(binary, ['envtest', assets]);
  assert.equal(made.code, 0, made.stderr);
  assert.equal(made.stdout, `export KUBEBUILDER_ASSETS=${assets}\n`);
  mkdirSync(inFolder('certs'));
  const key = (name) => ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', name];
  openssl('req', '-x509', ...key(inFolder('certs/apiserver.key')), '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2', '-out', inFolder('certs/apiserver.crt'));
  openssl('req', '-x509', ...key(inFolder('users.key')), '-subj', '/CN=users', '-days', '2', '-out', inFolder('users.crt'));
  openssl('req', ...key(inFolder('admin.key')), '-subj', '/O=system:masters/CN=admin', '-out', inFolder('admin.csr'));
  writeFileSync(inFolder('ext'), 'extendedKeyUsage=clientAuth\n');
  openssl('x509', '-req', '-in', inFolder('admin.csr'), '-CA', inFolder('users.crt'), '-CAkey', inFolder('users.key'), '-CAcreateserial', '-days', '2', '-extfile', inFolder('ext'), '-out', inFolder('admin.crt'));
  openssl('ecparam', '-genkey', '-name', 'prime256v1', '-noout', '-out', inFolder('signer.key'));
});
after(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** Starts a program; stop() returns its exit code. */
function start(program, ...args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  running.push(child);
  const started = { errors: '', stop: async () => (child.kill('SIGTERM'), (await closed)[0]) };
  child.stderr.setEncoding('utf8').on('data', (text) => (started.errors += text));
  child.stdout.resume();
  return started;
}

/** Sends a GET over HTTPS, with the admin's certificate if asked to. */
function get(port, path, { admin } = {}) {
  const ca = readFileSync(inFolder('certs/apiserver.crt'));
  const identity = admin ? { cert: readFileSync(inFolder('admin.crt')), key: readFileSync(inFolder('admin.key')) } : {};
  return new Promise((resolve, reject) => {
    const request = https.get({ host: '127.0.0.1', port, path, ca, agent: false, ...identity }, async (response) => {
      let body = '';
      for await (const piece of response.setEncoding('utf8')) body += piece;
      resolve({ status: response.statusCode, body });
    });
    request.on('error', reject);
  });
}

async function eventually(ask) {
  for (let tries = 0; ; ++tries) {
    try {
      return await ask();
    } catch (error) {
      if (tries === 100) throw error;
      await wait(100);
    }
  }
}

test('the folder has links, which are made anew, and files are left alone', async () => {
  for (const name of ['kube-apiserver', 'etcd']) assert.ok(lstatSync(join(assets, name)).isSymbolicLink());
  assert.equal((await run(binary, ['envtest', assets])).code, 0);
  const other = inFolder('other');
  mkdirSync(other);
  writeFileSync(join(other, 'etcd'), 'mine');
  assert.deepEqual(await run(binary, ['envtest', other]), { code: 1, stdout: '', stderr: `tabernetes: ${join(other, 'etcd')}: File exists\n` });
  assert.equal(readFileSync(join(other, 'etcd'), 'utf8'), 'mine');
});

test('help and version', async () => {
  const help = await run(apiserver, ['--help']);
  assert.equal(help.code, 0);
  assert.equal(help.stdout.match(/^\s*--[a-z0-9-]+\b/gm).length, 171);
  assert.match(help.stdout, /^\s*--secure-port\b/m);
  assert.doesNotMatch(help.stdout, /^\s*--insecure-port\b/m);
  assert.deepEqual(await run(apiserver, ['--version']), { code: 0, stdout: 'Kubernetes v1.36.2\n', stderr: '' });
  assert.match((await run(etcd, ['--help'])).stdout, /--listen-client-urls/);
});

test('flags that are unknown, incomplete or not supported are refused in one line', async () => {
  const cases = [
    [['--insecure-port=0'], 'Error: unknown flag: --insecure-port\n'],
    [['-x'], "Error: unknown shorthand flag: 'x' in -x\n"],
    [['--secure-port'], 'Error: flag needs an argument: --secure-port\n'],
    [['serve'], 'Error: "kube-apiserver" does not take any arguments, got ["serve"]\n'],
    [['--runtime-config=api/all=true'], 'Error: --runtime-config is not supported by tabernetes\n'],
    [['--authorization_mode=Nodes'], 'Error: --authorization-mode: "Nodes" is not a valid mode; AlwaysAllow, AlwaysDeny, ABAC, Webhook, Node and RBAC are\n'],
    [['--secure-port=x'], 'Error: invalid --bind-address or --secure-port: 127.0.0.1:x\n'],
  ];
  for (const [args, stderr] of cases) assert.deepEqual(await run(apiserver, args), { code: 1, stdout: '', stderr });
});

test("envtest's flags: RBAC, the certificate of --cert-dir, users by certificates; SIGTERM ends it", async () => {
  const port = await freePort();
  const server = start(
    apiserver,
    '--allow-privileged=true',
    '--authorization-mode=Node',
    '--authorization-mode=RBAC',
    '--bind-address=127.0.0.1',
    `--cert-dir=${inFolder('certs')}`,
    `--client-ca-file=${inFolder('users.crt')}`,
    '--disable-admission-plugins=ServiceAccount',
    '--etcd-servers=http://127.0.0.1:1',
    `--secure-port=${port}`,
    `--service-account-issuer=https://127.0.0.1:${port}/`,
    `--service-account-key-file=${inFolder('signer.key')}`,
    `--service-account-signing-key-file=${inFolder('signer.key')}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '-v',
    '2',
  );
  assert.deepEqual(await eventually(() => get(port, '/healthz')), { status: 200, body: 'ok' });
  const { gitVersion } = JSON.parse((await get(port, '/version')).body);
  assert.equal((await run(apiserver, ['--version'])).stdout, `Kubernetes ${gitVersion}\n`);
  const path = '/api/v1/namespaces/default/pods';
  const refused = JSON.parse((await get(port, path)).body);
  assert.equal(refused.message, 'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" in the namespace "default"');
  assert.equal((await get(port, path, { admin: true })).status, 200);
  const nodes = JSON.parse((await get(port, '/api/v1/nodes', { admin: true })).body);
  assert.deepEqual(nodes.items, []);
  assert.equal(await server.stop(), 0);
  assert.equal(
    server.errors,
    'kube-apiserver: without effect here: --etcd-servers --service-account-issuer --service-cluster-ip-range --v\n',
  );
});

test('without a certificate in --cert-dir, one is made and kept there', async () => {
  const port = await freePort();
  const made = inFolder('made');
  const server = start(apiserver, `--secure-port=${port}`, '--cert-dir', made);
  await eventually(async () => assert.ok(existsSync(made)));
  await eventually(() => new Promise((resolve, reject) => net.connect(port, '127.0.0.1').once('connect', resolve).once('error', reject)));
  assert.equal(await server.stop(), 0);
});

test('etcd: it is well, knows nothing else, gives up peers that are slow or talk nonsense, and ends at SIGTERM', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = start(etcd, `--advertise-client-urls=${url}`, `--data-dir=${inFolder('data')}`, `--listen-client-urls=${url}`, '--listen-peer-urls=http://localhost:0');
  const health = await eventually(() => fetch(`${url}/health`));
  assert.equal(await health.text(), '{"health":"true","reason":""}');
  assert.equal((await fetch(`${url}/other`)).status, 404);
  net.connect(port, '127.0.0.1').on('error', () => {}).end('\0\0nonsense\r\n\r\n');
  net.connect(port, '127.0.0.1').on('error', () => {});
  assert.equal((await fetch(`${url}/health`)).status, 200);
  assert.equal(await server.stop(), 0);
  assert.equal(existsSync(inFolder('data')), false);
  assert.deepEqual(await run(etcd, ['--listen-client-urls=https://127.0.0.1:1']), {
    code: 1,
    stdout: '',
    stderr: 'etcd: --listen-client-urls: http:// is needed, not https://127.0.0.1:1\n',
  });
});
