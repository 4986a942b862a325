// Tests kubectl commands that use subresources: tokens, evictions, debugging, approval, logs.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { kubectlOf } from './kubectl_client.mjs';
import { startServer } from './server.mjs';

let server;
let kubectl, refused, fileOf;

before(async () => {
  server = await startServer('--seed', '1', '--nodes', '1');
  ({ kubectl, refused, fileOf } = kubectlOf(server));
  const pod = (name, more) =>
    `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, labels: {app: x}}\nspec: {containers: [{name: main, image: nginx}]${more}}\n`;
  const manifest = fileOf(
    [
      pod('idle', ''),
      pod('placed', ', nodeName: worker'),
      'apiVersion: v1\nkind: Node\nmetadata: {name: worker}\n',
      'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: robot}\n',
    ].join('---\n'),
  );
  await kubectl('create', '-f', manifest);
});
after(async () => assert.equal(await server.stop(), 0));

test('create token gives a token that the server knows', async () => {
  const token = await kubectl('create', 'token', 'robot', '--duration=20m');
  const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));
  assert.equal(claims.sub, 'system:serviceaccount:default:robot');
  assert.equal(claims.exp - claims.iat, 1200);
  // kubectl sends no token over plain http.
  const answer = await fetch(`${server.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}',
  });
  const { username, groups } = (await answer.json()).status.userInfo;
  assert.equal(username, claims.sub);
  assert.deepEqual(groups, ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated']);
});

test('create token for an account that is not there', async () => {
  assert.equal(await refused('create', 'token', 'none'), 'error: failed to create token: serviceaccounts "none" not found');
});

test('drain evicts what a budget allows', async () => {
  await kubectl('patch', 'pod', 'placed', '--subresource=status', '--type=merge', '-p', '{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}');
  await kubectl('create', 'poddisruptionbudget', 'all', '--selector=app=x', '--min-available=100%');
  await kubectl('patch', 'poddisruptionbudget', 'all', '--subresource=status', '--type=merge', '-p', '{"status":{"observedGeneration":1,"currentHealthy":1,"desiredHealthy":1,"disruptionsAllowed":0,"expectedPods":1}}');
  const said = await refused('drain', 'worker', '--force', '--timeout=2s');
  assert.match(said, /Cannot evict pod as it would violate the pod's disruption budget\./);
  await kubectl('delete', 'poddisruptionbudget', 'all');
  const drained = await kubectl('drain', 'worker', '--force', '--grace-period=0');
  assert.match(drained, /pod\/placed evicted\nnode\/worker drained$/);
});

test('debug adds an ephemeral container', async () => {
  await kubectl('debug', 'idle', '--image=busybox', '--container=dbg', '--attach=false');
  assert.equal(await kubectl('get', 'pod', 'idle', '-o', 'jsonpath={.spec.ephemeralContainers[*].name}'), 'dbg');
});

test('logs and exec of a pod without a node', async () => {
  assert.equal(await kubectl('logs', 'idle', '-c', 'main'), '');
  assert.equal(await refused('logs', 'idle', '-c', 'none'), 'error: container none is not valid for pod idle');
  assert.match(await refused('exec', 'idle', '-c', 'main', '--', 'ls'), /pod idle does not have a host assigned/);
});
