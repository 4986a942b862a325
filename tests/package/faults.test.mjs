// What goes wrong on purpose, as a client in this realm sees it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCluster } from './support.mjs';

const kOptions = { seed: 1, now: '2026-01-01T00:00:00Z', controllers: 'none', nodes: 0 };
const map = (name) => ({ method: 'POST', body: JSON.stringify({ metadata: { name } }) });
const kMaps = '/api/v1/namespaces/default/configmaps';

test('a rule refuses the requests that it names, and counts', async () => {
  const rules = [{ match: { verb: 'create', resource: 'configmaps' }, nth: 1, status: { code: 429, retryAfter: 2 } }];
  const cluster = await createCluster({ ...kOptions, faults: rules });
  const refused = await cluster.fetch(kMaps, map('a'));
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), '2');
  assert.equal((await refused.json()).message, 'Too many requests, please try again later.');
  assert.equal((await cluster.fetch(kMaps, map('a'))).status, 201);
  assert.deepEqual(cluster.faults.counts(), [{ fitting: 2, hit: 1 }]);
  assert.deepEqual(cluster.faults.get(), rules);
  cluster.faults.set([]);
  assert.deepEqual(cluster.faults.get(), []);
  cluster.faults.reset();
  assert.deepEqual(cluster.faults.get(), rules);
  cluster.dispose();
});

test('an answer that is lost rejects, after the write', async () => {
  const cluster = await createCluster(kOptions);
  cluster.faults.set([{ match: { verb: 'create' }, nth: 1, connection: 'lose' }]);
  await assert.rejects(cluster.fetch(kMaps, map('a')), (error) => error instanceof TypeError && error.message === 'fetch failed' && error.cause.code === 'UND_ERR_SOCKET');
  assert.equal((await cluster.fetch(`${kMaps}/a`)).status, 200);
  cluster.dispose();
});

test('a delay passes with the time of the cluster', async () => {
  const cluster = await createCluster(kOptions);
  cluster.faults.set([{ delay: '1s' }]);
  const answer = cluster.fetch('/version');
  const first = await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 20, 'waits'))]);
  assert.equal(first, 'waits');
  cluster.advance(1000);
  assert.equal((await answer).status, 200);
  cluster.dispose();
});

test('a watch that is cut gives its events, then 410 or a broken body', async () => {
  const cluster = await createCluster(kOptions);
  await cluster.fetch(kMaps, map('a'));
  cluster.faults.set([{ match: { verb: 'watch' }, nth: 1, watch: { events: 1, then: 'gone' } }, { match: { verb: 'watch' }, watch: { events: 1, then: 'close' } }]);
  const gone = (await (await cluster.fetch(`${kMaps}?watch=1`)).text()).trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(gone.map(({ type, object }) => [type, object.metadata.name ?? object.code]), [['ADDED', 'a'], ['ERROR', 410]]);
  const cut = await cluster.fetch(`${kMaps}?watch=1`);
  const reader = cut.body.getReader();
  assert.equal(JSON.parse(new TextDecoder().decode((await reader.read()).value)).type, 'ADDED');
  await assert.rejects(reader.read(), { name: 'TypeError', message: 'terminated' });
  cluster.dispose();
});

test('rules that are none are refused, with their place', async () => {
  const cluster = await createCluster(kOptions);
  assert.throws(() => cluster.faults.set([{ status: 200 }]), { name: 'TypeError', message: 'tabernetes: rules[0].status: must be a code from 400 to 599' });
  await assert.rejects(createCluster({ faults: [{ delya: '1s' }] }), { name: 'TypeError', message: /^tabernetes: faults: rules\[0\]\.delya: unknown/ });
  cluster.dispose();
});
