// kubectl waits for workloads, and they live: rollouts, drains within a budget, jobs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { kubectlOf } from './kubectl_client.mjs';
import { startServer } from './server.mjs';

let server, k;
before(async () => {
  server = await startServer('--nodes', '3', '--controllers', '*', '--scheduler=true');
  k = kubectlOf(server);
});
after(() => server?.stop());

const lastLine = (text) => text.split('\n').at(-1);
const podsOf = async (app, path) => (await k.kubectl('get', 'pods', '-l', `app=${app}`, '-o', `jsonpath={range .items[*]}${path}{"\\n"}{end}`)).split('\n').filter(Boolean);

test('rollout status ends when a deployment is there; so does wait', async () => {
  await k.kubectl('create', 'deployment', 'web', '--image=nginx:1', '--replicas=3');
  assert.equal(lastLine(await k.kubectl('rollout', 'status', 'deployment/web', '--timeout=60s')), 'deployment "web" successfully rolled out');
  assert.equal(await k.kubectl('wait', '--for=condition=Available', 'deployment/web', '--timeout=30s'), 'deployment.apps/web condition met');
  assert.deepEqual(await podsOf('web', '{.status.phase}'), ['Running', 'Running', 'Running']);
});

test('scale, another image, and back', async () => {
  assert.equal(await k.kubectl('scale', 'deployment/web', '--replicas=4'), 'deployment.apps/web scaled');
  await k.kubectl('rollout', 'status', 'deployment/web', '--timeout=60s');
  await k.kubectl('set', 'image', 'deployment/web', 'nginx=nginx:2');
  assert.equal(lastLine(await k.kubectl('rollout', 'status', 'deployment/web', '--timeout=60s')), 'deployment "web" successfully rolled out');
  assert.equal(await k.kubectl('rollout', 'undo', 'deployment/web'), 'deployment.apps/web rolled back');
  await k.kubectl('rollout', 'status', 'deployment/web', '--timeout=60s');
  assert.equal(await k.kubectl('get', 'deployment/web', '-o', 'jsonpath={.spec.template.spec.containers[0].image} {.status.readyReplicas}'), 'nginx:1 4');
  assert.deepEqual((await k.kubectl('rollout', 'history', 'deployment/web')).split('\n').map((line) => line.split(/\s+/)[0]), ['deployment.apps/web', 'REVISION', '2', '3']);
});

test('drain moves pods within their budget, and stops where the budget forbids it', async () => {
  await k.kubectl('create', 'poddisruptionbudget', 'web', '--selector=app=web', '--min-available=3');
  await k.kubectl('wait', '--for=jsonpath={.status.disruptionsAllowed}=1', 'poddisruptionbudget/web', '--timeout=30s');
  const drained = await k.kubectl('drain', 'node-1', '--timeout=60s');
  assert.equal(lastLine(drained), 'node/node-1 drained');
  await k.kubectl('rollout', 'status', 'deployment/web', '--timeout=60s');
  assert.ok(!(await podsOf('web', '{.spec.nodeName}')).includes('node-1'));
  await k.kubectl('uncordon', 'node-1');
  await k.kubectl('patch', 'poddisruptionbudget/web', '--type=merge', '-p', '{"spec":{"minAvailable":4}}');
  await k.kubectl('wait', '--for=jsonpath={.status.disruptionsAllowed}=0', 'poddisruptionbudget/web', '--timeout=30s');
  const { code, stderr } = await k.outcome(['drain', 'node-2', '--timeout=3s']);
  assert.equal(code, 1);
  assert.match(stderr, /Cannot evict pod as it would violate the pod's disruption budget\./);
  await k.kubectl('uncordon', 'node-2');
});

test('statefulsets come one by one, and go', async () => {
  const set = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: { replicas: 2, serviceName: 'db', selector: { matchLabels: { app: 'db' } }, template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'c', image: 'postgres:1' }] } } },
  };
  await k.kubectl('apply', '-f', k.fileOf(set));
  assert.match(await k.kubectl('rollout', 'status', 'statefulset/db', '--timeout=60s'), /2 pods at revision db-\w+\.\.\.$|roll out complete/);
  assert.deepEqual(await podsOf('db', '{.metadata.name}'), ['db-0', 'db-1']);
  await k.kubectl('delete', 'statefulset/db', '--cascade=foreground', '--timeout=60s');
  assert.deepEqual(await podsOf('db', '{.metadata.name}'), []);
});

test('jobs complete, also those that are made from a cron job', async () => {
  await k.kubectl('create', 'job', 'once', '--image=busybox', '--', 'true');
  assert.equal(await k.kubectl('wait', '--for=condition=Complete', 'job/once', '--timeout=60s'), 'job.batch/once condition met');
  await k.kubectl('create', 'cronjob', 'nightly', '--image=busybox', '--schedule=0 3 * * *', '--', 'true');
  await k.kubectl('create', 'job', 'now', '--from=cronjob/nightly');
  assert.equal(await k.kubectl('wait', '--for=condition=Complete', 'job/now', '--timeout=60s'), 'job.batch/now condition met');
});

test('top shows what nodes and pods use', async () => {
  const nodes = (await k.kubectl('top', 'node', '--no-headers')).split('\n').map((line) => line.split(/\s+/)[0]);
  assert.deepEqual(nodes, ['node-1', 'node-2', 'node-3']);
  const rows = (await k.kubectl('top', 'pod', '-l', 'app=web')).split('\n');
  assert.match(rows[0], /^NAME +CPU\(cores\) +MEMORY\(bytes\)/);
  assert.equal(rows.length, 5);
  for (const row of rows.slice(1)) assert.match(row, /^web-\S+ +\d+m +\d+Mi/);
});

test('autoscale makes an autoscaler, which looks at the deployment', async () => {
  assert.equal(await k.kubectl('autoscale', 'deployment/web', '--min=1', '--max=6', '--cpu-percent=50'), 'horizontalpodautoscaler.autoscaling/web autoscaled');
  assert.equal(await k.kubectl('wait', '--for=condition=AbleToScale', 'hpa/web', '--timeout=60s'), 'horizontalpodautoscaler.autoscaling/web condition met');
  assert.match(await k.kubectl('get', 'hpa/web', '--no-headers'), /^web +Deployment\/web +cpu: \S+\/50% +1 +6 +4 /);
});
