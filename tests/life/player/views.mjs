// What of an object is compared: its view, without what the recorder's nodes or chance decided.

import { byType } from './objects.mjs';

const kZone = /^(topology\.kubernetes\.io\/(zone|region))$/;
const kKubelets = new Set(['Initialized', 'Ready', 'ContainersReady']);
const kStripped = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'selfLink', 'namespace', 'name']);
const kParts = ['metadata', 'kind', 'apiVersion', 'spec', 'status'];

const sorted = (list) => list && [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

function metadataView(object) {
  const metadata = { ...object.metadata };
  for (const key of kStripped) delete metadata[key];
  metadata.ownerReferences = sorted(metadata.ownerReferences);
  metadata.finalizers = metadata.finalizers && [...metadata.finalizers].sort();
  return metadata;
}

function podConditions(status, alive) {
  const done = ['Succeeded', 'Failed'].includes(status.phase);
  const conditions = {};
  for (const condition of status.conditions ?? []) {
    const kubelets = kKubelets.has(condition.type);
    if (condition.type === 'PodReadyToStartContainers' || (kubelets && (!alive || done))) continue;
    conditions[condition.type] = kubelets
      ? { status: condition.status }
      : { ...condition, lastTransitionTime: undefined, lastProbeTime: undefined };
  }
  return conditions;
}

function containersView(status, alive) {
  const containers = {};
  for (const { name, ready, state } of alive ? status.containerStatuses ?? [] : []) {
    containers[name] = { ready, state: Object.keys(state ?? {})[0], exitCode: state?.terminated?.exitCode };
  }
  return containers;
}

function podView(object, view, { fixedNode }, alive) {
  const spec = { ...object.spec };
  const status = object.status ?? {};
  for (const { projected } of spec.volumes ?? []) {
    if (projected) projected.sources = projected.sources.filter((source) => source.configMap?.name !== 'openshift-service-ca.crt');
  }
  if (!fixedNode) {
    if (spec.nodeName) spec.nodeName = '<node>';
    const labels = Object.entries(view.metadata.labels ?? {});
    view.metadata.labels = Object.fromEntries(labels.map(([key, value]) => [key, kZone.test(key) ? '<zone>' : value]));
  }
  if (!alive) delete view.metadata.generation;
  view.spec = spec;
  view.status = {
    conditions: podConditions(status, alive),
    qosClass: status.qosClass,
    nominatedNodeName: status.nominatedNodeName && '<node>',
  };
  const containers = containersView(status, alive);
  if (!alive) return view;
  Object.assign(view.status, {
    phase: status.phase,
    reason: status.reason,
    message: status.message,
    containers,
    ip: status.phase === 'Running' ? !!status.podIP : undefined,
    startTime: !!status.startTime,
  });
  return view;
}

function nodeView(object, { metadata }) {
  delete metadata.annotations?.['kwok.x-k8s.io/node'];
  const seen = (condition) =>
    condition.status === 'Unknown'
      ? { ...condition, lastHeartbeatTime: undefined, lastTransitionTime: undefined }
      : { status: condition.status };
  const listed = (object.status?.conditions ?? []).filter(({ type }) => type !== 'NetworkUnavailable');
  return {
    metadata,
    spec: { taints: sorted(object.spec?.taints), unschedulable: object.spec?.unschedulable },
    status: {
      conditions: Object.fromEntries(listed.map((condition) => [condition.type, seen(condition)])),
      capacity: object.status?.capacity,
      allocatable: object.status?.allocatable,
    },
  };
}

function subsetView(subset) {
  const somewhere = (list) => sorted(list.map((address) => ({ ...address, nodeName: address.nodeName && '<node>' })));
  const lists = ['addresses', 'notReadyAddresses'].filter((key) => subset[key]);
  return { ...subset, ...Object.fromEntries(lists.map((key) => [key, somewhere(subset[key])])) };
}

const endpointView = (endpoint) => ({
  ...endpoint,
  nodeName: endpoint.nodeName && '<node>',
  zone: endpoint.zone && '<zone>',
  hints: undefined,
});

/** What a resource's view has changed, beside what all have. */
const kAdjust = {
  secrets: (view, object) => {
    view.data = object.data && Object.fromEntries(Object.keys(object.data).map((key) => [key, '(data)']));
  },
  configmaps: (view, object) => {
    if (object.data?.['ca.crt']) view.data = { ...object.data, 'ca.crt': '(pem)' };
  },
  services: (view, object) => {
    const portless = (key, value) => (/^(nodePort|healthCheckNodePort)$/.test(key) && value ? '<port>' : value);
    view.spec = JSON.parse(JSON.stringify(object.spec, portless));
  },
  endpointslices: (view, object) => {
    view.endpoints = object.endpoints && sorted(object.endpoints.map(endpointView));
  },
  endpoints: (view, object) => {
    view.subsets = object.subsets && sorted(object.subsets.map(subsetView));
  },
  storageclasses: (view) => delete view.metadata.generation,
  priorityclasses: (view) => delete view.metadata.generation,
};

/**
 * Returns the comparable form of one version of an object.
 * @param {{fixedNode: boolean}} identity what identify() says of it
 * @param {boolean} alive whether it is there at the end
 */
export function viewOf(kind, object, identity, alive) {
  const view = { metadata: metadataView(object), spec: object.spec, status: object.status };
  for (const key of Object.keys(object)) if (!kParts.includes(key)) view[key] = object[key];
  if (kind === 'pods') return podView(object, view, identity, alive);
  if (kind === 'leases') return { metadata: { ownerReferences: view.metadata.ownerReferences } };
  if (kind === 'nodes') return nodeView(object, view);
  kAdjust[kind]?.(view, object);
  if (view.status?.conditions) view.status = { ...view.status, conditions: byType(view.status.conditions) };
  const references = [view.spec?.claimRef, ...(Array.isArray(view.status?.active) ? view.status.active : [])];
  for (const reference of references) if (reference?.resourceVersion) reference.resourceVersion = '<rv>';
  return view;
}

/**
 * Returns the conditions of an object, and whatever else of it walks through named states:
 * type → [status and reason, message].
 */
export function conditionsOf(kind, view, object) {
  const states = new Map();
  const conditions = kind === 'nodes' ? view.status.conditions : byType(object.status?.conditions);
  for (const [type, { status, reason, message }] of Object.entries(conditions ?? {})) {
    states.set(type, [`${status} ${reason ?? ''}`.trim(), message ?? '']);
  }
  if (/^(namespaces|persistentvolumes|persistentvolumeclaims)$/.test(kind)) states.set('phase', [object.status?.phase ?? '', '']);
  if (kind === 'nodes') {
    for (const { key, effect, value, timeAdded } of object.spec?.taints ?? []) {
      states.set(`taint ${key}:${effect}`, [`${value ?? ''}${timeAdded ? ' timeAdded' : ''}`, '']);
    }
    states.set('unschedulable', [String(!!object.spec?.unschedulable), '']);
  }
  return states;
}

/** Returns path → JSON of every leaf of a value; empty objects and lists are leaves, but for a few that may be missing. */
export function flatten(value, at = '', leaves = new Map()) {
  if (value === undefined) return leaves;
  if (value === null || typeof value !== 'object') return leaves.set(at, JSON.stringify(value));
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  const mayBeMissing = ['status', 'labels', 'annotations'].includes(at.split('.').at(-1));
  if (!keys.length && !mayBeMissing) leaves.set(at, Array.isArray(value) ? '[]' : '{}');
  for (const key of keys) flatten(value[key], at ? `${at}.${key}` : key, leaves);
  return leaves;
}
