// Tests admission webhooks that are functions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMap, create, createCluster, kConfigMaps, kReproducible } from './support.mjs';

let cluster;
test.beforeEach(async () => {
  cluster = await createCluster(kReproducible);
});
test.afterEach(() => cluster.dispose());

const refusal = async (response) => {
  const { code, reason, message } = await response.json();
  return { code, reason, message };
};

test('what a mutating function changes is the patch', async () => {
  const seen = [];
  cluster.admission.mutating('labels', (review) => {
    const { operation, object, oldObject, userInfo, dryRun } = review.request;
    seen.push([review.kind, operation, object.metadata.name, oldObject?.data?.key ?? null, userInfo.username, dryRun]);
    object.metadata.labels = { 'example.com/team': 'a' };
    object.metadata.annotations['example.com/a'] = 'x';
    object.data.added = 'x';
    delete object.data.key;
  });
  const made = await (await create(cluster, { ...configMap('one'), metadata: { name: 'one', annotations: { kept: 'y' } } })).json();
  assert.deepEqual(made.metadata.annotations, { 'example.com/a': 'x', kept: 'y' });
  assert.deepEqual(made.metadata.labels, { 'example.com/team': 'a' });
  assert.deepEqual(made.data, { added: 'x' });
  assert.deepEqual(seen, [['AdmissionReview', 'CREATE', 'one', null, 'system:anonymous', false]]);
  const { webhooks } = await (await cluster.fetch('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/labels')).json();
  assert.equal(webhooks[0].name, 'labels.functions.tabernetes.dev');
  assert.equal(webhooks[0].failurePolicy, 'Fail');
});

test('each form of an answer of a validating function', async () => {
  const answers = {
    nothing: undefined,
    yes: true,
    no: false,
    text: 'an owner is needed',
    status: { allowed: false, status: { code: 422, reason: 'Invalid', message: 'not like this' } },
    warned: { allowed: true, warnings: ['this is old'], auditAnnotations: { by: 'test' } },
  };
  cluster.admission.validating('check.example.com', async ({ request }) => {
    await null;
    request.object.data = {}; // has no effect
    return answers[request.name];
  });
  const prefix = 'admission webhook "check.example.com" denied the request';
  for (const name of ['nothing', 'yes']) assert.equal((await create(cluster, configMap(name))).status, 201);
  assert.deepEqual((await (await cluster.fetch(`${kConfigMaps}/yes`)).json()).data, { key: 'value' });
  const warned = await create(cluster, configMap('warned'));
  assert.equal(warned.headers.get('warning'), '299 - "this is old"');
  assert.deepEqual(await refusal(await create(cluster, configMap('no'))), { code: 400, reason: undefined, message: `${prefix} without explanation` });
  assert.deepEqual(await refusal(await create(cluster, configMap('text'))), { code: 400, reason: undefined, message: `${prefix}: an owner is needed` });
  assert.deepEqual(await refusal(await create(cluster, configMap('status'))), { code: 422, reason: 'Invalid', message: `${prefix}: not like this` });
});

test('an error is a failed call, which the policy judges', async () => {
  const fail = () => {
    throw new Error('the function broke');
  };
  const remove = cluster.admission.validating('a.b.c', fail, { timeoutSeconds: 3 });
  const { code, message } = await refusal(await create(cluster, configMap('one')));
  assert.equal(code, 500);
  assert.match(message, /^Internal error occurred: failed calling webhook "a\.b\.c": failed to call webhook: Post "https:\/\/admission\.tabernetes\.invalid\/validating\/a\.b\.c\?timeout=3s": the function broke$/);
  remove();
  cluster.admission.validating('a.b.c', fail, { failurePolicy: 'Ignore' });
  assert.equal((await create(cluster, configMap('one'))).status, 201);
});

test('rules choose, a patch is taken as it is, a second function replaces the first', async () => {
  const patch = [{ op: 'add', path: '/data/by', value: 'patch' }];
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
  const removeFirst = cluster.admission.mutating('x', () => 'never', { rules });
  const removeSecond = cluster.admission.mutating('x', () => ({ allowed: true, patch }), { rules });
  removeFirst(); // it has been replaced: no effect
  assert.deepEqual((await (await create(cluster, configMap('one'))).json()).data, { key: 'value', by: 'patch' });
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } };
  assert.equal((await create(cluster, secret, '/api/v1/namespaces/default/secrets')).status, 201);
  removeSecond();
  assert.deepEqual((await (await create(cluster, configMap('two'))).json()).data, { key: 'value' });
  assert.equal((await cluster.fetch('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/x')).status, 404);
});

test('a fork has the functions, and its own ones', async () => {
  cluster.admission.validating('never', () => 'no');
  const fork = cluster.fork();
  fork.admission.validating('never', () => true);
  assert.equal((await create(fork, configMap('one'))).status, 201);
  assert.equal((await create(cluster, configMap('one'))).status, 400);
  fork.dispose();
  const copy = await createCluster({ ...kReproducible, snapshot: cluster.snapshot() });
  assert.match((await refusal(await create(copy, configMap('one')))).message, /the function of this webhook is not in this cluster$/);
  copy.dispose();
});

test('misuse throws', () => {
  assert.throws(() => cluster.admission.validating('x', () => true, { failurepolicy: 'Fail' }), { message: 'tabernetes: admission.validating takes no "failurepolicy", did you mean "failurePolicy"?' });
  assert.throws(() => cluster.admission.validating('x', () => true, { reinvocationPolicy: 'Never' }), /takes no "reinvocationPolicy"/);
  assert.throws(() => cluster.admission.mutating('not a name', () => true), (error) => error.name === 'LoadError' && /metadata\.name: Invalid value: "not a name"/.test(error.message));
});
