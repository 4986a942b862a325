// Tests a kubectl user's walk through the shop's manifest, with an unmodified kubectl.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { kubectlOf } from './kubectl_client.mjs';
import { startServer, top } from './server.mjs';

const manifest = join(top, 'tests/clients/manifests/shop.yaml');
let server;
let kubectl, refused, start, fileOf;

before(async () => {
  server = await startServer('--seed', '1', '--nodes', '1');
  ({ kubectl, refused, start, fileOf } = kubectlOf(server));
});
after(async () => assert.equal(await server.stop(), 0));

/** Returns the lines of kubectl's output, with one space between columns. */
const lines = async (...args) => (await kubectl(...args)).split('\n').map((line) => line.replace(/ {2,}/g, ' ').trimEnd());

/** Returns a manifest of one ConfigMap. */
const configMap = (name) => fileOf(`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: shop}\ndata: {a: b}\n`);

test('create -f makes every object of a multi-document manifest', async () => {
  assert.deepEqual(await lines('create', '-f', manifest), [
    'namespace/shop created',
    'configmap/shop-config created',
    'secret/shop-database created',
    'serviceaccount/shop created',
    'role.rbac.authorization.k8s.io/config-reader created',
    'rolebinding.rbac.authorization.k8s.io/shop-reads-config created',
    'persistentvolumeclaim/shop-images created',
    'deployment.apps/shop created',
    'service/shop created',
    'ingress.networking.k8s.io/shop created',
    'job.batch/migrate-database created',
    'cronjob.batch/nightly-report created',
  ]);
});

test('create -f again answers AlreadyExists', async () => {
  assert.match(await refused('create', '-f', manifest), /Error from server \(AlreadyExists\): .*configmaps "shop-config" already exists/);
});

test('a manifest with an unknown field is refused by strict validation', async () => {
  const file = fileOf('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: typo, namespace: shop}\ndate: {a: b}\n');
  assert.equal(
    await refused('create', '-f', file),
    `Error from server (BadRequest): error when creating "${file}": ConfigMap in version "v1" cannot be handled as a ConfigMap: ` +
      'strict decoding error: unknown field "date"',
  );
});

test('get prints the server\'s tables', async () => {
  assert.deepEqual(await lines('get', 'namespaces', '--no-headers', '-o', 'custom-columns=N:.metadata.name,P:.status.phase'), [
    'default Active',
    'kube-node-lease Active',
    'kube-public Active',
    'kube-system Active',
    'shop Active',
  ]);
  const [head, row] = await lines('get', 'deployments', '-n', 'shop');
  assert.equal(head, 'NAME READY UP-TO-DATE AVAILABLE AGE');
  assert.match(row, /^shop 0\/3 0 0 \d+s$/);
  const [, service] = await lines('get', 'services', '-n', 'default');
  assert.match(service, /^kubernetes ClusterIP 10\.96\.0\.1 <none> 443\/TCP \d+s$/);
});

