// Tests kubectl over HTTPS with RBAC: the admin's certificate of the kubeconfig, tokens, certificates of others, headers
// of a proxy.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { kubectl as findKubectl } from '../../tools/kubectl.mjs';
import { startServer } from './server.mjs';

const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'tabernetes-'));
const inFolder = (name) => join(folder, name);
const openssl = (...args) => execFileSync('openssl', args, { stdio: 'ignore' });
let server;
let binary;

/** Makes a certificate for a subject, signed by an authority of this folder, or by itself. */
function certificate(name, subject, { by, usage = 'clientAuth' } = {}) {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', inFolder(`${name}.key`)];
  if (!by) return openssl('req', '-x509', ...key, '-subj', subject, '-days', '2', '-out', inFolder(`${name}.crt`));
  writeFileSync(inFolder('names'), 'oid_section = oids\n[oids]\nuserUid = 1.3.6.1.4.1.57683.2\n[req]\ndistinguished_name = dn\n[dn]\n');
  openssl('req', ...key, '-config', inFolder('names'), '-subj', subject, '-out', inFolder(`${name}.csr`));
  writeFileSync(inFolder('ext'), `extendedKeyUsage=${usage}\n`);
  const signed = ['-CA', inFolder(`${by}.crt`), '-CAkey', inFolder(`${by}.key`), '-CAcreateserial', '-days', '2', '-extfile', inFolder('ext')];
  openssl('x509', '-req', '-in', inFolder(`${name}.csr`), ...signed, '-out', inFolder(`${name}.crt`));
}

before(async () => {
  binary = findKubectl();
  certificate('users', '/CN=users-ca');
  certificate('proxies', '/CN=proxies-ca');
  certificate('jane', '/O=devs/O=viewers/CN=jane', { by: 'users' });
  certificate('ulla', '/CN=ulla/userUid=7', { by: 'users' });
  certificate('twice', '/CN=ulla/userUid=7/userUid=8', { by: 'users' });
  certificate('server-only', '/CN=jane', { by: 'users', usage: 'serverAuth' });
  certificate('stranger', '/CN=stranger');
  certificate('proxy', '/CN=front-proxy', { by: 'proxies' });
  certificate('other-proxy', '/CN=other', { by: 'proxies' });
  writeFileSync(inFolder('tokens.csv'), 'joe-token,joe,2,devs\n');
  const flags = ['--controllers', 'clusterrole-aggregation,serviceaccount,csrsigning', '--tls', '--cert-dir', folder, '--authorization-mode', 'RBAC', '--token-auth-file', inFolder('tokens.csv')];
  flags.push('--client-ca-file', inFolder('users.crt'), '--requestheader-client-ca-file', inFolder('proxies.crt'));
  flags.push('--requestheader-allowed-names', 'front-proxy', '--requestheader-username-headers', 'X-Remote-User');
  flags.push('--requestheader-group-headers', 'X-Remote-Group', '--requestheader-extra-headers-prefix', 'X-Remote-Extra-');
  server = await startServer('--seed', '1', ...flags);
});
after(async () => {
  assert.equal(await server.stop(), 0);
  rmSync(folder, { recursive: true });
});

/** Runs kubectl as the admin of the kubeconfig. */
async function kubectl(...args) {
  const all = ['--kubeconfig', server.kubeconfig, '--cache-dir', inFolder('cache'), ...args];
  const { stdout, stderr } = await execute(binary, all).catch((error) => error);
  return stdout + stderr;
}

/** Runs kubectl with other credentials. */
async function as(credentials, ...args) {
  const all = ['--server', server.url, '--certificate-authority', inFolder('ca.crt'), '--cache-dir', inFolder('cache'), ...credentials, ...args];
  const { stdout, stderr } = await execute(binary, all, { env: { ...process.env, KUBECONFIG: '/dev/null' } }).catch((error) => error);
  return stdout + stderr;
}
const withCertificate = (name) => ['--client-certificate', inFolder(`${name}.crt`), '--client-key', inFolder(`${name}.key`)];
const withToken = (token) => ['--token', token];

