// Callers whom webhooks and issuers know and judge: the cluster's `fetchWebhook` is all of them.
import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { configMap, createCluster, kConfigMaps, kReproducible } from './support.mjs';

const kPods = '/api/v1/namespaces/default/pods';
const kubeconfig = (path, user = {}) =>
  JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: `https://hooks.example${path}`, 'tls-server-name': 'hook' } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });

/** A webhook that answers reviews with the status that `judge` gives; its calls are in `calls`. */
function reviewing(judge) {
  const calls = [];
  const fetchWebhook = async (request, options) => {
    const review = await request.json();
    calls.push({ url: request.url, method: request.method, authorization: request.headers.get('authorization'), options, kind: review.kind, apiVersion: review.apiVersion, spec: review.spec });
    return Response.json({ kind: review.kind, apiVersion: review.apiVersion, status: judge(review) });
  };
  return { calls, fetchWebhook };
}

const ask = async (cluster, target, token) => {
  const { status, body } = await cluster.request({ target, headers: token === undefined ? [] : [['authorization', `Bearer ${token}`]] });
  return [status, new TextDecoder().decode(body)];
};
const who = async (cluster, token) => {
  const review = { method: 'POST', target: '/apis/authentication.k8s.io/v1/selfsubjectreviews', body: '{}', headers: [['authorization', `Bearer ${token}`], ['content-type', 'application/json']] };
  const { status, body } = await cluster.request(review);
  return status === 201 ? JSON.parse(new TextDecoder().decode(body)).status.userInfo : status;
};

test('a webhook decides who may do what, by mode or by a configuration', async () => {
  const { calls, fetchWebhook } = reviewing(({ spec }) => ({ allowed: spec.resourceAttributes?.verb === 'list', reason: 'only lists' }));
  const cluster = await createCluster({ ...kReproducible, fetchWebhook, authorizationMode: 'Webhook', authorizationWebhook: kubeconfig('/access', { token: 'secret' }), authorizationWebhookVersion: 'v1' });
  assert.equal((await ask(cluster, kPods))[0], 200);
  assert.equal((await ask(cluster, kPods))[0], 200);
  const [status, text] = await ask(cluster, `${kPods}/a`);
  assert.equal(status, 403);
  assert.match(text, /: only lists"/);
  assert.equal(calls.length, 2, 'decisions are kept');
  const { options, ...call } = calls[0];
  assert.deepEqual(call, {
    url: 'https://hooks.example/access?timeout=30s',
    method: 'POST',
    authorization: 'Bearer secret',
    kind: 'SubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    spec: { resourceAttributes: { namespace: 'default', verb: 'list', version: 'v1', resource: 'pods' }, user: 'system:anonymous', groups: ['system:unauthenticated'] },
  });
  assert.deepEqual(options, { caBundle: '', tls: { certificate: '', key: '', serverName: 'hook', insecure: false } });
  cluster.dispose();

  const authorizationConfiguration = `
apiVersion: apiserver.config.k8s.io/v1
kind: AuthorizationConfiguration
authorizers:
- type: Webhook
  name: w
  webhook:
    timeout: 2s
    subjectAccessReviewVersion: v1
    failurePolicy: Deny
    connectionInfo: {type: KubeConfigFile, kubeConfigFile: /etc/hook}
`;
  const configured = await createCluster({ ...kReproducible, fetchWebhook, authorizationConfiguration, files: { '/etc/hook': kubeconfig('/configured') } });
  assert.equal((await ask(configured, kPods))[0], 200);
  assert.equal(calls.at(-1).url, 'https://hooks.example/configured?timeout=2s');
  configured.dispose();
});

test('a webhook knows tokens', async () => {
  const { calls, fetchWebhook } = reviewing(({ spec }) => (spec.token === 'sesame' ? { authenticated: true, user: { username: 'ali', groups: ['cave'] } } : {}));
  const cluster = await createCluster({ ...kReproducible, fetchWebhook, authenticationWebhook: kubeconfig('/tokens') });
  assert.deepEqual(await who(cluster, 'sesame'), { username: 'ali', groups: ['cave', 'system:authenticated'] });
  assert.equal(await who(cluster, 'close'), 401);
  assert.deepEqual([calls[0].apiVersion, calls[0].kind, calls[0].spec.token], ['authentication.k8s.io/v1beta1', 'TokenReview', 'sesame']);
  const fork = cluster.fork();
  assert.deepEqual(await who(fork, 'sesame'), { username: 'ali', groups: ['cave', 'system:authenticated'] });
  fork.dispose();
  cluster.dispose();
});

test('issuers of tokens: their documents come by fetchWebhook, or their keys from a file', async () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys = JSON.stringify({ keys: [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' }] });
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'ES256', kid: 'k' })}.${part({ iss: 'https://issuer.example', aud: 'shop', sub: 'ann', exp: Date.parse(kReproducible.now) / 1000 + 60 })}`;
  const token = `${text}.${sign('sha256', Buffer.from(text), { key: pair.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
  const calls = [];
  const fetchWebhook = (request) => {
    calls.push(`${request.method} ${request.url}`);
    return request.url.endsWith('/keys') ? new Response(keys) : Response.json({ issuer: 'https://issuer.example', jwks_uri: 'https://issuer.example/keys' });
  };
  const configuration = (more) => JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [{ issuer: { url: 'https://issuer.example', audiences: ['shop'], ...more }, claimMappings: { username: { expression: "'ext:' + claims.sub" } } }],
  });
  const ann = { username: 'ext:ann', groups: ['system:authenticated'] };
  const fetching = await createCluster({ ...kReproducible, fetchWebhook, authenticationConfiguration: configuration({}) });
  assert.deepEqual(await who(fetching, token), ann);
  assert.deepEqual(calls, ['GET https://issuer.example/.well-known/openid-configuration', 'GET https://issuer.example/keys']);
  assert.equal(await who(fetching, `${token.slice(0, -6)}AAAAAA`), 401);
  fetching.dispose();
  calls.length = 0;
  const reading = await createCluster({ ...kReproducible, fetchWebhook, authenticationConfiguration: configuration({ jwksFile: 'keys' }), files: { keys } });
  assert.deepEqual(await who(reading, token), ann);
  assert.deepEqual(calls, []);
  reading.dispose();
});

test('ImagePolicyWebhook asks by fetchWebhook', async () => {
  const { calls, fetchWebhook } = reviewing(({ spec }) => ({ allowed: spec.containers.every(({ image }) => image === 'good') }));
  const admissionConfiguration = JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AdmissionConfiguration',
    plugins: [{ name: 'ImagePolicyWebhook', configuration: { imagePolicy: { kubeConfigFile: 'images' } } }],
  });
  const cluster = await createCluster({ ...kReproducible, fetchWebhook, enableAdmissionPlugins: ['ImagePolicyWebhook'], admissionConfiguration, files: { images: kubeconfig('/images') } });
  const create = async (name, image) => (await cluster.fetch(kPods, { method: 'POST', body: JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [{ name: 'c', image }] } }) })).status;
  assert.equal(await create('a', 'good'), 201);
  assert.equal(await create('b', 'bad'), 403);
  assert.deepEqual(calls.map(({ kind }) => kind), ['ImageReview', 'ImageReview']);
  cluster.dispose();
});

