// Tests cluster.explain: why a request is, or would be, answered as it is.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configMap, createCluster, kConfigMaps, kReproducible } from './support.mjs';

const kRbac = 'rbac.authorization.k8s.io';
const role = { apiVersion: `${kRbac}/v1`, kind: 'Role', metadata: { name: 'r' }, rules: [
  { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['web'] },
  { verbs: ['create'], apiGroups: [''], resources: ['configmaps', 'pods'] },
] };
const bindingTo = (name, roleName, subject) => ({
  apiVersion: `${kRbac}/v1`, kind: 'RoleBinding', metadata: { name }, roleRef: { apiGroup: kRbac, kind: 'Role', name: roleName }, subjects: [subject],
});

let cluster;
before(async () => {
  cluster = await createCluster({ ...kReproducible, authorizationMode: 'Node,RBAC' });
  await cluster.load([role, bindingTo('b', 'r', { kind: 'User', name: 'jane', apiGroup: kRbac }), bindingTo('c', 'gone', { kind: 'Group', name: 'devs', apiGroup: kRbac })]);
});
after(() => cluster.dispose());

const ownBindings = ({ authorizers }) => authorizers.at(-1).bindings.filter(({ kind }) => kind === 'RoleBinding');

test('a refusal: what each rule of each binding lacks', async () => {
  const explained = await cluster.explain({ verb: 'create', resource: 'deployments', namespace: 'default', user: 'jane' });
  assert.deepEqual(explained.user, { username: 'jane', groups: ['system:authenticated'] });
  assert.deepEqual(explained.action, { verb: 'create', group: 'apps', version: 'v1', resource: 'deployments', namespace: 'default' });
  assert.equal(explained.allowed, false);
  assert.deepEqual(explained.authorizers.map(({ authorizer, verdict }) => [authorizer, verdict]), [['Node', 'NoOpinion'], ['RBAC', 'NoOpinion']]);
  assert.deepEqual(ownBindings(explained), [{
    kind: 'RoleBinding', namespace: 'default', name: 'b',
    subject: { kind: 'User', apiGroup: kRbac, name: 'jane' },
    roleRef: { apiGroup: kRbac, kind: 'Role', name: 'r' },
    rules: [
      { rule: role.rules[0], covers: false, differs: ['verbs', 'resourceNames'] },
      { rule: role.rules[1], covers: false, differs: ['apiGroups', 'resources'] },
    ],
  }]);
});

test('a permission, a missing role, a path, the one who may do everything', async () => {
  const allowed = await cluster.explain({ verb: 'create', resource: 'pods', namespace: 'default', user: { user: 'jane', groups: ['devs'] } });
  assert.equal(allowed.allowed, true);
  assert.equal(allowed.reason, 'RBAC: allowed by RoleBinding "b/default" of Role "r" to User "jane"');
  const [granted, missing] = ownBindings(allowed);
  assert.deepEqual(granted.rules.map(({ covers }) => covers), [false, true]);
  assert.equal(missing.missing, true);
  assert.equal((await cluster.explain({ verb: 'get', path: '/healthz' })).allowed, true);
  const master = await cluster.explain({ verb: 'delete', resource: 'nodes', user: { user: 'root', groups: ['system:masters'] } });
  assert.deepEqual(master.authorizers, [{ authorizer: 'system:masters', verdict: 'Allow' }]);
});

