// Tests the media types that kubectl sends and asks for, as a proxy records them, and that it understands the answers:
// most subcommands post protobuf, the rest JSON, and they print Tables.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { decode } from '../../dist/index.js';
import { kubectl as findKubectl } from '../../tools/kubectl.mjs';
import { recordingProxy } from './recording_proxy.mjs';
import { startServer } from './server.mjs';

const run = promisify(execFile);
const kProtobuf = 'application/vnd.kubernetes.protobuf';
const kProtobufOrJson = `${kProtobuf},application/json`;
const kTable = ['v1', 'v1beta1'].map((version) => `application/json;as=Table;v=${version};g=meta.k8s.io`).join() + ',application/json';
let server;
let proxy;
let binary;

before(async () => {
  binary = findKubectl();
  server = await startServer('--seed', '1');
  proxy = await recordingProxy(server.url);
});
after(async () => {
  proxy.close();
  assert.equal(await server.stop(), 0);
});

/** Runs kubectl through the proxy and returns { stdout, stderr, exchanges }, without those of discovery. */
async function kubectl(line) {
  const first = proxy.exchanges.length;
  const args = ['--server', proxy.url, '--cache-dir', join(server.dir, 'cache'), '-n', 'default', ...line.split(' ')];
  const { stdout, stderr } = await run(binary, args).catch((error) => error);
  const exchanges = proxy.exchanges.slice(first).filter(({ path }) => !/^\/(api|apis)(\/[^/]+)?(\/v\w+)?(\?timeout=\w+)?$|^\/version/.test(path));
  return { stdout, stderr, exchanges };
}

/** Returns "POST /path sends one type, wants another, and is answered with 201 and a third". */
const told = ({ method, path, headers, status, answerType }) =>
  [method, path.split('?')[0], headers['content-type'] ?? '-', headers.accept, status, answerType].join(' ');

const kCore = '/api/v1/namespaces/default';
const kRbac = '/apis/rbac.authorization.k8s.io/v1';

for (const [line, name, path] of [
  ['namespace forms', 'namespace/forms', '/api/v1/namespaces'],
  ['clusterrole reader --verb=get --resource=pods', 'clusterrole.rbac.authorization.k8s.io/reader', `${kRbac}/clusterroles`],
  ['clusterrolebinding reads --clusterrole=reader --user=jane', 'clusterrolebinding.rbac.authorization.k8s.io/reads', `${kRbac}/clusterrolebindings`],
  ['role r --verb=get,list --resource=pods', 'role.rbac.authorization.k8s.io/r', `${kRbac}/namespaces/default/roles`],
  ['rolebinding rb --role=r --serviceaccount=default:sa', 'rolebinding.rbac.authorization.k8s.io/rb', `${kRbac}/namespaces/default/rolebindings`],
  ['configmap a --from-literal=x=y', 'configmap/a', `${kCore}/configmaps`],
  ['secret generic s --from-literal=password=pw', 'secret/s', `${kCore}/secrets`],
  ['secret docker-registry d --docker-username=u --docker-password=p', 'secret/d', `${kCore}/secrets`],
  ['serviceaccount sa', 'serviceaccount/sa', `${kCore}/serviceaccounts`],
  ['service clusterip c --tcp=80:http', 'service/c', `${kCore}/services`],
  ['service nodeport n --tcp=80:80', 'service/n', `${kCore}/services`],
  ['service loadbalancer l --tcp=80:80', 'service/l', `${kCore}/services`],
  ['service externalname e --external-name=example.com', 'service/e', `${kCore}/services`],
  ['quota q --hard=pods=3,requests.cpu=1500m', 'resourcequota/q', `${kCore}/resourcequotas`],
  ['deployment web --image=nginx:1 --replicas=2', 'deployment.apps/web', '/apis/apps/v1/namespaces/default/deployments'],
  ['job j --image=busybox -- date -u', 'job.batch/j', '/apis/batch/v1/namespaces/default/jobs'],
  ['cronjob cj --image=busybox --schedule=@daily -- date', 'cronjob.batch/cj', '/apis/batch/v1/namespaces/default/cronjobs'],
  ['ingress i --rule=example.com/path=c:80', 'ingress.networking.k8s.io/i', '/apis/networking.k8s.io/v1/namespaces/default/ingresses'],
  ['poddisruptionbudget p --selector=app=web --min-available=50%', 'poddisruptionbudget.policy/p', '/apis/policy/v1/namespaces/default/poddisruptionbudgets'],
  ['priorityclass high --value=5', 'priorityclass.scheduling.k8s.io/high', '/apis/scheduling.k8s.io/v1/priorityclasses'],
]) {
  test(`create ${line.split(' --')[0]} posts protobuf and reads protobuf`, async () => {
    const { stdout, exchanges } = await kubectl(`create ${line}`);
    assert.equal(stdout, `${name} created\n`);
    const post = exchanges.at(-1);
    assert.equal(told(post), `POST ${path} ${kProtobuf} ${kProtobufOrJson} 201 ${kProtobuf}`);
    // The package decodes both, and the server kept what was sent.
    const [sent, stored] = [decode(post.body, kProtobuf), decode(post.answer, kProtobuf)];
    assert.equal(stored.kind, sent.kind);
    assert.equal(stored.metadata.name, sent.metadata.name);
    assert.match(stored.metadata.uid, /^[0-9a-f-]{36}$/);
  });
}

