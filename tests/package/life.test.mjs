// Simulated nodes, and control over time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCluster } from './support.mjs';

const kOptions = { seed: 1, now: '2026-01-01T00:00:00Z', controllers: 'kubelet' };
const pod = (name, more = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { nodeName: 'node-1', containers: [{ name: 'app', image: 'nginx' }], ...more },
});
const status = async (cluster, name) => {
  const { status } = await (await cluster.fetch(`/api/v1/namespaces/default/pods/${name}`)).json();
  return `${status.phase} ${Object.keys(status.containerStatuses?.[0].state ?? { none: 1 })[0]}`;
};

test('a pod on a simulated node runs when the cluster has settled', async () => {
  const cluster = await createCluster({ ...kOptions, load: pod('web') });
  assert.equal(await cluster.settle(), true);
  assert.equal(await status(cluster, 'web'), 'Running running');
  assert.equal(cluster.now.toISOString(), '2026-01-01T00:00:01.078Z');
  cluster.dispose();
});

test('a step is the next thing that anybody does', async () => {
  const cluster = await createCluster({ ...kOptions, load: pod('web') });
  const steps = [cluster.step(), cluster.step()];
  assert.deepEqual(steps.map(({ time, loop, changes }) => [time.toISOString(), loop, changes[0].kind, changes[0].name]), [
    ['2026-01-01T00:00:01.078Z', 'kubelet', 'Pod', 'web'],
    ['2026-01-01T00:00:05.047Z', 'kubelet', 'Lease', 'node-1'],
  ]);
  const dead = await createCluster({ ...kOptions, controllers: 'none' });
  assert.equal(dead.step(), undefined);
  cluster.dispose();
  dead.dispose();
});

test('what is not done within the limit is told', async () => {
  const cluster = await createCluster({ ...kOptions, load: pod('web'), behaviour: [{ start: '10s' }] });
  assert.equal(await cluster.settle({ within: 5000 }), false);
  assert.equal(await status(cluster, 'web'), 'Pending waiting');
  assert.equal(await cluster.settle(), true);
  assert.equal(await status(cluster, 'web'), 'Running running');
  cluster.dispose();
});

test('a running clock stands still while it is paused, in forks too', async () => {
  const cluster = await createCluster({ controllers: 'kubelet', load: pod('web') });
  cluster.pause();
  const before = cluster.now;
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(cluster.now, before);
  const fork = cluster.fork();
  assert.deepEqual(fork.now, before);
  assert.equal(await cluster.settle(), true);
  assert.ok(cluster.now > before);
  assert.equal(await status(cluster, 'web'), 'Running running');
  const held = cluster.now;
  cluster.resume();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(cluster.now > held && cluster.now.getTime() < held.getTime() + 60_000);
  cluster.dispose();
  fork.dispose();
});

test('rules say how pods behave', async () => {
  const rules = [{ match: { name: 'broken' }, pull: { error: true } }];
  const cluster = await createCluster({ ...kOptions, load: [pod('web'), pod('broken')], behaviour: rules });
  await cluster.settle();
  assert.equal(await status(cluster, 'broken'), 'Pending waiting');
  assert.deepEqual(cluster.behaviour.get(), rules);
  assert.deepEqual(cluster.behaviour.set([{ match: { name: 'web' }, exit: { code: 1, times: 1 } }]), []);
  await cluster.settle();
  assert.equal(await status(cluster, 'web'), 'Running running');
  cluster.behaviour.reset();
  assert.deepEqual(cluster.behaviour.get(), rules);
  assert.throws(() => cluster.behaviour.set([{ exti: 1 }]), { name: 'TypeError', message: /^tabernetes: rules\[0\]\.exti: unknown/ });
  await assert.rejects(createCluster({ behaviour: 'x: [' }), { name: 'TypeError', message: /^tabernetes: behaviour: yaml: / });
  cluster.dispose();
});

test('forks and snapshots of a pod that is starting go on alike', async () => {
  const cluster = await createCluster({ ...kOptions, load: pod('web') });
  cluster.advance(500);
  const fork = cluster.fork();
  const again = await createCluster({ ...kOptions, snapshot: cluster.snapshot() });
  const texts = [];
  for (const one of [cluster, fork, again]) {
    await one.settle();
    texts.push(await (await one.fetch('/api/v1/namespaces/default/pods/web')).text());
    assert.equal(await status(one, 'web'), 'Running running');
    one.dispose();
  }
  assert.equal(texts[1], texts[0]);
});
