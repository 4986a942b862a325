// Services that decide what callers may do and know their tokens, over real TLS, found by kubeconfigs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { after, before, test } from 'node:test';
import { makeCertificate } from './certificates.mjs';
import { nativeOnly, startServer } from './server.mjs';
import { authority, closePeers, good, startWebhook } from './webhook_peers.mjs';

const folder = mkdtempSync(join(tmpdir(), 'access-'));
const reviews = [];
let port;

/** Says what `judge` says of the spec of a review. */
const judging = (judge) => (request, response) => {
  let text = '';
  request.on('data', (piece) => (text += piece));
  request.on('end', () => {
    const { kind, apiVersion, spec } = JSON.parse(text);
    reviews.push({ url: request.url, headers: request.headers, client: request.socket.getPeerCertificate?.()?.subject?.CN, kind, apiVersion, spec });
    const status = judge(kind, spec);
    response.writeHead(status ? 200 : 500, { 'content-type': 'application/json' });
    response.end(status ? JSON.stringify({ kind, apiVersion, status }) : '');
  });
};

function judge(kind, spec) {
  if (kind === 'ImageReview') return spec.containers.some(({ image }) => image === 'lost') ? undefined : { allowed: spec.containers.every(({ image }) => image.startsWith('good')), reason: 'unsigned' };
  if (kind === 'TokenReview') return spec.token === 'open sesame'.replace(' ', '-') ? { authenticated: true, user: { username: 'ali', groups: ['cave'] } } : {};
  if (kind === 'AdmissionReview') return undefined;
  const verb = (spec.resourceAttributes ?? spec.nonResourceAttributes).verb;
  return { get: { allowed: true }, list: { allowed: false, reason: 'no list' }, create: { denied: true, reason: 'never' }, delete: undefined }[verb];
}

const file = (name, text) => {
  const path = join(folder, name);
  writeFileSync(path, typeof text === 'string' ? text : JSON.stringify(text));
  return path;
};