test('a refusal comes in protobuf too', async () => {
  const { stderr, exchanges } = await kubectl('create configmap a');
  assert.equal(stderr, 'error: failed to create configmap: configmaps "a" already exists\n');
  assert.equal(told(exchanges.at(-1)), `POST ${kCore}/configmaps ${kProtobuf} ${kProtobufOrJson} 409 ${kProtobuf}`);
  const status = decode(exchanges.at(-1).answer, kProtobuf);
  assert.deepEqual([status.kind, status.reason, status.details], ['Status', 'AlreadyExists', { name: 'a', kind: 'configmaps' }]);
});

test('auth can-i, can-i --list and whoami', async () => {
  const reviews = '/apis/authorization.k8s.io/v1';
  const one = await kubectl('auth can-i create deployments.apps');
  assert.equal(one.stdout, 'yes\n');
  assert.deepEqual(one.exchanges.map(told), [`POST ${reviews}/selfsubjectaccessreviews ${kProtobuf} ${kProtobufOrJson} 201 ${kProtobuf}`]);
  const review = decode(one.exchanges[0].answer, kProtobuf);
  // The real server tracks the fields of reviews too.
  assert.deepEqual(review.metadata.managedFields.map((entry) => entry.fieldsV1), [
    { 'f:spec': { 'f:resourceAttributes': { '.': {}, 'f:group': {}, 'f:namespace': {}, 'f:resource': {}, 'f:verb': {} } } },
  ]);
  delete review.metadata.managedFields;
  assert.deepEqual(review, {
    kind: 'SelfSubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec: { resourceAttributes: { namespace: 'default', verb: 'create', group: 'apps', resource: 'deployments' } },
    status: { allowed: true },
  });
  assert.equal((await kubectl('auth can-i get /metrics')).stdout, 'yes\n');
  const all = await kubectl('auth can-i --list');
  assert.match(all.stdout, /^\*\.\* +\[\] +\[\] +\[\*\]\n +\[\*\] +\[\] +\[\*\]\n$/m);
  assert.deepEqual(all.exchanges.map(told), [`POST ${reviews}/selfsubjectrulesreviews ${kProtobuf} ${kProtobufOrJson} 201 ${kProtobuf}`]);
  const me = await kubectl('auth whoami');
  assert.match(me.stdout, /^Username +system:anonymous\nGroups +\[system:unauthenticated\]$/m);
  assert.deepEqual(me.exchanges.map(told), [
    `POST /apis/authentication.k8s.io/v1/selfsubjectreviews ${kProtobuf} ${kProtobufOrJson} 201 ${kProtobuf}`,
  ]);
});