/** Sends a request and returns { status, body }. */
function send(path, { certificate: name, headers, method = 'GET' } = {}) {
  const credentials = name ? { cert: readFileSync(inFolder(`${name}.crt`)), key: readFileSync(inFolder(`${name}.key`)) } : {};
  return new Promise((done, failed) => {
    const request = https.request(server.url + path, { method, headers, ca: readFileSync(inFolder('ca.crt')), agent: false, ...credentials });
    request.on('error', failed).on('response', async (answer) => {
      let body = '';
      for await (const part of answer) body += part;
      done({ status: answer.statusCode, body });
    });
    request.end();
  });
}
const whoami = async (options) => {
  const headers = { 'content-type': 'application/json', ...options?.headers };
  const review = JSON.stringify({ kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' });
  return new Promise((done, failed) => {
    const credentials = { cert: readFileSync(inFolder(`${options.certificate}.crt`)), key: readFileSync(inFolder(`${options.certificate}.key`)) };
    const url = `${server.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`;
    const request = https.request(url, { method: 'POST', headers, ca: readFileSync(inFolder('ca.crt')), agent: false, ...credentials });
    request.on('error', failed).on('response', async (answer) => {
      let body = '';
      for await (const part of answer) body += part;
      done(answer.statusCode === 201 ? JSON.parse(body).status.userInfo : answer.statusCode);
    });
    request.end(review);
  });
};

test('the kubeconfig is that of an admin', async () => {
  assert.equal(await kubectl('auth', 'can-i', '*', '*'), 'yes\n');
  assert.match(await kubectl('auth', 'whoami'), /^Username +kubernetes-admin\nGroups +\[system:masters system:authenticated\]\n/m);
  assert.equal(await kubectl('create', 'configmap', 'a'), 'configmap/a created\n');
  assert.equal(await kubectl('create', 'rolebinding', 'devs', '--clusterrole=view', '--group=devs'), 'rolebinding.rbac.authorization.k8s.io/devs created\n');
});

test('a token goes over HTTPS', async () => {
  assert.match(await as(withToken('joe-token'), 'get', 'configmaps', 'a'), /^a +0 /m);
  assert.match(await as(withToken('joe-token'), 'delete', 'configmap', 'a'), /^Error from server \(Forbidden\): configmaps "a" is forbidden: User "joe" cannot delete resource/);
  assert.match(await as(withToken('wrong'), 'get', 'pods'), /^error: You must be logged in to the server \(Unauthorized\)\n$/m);
});

test('the token of a service account goes over HTTPS', async () => {
  await kubectl('create', 'serviceaccount', 'robot');
  await kubectl('create', 'rolebinding', 'robot', '--clusterrole=view', '--serviceaccount=default:robot');
  const token = (await kubectl('create', 'token', 'robot')).trim();
  assert.match(await as(withToken(token), 'get', 'configmaps', 'a'), /^a +0 /m);
});

test('a certificate names its user', async () => {
  const fingerprint = execFileSync('openssl', ['x509', '-in', inFolder('jane.crt'), '-noout', '-fingerprint', '-sha256'], { encoding: 'utf8' });
  const id = `X509SHA256=${fingerprint.split('=')[1].trim().replaceAll(':', '').toLowerCase()}`;
  assert.deepEqual(await whoami({ certificate: 'jane' }), {
    username: 'jane',
    groups: ['devs', 'viewers', 'system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': [id] },
  });
  assert.match(await as(withCertificate('jane'), 'get', 'configmaps', 'a'), /^a +0 /m);
});

test('a certificate has one uid, or none', async () => {
  const { username, uid } = await whoami({ certificate: 'ulla' });
  assert.deepEqual([username, uid], ['ulla', '7']);
  assert.equal((await send('/api', { certificate: 'twice' })).status, 401);
});

test('a certificate that nobody trusts lets nobody in, unless a token does', async () => {
  // Node's client sends a certificate whichever authorities the server names, unlike Go's.
  for (const name of ['stranger', 'server-only']) {
    const { status, body } = await send('/api/v1/namespaces/default/configmaps', { certificate: name });
    assert.equal(status, 401);
    assert.deepEqual(JSON.parse(body), { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'Unauthorized', reason: 'Unauthorized', code: 401 });
  }
  const { status } = await send('/api/v1/namespaces/default/configmaps', { certificate: 'stranger', headers: { authorization: 'Bearer joe-token' } });
  assert.equal(status, 200);
  assert.equal((await send('/healthz')).status, 200); // without one, anonymous
});

test('a certificate is requested, approved and used', async () => {
  openssl('req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', inFolder('new.key'), '-subj', '/O=devs/CN=new', '-out', inFolder('new.csr'));
  const spec = { request: readFileSync(inFolder('new.csr'), 'base64'), signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'], expirationSeconds: 86400 };
  writeFileSync(inFolder('new.json'), JSON.stringify({ apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name: 'new' }, spec }));
  assert.equal(await kubectl('create', '-f', inFolder('new.json')), 'certificatesigningrequest.certificates.k8s.io/new created\n');
  assert.match(await kubectl('get', 'csr', 'new'), /^new +\d+s +kubernetes\.io\/kube-apiserver-client +kubernetes-admin +24h +Pending$/m);
  assert.equal(await kubectl('certificate', 'approve', 'new'), 'certificatesigningrequest.certificates.k8s.io/new approved\n');
  assert.equal(await kubectl('wait', 'csr/new', '--for=jsonpath={.status.certificate}', '--timeout=5s'), 'certificatesigningrequest.certificates.k8s.io/new condition met\n');
  assert.match(await kubectl('get', 'csr', 'new'), / Approved,Issued$/m);
  writeFileSync(inFolder('new.crt'), Buffer.from(await kubectl('get', 'csr', 'new', '-o', 'jsonpath={.status.certificate}'), 'base64'));
  assert.match(await as(withCertificate('new'), 'auth', 'whoami'), /^Username +new\nGroups +\[devs system:authenticated\]\n/m);
  assert.match(await as(withCertificate('new'), 'get', 'configmaps', 'a'), /^a +0 /m);
});

test('a proxy names the user in headers', async () => {
  const headers = { 'X-Remote-User': 'ann', 'X-Remote-Group': ['one', 'two'], 'X-Remote-Extra-example.com%2fA': 'b' };
  assert.deepEqual(await whoami({ certificate: 'proxy', headers }), {
    username: 'ann',
    groups: ['one', 'two', 'system:authenticated'],
    extra: { 'example.com/a': ['b'] },
  });
  assert.equal(await whoami({ certificate: 'other-proxy', headers }), 401);
  assert.equal((await whoami({ certificate: 'jane', headers })).username, 'jane');
});

test('control paths ask for the right to them', async () => {
  const refusal = (user, verb) => ({
    ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' },
    message: `forbidden: User "${user}" cannot ${verb} path "/-/tabernetes/snapshot"`,
    ...{ reason: 'Forbidden', details: {}, code: 403 },
  });
  const anonymous = await send('/-/tabernetes/snapshot');
  assert.deepEqual([anonymous.status, JSON.parse(anonymous.body)], [403, refusal('system:anonymous', 'get')]);
  const jane = await send('/-/tabernetes/snapshot', { certificate: 'jane', method: 'PUT' });
  assert.deepEqual([jane.status, JSON.parse(jane.body)], [403, refusal('jane', 'put')]);
  assert.equal((await send('/-/tabernetes/reset', { method: 'POST' })).status, 403);
  assert.equal((await send('/-/tabernetes/metrics', { headers: { authorization: 'Bearer wrong' } })).status, 401);
  await kubectl('create', 'clusterrole', 'control', '--verb=get', '--non-resource-url=/-/tabernetes/*');
  await kubectl('create', 'clusterrolebinding', 'control', '--clusterrole=control', '--user=jane');
  assert.equal((await send('/-/tabernetes/snapshot', { certificate: 'jane' })).status, 200);
  assert.equal((await send('/-/tabernetes/snapshot', { certificate: 'jane', method: 'PUT' })).status, 403);
  assert.match(await kubectl('get', '--raw', '/-/tabernetes/metrics'), /"objects":/);
});

test('a watch by HTTP/2', async () => {
  const watch = execFile(binary, ['--kubeconfig', server.kubeconfig, '--cache-dir', inFolder('cache'), 'get', 'configmaps', '-w', '-o', 'name']);
  let seen = '';
  watch.stdout.on('data', (text) => (seen += text));
  while (!seen.includes('configmap/a\n')) await new Promise((done) => setTimeout(done, 50));
  await kubectl('create', 'configmap', 'late');
  for (let n = 0; !seen.includes('configmap/late\n'); ++n) {
    assert.ok(n < 100, seen);
    await new Promise((done) => setTimeout(done, 50));
  }
  watch.kill();
});
