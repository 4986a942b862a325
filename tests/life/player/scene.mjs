// The scene of a replay: the nodes that are there before it, and what is taken away after it.

import { lookup } from './objects.mjs';
import { pathOf } from './resources.mjs';

const kMerge = 'application/merge-patch+json';
const kCapacity = { cpu: '4', memory: '8Gi', pods: '110' };

const nameOf = (node) => node.metadata?.name ?? node;

const labelsOf = (name) => ({
  'kubernetes.io/hostname': name,
  'kubernetes.io/os': 'linux',
  'kubernetes.io/arch': 'amd64',
  'beta.kubernetes.io/os': 'linux',
  'beta.kubernetes.io/arch': 'amd64',
  'topology.kubernetes.io/zone': `z${name.replace(/\D/g, '')}`,
});

function makeNode(api, name, labels, isSimulated) {
  const annotations = { 'node.alpha.kubernetes.io/ttl': '0', ...(isSimulated ? { 'kwok.x-k8s.io/node': 'fake' } : {}) };
  const status = { capacity: kCapacity, allocatable: kCapacity };
  return api.request('POST', pathOf('nodes'), { body: { apiVersion: 'v1', kind: 'Node', metadata: { name, labels, annotations }, status } });
}

/** Brings a node that is there back to what recordings begin with. */
async function tidyNode(api, name, labels, node) {
  const path = pathOf('nodes', '', name);
  const isState = ({ key }) => key.startsWith('node.kubernetes.io/') && key !== 'node.kubernetes.io/unschedulable';
  const spec = { taints: (node.spec?.taints ?? []).filter(isState), unschedulable: null };
  await api.patch(path, { metadata: { labels }, spec }, kMerge);
  if (Object.keys(kCapacity).every((key) => node.status?.allocatable?.[key] === kCapacity[key])) return;
  await api.patch(`${path}/status`, { status: { capacity: kCapacity, allocatable: kCapacity } }, kMerge);
}

/** Whether so many nodes are ready, and their taints say so too. */
async function areReady(api, count) {
  const { json } = await api.get(pathOf('nodes'));
  const isReady = (node) =>
    lookup(node, 'status.conditions[type=Ready].status') === 'True' && !(node.spec?.taints ?? []).some(({ key }) => key === 'node.kubernetes.io/not-ready');
  return (json?.items ?? []).filter(isReady).length >= count;
}

/**
 * Makes the nodes of a recording, or makes them as it found them, and waits until they are ready.
 * @param {object | false} kubelets that work for them; without, the server simulates them
 */
export async function prepareNodes(api, clock, nodes, kubelets) {
  for (const node of nodes) {
    const name = nameOf(node);
    const labels = node.metadata?.labels ?? labelsOf(name);
    const { code, json } = await api.get(pathOf('nodes', '', name));
    if (code === 404) await makeNode(api, name, labels, !kubelets);
    else await tidyNode(api, name, labels, json);
    if (kubelets) await kubelets.start(name);
  }
  for (let i = 0; nodes.length && i < 50 && !(await areReady(api, nodes.length)); i++) await clock.sleep(0.1);
}

/** Deletes an object and waits until it is gone, in real time; finalizers that nobody removes are removed. */
async function remove(api, clock, path) {
  if ((await api.get(path)).code !== 200) return;
  await api.deleteNow(path);
  for (let i = 0; i < 150; i++) {
    const { code, json } = await api.get(path);
    if (code !== 200) return;
    if (i === 10 && json?.metadata?.finalizers) await api.patch(path, { metadata: { finalizers: null } }, kMerge);
    await clock.sleep(0.2);
  }
  console.log(`  ${path} does not go away`);
}

/** Deletes a namespace's pods until it is gone: no kubelet is left to end them. */
async function removePods(api, clock, namespace) {
  const path = pathOf('namespaces', '', namespace);
  if ((await api.request('DELETE', path)).code >= 400) return;
  for (let i = 0; i < 20; i++) {
    const pods = (await api.get(pathOf('pods', namespace))).json?.items ?? [];
    for (const { metadata } of pods) await api.deleteNow(pathOf('pods', namespace, metadata.name));
    if (!pods.length && (await api.get(path)).code === 404) return;
    await clock.sleep(0.2);
  }
}

/** Deletes the namespace of a recording and the cluster-scoped objects that it makes. */
export async function clearScene(api, clock, { namespace, initialNodes, events }, { playsKubelets }) {
  if (playsKubelets) await removePods(api, clock, namespace);
  await remove(api, clock, pathOf('namespaces', '', namespace));
  const stay = new Set(initialNodes.map(nameOf));
  for (const kind of ['persistentvolumes', 'storageclasses', 'priorityclasses', 'nodes']) {
    const made = events.filter((event) => event.kind === kind && event.type === 'ADDED').map(({ object }) => object.metadata.name);
    for (const name of new Set(made)) if (!stay.has(name)) await remove(api, clock, pathOf(kind, '', name));
  }
}
