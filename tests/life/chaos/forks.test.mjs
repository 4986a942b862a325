// A fork has the state of every control loop: two forks of a rollout in flight end equal, and as the cluster itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCluster } from '../../../dist/index.js';
import { kWorkloads, pathIn } from './manifests.mjs';
import { Random } from '../player/random.mjs';

async function send(cluster, method, path, body, type = 'application/json') {
  const response = await cluster.fetch(path, { method, body: JSON.stringify(body), headers: { 'content-type': type } });
  assert.ok(response.ok, `${method} ${path}: ${response.status}`);
  return response.json();
}

const pods = async (cluster) => (await (await cluster.fetch('/api/v1/pods')).json()).items;
const texts = (cluster) => new TextDecoder().decode(cluster.snapshot());

for (const after of [5, 60, 400, 1300]) {
  test(`forks of a rollout, ${after} ms after it began`, async () => {
    const cluster = await createCluster({ seed: 1, now: '2026-01-01T00:00:00Z', nodes: 3 });
    const web = kWorkloads.deployments('web', new Random(1));
    await send(cluster, 'POST', pathIn('default', 'deployments'), { ...web, spec: { ...web.spec, replicas: 4 } });
    assert.equal(await cluster.settle(), true);
    assert.equal((await pods(cluster)).length, 4);
    const patch = { spec: { template: { metadata: { annotations: { version: '2' } } } } };
    await send(cluster, 'PATCH', pathIn('default', 'deployments', 'web'), patch, 'application/merge-patch+json');
    await cluster.advance(after);
    const forks = [cluster.fork(), cluster.fork()];
    for (const one of [...forks, cluster]) assert.equal(await one.settle(), true);
    const [first, second, own] = [...forks, cluster].map(texts);
    assert.equal(first, second);
    assert.equal(first, own);
    assert.deepEqual((await pods(cluster)).map(({ metadata }) => metadata.annotations?.version), ['2', '2', '2', '2']);
    for (const one of [...forks, cluster]) one.dispose();
  });
}
