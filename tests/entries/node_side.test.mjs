// Tests the entries that need no other tool: undici's dispatcher in Node's fetch, a listener, workers, the edge handler,
// `require`.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { WebSocket } from 'ws';
import { clusterObject, serve, serveObjects } from '../../dist/edge.js';
import { listen } from '../../dist/node.js';
import { dispatcher } from '../../dist/undici.js';
import { connect } from '../../dist/worker.js';
import { createCluster, dist, eventReader, kPods, littleSuite, pod, soon, socketSuite } from './support.mjs';

const require = createRequire(import.meta.url);

/** Connects as a page does: the server wants to know of which origin. */
class FromPage extends WebSocket {
  constructor(url, protocols) {
    super(url, protocols, { origin: 'http://localhost' });
  }
}

/** Runs `body` with a new cluster. */
const withCluster = async (body, options = {}) => {
  const cluster = await createCluster({ controllers: 'none', scheduler: false, ...options });
  try {
    await body(cluster);
  } finally {
    cluster.dispose();
  }
};

test('fifty forks of one cluster pass the little suite at once, in less than five seconds', async () => {
  const start = performance.now();
  const cluster = await createCluster();
  const forks = Array.from({ length: 50 }, () => cluster.fork());
  await Promise.all(forks.map(({ fetch }) => littleSuite(fetch, '')));
  for (const each of [cluster, ...forks]) each.dispose();
  assert.ok(performance.now() - start < 5000, `${Math.round(performance.now() - start)} ms`);
});

test('the cluster itself passes the little suite', () => withCluster((cluster) => littleSuite(cluster.fetch, '')));

test("undici: the little suite through the dispatcher of Node's own fetch", () =>
  withCluster((cluster) => littleSuite((url, init) => fetch(url, { ...init, dispatcher: dispatcher(cluster) }), 'http://cluster')));

test('undici: a slow reader is waited for', () =>
  withCluster(async (cluster) => {
    const body = 'x'.repeat(200_000);
    for (let i = 0; i < 20; i++) await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `big-${i}` }, data: { body } });
    const watch = await fetch('http://cluster/api/v1/namespaces/default/configmaps?watch=1', { dispatcher: dispatcher(cluster) });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const next = eventReader(watch.body);
    for (let i = 0; i < 20; i++) assert.equal((await soon(next(), 'an event')).object.data?.body.length, body.length);
    await next.cancel();
  }));

test('undici: headers in each of its forms, and interceptors', () =>
  withCluster(async (cluster) => {
    const dispatched = (given, made = dispatcher(cluster)) =>
      new Promise((resolve, reject) => {
        const answer = { text: '' };
        made.dispatch({ path: '/version', method: 'GET', ...given }, {
          onRequestStart: (controller) => (answer.controller = controller),
          onResponseStart: (controller, status, headers) => Object.assign(answer, { status, headers }),
          onResponseData: (controller, chunk) => (answer.text += chunk),
          onResponseEnd: () => resolve(answer),
          onResponseError: (controller, error) => reject(error),
        });
      });
    for (const headers of [['accept', 'application/yaml'], { accept: ['application/yaml'] }, new Headers({ accept: 'application/yaml' }), [['accept', 'application/yaml']]]) {
      const { status } = await dispatched({ path: '/api/v1/namespaces/default', headers });
      assert.equal(status, 200);
    }
    const { headers, controller } = await dispatched({ query: { pretty: 'true' } });
    assert.match(headers['content-type'], /^application\/json/);
    assert.ok(controller.rawHeaders.every((each) => each instanceof Uint8Array));
    const readsNamespaces = (dispatch) => (options, handler) => dispatch({ ...options, path: '/api/v1/namespaces' }, handler);
    assert.equal(JSON.parse((await dispatched({}, dispatcher(cluster).compose(readsNamespaces))).text).kind, 'NamespaceList');
  }));

test('listen: any client over HTTP and WebSocket, and a kubeconfig', () =>
  withCluster(async (cluster) => {
    const { url, port, kubeconfig, close } = await listen(cluster);
    assert.equal(url, `http://127.0.0.1:${port}`);
    assert.ok(kubeconfig.includes(`server: ${url}\n`));
    await littleSuite(fetch, url);
    await socketSuite(FromPage, url.replace('http', 'ws'), cluster);
    const watch = await fetch(`${url}/api/v1/pods?watch=1`);
    await close();
    await assert.rejects(watch.text());
    await assert.rejects(fetch(url));
    assert.equal((await cluster.fetch('/version')).status, 200);
  }));

