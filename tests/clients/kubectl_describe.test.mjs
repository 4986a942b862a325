// Tests kubectl describe of the popular kinds, rollout history, and wait --for=delete.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { kubectlOf } from './kubectl_client.mjs';
import { startServer } from './server.mjs';

// Belongs to no Deployment at first, so the garbage collector must not run.
const kOwner = '00000000-0000-4000-8000-000000000001';
let server;
let kubectl, fileOf;

before(async () => {
  server = await startServer('--seed', '1', '--nodes', '1', '--controllers', 'serviceaccount,root-ca-cert-publisher,namespace,disruption', '--scheduler=false');
  ({ kubectl, fileOf } = kubectlOf(server));
  await kubectl('create', '-f', fileOf({ kind: 'List', apiVersion: 'v1', items: objects() }));
});
after(async () => assert.equal(await server.stop(), 0));

const object = (apiVersion, kind, name, more = {}, metadata = {}) => ({ apiVersion, kind, metadata: { name, ...metadata }, ...more });
const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'main', image: 'nginx:1', ports: [{ containerPort: 80 }] }] } };
const selector = { matchLabels: { app: 'x' } };

function objects() {
  const revision = (name, number, cause) =>
    object('apps/v1', 'ReplicaSet', name, { spec: { replicas: 0, selector, template } }, {
      labels: { app: 'x' },
      annotations: { 'deployment.kubernetes.io/revision': `${number}`, 'kubernetes.io/change-cause': cause },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: kOwner, controller: true }],
    });
  return [
    object('v1', 'ConfigMap', 'settings', { data: { colour: 'blue' } }),
    object('v1', 'Secret', 'password', { stringData: { word: 'four' } }),
    object('v1', 'ServiceAccount', 'robot'),
    object('v1', 'Pod', 'pod', { spec: { ...template.spec, nodeName: 'node-1' } }, { labels: { app: 'x' } }),
    object('v1', 'Service', 'front', { spec: { selector: { app: 'x' }, ports: [{ port: 80 }] } }),
    object('v1', 'PersistentVolume', 'disk', { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/d' } } }),
    object('v1', 'PersistentVolumeClaim', 'claim', { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }),
    object('v1', 'ResourceQuota', 'quota', { spec: { hard: { pods: '5' } } }),
    object('v1', 'LimitRange', 'limits', { spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] } }),
    object('apps/v1', 'Deployment', 'web', { spec: { replicas: 2, selector, template } }),
    object('apps/v1', 'StatefulSet', 'db', { spec: { serviceName: 'db', selector, template } }),
    object('apps/v1', 'DaemonSet', 'agent', { spec: { selector, template } }),
    object('batch/v1', 'Job', 'once', { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } }),
    object('batch/v1', 'CronJob', 'nightly', {
      spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } } },
    }),
    object('autoscaling/v2', 'HorizontalPodAutoscaler', 'scaler', { spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } } }),
    object('policy/v1', 'PodDisruptionBudget', 'budget', { spec: { minAvailable: 1, selector } }),
    object('networking.k8s.io/v1', 'Ingress', 'gate', {
      spec: { rules: [{ host: 'a.example', http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'front', port: { number: 80 } } } }] } }] },
    }),
    object('networking.k8s.io/v1', 'NetworkPolicy', 'wall', { spec: { podSelector: {}, policyTypes: ['Ingress'] } }),
    object('storage.k8s.io/v1', 'StorageClass', 'fast', { provisioner: 'example.com/fast' }),
    object('rbac.authorization.k8s.io/v1', 'Role', 'reader', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }),
    object('rbac.authorization.k8s.io/v1', 'RoleBinding', 'readers', { roleRef: { kind: 'Role', name: 'reader' }, subjects: [{ kind: 'User', name: 'eve' }] }),
    revision('web-1', 1, 'first'),
    revision('web-2', 2, 'second'),
  ];
}

