// Tests conversion webhooks over real TLS: objects in two versions, and the errors that a client sees of a webhook that
// does not work.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { kubectlOf } from './kubectl_client.mjs';
import { startServer } from './server.mjs';
import { authority, closePeers, convert, startPeers, startSlowPeers, startWebhook, urlOf } from './webhook_peers.mjs';

const kDefinitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const kV1 = '/apis/example.com/v1/namespaces/default/hooks';
const kBeta = '/apis/example.com/v1beta1/namespaces/default/hooks';

let server;
let port;
const reviews = [];
before(async () => {
  port = await startWebhook((request, response) => {
    reviews.push(request.socket.servername);
    convert(request, response);
  });
  server = await startServer('--nodes', '0', '--webhook-service', `mapped.shop=127.0.0.1:${port}`);
  await define({ port });
});
after(async () => {
  closePeers();
  assert.equal(await server.stop(), 0);
});

const base64 = (text) => Buffer.from(text).toString('base64');

async function send(method, path, body, type = 'application/json') {
  const answer = await fetch(server.url + path, { method, headers: body ? { 'content-type': type } : {}, body: body && JSON.stringify(body) });
  return { status: answer.status, ...(await answer.json().then(({ status, ...rest }) => rest)) };
}

const version = (name, storage, properties) => ({
  name,
  storage,
  served: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
});

const definition = (clientConfig, group = 'example.com') => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `hooks.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'hooks', kind: 'Hook' },
    conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } },
    versions: [
      version('v1', true, { host: { type: 'string' }, port: { type: 'string' } }),
      version('v1beta1', false, { hostPort: { type: 'string' } }),
    ],
  },
});

const hook = (version, name, spec) => ({ apiVersion: `example.com/${version}`, kind: 'Hook', metadata: { name }, spec });

const client = ({ ca = authority.cert, ...peer }) => ({ url: urlOf(peer), ...(ca ? { caBundle: base64(ca) } : {}) });

/** Defines hooks with this webhook and creates the first. */
async function define(peer, group = 'example.com') {
  const made = await send('POST', kDefinitions, definition(client(peer), group));
  assert.equal(made.status, 201, made.message);
  const hooks = kV1.replace('example.com', group);
  const served = async () => (await fetch(server.url + hooks)).ok; // until then the answer is a plain-text 404
  for (let left = 250; left > 0 && !(await served()); --left) await new Promise((resolve) => setTimeout(resolve, 20));
  const first = { ...hook('v1', 'a', { host: 'h', port: '1' }), apiVersion: `${group}/v1` };
  assert.equal((await send('POST', hooks, first)).status, 201);
}

/** Points the definition at this webhook. */
async function aim(clientConfig) {
  const patch = [{ op: 'replace', path: '/spec/conversion/webhook/clientConfig', value: clientConfig }];
  const patched = await send('PATCH', `${kDefinitions}/hooks.example.com`, patch, 'application/json-patch+json');
  assert.equal(patched.status, 200, patched.message);
}

const aimAt = (peer) => aim(client(peer));
const failedIn = (group) => `conversion webhook for ${group}/v1, Kind=Hook failed: `;
const kFailed = failedIn('example.com');

test('kubectl reads and writes both versions', async () => {
  const { kubectl, fileOf } = kubectlOf(server);
  assert.equal(await kubectl('get', 'hooks.v1.example.com', 'a', '-o', 'jsonpath={.apiVersion} {.spec}'), 'example.com/v1 {"host":"h","port":"1"}');
  assert.equal(await kubectl('get', 'hooks.v1beta1.example.com', 'a', '-o', 'jsonpath={.apiVersion} {.spec}'), 'example.com/v1beta1 {"hostPort":"h:1"}');
  assert.equal(await kubectl('apply', '-f', fileOf(hook('v1beta1', 'k', { hostPort: 'j:7' }))), 'hook.example.com/k created');
  assert.equal(await kubectl('get', 'hooks.v1.example.com', 'k', '-o', 'jsonpath={.spec}'), '{"host":"j","port":"7"}');
  assert.equal(await kubectl('apply', '--server-side', '--force-conflicts', '-f', fileOf(hook('v1beta1', 'k', { hostPort: 'j:8' }))), 'hook.example.com/k serverside-applied');
  assert.equal(await kubectl('get', 'hooks.v1.example.com', '-o', 'jsonpath={.items[*].spec.port}'), '1 8');
  assert.match(await kubectl('delete', 'hooks.v1beta1.example.com', 'k'), /^hook\.example\.com "k" deleted/);
});

/** Checks the client's error while this peer is the webhook. */
async function assertTold(peer, answer, group = 'example.com') {
  const { status, kind, code, message } = await answer;
  assert.deepEqual([status, kind, code], [500, 'Status', 500], peer.name);
  const brokenOff = 'unexpected error when reading response body. Please retry. Original error: ';
  const called = `Post "${urlOf(peer)}?timeout=30s": `;
  const before = failedIn(group) + (peer.refusal !== undefined ? '' : peer.status ? brokenOff : called);
  assert.ok(message.startsWith(before), `${peer.name}: ${message}`);
  const fault = message.slice(before.length);
  if (peer.fault instanceof RegExp) assert.match(fault, peer.fault, peer.name);
  else assert.equal(fault, peer.refusal ?? peer.fault, peer.name);
}

test('what is wrong with a webhook is told in the words of kube-apiserver', async () => {
  for (const peer of await startPeers()) {
    await aimAt(peer);
    await assertTold(peer, send('GET', `${kBeta}/a`));
  }
  await aimAt({ port });
  assert.deepEqual((await send('GET', `${kBeta}/a`)).spec, { hostPort: 'h:1' });
});

test('a webhook that keeps its callers waiting is given up as kube-apiserver does', async () => {
  const peers = await startSlowPeers();
  await Promise.all(
    peers.map(async (peer, i) => {
      const group = `slow${i}.example.com`;
      await define(peer, group);
      const start = Date.now();
      await assertTold(peer, send('GET', `${kBeta.replace('example.com', group)}/a`), group);
      const took = (Date.now() - start) / 1000;
      assert.ok(took > peer.seconds - 1 && took < peer.seconds + 8, `${peer.name}: ${took} s`);
    }),
  );
});

test('a webhook that is a service is found by a flag, by an external name, or not at all', async () => {
  const read = async (service) => {
    await aim({ service: { path: '/convert', ...service }, caBundle: base64(authority.cert) });
    reviews.length = 0;
    return send('GET', `${kBeta}/a`);
  };
  const failed = ({ status, message }, url, fault) => assert.deepEqual([status, message], [500, `${kFailed}Post "${url}?timeout=30s": ${fault}`]);

  assert.deepEqual((await read({ name: 'mapped', namespace: 'shop' })).spec, { hostPort: 'h:1' });
  assert.deepEqual(reviews, ['mapped.shop.svc']);
  failed(await read({ name: 'hook', namespace: 'default' }), 'https://hook.default.svc:443/convert', 'service "hook" not found');

  const service = { metadata: { name: 'hook' }, spec: { type: 'ExternalName', externalName: 'localhost' } };
  assert.equal((await send('POST', '/api/v1/namespaces/default/services', service)).status, 201);
  assert.deepEqual((await read({ name: 'hook', namespace: 'default', port })).spec, { hostPort: 'h:1' });
  assert.deepEqual(reviews, ['hook.default.svc']);

  assert.equal((await send('POST', '/api/v1/namespaces/default/services', { ...service, metadata: { name: 'other' } })).status, 201);
  failed(
    await read({ name: 'other', namespace: 'default', port }),
    `https://other.default.svc:${port}/convert`,
    'tls: failed to verify certificate: x509: certificate is valid for localhost, hook.default.svc, mapped.shop.svc, not other.default.svc',
  );

  const inside = { metadata: { name: 'inside' }, spec: { clusterIP: '10.96.7.7', ports: [{ port: 443 }] } };
  assert.equal((await send('POST', '/api/v1/namespaces/default/services', inside)).status, 201);
  failed(
    await read({ name: 'inside', namespace: 'default' }),
    'https://inside.default.svc:443/convert',
    'dial tcp 10.96.7.7:443: connect: connection refused',
  );
  await aimAt({ port });
});