for (const [line, prints, ...exchanges] of [
  ['get configmaps', /^NAME +DATA +AGE\na +1 +\d+s\n$/, `GET ${kCore}/configmaps - ${kTable} 200 application/json`],
  [
    'scale deployment web --replicas=3',
    /^deployment.apps\/web scaled\n$/,
    'GET /apis/apps/v1/namespaces/default/deployments/web - application/json 200 application/json',
    'PATCH /apis/apps/v1/namespaces/default/deployments/web/scale application/merge-patch+json application/json, */* 200 application/json',
  ],
  [
    'expose deployment web --port=80',
    /^service\/web exposed\n$/,
    'GET /apis/apps/v1/namespaces/default/deployments/web - application/json, */* 200 application/json',
    `POST ${kCore}/services application/json application/json, */* 201 application/json`,
  ],
  ['run once --image=busybox --restart=Never', /^pod\/once created\n$/, `POST ${kCore}/pods application/json application/json, */* 201 application/json`],
  [
    'label deployment web tier=front',
    /^deployment.apps\/web labeled\n$/,
    'GET /apis/apps/v1/namespaces/default/deployments/web - application/json 200 application/json',
    'PATCH /apis/apps/v1/namespaces/default/deployments/web application/merge-patch+json application/json 200 application/json',
  ],
  [
    'autoscale deployment web --max=3',
    /^horizontalpodautoscaler.autoscaling\/web autoscaled\n$/,
    'GET /apis/apps/v1/namespaces/default/deployments/web - application/json 200 application/json',
    `POST /apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers ${kProtobuf} ${kProtobufOrJson} 201 ${kProtobuf}`,
  ],
  [
    'rollout history deployment web',
    /No rollout history found\.\n/,
    'GET /apis/apps/v1/namespaces/default/deployments/web - application/json, */* 200 application/json',
    `GET /apis/apps/v1/namespaces/default/deployments/web - ${kProtobufOrJson} 200 ${kProtobuf}`,
    `GET /apis/apps/v1/namespaces/default/replicasets - ${kProtobufOrJson} 200 ${kProtobuf}`,
  ],
]) {
  test(line.split(' --')[0], async () => {
    const { stdout, exchanges: made } = await kubectl(line);
    assert.match(stdout, prints);
    assert.deepEqual(made.map(told), exchanges);
  });
}

test('rollout status watches until its time is up', async () => {
  const { stdout, stderr, exchanges } = await kubectl('rollout status deployment web --timeout=1s');
  assert.match(stdout, /^Waiting for deployment /);
  assert.equal(stderr, 'error: timed out waiting for the condition\n');
  assert.ok(exchanges.some(({ path, status }) => path.includes('watch=true') && status === 200));
});

test('describe reads objects, their sets and their events in protobuf', async () => {
  const { stdout, exchanges } = await kubectl('describe deployment web');
  assert.match(stdout, /^Replicas: +3 desired \| 0 updated \| 0 total \| 0 available \| 0 unavailable$/m);
  const made = exchanges.map(told);
  for (const path of ['/apis/apps/v1/namespaces/default/deployments/web', '/apis/apps/v1/namespaces/default/replicasets', `${kCore}/events`]) {
    assert.ok(made.includes(`GET ${path} - ${kProtobufOrJson} 200 ${kProtobuf}`), `${path} in ${made.join('\n')}`);
  }
});

test('what needs metrics says that there are none', async () => {
  for (const what of ['pods', 'nodes']) assert.equal((await kubectl(`top ${what}`)).stderr, 'error: Metrics API not available\n');
});

test('explain reads OpenAPI', async () => {
  const { stdout } = await kubectl('explain pods.spec.containers.image');
  assert.match(stdout, /^FIELD: image <string>$/m);
});