const kDescribed = [
  ['configmap', 'settings', /^colour:\n----\nblue$/m],
  ['secret', 'password', /^word: {2}4 bytes$/m],
  ['serviceaccount', 'robot', /^Namespace: +default$/m],
  ['pod', 'pod', /^Node: +node-1\//m],
  ['service', 'front', /^IP: +10\.96\.\d+\.\d+$/m],
  ['persistentvolume', 'disk', /^Finalizers: +\[kubernetes\.io\/pv-protection\]$/m],
  ['persistentvolumeclaim', 'claim', /^Status: +Pending$/m],
  ['resourcequota', 'quota', /^Resource +Used +Hard$/m], // no controller has filled in its status
  ['limitrange', 'limits', /^Container +cpu +- +- +1 +1 +-$/m],
  ['deployment', 'web', /^Replicas: +2 desired/m],
  ['replicaset', 'web-1', /^Controlled By: +Deployment\/web$/m],
  ['statefulset', 'db', /^Update Strategy: +RollingUpdate$/m],
  ['daemonset', 'agent', /^Desired Number of Nodes Scheduled: 0$/m],
  ['job', 'once', /^Completion Mode: +NonIndexed$/m],
  ['cronjob', 'nightly', /^Schedule: +0 3 \* \* \*$/m],
  ['hpa', 'scaler', /^Max replicas: +3$/m],
  ['pdb', 'budget', /^Min available: +1$/m],
  ['ingress', 'gate', /^ +\/ +front:80/m],
  ['networkpolicy', 'wall', /^ +Policy Types: Ingress$/m],
  ['storageclass', 'fast', /^Provisioner: +example\.com\/fast$/m],
  ['role', 'reader', /^ +pods +\[\] +\[\] +\[get\]$/m],
  ['rolebinding', 'readers', /^ +User +eve/m],
  ['priorityclass', 'system-node-critical', /^Value: +2000001000$/m],
  ['node', 'node-1', /^ +pods: +110$/m],
  ['namespace', 'default', /^Status: +Active$/m],
];

for (const [kind, name, expected] of kDescribed) {
  test(`describe ${kind}`, async () => {
    const text = await kubectl('describe', kind, name);
    assert.match(text, new RegExp(`^Name: +${name}$`, 'm'));
    assert.match(text, expected);
  });
}

test('rollout history reads the revisions that stand', async () => {
  const uid = await kubectl('get', 'deployment', 'web', '-o', 'jsonpath={.metadata.uid}');
  for (const name of ['web-1', 'web-2']) {
    await kubectl('patch', 'replicaset', name, '--type=json', '-p', JSON.stringify([{ op: 'replace', path: '/metadata/ownerReferences/0/uid', value: uid }]));
  }
  const lines = (await kubectl('rollout', 'history', 'deployment/web')).split('\n');
  assert.deepEqual(lines.slice(1, 4).map((line) => line.split(/ +/).join(' ').trim()), ['REVISION CHANGE-CAUSE', '1 first', '2 second']);
  assert.match(await kubectl('rollout', 'history', 'deployment/web', '--revision=2'), /Image:\s+nginx:1/);
});

test('wait --for=delete ends when the finalizer does', async () => {
  const file = fileOf(object('v1', 'ConfigMap', 'held', {}, { finalizers: ['example.com/hold'] }));
  await kubectl('create', '-f', file);
  await kubectl('delete', 'configmap', 'held', '--wait=false');
  await assert.rejects(kubectl('wait', '--for=delete', 'configmap/held', '--timeout=1s'), /timed out waiting for the condition on configmaps\/held/);
  const waiting = kubectl('wait', '--for=delete', 'configmap/held', '--timeout=20s');
  while (!/^apiserver_longrunning_requests\{.*"configmaps".*\} 1$/m.test(await kubectl('get', '--raw', '/metrics'))) await setTimeout(20);
  await kubectl('patch', 'configmap', 'held', '--type=merge', '-p', '{"metadata":{"finalizers":null}}');
  assert.equal(await waiting, 'configmap/held condition met');
});