test('listen: it takes a few milliseconds, and does not keep Node.js running', async () => {
  const program = `
    import { createCluster } from '${dist}index.js';
    import { listen } from '${dist}node.js';
    const cluster = await createCluster();
    await listen(cluster);
    const begun = performance.now();
    const { url } = await listen(cluster);
    console.log(performance.now() - begun);
    await (await fetch(url + '/version')).text();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { timeout: 60_000 });
  assert.ok(Number(stdout) < 1000, stdout); // 1 ms when nothing else runs
});

test('listen: pages of other origins read answers only if that is allowed, and preflights are answered', () =>
  withCluster(async (cluster) => {
    const origin = 'http://page.example';
    const closed = await listen(cluster);
    assert.equal((await fetch(`${closed.url}/version`, { headers: { origin } })).headers.get('access-control-allow-origin'), null);
    const open = await listen(cluster, { allowedOrigins: [origin] });
    assert.equal((await fetch(`${open.url}/version`, { headers: { origin } })).headers.get('access-control-allow-origin'), origin);
    const headers = { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'content-type' };
    const preflight = await fetch(`${open.url}${kPods}`, { method: 'OPTIONS', headers });
    assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-methods')], [204, 'PATCH']);
    await Promise.all([closed.close(), open.close()]);
  }));

test('listen: a fork for each test, by a function in place of the cluster', () =>
  withCluster(async (filled) => {
    let cluster = filled.fork();
    const { url, close } = await listen(() => cluster);
    await cluster.apply(pod('web'));
    assert.equal((await fetch(`${url}${kPods}/web`)).status, 200);
    cluster.dispose();
    cluster = filled.fork();
    assert.equal((await fetch(`${url}${kPods}/web`)).status, 404);
    await close();
    cluster.dispose();
  }));

test('worker: connect() to a cluster in a worker thread', async () => {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     Promise.all([import('${dist}index.js'), import('${dist}worker.js')]).then(([{ createCluster }, { serve }]) => {
       serve(createCluster({ controllers: 'none', scheduler: false }), parentPort);
     });`,
    { eval: true },
  );
  try {
    const cluster = await soon(connect(worker), 'the connection');
    await littleSuite(cluster.fetch, '');
    await assert.rejects(cluster.load('kind: ['), { name: 'LoadError' });
    const fork = await cluster.fork();
    await fork.apply(pod('forked'));
    assert.equal((await fork.fetch(`${kPods}/forked`)).status, 200);
    assert.equal((await cluster.fetch(`${kPods}/forked`)).status, 404);
    const before = await fork.now();
    await fork.advance(60_000);
    assert.ok((await fork.now()) - before >= 60_000);
    const copy = await createCluster({ snapshot: await fork.snapshot() });
    assert.equal((await copy.fetch(`${kPods}/forked`)).status, 200);
    copy.dispose();
    const waits = cluster.wait(`${kPods}/late`, (it) => it?.status.phase === 'Running');
    await cluster.apply(pod('late'));
    await cluster.setStatus(pod('late'), { phase: 'Running' });
    assert.equal((await waits).metadata.name, 'late');
    const jane = cluster.as({ user: 'jane' });
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const answer = await jane.fetch('/apis/authentication.k8s.io/v1/selfsubjectreviews', { method: 'POST', body: JSON.stringify(review) });
    assert.equal((await answer.json()).status.userInfo.username, 'jane');
    const other = await soon(connect(worker), 'a second connection');
    const watch = other.fetch('/api/v1/pods?watch=1');
    await watch;
    other.disconnect();
    await cluster.dispose();
    await assert.rejects(cluster.fetch('/version'), /disposed/);
  } finally {
    await worker.terminate();
  }
});