test('what is wrong with these options is named', async () => {
  const refused = (options, message) => assert.rejects(createCluster({ ...kReproducible, ...options }), { name: 'TypeError', message: `tabernetes: ${message}` });
  await refused({ authorizationMode: 'Webhook' }, 'authorizationMode: Webhook needs authorizationWebhook');
  await refused({ authorizationWebhook: kubeconfig('/') }, 'authorizationWebhook: authorizationMode has to have Webhook');
  await refused({ authorizationConfiguration: 'kind: X', authorizationMode: 'Webhook', authorizationWebhook: kubeconfig('/') }, 'authorizationConfiguration: takes the place of authorizationMode and authorizationWebhook');
  await refused({ authorizationMode: 'Webhook', authorizationWebhook: '{}' }, 'authorizationWebhook: invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable');
  await refused({ authenticationWebhook: '{}' }, 'authenticationWebhook: invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable');
  await refused({ authenticationConfiguration: 'kind: X' }, "authenticationConfiguration: Object 'apiVersion' is missing in '{\"kind\":\"X\"}'");
  await refused({ enableAdmissionPlugins: ['ImagePolicyWebhook'] }, 'admissionConfiguration: couldn\'t init admission plugin "ImagePolicyWebhook": no config specified');
});

test('who deletes what cannot be read needs a right of its own', async () => {
  const kRbac = 'rbac.authorization.k8s.io';
  const role = (...verbs) => ({ apiVersion: `${kRbac}/v1`, kind: 'Role', metadata: { name: 'r', namespace: 'default' }, rules: [{ verbs, apiGroups: [''], resources: ['configmaps'] }] });
  const binding = { apiVersion: `${kRbac}/v1`, kind: 'RoleBinding', metadata: { name: 'b', namespace: 'default' }, roleRef: { apiGroup: kRbac, kind: 'Role', name: 'r' }, subjects: [{ kind: 'User', name: 'jane', apiGroup: kRbac }] };
  const cluster = await createCluster({ ...kReproducible, authorizationMode: 'RBAC', featureGates: { AllowUnsafeMalformedObjectDeletion: true } });
  await cluster.load([role('delete'), binding, configMap('a')]);
  const path = `${kConfigMaps}/a`;
  const root = cluster.as({ user: 'root', groups: ['system:masters'] });
  assert.equal((await root.request({ method: 'POST', target: '/-/tabernetes/corrupt', body: JSON.stringify({ object: path }) })).status, 200);
  const jane = cluster.as({ user: 'jane' });
  const remove = async () => {
    const answer = await jane.fetch(`${path}?ignoreStoreReadErrorWithClusterBreakingPotential=true`, { method: 'DELETE' });
    return [answer.status, (await answer.json()).message];
  };
  assert.deepEqual(await remove(), [403, 'configmaps "a" is forbidden: not permitted to do "unsafe-delete-ignore-read-errors", reason: ']);
  await cluster.load([role('delete', 'unsafe-delete-ignore-read-errors')]);
  assert.deepEqual(await remove(), [200, undefined]);
  cluster.dispose();
});
