// Tests conversion webhooks: the cluster's `fetchWebhook` is the webhook.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, createCluster, eventReader, kReproducible } from './support.mjs';

const kV1 = '/apis/example.com/v1/namespaces/default/hooks';
const kBeta = '/apis/example.com/v1beta1/namespaces/default/hooks';

// A certificate whose key no server has.
const kCaBundle = `-----BEGIN CERTIFICATE-----
MIIBLjCB4aADAgECAhQEw5JX47Z2OyN1oXARP8MPy1jv6zAFBgMrZXAwDTELMAkG
A1UEAwwCY2EwHhcNMjYxMTIyMTkxNzI5WhcNMzYxMTE5MTkxNzI5WjANMQswCQYD
VQQDDAJjYTAqMAUGAytlcAMhAGfl9qS3wD7Bdzb2qw5DbhOlXNQGVIR51vYG2pQ9
H+qLo1MwUTAdBgNVHQ4EFgQUYwbiCquVId31zVC8Zpo4uN2MK2UwHwYDVR0jBBgw
FoAUYwbiCquVId31zVC8Zpo4uN2MK2UwDwYDVR0TAQH/BAUwAwEB/zAFBgMrZXAD
QQBhY00AkNOqrsRcqfm/JxYLUA+WHdytN2KxmSAHH2bQ2vb22eJfC6KEEPIkNC2m
l5tfrB2R96zhxTvAkw3awxMA
-----END CERTIFICATE-----
`;

const version = (name, storage, properties) => ({
  name,
  storage,
  served: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
});

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'hooks.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'hooks', kind: 'Hook' },
    conversion: {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { service: { namespace: 'shop', name: 'hook', path: '/convert' }, caBundle: btoa(kCaBundle) },
      },
    },
    versions: [
      version('v1', true, { host: { type: 'string' }, port: { type: 'string' } }),
      version('v1beta1', false, { hostPort: { type: 'string' } }),
    ],
  },
};

function convert(object, apiVersion) {
  const { spec } = object;
  const [host, port] = spec.hostPort?.split(':') ?? [];
  const made = apiVersion.endsWith('/v1') ? { host, port } : { hostPort: `${spec.host}:${spec.port}` };
  return { ...object, apiVersion, spec: made };
}

async function answer(request) {
  const { apiVersion, kind, request: review } = await request.json();
  const convertedObjects = review.objects.map((object) => convert(object, review.desiredAPIVersion));
  return Response.json({ apiVersion, kind, response: { uid: review.uid, result: { status: 'Success' }, convertedObjects } });
}

async function clusterWith(fetchWebhook) {
  const cluster = await createCluster({ ...kReproducible, controllers: 'all', load: definition, fetchWebhook });
  cluster.advance(10_000);
  return cluster;
}

const hook = (name, hostPort) => ({ apiVersion: 'example.com/v1beta1', kind: 'Hook', metadata: { name }, spec: { hostPort } });

test('objects are converted by fetchWebhook', async () => {
  const calls = [];
  const cluster = await clusterWith((request, options) => {
    calls.push([request.method, request.url, request.headers.get('content-type'), options]);
    return answer(request);
  });
  const made = await create(cluster, hook('a', 'h:1'), kBeta);
  assert.equal(made.status, 201);
  assert.deepEqual((await made.json()).spec, { hostPort: 'h:1' });
  assert.deepEqual((await (await cluster.fetch(`${kV1}/a`)).json()).spec, { host: 'h', port: '1' });
  const service = { name: 'hook.shop:443', address: '', fault: 'service "hook" not found' };
  assert.deepEqual(calls[0], ['POST', 'https://hook.shop.svc/convert?timeout=30s', 'application/json', { caBundle: kCaBundle, service }]);
  const list = await (await cluster.fetch(kBeta)).json();
  assert.deepEqual(list.items.map(({ spec }) => spec), [{ hostPort: 'h:1' }]);

  const watch = await cluster.fetch(`${kBeta}?watch=true&resourceVersion=${list.metadata.resourceVersion}`);
  const next = eventReader(watch.body);
  await create(cluster, hook('b', 'i:2'), kBeta);
  const event = await next();
  assert.deepEqual([event.type, event.object.spec], ['ADDED', { hostPort: 'i:2' }]);

  const fork = cluster.fork();
  assert.deepEqual((await (await fork.fetch(`${kBeta}/b`)).json()).spec, { hostPort: 'i:2' });
  fork.dispose();
  cluster.dispose();
});

test('what fetchWebhook rejects with is told to the client', async () => {
  const cluster = await clusterWith(() => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })));
  const refused = await create(cluster, hook('a', 'h:1'), kBeta);
  assert.equal(refused.status, 500);
  assert.deepEqual(await refused.json(), {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message:
      'conversion webhook for example.com/v1beta1, Kind=Hook failed: Post "https://hook.shop.svc:443/convert?timeout=30s": connect ECONNREFUSED',
    code: 500,
  });
  cluster.dispose();
});

test('a body that breaks off is told too', async () => {
  const broken = () => new ReadableStream({ start: (controller) => controller.error(new Error('unexpected EOF')) });
  const cluster = await clusterWith(() => new Response(broken()));
  const refused = await create(cluster, hook('a', 'h:1'), kBeta);
  assert.equal(
    (await refused.json()).message,
    'conversion webhook for example.com/v1beta1, Kind=Hook failed: unexpected error when reading response body. Please retry. Original error: unexpected EOF',
  );
  cluster.dispose();
});

test('a call that is never answered ends with the cluster’s time', async () => {
  const cluster = await clusterWith(() => new Promise(() => {}));
  const waiting = create(cluster, hook('a', 'h:1'), kBeta);
  await new Promise((resolve) => setTimeout(resolve, 10));
  cluster.advance(30_000);
  const late = await waiting;
  assert.equal(late.status, 500);
  assert.match((await late.json()).message, /Client\.Timeout exceeded while awaiting headers/);
  cluster.dispose();
});