test('a slow webhook holds nobody up but who waits for it, and what it converts is right', async () => {
  const held = [];
  const slow = await startWebhook((request, response) => void held.push(() => convert(request, response)));
  await aimAt({ port: slow });
  const reads = Array.from({ length: 20 }, () => send('GET', `${kBeta}/a`));
  while (held.length < 20) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual((await send('GET', `${kV1}/a`)).spec, { host: 'h', port: '1' });
  assert.equal((await send('POST', kV1, hook('v1', 'b', { host: 'i', port: '2' }))).status, 201);
  for (const release of held) release();
  for (const { spec } of await Promise.all(reads)) assert.deepEqual(spec, { hostPort: 'h:1' });
  await aimAt({ port });
  const { items } = await send('GET', kBeta);
  assert.deepEqual(items.map(({ spec }) => spec.hostPort), ['h:1', 'i:2']);
  assert.equal((await send('DELETE', `${kV1}/b`)).status, 200);
});

test('a watch shows changes converted', async () => {
  const { metadata } = await send('GET', kBeta);
  const watch = await fetch(`${server.url}${kBeta}?watch=true&resourceVersion=${metadata.resourceVersion}`);
  const reader = watch.body.pipeThrough(new TextDecoderStream()).getReader();
  await send('POST', kV1, hook('v1', 'w', { host: 'k', port: '9' }));
  const { type, object } = JSON.parse((await reader.read()).value);
  assert.deepEqual([type, object.apiVersion, object.spec], ['ADDED', 'example.com/v1beta1', { hostPort: 'k:9' }]);
  await reader.cancel();
  await send('DELETE', `${kV1}/w`);
});