test('get -o wide, name, yaml, json, jsonpath, go-template and custom-columns', async () => {
  const [head, row] = await lines('get', 'deployment', 'shop', '-n', 'shop', '-o', 'wide');
  assert.equal(head, 'NAME READY UP-TO-DATE AVAILABLE AGE CONTAINERS IMAGES SELECTOR');
  assert.match(row, /^shop 0\/3 0 0 \d+s web,exporter registry\.example\.com\/shop\/web:1\.8\.2,registry\.example\.com\/tools\/nginx-exporter:0\.11 app=shop$/);
  assert.deepEqual(await lines('get', 'configmaps,secrets', '-n', 'shop', '-o', 'name'), ['configmap/shop-config', 'secret/shop-database']);
  const object = JSON.parse(await kubectl('get', 'configmap', 'shop-config', '-n', 'shop', '-o', 'json'));
  assert.equal(object.data['nginx.conf'], 'server {\n  listen 8080;\n  location / { root /usr/share/nginx/html; }\n}\n');
  const yaml = await kubectl('get', 'configmap', 'shop-config', '-n', 'shop', '-o', 'yaml');
  assert.match(yaml, /^apiVersion: v1\ndata:\n {2}LOG_LEVEL: info\n {2}nginx\.conf: \|\n {4}server \{\n/);
  assert.equal(await kubectl('get', 'deployment', 'shop', '-n', 'shop', '-o', 'jsonpath={.spec.replicas} {.metadata.generation}'), '3 1');
  assert.equal(await kubectl('get', 'service', 'shop', '-n', 'shop', '-o', 'go-template={{range .spec.ports}}{{.port}}{{end}}'), '80');
  const all = (await kubectl('get', 'all', '-n', 'shop', '-o', 'name')).split('\n');
  assert.deepEqual(all, ['service/shop', 'deployment.apps/shop', 'cronjob.batch/nightly-report', 'job.batch/migrate-database']);
});

test('get with columns of labels, sorted, of a subresource, and printed by kubectl itself', async () => {
  const [head, row] = await lines('get', 'deployments', '-n', 'shop', '-L', 'app,tier');
  assert.equal(head, 'NAME READY UP-TO-DATE AVAILABLE AGE APP TIER');
  assert.match(row, /^shop 0\/3 0 0 \d+s shop$/);
  const [, labels] = await lines('get', 'deployments', '-n', 'shop', '--show-labels');
  assert.match(labels, /^shop 0\/3 0 0 \d+s app=shop$/);
  const byPort = await lines('get', 'services', '-A', '--sort-by=.spec.ports[0].port', '--no-headers');
  assert.deepEqual(byPort.map((line) => line.split(' ').slice(0, 2)), [['shop', 'shop'], ['default', 'kubernetes']]);
  const [, scale] = await lines('get', 'deployment', 'shop', '-n', 'shop', '--subresource=scale');
  assert.match(scale, /^shop 3 0 \d+s$/);
  const [own, plain] = await lines('get', 'deployments', '-n', 'shop', '--server-print=false');
  assert.equal(own, 'NAME AGE');
  assert.match(plain, /^shop \d+s$/);
});

test('get of what is not there says NotFound', async () => {
  assert.equal(await refused('get', 'pod', 'nope', '-n', 'shop'), 'Error from server (NotFound): pods "nope" not found');
});

test('selectors choose', async () => {
  assert.deepEqual(await lines('get', 'deployments', '-A', '-l', 'app in (shop),!canary', '-o', 'name'), ['deployment.apps/shop']);
  assert.deepEqual(await lines('get', 'namespaces', '--field-selector', 'metadata.name=shop', '-o', 'name'), ['namespace/shop']);
});

test('get -w shows changes as they come', async () => {
  const watch = start('get', 'configmaps', '-n', 'shop', '-w', '-o', 'name');
  let seen = '';
  const sees = (text) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no ${text} in: ${seen}`)), 20_000);
      const look = () => {
        if (!seen.includes(text)) return;
        clearTimeout(timer);
        resolve();
      };
      watch.stdout.on('data', look);
      look();
    });
  watch.stdout.on('data', (chunk) => (seen += chunk));
  await sees('configmap/shop-config');
  await kubectl('create', '-f', configMap('watched'));
  await sees('configmap/watched');
  watch.kill();
});

test('scale sets the replicas, under its conditions', async () => {
  const deployment = ['deployment', 'scaled'];
  await kubectl('create', ...deployment, '--image=registry.example.com/scaled', '--replicas=3');
  assert.equal(await kubectl('scale', ...deployment, '--replicas=5', '--current-replicas=3'), 'deployment.apps/scaled scaled');
  assert.equal(await kubectl('get', ...deployment, '-o', 'jsonpath={.spec.replicas} {.metadata.generation}'), '5 2');
  assert.equal(await refused('scale', ...deployment, '--replicas=1', '--current-replicas=3'), 'error: Expected replicas to be 3, was 5');
  await kubectl('delete', ...deployment);
});

test('explain and api-resources know the types', async () => {
  const text = await kubectl('explain', 'deployment.spec.strategy');
  assert.match(text, /GROUP: {6}apps\nKIND: {7}Deployment\nVERSION: {4}v1/);
  assert.match(text, /rollingUpdate\s+<RollingUpdateDeployment>/);
  const resources = await lines('api-resources', '--no-headers', '-o', 'name');
  assert.equal(resources.length, 67); // 68, of which horizontalpodautoscalers are in two versions
  assert.ok(resources.includes('horizontalpodautoscalers.autoscaling'));
});

test('replace writes a changed manifest', async () => {
  const object = JSON.parse(await kubectl('get', 'configmap', 'shop-config', '-n', 'shop', '-o', 'json'));
  object.data.LOG_LEVEL = 'debug';
  assert.deepEqual(await lines('replace', '-f', fileOf(object)), ['configmap/shop-config replaced']);
  assert.equal(await kubectl('get', 'configmap', 'shop-config', '-n', 'shop', '-o', 'jsonpath={.data.LOG_LEVEL}'), 'debug');
  object.data.LOG_LEVEL = 'trace';
  assert.match(await refused('replace', '-f', fileOf(object)), /Error from server \(Conflict\): .*the object has been modified/);
});

test('apply creates, changes, prunes what it gave up, and leaves what others wrote', async () => {
  const manifestOf = (replicas, containers) =>
    fileOf(`apiVersion: apps/v1
kind: Deployment
metadata: {name: applied, namespace: shop}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: applied}}
  template:
    metadata: {labels: {app: applied}}
    spec: {containers: [${containers}]}
`);
  const containers = async () => {
    const { spec } = JSON.parse(await kubectl('-n', 'shop', 'get', 'deployment', 'applied', '-o', 'json'));
    return [spec.replicas, ...spec.template.spec.containers.map(({ name, image }) => `${name}=${image}`)];
  };
  const file = manifestOf(1, '{name: a, image: "a:1"}, {name: b, image: "b:1"}');
  assert.equal(await kubectl('apply', '-f', file), 'deployment.apps/applied created');
  assert.equal(await kubectl('apply', '-f', file), 'deployment.apps/applied unchanged');
  const sidecar = '{"spec":{"template":{"spec":{"containers":[{"name":"sidecar","image":"s:1"}]}}}}';
  assert.equal(await kubectl('-n', 'shop', 'patch', 'deployment', 'applied', '-p', sidecar), 'deployment.apps/applied patched');
  assert.equal(await kubectl('apply', '-f', manifestOf(3, '{name: a, image: "a:2"}')), 'deployment.apps/applied configured');
  assert.deepEqual(await containers(), [3, 'sidecar=s:1', 'a=a:2']);
  assert.equal(await kubectl('-n', 'shop', 'set', 'image', 'deployment/applied', 'a=a:3'), 'deployment.apps/applied image updated');
  assert.equal(await kubectl('-n', 'shop', 'rollout', 'restart', 'deployment/applied'), 'deployment.apps/applied restarted');
  assert.deepEqual(await containers(), [3, 'sidecar=s:1', 'a=a:3']);
  assert.equal(await kubectl('-n', 'shop', 'delete', 'deployment', 'applied'), 'deployment.apps "applied" deleted');
});

test('label, annotate and patch change metadata', async () => {
  assert.deepEqual(await lines('label', 'deployment', 'shop', '-n', 'shop', 'release=stable'), ['deployment.apps/shop labeled']);
  assert.deepEqual(await lines('annotate', 'deployment', 'shop', '-n', 'shop', 'example.com/owner=web'), ['deployment.apps/shop annotated']);
  assert.deepEqual(await lines('patch', 'deployment', 'shop', '-n', 'shop', '--type', 'merge', '-p', '{"spec":{"replicas":5}}'), ['deployment.apps/shop patched']);
  const json = '[{"op":"replace","path":"/spec/replicas","value":4}]';
  assert.deepEqual(await lines('patch', 'deployment', 'shop', '-n', 'shop', '--type', 'json', '-p', json), ['deployment.apps/shop patched']);
  assert.equal(
    await kubectl('get', 'deployment', 'shop', '-n', 'shop', '-o', 'jsonpath={.metadata.labels.release} {.metadata.annotations.example\\.com/owner} {.spec.replicas} {.metadata.generation}'),
    'stable web 4 4',
  );
});

test('create --dry-run=server stores nothing', async () => {
  assert.deepEqual(await lines('create', '-f', configMap('dry'), '--dry-run=server'), ['configmap/dry created (server dry run)']);
  assert.match(await refused('get', 'configmap', 'dry', '-n', 'shop'), /NotFound/);
});

// Its subcommands send protobuf and prefer protobuf answers.
test('create with a subcommand per kind', async () => {
  const created = [
    ['namespace made', 'namespace/made'],
    ['configmap a --from-literal=x=y', 'configmap/a'],
    ['secret generic s --from-literal=password=pw', 'secret/s'],
    ['serviceaccount sa', 'serviceaccount/sa'],
    ['deployment d --image=nginx:1 --replicas=2 --port=80', 'deployment.apps/d'],
    ['job j --image=busybox -- date -u', 'job.batch/j'],
    ['cronjob c --image=busybox --schedule=@daily -- date', 'cronjob.batch/c'],
    ['service clusterip web --tcp=80:http', 'service/web'],
    ['role r --verb=get,list --resource=pods', 'role.rbac.authorization.k8s.io/r'],
    ['rolebinding rb --role=r --serviceaccount=made:sa', 'rolebinding.rbac.authorization.k8s.io/rb'],
    ['ingress i --rule=example.com/path=web:80', 'ingress.networking.k8s.io/i'],
    ['quota q --hard=pods=3,requests.cpu=1500m', 'resourcequota/q'],
    ['poddisruptionbudget p --selector=app=d --min-available=50%', 'poddisruptionbudget.policy/p'],
  ];
  for (const [command, name] of created) assert.deepEqual(await lines('create', '-n', 'made', ...command.split(' ')), [`${name} created`]);
  const read = (kind, name, path) => kubectl('get', kind, name, '-n', 'made', '-o', `jsonpath=${path}`);
  assert.equal(await read('configmap', 'a', '{.data}'), '{"x":"y"}');
  assert.equal(await read('secret', 's', '{.data.password}'), 'cHc=');
  assert.equal(await read('deployment', 'd', '{.spec.replicas} {.spec.template.spec.containers[0].ports[0].containerPort}'), '2 80');
  assert.equal(await read('job', 'j', '{.spec.template.spec.containers[0].command}'), '["date","-u"]');
  assert.equal(await read('service', 'web', '{.spec.ports[0].port} {.spec.ports[0].targetPort} {.spec.selector.app}'), '80 http web');
  assert.equal(await read('role', 'r', '{.rules[0].verbs} {.rules[0].resources}'), '["get","list"] ["pods"]');
  assert.equal(await read('ingress', 'i', '{.spec.rules[0].http.paths[0].backend.service.port.number}'), '80');
  assert.equal(await read('quota', 'q', '{.spec.hard}'), '{"pods":"3","requests.cpu":"1500m"}');
  assert.equal(await read('pdb', 'p', '{.spec.minAvailable}'), '50%');
  assert.equal(
    await refused('create', 'configmap', 'a', '-n', 'made'),
    'error: failed to create configmap: configmaps "a" already exists',
  );
  assert.deepEqual(await lines('create', 'configmap', 'b', '-n', 'made', '--dry-run=server'), ['configmap/b created (server dry run)']);
  assert.deepEqual(await lines('delete', 'configmap/a', 'secret/s', 'job/j', '-n', 'made'), [
    'configmap "a" deleted',
    'secret "s" deleted',
    'job.batch "j" deleted',
  ]);
});

test('delete removes objects, and marks the namespace', async () => {
  assert.deepEqual(await lines('delete', 'deployment', 'shop', '-n', 'shop'), ['deployment.apps "shop" deleted']);
  assert.deepEqual(await lines('delete', 'configmaps', '--all', '-n', 'shop'), ['configmap "shop-config" deleted', 'configmap "watched" deleted']);
  assert.deepEqual(await lines('delete', 'namespace', 'shop', '--wait=false'), ['namespace "shop" deleted']);
  assert.equal(await kubectl('get', 'namespace', 'shop', '-o', 'jsonpath={.status.phase}'), 'Terminating');
  assert.match(
    await refused('create', '-f', configMap('late')),
    /forbidden: unable to create new content in namespace shop because it is being terminated/,
  );
  assert.match(await refused('delete', 'namespace', 'default'), /namespaces "default" is forbidden: this namespace may not be deleted/);
});

test('version, cluster-info and raw reads answer', async () => {
  const version = JSON.parse(await kubectl('version', '-o', 'json'));
  assert.equal(version.serverVersion.minor, '36');
  assert.equal(await kubectl('get', '--raw', '/readyz'), 'ok');
  assert.equal(readFileSync(server.kubeconfig, 'utf8').includes(server.url), true);
});