test('worker: a cluster that cannot be made is an error of the page', async () => {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     Promise.all([import('${dist}index.js'), import('${dist}worker.js')]).then(([{ createCluster }, { serve }]) => {
       serve(createCluster({ load: 'kind: [' }), parentPort);
     });`,
    { eval: true },
  );
  await assert.rejects(soon(connect(worker), 'the error'), /document 1/).finally(() => worker.terminate());
});

test('edge: one cluster for all requests, and a failure is not kept', async () => {
  const handler = serve({ controllers: 'none', scheduler: false, load: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } } });
  await littleSuite((url, init) => handler.fetch(new Request(url, init), { method: 'DELETE' }, { waitUntil() {} }), 'https://edge.example');
  assert.equal((await handler.fetch(new Request('https://edge.example/api/v1/namespaces/shop'))).status, 200);
  await assert.rejects(serve({ nods: 1 }).fetch(new Request('https://edge.example/version')), TypeError);
});

test('require: the package is CommonJS too', async () => {
  for (const name of ['index', 'websocket', 'undici', 'node', 'playwright']) assert.ok(Object.keys(require(`../../dist/cjs/${name}.js`)).length > 0, name);
  const made = await require('../../dist/cjs/index.js').createCluster({ controllers: 'none', scheduler: false });
  await littleSuite(made.fetch, '');
  assert.equal(require('../../dist/cjs/index.js').compareResourceVersions('9', '10'), -1);
  made.dispose();
});

/** Returns the names of the pods that a handler of edge runtimes lists. */
async function podsAt(handler, url, headers = {}) {
  const { items } = await (await handler.fetch(new Request(url, { headers }))).json();
  return items.map(({ metadata }) => metadata.name);
}

test('edge: a cluster for each host name, for each path, as a function says', async () => {
  const create = (handler, url, headers = {}) =>
    handler.fetch(new Request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(pod('web')) }));

  const byHost = serve({ controllers: 'none', scheduler: false, clusters: 'host' });
  assert.equal((await create(byHost, `https://a.example${kPods}`)).status, 201);
  assert.deepEqual(await podsAt(byHost, `https://a.example:8443${kPods}`), ['web']);
  assert.deepEqual(await podsAt(byHost, `https://b.example${kPods}`), []);

  const byPath = serve({ controllers: 'none', scheduler: false, clusters: 'path' });
  await littleSuite((url, init) => byPath.fetch(new Request(url, init)), 'https://edge.example/a');
  assert.deepEqual(await podsAt(byPath, `https://edge.example/a${kPods}`), ['web']);
  assert.deepEqual(await podsAt(byPath, `https://edge.example/b${kPods}`), []);

  const byUser = serve({ controllers: 'none', scheduler: false, clusters: (request) => request.headers.get('x-user') ?? undefined });
  assert.equal((await create(byUser, `https://edge.example${kPods}`, { 'x-user': 'jane' })).status, 201);
  assert.deepEqual(await podsAt(byUser, `https://edge.example${kPods}`, { 'x-user': 'jane' }), ['web']);
  assert.deepEqual(await podsAt(byUser, `https://edge.example${kPods}`, { 'x-user': 'joe' }), []);
  const nobody = await byUser.fetch(new Request(`https://edge.example${kPods}`));
  assert.deepEqual([nobody.status, (await nobody.json()).message], [404, 'tabernetes: the request names no cluster']);
});

test('edge: no more clusters than allowed, and those that are there go on', async () => {
  const handler = serve({ controllers: 'none', scheduler: false, clusters: 'path', mostClusters: 2 });
  for (const name of ['a', 'b']) assert.deepEqual(await podsAt(handler, `https://edge.example/${name}${kPods}`), []);
  const third = await handler.fetch(new Request(`https://edge.example/c${kPods}`));
  assert.deepEqual([third.status, (await third.json()).message], [429, 'tabernetes: there are 2 clusters already']);
  assert.deepEqual(await podsAt(handler, `https://edge.example/b${kPods}`), []);
});

test('edge: objects get the requests of their clusters', async () => {
  const objects = new Map();
  const ClusterObject = clusterObject({ controllers: 'none', scheduler: false });
  const CLUSTER = {
    idFromName: (name) => name,
    get: (name) => objects.get(name) ?? objects.set(name, new ClusterObject()).get(name),
  };
  const handler = serveObjects('CLUSTER', 'path');
  await littleSuite((url, init) => handler.fetch(new Request(url, init), { CLUSTER }, {}), 'https://edge.example/a');
  const list = async (name) => (await (await handler.fetch(new Request(`https://edge.example/${name}${kPods}`), { CLUSTER })).json()).items.length;
  assert.deepEqual([await list('a'), await list('b'), objects.size], [1, 0, 2]);
  assert.equal((await handler.fetch(new Request('https://edge.example/'), { CLUSTER })).status, 404);
  await assert.rejects(handler.fetch(new Request('https://edge.example/a/version'), {}), /the worker's environment has no CLUSTER/);
});
