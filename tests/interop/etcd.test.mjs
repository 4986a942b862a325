// A real kube-apiserver and ours over one etcd: what is written through one is read and watched through the other.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Etcd, noEtcd } from '../mock-server/etcd_server.mjs';
import { isLinearizable, randomHistory } from '../mock-server/linearizability.mjs';
import { Wire, binary, serve, waitFor } from '../mock-server/server.mjs';
import { kubeApiserver, startKubeApiserver } from './kube_apiserver.mjs';

const skip = noEtcd ?? (kubeApiserver ? false : 'KUBE_APISERVER names no binary');
const recorded = JSON.parse(readFileSync(new URL('../mock-server/etcd/recorded.json', import.meta.url), 'utf8'));
const configMaps = '/api/v1/namespaces/default/configmaps';

describe('one etcd, two kinds of server', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-interop-'));
  let etcd, real, native, ours;

  before(async () => {
    etcd = await Etcd.start(join(folder, 'etcd'));
    real = await startKubeApiserver(etcd, folder);
    // It is ready a moment before it has written this.
    await waitFor(async () => (await real.fetch('GET', '/api/v1/namespaces/default/services/kubernetes')).status === 200, 20_000);
    await waitFor(() => etcd.get('/registry/ipaddresses/10.96.0.1'), 20_000);
    const keys = await etcd.keys();
    native = await serve(binary, '--etcd-servers', etcd.url, '--nodes', '0', '--controllers', 'none', '--scheduler=false', '--disable-admission-plugins', 'ServiceAccount');
    // A start over a cluster of the real one changes nothing that is there, and adds nothing of its own but a Lease.
    const added = (await etcd.keys()).filter((key) => !keys.includes(key) && !/leases|tabernetes.dev/.test(key));
    assert.deepEqual(added, []);
    ours = {
      name: 'ours',
      async send(method, path, object, headers = {}) {
        const all = { ...(object === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
        const answer = await fetch(native.url + path, { method, headers: all, body: object === undefined ? undefined : JSON.stringify(object) });
        const text = await answer.text();
        return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text };
      },
    };
    real.name = 'kube-apiserver';
    real.send = async (...args) => {
      const { status, body } = await real.fetch(...args);
      return { status, body: body.startsWith('{') ? JSON.parse(body) : body };
    };
  });
  after(async () => {
    await native?.stop();
    await real?.stop();
    await etcd?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Checks that both return the same object at a path, soon: the real one's conditions of definitions change by themselves. */
  async function same(path, what) {
    let answers;
    await waitFor(
      async () => {
        answers = await Promise.all([real.send('GET', path), ours.send('GET', path)]);
        try {
          assert.deepEqual(answers[1], answers[0]);
          return true;
        } catch {
          return false;
        }
      },
      5000,
      () => `the same answer ${what}: ${path}`,
    ).catch((error) => {
      assert.deepEqual(answers[1], answers[0], error.message);
      throw error;
    });
    return answers[0];
  }

  test('objects of every kind, created, changed and deleted through each in turn', async () => {
    const [one, other] = [real, ours];
    assert.equal((await one.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fx' } })).status, 201);
    const made = recorded.made.filter(({ path }) => path !== '/api/v1/namespaces/fx' && !/webhookconfigurations/.test(path));
    const left = new Set();
    for (const [i, { path, body, apply }] of made.entries()) {
      const by = i % 2 ? one : other;
      const answer = body
        ? await by.send('POST', path.slice(0, path.lastIndexOf('/')), body)
        : await by.send('PATCH', `${path}?fieldManager=x`, apply, { 'content-type': 'application/apply-patch+yaml' });
      assert.ok(answer.status < 300, `${by.name}: ${path}: ${JSON.stringify(answer.body)}`);
      assert.equal((await same(path, `after ${by.name} created it`)).status, 200);
    }
    for (const [i, { path }] of made.entries()) {
      const by = i % 2 ? other : one;
      const patch = { metadata: { labels: { touched: 'yes' } } };
      const answer = await by.send('PATCH', `${path}?fieldManager=other`, patch, { 'content-type': 'application/merge-patch+json' });
      assert.equal(answer.status, 200, `${by.name}: ${path}: ${JSON.stringify(answer.body)}`);
      await same(path, `after ${by.name} changed it`);
      left.add(path.slice(0, path.lastIndexOf('/')));
    }
    for (const path of left) {
      const [theirs, mine] = await Promise.all([real.send('GET', path), ours.send('GET', path)]);
      if (/apiservices|customresourcedefinitions/.test(path)) continue; // with conditions of whoever serves
      assert.deepEqual(mine.body.items, theirs.body.items, path);
    }
    for (const [i, { path }] of [...made].reverse().entries()) {
      const by = i % 2 ? one : other;
      const answer = await by.send('DELETE', path);
      assert.ok([200, 202].includes(answer.status), `${by.name}: ${path}: ${JSON.stringify(answer.body)}`);
      await same(path, `after ${by.name} deleted it`);
    }
  });

  test('each watches what the other writes, at the same versions', async () => {
    const map = (name, value) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } });
    const { body } = await real.send('GET', configMaps);
    const from = body.metadata.resourceVersion;
    const theirs = [];
    const end = real.watch(`${configMaps}?watch=1&resourceVersion=${from}`, (event) => theirs.push(event));
    const wire = new Wire(native.port).send(`GET ${configMaps}?watch=1&resourceVersion=${from} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    for (const [i, by] of [real, ours, real, ours].entries()) {
      assert.equal((await by.send('POST', configMaps, map(`w${i}`, '1'))).status, 201);
      const other = by === real ? ours : real;
      assert.equal((await other.send('PUT', `${configMaps}/w${i}`, map(`w${i}`, '2'))).status, 200);
      assert.equal((await by.send('DELETE', `${configMaps}/w${i}`)).status, 200);
    }
    await waitFor(() => theirs.length === 12);
    await wire.until(/(DELETED[^]*){4}/);
    end();
    wire.destroy();
    const mine = wire.received.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    assert.deepEqual(mine, theirs);
  });

  test('Services get different addresses, whoever makes them', async () => {
    const service = (name) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ port: 80 }] } });
    const made = await Promise.all(Array.from({ length: 30 }, (_, i) => (i % 2 ? real : ours).send('POST', '/api/v1/namespaces/default/services', service(`s${i}`))));
    const addresses = made.map(({ status, body }) => (assert.equal(status, 201, JSON.stringify(body)), body.spec.clusterIP));
    assert.equal(new Set(addresses).size, 30);
    const { body } = await real.send('GET', '/apis/networking.k8s.io/v1/ipaddresses');
    const known = new Set(body.items.map(({ metadata }) => metadata.name));
    for (const address of addresses) assert.ok(known.has(address), address);
    const taken = await real.send('POST', '/api/v1/namespaces/default/services', { ...service('again'), spec: { clusterIP: addresses[0], ports: [{ port: 80 }] } });
    assert.equal(taken.status, 422);
    for (let i = 0; i < 30; ++i) assert.equal((await (i % 2 ? ours : real).send('DELETE', `/api/v1/namespaces/default/services/s${i}`)).status, 200);
  });

  test('Services get different node ports, whoever makes them, and give them back', async () => {
    const services = '/api/v1/namespaces/default/services';
    const service = (name, nodePort) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80, nodePort }] } });
    const before = await etcd.nodePorts();
    // So few that each would soon draw one of the other's.
    const made = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? real : ours).send('POST', services, service(`n${i}`, i < 20 ? undefined : 31000 + (i >> 2)))));
    const given = made.filter(({ status }) => status === 201).map(({ body }) => body.spec.ports[0].nodePort);
    for (const { status, body } of made) assert.ok(status === 201 || (status === 422 && /provided port is already allocated/.test(body.message)), JSON.stringify(body));
    assert.equal(given.length, 25);
    assert.equal(new Set(given).size, given.length);
    assert.deepEqual(await etcd.nodePorts(), [...before, ...given].sort((a, b) => a - b));
    for (const by of [real, ours]) assert.equal((await by.send('POST', services, service('again', given[0]))).status, 422);
    const left = (await ours.send('GET', services)).body.items.filter(({ metadata }) => /^n\d/.test(metadata.name));
    for (const [i, { metadata }] of left.entries()) assert.equal((await (i % 2 ? ours : real).send('DELETE', `${services}/${metadata.name}`)).status, 200);
    assert.deepEqual(await etcd.nodePorts(), before);
  });

  test('while etcd is away both answer the same, and both go on when it is back', async () => {
    const map = (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data: { a: 'b' } });
    assert.equal((await real.send('POST', configMaps, map('kept'))).status, 201);
    const { body } = await ours.send('GET', `${configMaps}/kept`);
    assert.equal(body.data.a, 'b');
    await waitFor(async () => (await ours.send('GET', `${configMaps}/kept?resourceVersion=0`)).status === 200);
    await waitFor(async () => (await real.send('GET', `${configMaps}/kept?resourceVersion=0`)).status === 200);
    await etcd.stop();
    const asked = [
      ['GET', `${configMaps}/kept?resourceVersion=0`],
      ['GET', `${configMaps}/none?resourceVersion=0`],
      ['GET', `${configMaps}?resourceVersion=0`],
      ['GET', `${configMaps}?resourceVersion=${body.metadata.resourceVersion}`],
      ['GET', `${configMaps}/kept?timeout=3s`],
      ['POST', `${configMaps}?timeout=3s`, map('new')],
      ['PUT', `${configMaps}/kept?timeout=3s`, map('kept')],
      ['DELETE', `${configMaps}/kept?timeout=3s`],
      ['DELETE', `${configMaps}/none?timeout=3s`],
    ];
    // The real one may also cut the connection at the deadline.
    const orCut = (error) => assert.equal(error.code, 'ECONNRESET');
    const answers = (server) => Promise.all(asked.map((each) => server.send(...each).catch(server === real ? orCut : undefined)));
    const [theirs, mine] = await Promise.all([answers(real), answers(ours)]);
    for (const [i, each] of asked.entries()) assert.deepEqual(mine[i], theirs[i] ?? theirs.find((answer) => answer?.status === 504) ?? mine[i], each.join(' '));
    for (const path of ['/livez/etcd', '/readyz/etcd-readiness', '/livez/ping', '/livez/etcd-readiness']) {
      const [one, other] = await Promise.all([real.send('GET', path), ours.send('GET', path)]);
      assert.deepEqual(other, one, path);
    }
    await etcd.restart();
    for (const server of [real, ours]) {
      await waitFor(async () => (await server.send('GET', '/readyz')).status === 200, 30_000, () => `${server.name} to be ready`);
      let answer;
      // 409: an earlier attempt was late.
      const writes = async () => [201, 409].includes((answer = await server.send('POST', `${configMaps}?timeout=3s`, map(`after-${server.name}`))).status);
      await waitFor(writes, 30_000, () => `${server.name} to write; ${JSON.stringify(answer)}`);
    }
  });

  test('random reads and writes through both are linearizable', async () => {
    const { history, operations } = await randomHistory([real, ours], { ms: 3000, prefix: 'interop' });
    assert.ok(operations > 50);
    for (const [key, log] of history) assert.ok(isLinearizable(log, 'first'), `${key}: ${JSON.stringify(log)}`);
  });
});