const kubeconfig = (name, user = {}, cluster = {}) =>
  file(name, {
    clusters: [{ name: 'c', cluster: { server: `https://127.0.0.1:${port}/ask`, 'certificate-authority': 'ca.pem', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });

before(async () => {
  port = await startWebhook(judging(judge), { ...good, requestCert: true, rejectUnauthorized: false });
  file('ca.pem', authority.cert);
});
after(() => {
  closePeers();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(server, method, path, token) {
  const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) };
  const answer = await fetch(server.url + path, { method, headers, body: method === 'POST' ? '{}' : undefined });
  const text = await answer.text();
  return `${answer.status} ${text.startsWith('{') ? (JSON.parse(text).message ?? '') : text.trim()}`.trim();
}

test('--authorization-mode Webhook: allowed, no opinion, denied, and an error', async () => {
  const client = makeCertificate({ commonName: 'api-server', authority });
  const config = kubeconfig('hook.yaml', { token: 'secret', 'client-certificate-data': Buffer.from(client.cert).toString('base64'), 'client-key-data': Buffer.from(client.key).toString('base64') });
  const server = await startServer('--authorization-mode', 'Webhook', '--authorization-webhook-config-file', config, '--authorization-webhook-version', 'v1');
  try {
    reviews.length = 0;
    const pods = '/api/v1/namespaces/default/pods';
    assert.equal(await ask(server, 'GET', `${pods}/a`), '404 pods "a" not found');
    assert.equal(await ask(server, 'GET', pods), '403 pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" in the namespace "default": no list');
    assert.match(await ask(server, 'POST', pods), /^403 .*: never$/);
    assert.equal(await ask(server, 'GET', `${pods}/a`), '404 pods "a" not found');
    assert.equal(reviews.length, 3); // the last one is kept
    const { url, headers, client: shown, kind, apiVersion, spec } = reviews[0];
    assert.equal(url, '/ask?timeout=30s');
    assert.equal(headers.authorization, 'Bearer secret');
    assert.equal(shown, 'api-server');
    assert.deepEqual({ kind, apiVersion, spec }, {
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      spec: { resourceAttributes: { namespace: 'default', verb: 'get', version: 'v1', resource: 'pods', name: 'a' }, user: 'system:anonymous', groups: ['system:unauthenticated'] },
    });
    assert.match(await ask(server, 'DELETE', `${pods}/a`), /^500 Internal Server Error: "\/api\/v1\/namespaces\/default\/pods\/a": an error on the server \("unknown"\) has prevented the request from succeeding$/);
    assert.equal(reviews.length, 8); // five tries
  } finally {
    assert.equal(await server.stop(), 0);
  }
});

test('--authorization-config and a webhook for tokens', async () => {
  const hook = kubeconfig('hook.yaml');
  const config = file('authorization.yaml', `
apiVersion: apiserver.config.k8s.io/v1
kind: AuthorizationConfiguration
authorizers:
- type: Webhook
  name: cave.example
  webhook:
    timeout: 2s
    subjectAccessReviewVersion: v1beta1
    matchConditionSubjectAccessReviewVersion: v1
    failurePolicy: Deny
    connectionInfo: {type: KubeConfigFile, kubeConfigFile: ${hook}}
    matchConditions:
    - expression: "'cave' in request.groups"
- {type: RBAC, name: rbac}
`);
  const server = await startServer('--authorization-config', config, '--authentication-token-webhook-config-file', hook, '--authentication-token-webhook-version', 'v1');
  try {
    reviews.length = 0;
    assert.equal(await ask(server, 'GET', '/version'), '200');
    assert.equal(reviews.length, 0); // anonymous callers are not of the cave
    assert.equal(await ask(server, 'GET', '/api/v1/namespaces/default', 'open-sesame'), '200');
    assert.deepEqual(reviews.map(({ kind, apiVersion }) => `${apiVersion} ${kind}`), ['authentication.k8s.io/v1 TokenReview', 'authorization.k8s.io/v1beta1 SubjectAccessReview']);
    assert.deepEqual(reviews[1].spec.group, ['cave', 'system:authenticated']);
    assert.equal(reviews[1].url, '/ask?timeout=2s');
    assert.equal(await ask(server, 'GET', '/api', 'close'), '401 Unauthorized');
  } finally {
    assert.equal(await server.stop(), 0);
  }
});

test('ImagePolicyWebhook asks about images; NamespaceAutoProvision makes the namespace', async () => {
  const hook = kubeconfig('images.yaml', { token: 'secret' });
  const admission = (name, more) =>
    file(name, { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins: [{ name: 'ImagePolicyWebhook', configuration: { imagePolicy: { kubeConfigFile: hook, retryBackoff: 1, ...more } } }] });
  const plugins = ['--enable-admission-plugins', 'ImagePolicyWebhook,NamespaceAutoProvision'];
  const server = await startServer(...plugins, '--admission-control-config-file', admission('images.json', {}));
  const create = async (name, image, ns = 'new') => {
    const body = JSON.stringify({ metadata: { name }, spec: { containers: [{ name: 'c', image }] } });
    const answer = await fetch(`${server.url}/api/v1/namespaces/${ns}/pods`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return `${answer.status} ${(await answer.json()).message ?? ''}`.trim();
  };
  try {
    reviews.length = 0;
    assert.equal(await create('a', 'good:1'), '201');
    assert.equal((await fetch(`${server.url}/api/v1/namespaces/new`)).status, 200);
    assert.equal(await create('b', 'good:1'), '201');
    assert.deepEqual(reviews.map(({ url, kind, apiVersion, spec, headers }) => [url, apiVersion, kind, spec, headers.authorization]), [
      ['/ask?timeout=30s', 'imagepolicy.k8s.io/v1alpha1', 'ImageReview', { containers: [{ image: 'good:1' }], namespace: 'new' }, 'Bearer secret'],
    ]);
    assert.equal(await create('c', 'bad:1'), '403 pods "c" is forbidden: image policy webhook backend denied one or more images: unsigned');
    reviews.length = 0;
    assert.match(await create('d', 'lost'), /^403 pods "d" is forbidden: an error on the server \("unknown"\) has prevented the request from succeeding$/);
    assert.equal(reviews.length, 5);
    assert.match(await create('e', 'good:1', 'Upper'), /^403 pods "e" is forbidden: Namespace "Upper" is invalid: /);
  } finally {
    assert.equal(await server.stop(), 0);
  }
  const program = process.env.TABERNETES_BINARY ?? new URL('../../build/native/tabernetes', import.meta.url).pathname;
  const { status, stderr } = spawnSync(program, ['serve', '--listen', '127.0.0.1:0', ...plugins], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /couldn't init admission plugin "ImagePolicyWebhook": no config specified/);
});

test('admission webhooks get the credentials that a kubeconfig has for their server', async () => {
  const users = file('users.yaml', { users: [{ name: `127.0.0.1:${port}`, user: { token: 'for-the-hook' } }, { name: '*', user: { token: 'for-others' } }] });
  const part = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'WebhookAdmissionConfiguration', kubeConfigFile: users };
  const config = file('webhooks.json', { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins: [{ name: 'ValidatingAdmissionWebhook', configuration: part }] });
  const server = await startServer('--admission-control-config-file', config);
  const post = (path, body) => fetch(server.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  try {
    const clientConfig = { url: `https://127.0.0.1:${port}/hook`, caBundle: Buffer.from(authority.cert).toString('base64') };
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
    const webhooks = [{ name: 'hook.example.com', clientConfig, rules, sideEffects: 'None', admissionReviewVersions: ['v1'] }];
    assert.equal((await post('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', { metadata: { name: 'hooks' }, webhooks })).status, 201);
    reviews.length = 0;
    // This service answers no AdmissionReview: who asked is what counts.
    assert.equal((await post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } })).status, 500);
    assert.deepEqual(reviews.map(({ kind, headers }) => [kind, headers.authorization]), [['AdmissionReview', 'Bearer for-the-hook']]);
  } finally {
    assert.equal(await server.stop(), 0);
  }
});

test('what is wrong is said at start', async () => {
  const hook = kubeconfig('hook.yaml');
  const program = process.env.TABERNETES_BINARY ?? new URL('../../build/native/tabernetes', import.meta.url).pathname;
  const refused = (code, pattern, ...flags) => {
    const { status, stderr } = spawnSync(program, ['serve', '--listen', '127.0.0.1:0', ...flags], { encoding: 'utf8' });
    assert.match(stderr, pattern);
    assert.equal(status, code);
  };
  const bad = file('bad.yaml', 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers: [{type: RBAC}]\n');
  refused(1, /bad\.yaml: authorizers\[0\]\.name: Required value\n/, '--authorization-config', bad);
  refused(2, /--authorization-config can not be specified when --authorization-mode or --authorization-webhook-\* flags are defined/, '--authorization-config', bad, '--authorization-mode', 'RBAC');
  refused(2, /authorization-mode Webhook's authorization config file not passed/, '--authorization-mode', 'Webhook');
  refused(2, /cannot specify --authorization-webhook-config-file without mode Webhook/, '--authorization-webhook-config-file', hook);
  refused(1, /none\.yaml: .*no such file or directory/i, '--authorization-mode', 'Webhook', '--authorization-webhook-config-file', join(folder, 'none.yaml'));
  refused(1, /none\.yaml: .*no such file or directory/i, '--authentication-token-webhook-config-file', join(folder, 'none.yaml'));
  const lost = kubeconfig('lost.yaml', {}, { 'certificate-authority': 'lost.pem' });
  refused(1, /lost\.pem/, '--authorization-mode', 'Webhook', '--authorization-webhook-config-file', lost);
});

test('ECDSA keys sign tokens of service accounts, and --service-account-key-file verifies them', nativeOnly, async () => {
  const type = { format: 'pem' };
  const old = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = file('signer.key', pair.privateKey.export({ ...type, type: 'sec1' }));
  const trusted = file('old.pub', old.publicKey.export({ ...type, type: 'spki' }));
  const certificate = makeCertificate({ commonName: 'signer' });
  const other = file('signer.crt', certificate.cert);
  const start = (signer, ...keys) => startServer('--authorization-mode', 'AlwaysAllow', '--token-auth-file', file('tokens', 't,jane,1\n'), '--seed', '1', '--clock', '2026-01-01T00:00:00Z', '--service-account-signing-key-file', signer, ...keys.flatMap((path) => ['--service-account-key-file', path]));
  const tokenOf = async (server) => {
    const path = '/api/v1/namespaces/default/serviceaccounts';
    const send = (where, body) => fetch(server.url + where, { method: 'POST', headers: { authorization: 'Bearer t', 'content-type': 'application/json' }, body: JSON.stringify(body) });
    await send(path, { metadata: { name: 'robot' } });
    return (await (await send(`${path}/robot/token`, {})).json()).status.token;
  };
  const server = await start(key);
  let token;
  try {
    token = await tokenOf(server);
    const [head, claims, signature] = token.split('.');
    const { alg, kid } = JSON.parse(Buffer.from(head, 'base64url'));
    assert.equal(alg, 'ES256');
    const { keys } = await (await fetch(`${server.url}/openid/v1/jwks`, { headers: { authorization: 'Bearer t' } })).json();
    assert.deepEqual(Object.keys(keys[0]), ['use', 'kty', 'kid', 'crv', 'alg', 'x', 'y']);
    assert.equal(keys[0].kid, kid);
    const signed = Buffer.from(`${head}.${claims}`);
    const good = verify('sha256', signed, { key: createPublicKey({ key: keys[0], format: 'jwk' }), dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
    assert.ok(good);
    assert.equal(await ask(server, 'GET', '/version', token), '200');
    assert.equal(await ask(server, 'GET', '/version', `${token.slice(0, -4)}AAAA`), '401 Unauthorized');
  } finally {
    await server.stop();
  }
  // The same uids: only the keys differ.
  const others = await start(key, trusted, other);
  try {
    assert.equal(await tokenOf(others), token, 'the signature depends on the key and the claims alone');
    assert.equal(await ask(others, 'GET', '/version', token), '401 Unauthorized');
  } finally {
    await others.stop();
  }
  const both = await start(key, trusted, key);
  try {
    assert.equal(await ask(both, 'GET', '/version', await tokenOf(both)), '200');
  } finally {
    await both.stop();
  }
});
