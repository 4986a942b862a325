// Actions that were done off the record while recording: a runner must repeat them.

const kMergePatch = { 'content-type': 'application/merge-patch+json' };
const kJsonPatch = { 'content-type': 'application/json-patch+json' };

const label = (namespace, labels) => ({
  method: 'PATCH',
  path: `/api/v1/namespaces/${namespace}`,
  headers: kMergePatch,
  body: { metadata: { labels } },
});

const addToCrd = (name, path, value) => ({
  method: 'PATCH',
  path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`,
  headers: kJsonPatch,
  body: [{ op: 'add', path: `/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/${path}`, value }],
});

// While the recorded requests waited, the real server renewed a lease of its own.
const renewLease = () => ({
  method: 'POST',
  path: '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases',
  body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'apiserver' } },
});

// Finds the names of generated objects, which no recorded answer contains before they are used.
const findNames = (before, path, names) => ({
  before,
  names,
  request: () => ({ method: 'GET', path }),
  replayed: JSON.stringify({ items: names.map((name) => ({ metadata: { name } })) }),
});

/** @type {Record<string, {before: number, compact?: boolean, advance?: number, request?: () => object, names?: string[], replayed?: string}>} */
const kOffRecord = {
  'content/gzip': {
    before: 2,
    request: () => ({
      method: 'POST',
      path: '/api/v1/namespaces/g-gzip/configmaps',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'big' }, data: { blob: 'x'.repeat(140_000) } },
    }),
  },
  'errors/pod-security': {
    before: 0,
    request: () => label('g-pod-security', {
      'pod-security.kubernetes.io/enforce': 'baseline',
      'pod-security.kubernetes.io/warn': 'restricted',
    }),
  },
  'kinds-config-policy/vap-enforced': { before: 0, request: () => label('g-vap-enforced', { vap: 'g-vap-enforced' }) },
  'crd/defaulting': {
    before: 4,
    request: () => addToCrd('gadgets.g5.example.com', 'later', { type: 'string', default: 'added later' }),
  },
  'crd/ratcheting': { before: 2, request: () => addToCrd('gadgets.g7.example.com', 'a/maxLength', 3) },
  'list/rv-compacted': { before: 6, compact: true },
  'list/rv-future': { before: 3, request: renewLease },
  'watch/watch-encodings': { before: 8, request: renewLease },
  'controllers/job-failed': findNames(1, '/api/v1/namespaces/g-job-failed/pods', ['once-{{suffix:1}}']),
  'controllers/pdb': findNames(1, '/api/v1/namespaces/g-pdb/pods', ['rs-{{suffix:1}}', 'rs-{{suffix:2}}']),
  // Another object was written at that moment.
  'controllers/deployment': { before: 12, request: renewLease },
  'controllers/job-indexed': { before: 2, request: renewLease },
  'controllers/namespace': { before: 6, request: renewLease },
  // The server wrote the status meanwhile.
  'kinds-config-policy/flowschema': { before: 1, advance: 10 },
  'controllers/statefulset': findNames(7, '/api/v1/namespaces/g-statefulset/pods', ['db-{{ordinal:1}}', 'db-{{ordinal:2}}']),
};

/**
 * Returns the action before a step, if any. `names` are templates that the names of the listed objects must match, one
 * each.
 * @param {string} scenario topic/name @param {number} step
 */
export function offRecordBefore(scenario, step) {
  const entry = kOffRecord[scenario];
  return entry && entry.before === step ? { ...entry, request: entry.request?.() } : null;
}
