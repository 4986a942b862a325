// Tests --etcd-servers against a real etcd: what is written there, several servers over one etcd, and what happens when
// etcd or a server goes.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Etcd, freePorts, noEtcd } from './etcd_server.mjs';
import { isLinearizable, randomHistory } from './linearizability.mjs';
import { torture } from './etcd_torture.mjs';
import { Wire, binary, run, serve, waitFor } from './server.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tabernetes-etcd-'));
let directories = 0;
const running = new Set();
after(async () => {
  await Promise.all([...running].map((each) => each.stop('SIGKILL')));
  rmSync(folder, { recursive: true });
});

async function startEtcd(options) {
  const etcd = await Etcd.start(join(folder, `etcd-${++directories}`), options);
  running.add(etcd);
  return etcd;
}
async function over(etcd, ...flags) {
  const server = await serve(binary, '--etcd-servers', etcd.url, '--nodes', '0', ...flags);
  running.add(server);
  return server;
}
async function stop(each, signal) {
  running.delete(each);
  return each.stop(signal);
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name, data = { a: 'b' }) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
const json = { 'content-type': 'application/json' };
const send = (method, url, object, headers = json) => fetch(url, { method, headers, body: JSON.stringify(object) });
const post = (server, object, path = configMaps) => send('POST', server.url + path, object);
const read = async (server, path) => (await fetch(server.url + path)).json();
const status = async (server, path) => (await fetch(server.url + path)).status;
const watchRequest = (query) => `GET ${configMaps}?watch=true&${query} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** Leaves out what the server that serves an APIService says of its availability. */
function withoutConditions(...apiServices) {
  for (const { metadata, status } of apiServices) {
    delete status.conditions;
    metadata.managedFields = metadata.managedFields.filter(({ subresource }) => subresource !== 'status');
  }
}

const recorded = JSON.parse(readFileSync(new URL('etcd/recorded.json', import.meta.url), 'utf8'));

describe('etcd', { skip: noEtcd }, () => {
  test('over the keys of a real kube-apiserver, the objects are those that it gave', async () => {
    const etcd = await startEtcd();
    const versions = new Map();
    for (const { key, value } of [...recorded.keys].sort((a, b) => a.modRevision - b.modRevision)) {
      const { header } = await etcd.put(key, Buffer.from(value, 'base64'));
      versions.set(key, header.revision);
    }
    const server = await over(etcd, '--controllers', 'none', '--scheduler=false');
    for (const { path, object } of recorded.made) {
      const mine = await read(server, path);
      if (path.includes('/apiservices/')) withoutConditions(mine, object); // they belong to whoever serves
      delete mine.metadata?.resourceVersion;
      delete object.metadata.resourceVersion;
      assert.deepEqual(mine, object, path);
    }
    // A start over them writes nothing that was there.
    for (const { key, value } of recorded.keys) {
      if (key.includes('/apiservices/')) continue; // their conditions belong to whoever serves
      assert.equal((await etcd.get(key)).value.toString('base64'), value, key);
    }
    const list = await read(server, '/api/v1/pods');
    for (const pod of list.items) assert.equal(pod.metadata.resourceVersion, versions.get(`/registry/pods/${pod.metadata.namespace}/${pod.metadata.name}`));
    await stop(server);
    await stop(etcd);
  });

  test('the same requests write the same keys', async () => {
    const etcd = await startEtcd();
    const server = await over(etcd, '--controllers', 'none', '--scheduler=false');
    assert.equal((await post(server, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fx' } }, '/api/v1/namespaces')).status, 201);
    const hooks = /webhookconfigurations/;
    for (const { path, body, apply } of recorded.made) {
      if (path === '/api/v1/namespaces/fx' || hooks.test(path)) continue;
      const answer = body
        ? await post(server, body, path.slice(0, path.lastIndexOf('/')))
        : await send('PATCH', `${server.url}${path}?fieldManager=x`, apply, { 'content-type': 'application/apply-patch+yaml' });
      assert.ok(answer.ok, `${path}: ${await answer.text()}`);
    }
    const mine = new Set(await etcd.keys());
    const made = recorded.keys.filter(({ key }) => /\/(fx|fx2)(\/|$)|\/g-|fx\.example|g1\.example|agg\.example/.test(key) && !hooks.test(key)).map(({ key }) => key);
    assert.deepEqual(made.filter((key) => !mine.has(key)), []);
    const { lease } = await etcd.get('/registry/events/fx/ev2');
    const { TTL } = await etcd.call('kv/lease/timetolive', { ID: lease }).catch(() => etcd.call('lease/timetolive', { ID: lease }));
    assert.ok(TTL > 3500 && TTL <= 3660, `a lease of ${TTL} s`);
    await stop(server);
    await stop(etcd);
  });

  test('two servers: what one writes the other reads and watches, and conflicts are conflicts', async () => {
    const etcd = await startEtcd();
    const [one, two] = [await over(etcd), await over(etcd)];
    const { metadata } = await read(two, configMaps);
    const wire = new Wire(two.port).send(watchRequest(`resourceVersion=${metadata.resourceVersion}`));
    const made = await (await post(one, configMap('a'))).json();
    await wire.until(new RegExp(`"ADDED"[^]*"name":"a"[^]*"resourceVersion":"${made.metadata.resourceVersion}"`));
    assert.deepEqual(await read(two, `${configMaps}/a`), made);
    assert.equal((await post(two, configMap('a'))).status, 409);

    // An update that names an old version loses, wherever it is made.
    assert.equal((await send('PUT', `${two.url}${configMaps}/a`, { ...made, data: { a: '2' } })).status, 200);
    assert.equal((await send('PUT', `${one.url}${configMaps}/a`, { ...made, data: { a: '3' } })).status, 409);
    assert.equal((await fetch(`${one.url}${configMaps}/a`, { method: 'DELETE' })).status, 200);
    assert.equal(await status(two, `${configMaps}/a`), 404);
    await wire.until(/"DELETED"[^]*"name":"a"/);
    wire.destroy();

    // Increments through both, each of which may have to be made again.
    assert.equal((await post(one, configMap('counter', { n: '0' }))).status, 201);
    const count = async (server) => {
      for (let done = 0; done < 20; ) {
        const object = await read(server, `${configMaps}/counter`);
        object.data.n = String(Number(object.data.n) + 1);
        const answer = await send('PUT', `${server.url}${configMaps}/counter`, object);
        await answer.arrayBuffer();
        if (answer.ok) ++done;
        else assert.equal(answer.status, 409);
      }
    };
    await Promise.all([count(one), count(two), count(one), count(two)]);
    assert.equal((await read(one, `${configMaps}/counter`)).data.n, '80');
    await Promise.all([one, two].map((each) => stop(each)));
    await stop(etcd);
  });

  test('custom resources are defined on one server and used on the other', async () => {
    const etcd = await startEtcd();
    const [one, two] = [await over(etcd), await over(etcd)];
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec: { group: 'example.com', names: { plural: 'things', kind: 'Thing' }, scope: 'Namespaced', versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } }] },
    };
    assert.equal((await post(one, definition, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions')).status, 201);
    const things = '/apis/example.com/v1/namespaces/default/things';
    await waitFor(async () => (await status(two, things)) === 200);
    assert.equal((await post(two, { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 't' }, size: 3 }, things)).status, 201);
    assert.equal((await read(one, `${things}/t`)).size, 3);
    assert.match((await etcd.get('/registry/example.com/things/default/t')).value.toString(), /^\{"apiVersion":"example.com\/v1","kind":"Thing",.*\}\n$/);
    await Promise.all([one, two].map((each) => stop(each)));
    await stop(etcd);
  });

  test('the loops run in one server; another one takes over', async () => {
    const etcd = await startEtcd();
    const [one, two] = [await over(etcd), await over(etcd)];
    const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager';
    const holder = async (server) => (await read(server, lease)).spec?.holderIdentity;
    const first = await waitFor(() => holder(one));
    assert.equal((await post(two, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n1' } }, '/api/v1/namespaces')).status, 201);
    await waitFor(async () => (await status(two, '/api/v1/namespaces/n1/serviceaccounts/default')) === 200);
    await stop(one, 'SIGKILL');
    const begin = Date.now();
    await waitFor(async () => ![undefined, first].includes(await holder(two)), 15_000);
    assert.ok(Date.now() - begin < 12_000);
    assert.equal((await post(two, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n2' } }, '/api/v1/namespaces')).status, 201);
    await waitFor(async () => (await status(two, '/api/v1/namespaces/n2/serviceaccounts/default')) === 200);
    // One that is asked to end gives the lease back.
    const second = await holder(two);
    const three = await over(etcd);
    assert.equal(await stop(two), 0);
    await waitFor(async () => ![undefined, '', second].includes(await holder(three)), 4000);
    await stop(three);
    await stop(etcd);
  });

  test('etcd gone: stale reads go on, others and writes fail; etcd back: all goes on', async () => {
    const etcd = await startEtcd();
    const server = await over(etcd);
    assert.equal((await post(server, configMap('a'))).status, 201);
    const wire = new Wire(server.port).send(watchRequest(`resourceVersion=0`));
    await wire.until(/"name":"a"/);
    await etcd.stop();
    const patient = post(server, configMap('patient'));
    for (const path of [`${configMaps}/a?resourceVersion=0`, `${configMaps}?resourceVersion=0`, `${configMaps}?resourceVersion=1`]) assert.equal(await status(server, path), 200);
    const outOfTime = '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n';
    const late = [post(server, configMap('b'), `${configMaps}?timeout=1s`), fetch(`${server.url}${configMaps}/a?timeout=1s`), fetch(`${server.url}${configMaps}?timeout=1s`)];
    for (const answer of await Promise.all(late)) {
      assert.equal(answer.status, 504);
      assert.equal(await answer.text(), outOfTime);
    }
    await waitFor(async () => (await status(server, '/readyz')) === 500);
    assert.match(await (await fetch(`${server.url}/readyz`)).text(), /\[-\]etcd failed: reason withheld\n\[-\]etcd-readiness failed: reason withheld\n/);
    assert.equal(await (await fetch(`${server.url}/livez/etcd`)).text(), 'internal server error: error getting data from etcd: context deadline exceeded\n');
    assert.equal(await status(server, '/livez'), 500);
    await etcd.restart();
    await waitFor(async () => (await status(server, '/readyz')) === 200, 10_000);
    // Who has waited meanwhile has not waited in vain.
    assert.equal((await patient).status, 201);
    assert.equal(await status(server, '/livez'), 200);
    assert.equal((await post(server, configMap('c'))).status, 201);
    assert.equal(await status(server, `${configMaps}/a`), 200);
    await wire.until(/"name":"c"/);
    wire.destroy();
    await stop(server);
    await stop(etcd);
  });

  test('what does not decode is served as a corrupt object, and foreign keys are left alone', async () => {
    const etcd = await startEtcd();
    await etcd.put('/registry/configmaps/default/bad', 'garbage');
    await etcd.put('/registry/masterleases/10.0.0.1', 'k8s');
    await etcd.put('/registry/unknown/thing', 'x');
    const server = await over(etcd);
    assert.equal(await status(server, `${configMaps}/bad`), 500);
    assert.equal((await send('PUT', `${server.url}${configMaps}/bad`, configMap('bad'))).status, 500);
    assert.equal((await etcd.get('/registry/configmaps/default/bad')).value.toString(), 'garbage');
    assert.equal((await etcd.get('/registry/masterleases/10.0.0.1')).value.toString(), 'k8s');
    assert.equal((await etcd.get('/registry/unknown/thing')).value.toString(), 'x');
    await stop(server);
    await stop(etcd);
  });

  test('fields that only a newer server knows survive our updates, at every level', async () => {
    const etcd = await startEtcd();
    const part = (number, ...parts) => {
      const bytes = Buffer.concat(parts.map((each) => Buffer.from(each)));
      const tag = (number << 3) | 2;
      return Buffer.concat([Buffer.from([...(tag < 128 ? [tag] : [(tag & 127) | 128, tag >> 7]), bytes.length]), bytes]);
    };
    const unknown = (text) => part(999, text);
    const metadata = part(1, part(1, 'p'), part(3, 'default'), part(5, '11111111-2222-3333-4444-555555555555'), unknown('in metadata'));
    const spec = part(2, part(2, part(1, 'c'), part(2, 'image'), unknown('in a container')), unknown('in spec'));
    const pod = Buffer.concat([metadata, spec, part(3, part(1, 'Running'), unknown('in status')), unknown('at the top')]);
    const rest = Buffer.from([0x12, (pod.length & 127) | 128, pod.length >> 7]);
    const key = '/registry/pods/default/p';
    await etcd.put(key, Buffer.concat([Buffer.from('k8s\0'), part(1, part(1, 'v1'), part(2, 'Pod')), rest, pod, Buffer.from([0x1a, 0, 0x22, 0])]));
    const server = await over(etcd, '--controllers', 'none', '--scheduler=false');
    const path = `${server.url}/api/v1/namespaces/default/pods/p`;
    const merge = { 'content-type': 'application/merge-patch+json' };
    const texts = ['in metadata', 'in a container', 'in spec', 'in status', 'at the top'];
    for (const [at, change] of [[path, { metadata: { labels: { a: 'b' } } }], [`${path}/status`, { status: { reason: 'Because' } }], [path, { metadata: { labels: { a: 'c' } } }]]) {
      const before = (await etcd.get(key)).mod_revision;
      const answer = await send('PATCH', at, change, merge);
      assert.equal(answer.status, 200, await answer.text());
      const { value, mod_revision } = await etcd.get(key);
      assert.notEqual(mod_revision, before);
      for (const text of texts) assert.ok(value.includes(unknown(text)), text);
    }
    // Another object of that name has none of them.
    assert.equal((await send('DELETE', `${path}?gracePeriodSeconds=0`)).status, 200);
    assert.equal((await post(server, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'image' }] } }, '/api/v1/namespaces/default/pods')).status, 201);
    assert.equal((await send('PATCH', path, { metadata: { labels: { a: 'c' } } }, merge)).status, 200);
    const { value } = await etcd.get(key);
    for (const text of texts) assert.ok(!value.includes(text), text);
    await stop(server);
    await stop(etcd);
  });

  test('fields that only a newer server knows survive our updates in values that are JSON', async () => {
    const etcd = await startEtcd();
    const first = await over(etcd);
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec: { group: 'example.com', names: { plural: 'things', kind: 'Thing' }, scope: 'Namespaced', versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }] },
    };
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    assert.equal((await post(first, definition, definitions)).status, 201);
    await stop(first);
    const key = '/registry/apiextensions.k8s.io/customresourcedefinitions/things.example.com';
    const stored = JSON.parse((await etcd.get(key)).value);
    stored.spec.fresh = { deep: [1] };
    stored.spec.names.fresh = 'in names';
    stored.spec.versions[0].fresh = 'in a version';
    stored.metadata.fresh = true;
    await etcd.put(key, JSON.stringify(stored));
    const server = await over(etcd);
    const change = { metadata: { labels: { a: 'b' } }, spec: { names: { shortNames: ['th'] } } };
    const answer = await send('PATCH', `${server.url}${definitions}/things.example.com`, change, { 'content-type': 'application/merge-patch+json' });
    assert.equal(answer.status, 200, await answer.text());
    const now = JSON.parse((await etcd.get(key)).value);
    assert.deepEqual(now.spec.names.shortNames, ['th']);
    assert.deepEqual([now.spec.fresh, now.spec.names.fresh, now.spec.versions[0].fresh, now.metadata.fresh], [{ deep: [1] }, 'in names', 'in a version', true]);
    assert.equal(now.spec.version, 'v1');
    await stop(server);
    await stop(etcd);
  });

  test('versions from before a start are read and watched from, until etcd compacts them', async () => {
    const etcd = await startEtcd();
    const first = await over(etcd, '--controllers', 'none', '--scheduler=false');
    const versions = [];
    for (let i = 0; i < 4; ++i) {
      const answer = i === 0 ? await post(first, configMap('a', { n: '0' })) : await send('PUT', `${first.url}${configMaps}/a`, configMap('a', { n: String(i) }));
      versions.push((await answer.json()).metadata.resourceVersion);
    }
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec: { group: 'example.com', names: { plural: 'things', kind: 'Thing' }, scope: 'Namespaced', versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } }] },
    };
    assert.equal((await post(first, definition, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions')).status, 201);
    const things = '/apis/example.com/v1/namespaces/default/things';
    await waitFor(async () => (await status(first, things)) === 200);
    assert.equal((await post(first, { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 't' }, size: 3 }, things)).status, 201);
    await stop(first, 'SIGKILL');
    const exactly = (version) => `${configMaps}?resourceVersionMatch=Exact&resourceVersion=${version}`;
    const second = await over(etcd, '--controllers', 'none', '--scheduler=false');
    for (const [i, version] of versions.entries()) assert.equal((await read(second, exactly(version))).items[0].data.n, String(i));
    assert.equal((await read(second, `${things}/t`)).size, 3);
    const wire = new Wire(second.port).send(watchRequest(`resourceVersion=${versions[1]}`));
    await wire.until(/"MODIFIED"[^]*"n":"2"[^]*"MODIFIED"[^]*"n":"3"/);
    wire.destroy();
    await stop(second);
    await etcd.call('kv/compaction', { revision: versions[2] });
    const third = await over(etcd, '--controllers', 'none', '--scheduler=false');
    assert.equal((await read(third, exactly(versions[2]))).items[0].data.n, '2');
    assert.equal((await read(third, exactly(versions[3]))).items[0].data.n, '3');
    assert.equal(await status(third, exactly(versions[1])), 410);
    const gone = new Wire(third.port).send(watchRequest(`resourceVersion=${versions[0]}`));
    await gone.until(/"code":410/);
    gone.destroy();
    assert.equal((await read(third, `${things}/t`)).size, 3);
    await stop(third);
    await stop(etcd);
  });

  test('a port that is noted for somebody is given to nobody else', async () => {
    const etcd = await startEtcd();
    const [one, two] = [await over(etcd), await over(etcd)];
    const services = '/api/v1/namespaces/default/services';
    const service = (name, nodePort) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80, nodePort }] } });
    const key = '/registry/ranges/servicenodeports';
    // Who asks for the same one at the same time: one of them gets it.
    const made = await Promise.all(Array.from({ length: 12 }, (_, i) => post(i % 2 ? one : two, service(`s${i}`, 31000 + (i >> 2)), services)));
    assert.deepEqual(made.map((answer) => answer.status).sort(), [201, 201, 201, ...Array.from({ length: 9 }, () => 422)]);
    assert.deepEqual(await etcd.nodePorts(), [31000, 31001, 31002]);
    assert.equal((await fetch(`${one.url}${services}/${(await read(two, services)).items.find(({ spec }) => spec.ports[0].nodePort === 31001).metadata.name}`, { method: 'DELETE' })).status, 200);
    assert.deepEqual(await etcd.nodePorts(), [31000, 31002]);
    // A kube-apiserver notes a port before it writes the Service.
    await etcd.put(key, Buffer.from('azhzAAoVCgJ2MRIPUmFuZ2VBbGxvY2F0aW9uEjsKEAoAEgAaACIAKgAyADgAQgASCzMwMDAwLTMyNzY3GhoDAAAAAAAAAAAACAAAAAAAAAAAAAAAAAAAABoAIgA=', 'base64'));
    const taken = await post(one, service('late', 30123), services);
    assert.equal(taken.status, 422);
    assert.match((await taken.json()).message, /spec\.ports\[0\]\.nodePort: Invalid value: 30123: provided port is already allocated/);
    assert.equal((await post(two, service('other', 30124), services)).status, 201);
    assert.deepEqual(await etcd.nodePorts(), [30123, 30124, 30200, 30201]);
    // What cannot be read is left alone.
    await etcd.put(key, 'garbage');
    assert.equal((await post(two, service('another', 30125), services)).status, 201);
    assert.equal((await etcd.get(key)).value.toString(), 'garbage');
    await Promise.all([one, two].map((each) => stop(each)));
    await stop(etcd);
  });

  test('history is compacted in turns', async () => {
    const etcd = await startEtcd();
    const server = await over(etcd, '--etcd-compaction-interval', '200ms');
    for (let i = 0; i < 5; ++i) {
      assert.equal((await post(server, configMap(`m${i}`))).status, 201);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    const turn = await etcd.get('compact_rev_key');
    assert.ok(Number(turn.version) >= 2);
    const old = { key: Buffer.from('x').toString('base64'), revision: 2 };
    await waitFor(() => etcd.call('kv/range', old).then(() => false, (error) => /compacted/.test(error.message)));
    await stop(server);
    await stop(etcd);
  });

  test('reads and writes through two servers are linearizable, also while one of them or etcd is killed', async () => {
    const etcd = await startEtcd();
    const servers = await Promise.all([over(etcd), over(etcd)]);
    const sending = servers.map(({ url }) => ({
      async send(method, path, object) {
        const answer = await (object === undefined ? fetch(url + path, { method }) : send(method, url + path, object));
        return { status: answer.status, body: await answer.json() };
      },
    }));
    const { history, operations } = await randomHistory(sending);
    assert.ok(operations > 20, `${operations} operations`);
    for (const [key, log] of history) assert.ok(isLinearizable(log, 'first'), `${key}: ${JSON.stringify(log)}`);
    await Promise.all(servers.map((each) => stop(each)));
    await stop(etcd);
    const directory = join(folder, `torture-${++directories}`);
    await torture({ directory, rounds: 3, seed: 7 });
  });

  test('a server that was cut off while history was compacted reads everything anew', async () => {
    const etcd = await startEtcd();
    const server = await over(etcd, '--etcd-compaction-interval', '0s');
    assert.equal((await post(server, configMap('old'))).status, 201);
    await etcd.stop();
    // It lives on elsewhere, where the server does not find it.
    const { url, port } = etcd;
    [etcd.port] = await freePorts(1);
    etcd.url = `http://127.0.0.1:${etcd.port}`;
    await etcd.restart();
    const { header } = await etcd.put('/registry/configmaps/default/new', JSON.stringify({ ...configMap('new'), metadata: { name: 'new', namespace: 'default' } }));
    await etcd.call('kv/deleterange', { key: Buffer.from('/registry/configmaps/default/old').toString('base64') });
    await etcd.call('kv/compaction', { revision: String(Number(header.revision) + 1) });
    await etcd.stop();
    Object.assign(etcd, { url, port });
    await etcd.restart();
    await waitFor(async () => (await status(server, `${configMaps}/new`)) === 200, 20_000);
    assert.equal(await status(server, `${configMaps}/old`), 404);
    await stop(server);
    await stop(etcd);
  });

  test('TLS with certificates of both sides', async () => {
    const certs = join(folder, 'certs');
    mkdirSync(certs);
    const openssl = (...args) => {
      const done = spawnSync('openssl', args, { cwd: certs, encoding: 'utf8' });
      assert.equal(done.status, 0, done.stderr);
    };
    openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '2', '-subj', '/CN=ca');
    writeFileSync(join(certs, 'names'), 'subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n');
    for (const name of ['server', 'client']) {
      openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
      openssl('x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-out', `${name}.crt`, '-days', '2', '-extfile', 'names');
    }
    const file = (name) => join(certs, name);
    const etcd = await startEtcd({ tls: true, flags: ['--cert-file', file('server.crt'), '--key-file', file('server.key'), '--client-cert-auth', '--trusted-ca-file', file('ca.crt')] });
    const server = await over(etcd, '--etcd-cafile', file('ca.crt'), '--etcd-certfile', file('client.crt'), '--etcd-keyfile', file('client.key'));
    assert.equal((await post(server, configMap('a'))).status, 201);
    assert.equal((await read(server, `${configMaps}/a`)).data.a, 'b');
    await stop(server);
    const without = await run(binary, ['serve', '--listen', '127.0.0.1:0', '--etcd-servers', etcd.url]);
    assert.equal(without.code, 1);
    assert.match(without.stderr, /^tabernetes: cannot read etcd: etcd is not reached: 127\.0\.0\.1:\d+: tls: failed to verify certificate: x509: certificate signed by unknown authority\n$/);
    await stop(etcd);
  });

  test('another prefix, and values that flags may not have', async () => {
    const etcd = await startEtcd();
    const server = await over(etcd, '--etcd-prefix', '/other');
    assert.equal((await post(server, configMap('a'))).status, 201);
    assert.ok(await etcd.get('/other/configmaps/default/a'));
    assert.deepEqual(await etcd.keys(), []);
    await stop(server);
    const [unused] = await freePorts(1);
    for (const [flags, problem] of [
      [['--etcd-servers', 'etcd:2379'], 'tabernetes: --etcd-servers: expected http://HOST:PORT or https://HOST:PORT, not etcd:2379\n'],
      [['--etcd-servers', etcd.url, '--etcd-certfile', 'x'], 'tabernetes: --etcd-certfile and --etcd-keyfile need each other\n'],
    ]) {
      const ended = await run(binary, ['serve', '--listen', '127.0.0.1:0', ...flags]);
      assert.deepEqual(ended, { code: 1, stdout: '', stderr: problem });
    }
    // The second of two servers is taken when the first is not there.
    const failover = await serve(binary, '--etcd-servers', `http://127.0.0.1:${unused},${etcd.url}`);
    running.add(failover);
    assert.equal((await post(failover, configMap('b'))).status, 201);
    await stop(failover);
    await stop(etcd);
  });
});
