// Tests kubectl against a server with RBAC: a user without rights, a service account with some, impersonation. kubectl
// sends tokens over TLS only, so a proxy adds it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { kubectl as findKubectl } from '../../tools/kubectl.mjs';
import { startServer } from './server.mjs';
import { tokenProxy } from './token_proxy.mjs';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'tabernetes-'));
let server;
let binary;

before(async () => {
  binary = findKubectl();
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, 'admin-token,admin,1,system:masters\njane-token,jane,2,devs\n');
  const flags = ['--authorization-mode', 'RBAC', '--token-auth-file', tokens, '--controllers', 'clusterrole-aggregation,serviceaccount'];
  server = await startServer('--seed', '1', ...flags);
});
after(async () => {
  rmSync(folder, { recursive: true });
  assert.equal(await server.stop(), 0);
});

/** Returns kubectl's output, stdout and stderr, for a caller with the token. */
async function kubectl(line, token = 'admin-token') {
  const proxy = await tokenProxy(server.url, token);
  const args = ['--server', proxy.url, '--cache-dir', join(folder, 'cache'), '-n', 'default', ...line.split(' ')];
  const { stdout, stderr } = await run(binary, args, { env: { ...process.env, KUBECONFIG: '/dev/null' } }).catch((error) => error);
  proxy.close();
  return stdout + stderr;
}

test('an admin may do everything', async () => {
  assert.equal(await kubectl('auth can-i delete pods'), 'yes\n');
  assert.match(await kubectl('auth whoami'), /^Username +admin\nUID +1\nGroups +\[system:masters system:authenticated\]$/m);
});

test('a user without rights is told what he may not do', async () => {
  assert.equal(
    await kubectl('get pods', 'jane-token'),
    'Error from server (Forbidden): pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"\n',
  );
  assert.equal(
    await kubectl('create configmap a', 'jane-token'),
    'error: failed to create configmap: configmaps is forbidden: User "jane" cannot create resource "configmaps" in API group "" in the namespace "default"\n',
  );
  assert.equal(await kubectl('auth can-i list pods', 'jane-token'), 'no\n');
  assert.match(await kubectl('get pods', 'wrong-token'), /You must be logged in to the server/);
});

test('a role that is bound opens what it says', async () => {
  await kubectl('create rolebinding jane-views --clusterrole=view --user=jane');
  assert.equal(await kubectl('get pods', 'jane-token'), 'No resources found in default namespace.\n');
  assert.equal(await kubectl('auth can-i list deployments.apps', 'jane-token'), 'yes\n');
  assert.equal(await kubectl('auth can-i list secrets', 'jane-token'), 'no\n');
  const all = await kubectl('auth can-i --list', 'jane-token');
  assert.match(all, /^pods +\[\] +\[\] +\[get list watch\]$/m);
  assert.match(all, /^selfsubjectaccessreviews\.authorization\.k8s\.io +\[\] +\[\] +\[create\]$/m);
  assert.match(all, /^ +\[\/healthz\] +\[\] +\[get\]$/m);
});

test('--as asks in the name of another', async () => {
  assert.equal(await kubectl('auth can-i list pods --as jane'), 'yes\n');
  assert.equal(await kubectl('auth can-i list pods --as joe'), 'no\n');
  assert.equal(await kubectl('auth can-i list pods --as joe --as-group system:masters'), 'yes\n');
  assert.equal(
    await kubectl('get --raw /api/v1/nodes --as joe', 'jane-token'),
    'Error from server (Forbidden): nodes is forbidden: User "jane" cannot impersonate-on:user-info:list resource "nodes" in API group "" at the cluster scope\n',
  );
});

test('a service account does with its token what its role says', async () => {
  await kubectl('create serviceaccount robot');
  await kubectl('create role reader --verb=get,list --resource=configmaps');
  await kubectl('create rolebinding robot-reads --role=reader --serviceaccount=default:robot');
  await kubectl('create configmap a --from-literal=x=y');
  const token = (await kubectl('create token robot')).trim();
  assert.match(await kubectl('get configmaps', token), /^a +1 +\d+s$/m);
  assert.equal(
    await kubectl('delete configmap a', token),
    'Error from server (Forbidden): configmaps "a" is forbidden: User "system:serviceaccount:default:robot" cannot delete resource "configmaps" in API group "" in the namespace "default"\n',
  );
  assert.match(await kubectl('auth whoami', token), /^Username +system:serviceaccount:default:robot$/m);
});

test('nobody grants what he does not have', async () => {
  await kubectl('create role grants --verb=create --resource=roles.rbac.authorization.k8s.io');
  await kubectl('create rolebinding jane-grants --role=grants --user=jane');
  assert.equal(
    await kubectl('create role more --verb=delete --resource=pods', 'jane-token'),
    'Error from server (Forbidden): roles.rbac.authorization.k8s.io "more" is forbidden: user "jane" (groups=["devs" "system:authenticated"]) ' +
      'is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}\n',
  );
  assert.equal(await kubectl('create role less --verb=get --resource=pods', 'jane-token'), 'role.rbac.authorization.k8s.io/less created\n');
});
