// Tests load: texts of YAML and JSON, objects, lists of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMap, createCluster, kReproducible, LoadError } from './support.mjs';

const kTwoNamespaces = `# The ConfigMap comes before its namespace.
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: shop
data:
  colour: "yes"
---
---
apiVersion: v1
kind: Namespace
metadata:
  name: shop
`;

const colour = async (cluster) => {
  const { data } = await (await cluster.fetch('/api/v1/namespaces/shop/configmaps/settings')).json();
  return data?.colour;
};
const has = async (cluster, name) => (await cluster.fetch(`/api/v1/namespaces/default/configmaps/${name}`)).status === 200;

test('many documents, namespaces first', async () => {
  const cluster = await createCluster({ ...kReproducible, load: kTwoNamespaces });
  assert.equal(await colour(cluster), 'yes');
  cluster.dispose();
});

test('objects, lists and texts together', async () => {
  const list = { apiVersion: 'v1', kind: 'List', items: [configMap('in-list-1'), configMap('in-list-2')] };
  const cluster = await createCluster({
    ...kReproducible,
    load: [configMap('an-object'), list, kTwoNamespaces, JSON.stringify(configMap('a-text'), null, 2)],
  });
  for (const name of ['an-object', 'in-list-1', 'in-list-2', 'a-text']) assert.ok(await has(cluster, name), name);
  assert.equal(await colour(cluster), 'yes');
  cluster.dispose();
});

test('what exists is replaced', async () => {
  const cluster = await createCluster({ ...kReproducible, load: kTwoNamespaces });
  await cluster.load(kTwoNamespaces.replace('"yes"', '"no"'));
  assert.equal(await colour(cluster), 'no');
  cluster.dispose();
});

test('a load wins, whole: the status, and what an update may not change', async () => {
  const node = (status) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' }, spec: { podCIDR: '10.9.0.0/24' }, ...status });
  const read = async () => (await cluster.fetch('/api/v1/nodes/node-1')).json();
  const cluster = await createCluster({ ...kReproducible, load: node({ status: { phase: 'Pending' } }) });
  assert.deepEqual([(await read()).spec.podCIDRs, (await read()).status.phase], [['10.9.0.0/24'], 'Pending']);
  await cluster.load({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } });
  assert.deepEqual([(await read()).spec.podCIDRs, (await read()).status.phase], [undefined, 'Pending']);
  const pod = (phase) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'main', image: `nginx:${phase}` }] }, status: { phase } });
  for (const phase of ['Running', 'Failed']) {
    await cluster.load(pod(phase));
    const { spec, status } = await (await cluster.fetch('/api/v1/namespaces/default/pods/web')).json();
    assert.deepEqual([spec.containers[0].image, status.phase], [`nginx:${phase}`, phase]);
  }
  cluster.dispose();
});

test('a LoadError tells what is wrong where, and the rest is loaded', async () => {
  const cluster = await createCluster(kReproducible);
  const error = await cluster.load([configMap('good'), { ...configMap('Bad Name') }]).then(
    () => assert.fail('it should reject'),
    (reason) => reason,
  );
  assert.ok(error instanceof LoadError);
  assert.equal(error.faults.length, 1);
  assert.equal(error.faults[0].document, 2);
  assert.match(error.faults[0].message, /Bad Name/);
  assert.match(error.message, /^document 2: /);
  assert.ok(await has(cluster, 'good'));
  cluster.dispose();
});

test('createCluster rejects with it too', async () => {
  await assert.rejects(createCluster({ load: 'kind: [' }), LoadError);
});

test('much at once: the memory grows, and what comes out is what went in', async () => {
  const value = 'é'.repeat(100_000);
  const cluster = await createCluster(kReproducible);
  await cluster.load(Array.from({ length: 100 }, (_, i) => configMap(`big-${i}`, { value })));
  const { items } = await (await cluster.fetch('/api/v1/namespaces/default/configmaps')).json();
  assert.equal(items.filter((item) => item.data.value === value).length, 100);
  cluster.dispose();
});

test('reset goes back to the state after load', async () => {
  const cluster = await createCluster({ ...kReproducible, load: kTwoNamespaces });
  await cluster.load(configMap('later'));
  const { status } = await cluster.request({ method: 'POST', target: '/-/tabernetes/reset' });
  assert.equal(status, 200);
  assert.equal(await has(cluster, 'later'), false);
  assert.equal(await colour(cluster), 'yes');
  cluster.dispose();
});