test('a request: access, what admission changes, the answer; nothing is written', async () => {
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: { containers: [{ name: 'a', image: 'b' }] } };
  const target = '/api/v1/namespaces/default/pods';
  const labels = { 'pod-security.kubernetes.io/enforce': 'baseline' };
  await cluster.load({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default', labels } });
  const onHost = { ...object, spec: { ...object.spec, hostNetwork: true } };
  const refused = await cluster.explain({ method: 'POST', target, object: onHost, user: 'jane' });
  assert.equal(refused.access.allowed, true);
  const refusal = 'pods "x" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)';
  assert.deepEqual(refused.admission.at(-1), { phase: 'validating', plugin: 'PodSecurity', resource: 'pods', refusal });
  assert.deepEqual([refused.answer.code, refused.answer.body.message], [403, refusal]);
  const { admission, answer, annotations } = await cluster.explain({ method: 'POST', target, object, user: 'jane' });
  assert.equal(answer.code, 201);
  assert.equal(annotations['authorization.k8s.io/decision'], 'allow');
  const changes = Object.fromEntries(admission.filter(({ patch }) => patch).map(({ plugin, patch }) => [plugin, patch.map(({ op, path }) => `${op} ${path}`)]));
  assert.deepEqual(changes.Priority, ['add /spec/priority', 'add /spec/preemptionPolicy']);
  assert.deepEqual(changes.DefaultTolerationSeconds, ['add /spec/tolerations']);
  assert.equal((await cluster.as({ user: 'root', groups: ['system:masters'] }).fetch(`${target}/x`)).status, 404);
});

test('what a function of admission changes, and a request of the log', async () => {
  const remove = cluster.admission.mutating('m', ({ request }) => {
    request.object.data.added = 'x';
  });
  const jane = cluster.as({ user: 'jane' });
  await jane.fetch(kConfigMaps, { method: 'POST', body: JSON.stringify(configMap('logged')) });
  const logged = await cluster.requests.next({ verb: 'create', resource: 'configmaps' });
  const again = await cluster.explain(logged);
  assert.deepEqual(again.admission.find(({ plugin }) => plugin === 'MutatingAdmissionWebhook').patch, [{ op: 'add', path: '/data/added', value: 'x' }]);
  assert.equal(again.answer.code, 409);
  assert.equal(again.access.user.username, 'jane');
  const patch = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' }, body: '{"data":{"key":"other"}}' };
  await cluster.as({ user: 'root', groups: ['system:masters'] }).fetch(`${kConfigMaps}/logged`, patch);
  const patched = await cluster.explain(await cluster.requests.next({ verb: 'patch' }));
  assert.deepEqual([patched.answer.code, patched.answer.body.data.key], [200, 'other']);
  remove();
});

test('questions that make no sense', async () => {
  const fails = (question, message) => assert.rejects(cluster.explain(question), { name: 'TypeError', message });
  await fails({ verb: 'get' }, 'tabernetes: a resource or a path is needed');
  await fails({ resource: 'pods' }, 'tabernetes: a verb is needed');
  await fails({ verb: 'get', resource: 'pods', path: '/x' }, 'tabernetes: a resource or a path is needed');
  await fails({ verb: 'get', ressource: 'pods' }, 'tabernetes: explain takes no "ressource", did you mean "resource"?');
  await fails({ method: 'GET', target: 'x' }, 'tabernetes: the body must have a path');
  await fails({ method: 'GET', target: '/api/v1/pods?watch=true' }, 'tabernetes: a watch cannot be tried');
  await fails({ method: 'POST', target: '/api/v1/namespaces/default/pods/x/exec' }, 'tabernetes: a connection cannot be tried');
  const { answer, access } = await cluster.explain({ method: 'GET', target: '/api/v1/namespaces' });
  assert.equal(answer.code, 403);
  assert.equal(access.user.username, 'system:anonymous');
});

test('how long it took, unless the time stands still', async () => {
  assert.equal((await cluster.explain({ verb: 'get', path: '/healthz' })).microseconds, undefined);
  const { now, ...running } = kReproducible;
  const timed = await createCluster(running);
  const target = '/api/v1/namespaces/default/pods';
  const { access, admission, microseconds } = await timed.explain({ method: 'POST', target, object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: { containers: [{ name: 'a', image: 'b' }] } } });
  const steps = admission.map((step) => step.microseconds);
  assert.ok([access.microseconds, ...steps].every((took) => took >= 0 && took <= microseconds), JSON.stringify([access.microseconds, steps, microseconds]));
  timed.dispose();
});
