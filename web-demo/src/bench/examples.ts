// The initial content of the patch bench: an object with several owners, and patches to try.
import { applyPatch, type KubernetesObject, serverSideApply } from 'tabernetes';

export type PatchKind = 'json' | 'merge' | 'strategic' | 'apply';

export interface Example {
  title: string;
  kind: PatchKind;
  manager: string;
  patch: string;
}

const kManifest = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: storefront
  namespace: shop
  labels:
    app: storefront
    tier: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app: storefront
  template:
    metadata:
      labels:
        app: storefront
    spec:
      containers:
      - name: web
        image: registry.example/storefront:1.4
        ports:
        - containerPort: 8080
        env:
        - name: GREETING
          value: hello
`;

/** Returns a Deployment that kubectl applied, an autoscaler scales and a pipeline added to. */
export function sampleObject(): KubernetesObject {
  const applied = serverSideApply<KubernetesObject>(null, kManifest, { manager: 'kubectl', now: '2026-01-05T09:00:00Z' }).object!;
  const scaled = applyPatch(withUid(applied), { spec: { replicas: 5 } }, {
    contentType: 'application/merge-patch+json',
    manager: 'autoscaler',
    now: '2026-01-05T10:12:00Z',
  });
  const sidecar = [{ name: 'log', image: 'registry.example/log:0.9' }];
  return applyPatch(scaled, { spec: { template: { spec: { containers: sidecar } } } }, {
    contentType: 'application/strategic-merge-patch+json',
    manager: 'pipeline',
    now: '2026-01-05T11:30:00Z',
  });
}

const withUid = (object: KubernetesObject): KubernetesObject => ({
  ...object,
  metadata: { ...(object.metadata as object), uid: '3f1c9a52-7c1e-4d52-9c57-0f6f2b1f7c11' },
});

export const kExamples: readonly Example[] = [
  {
    title: 'Apply: a conflict over replicas',
    kind: 'apply',
    manager: 'kubectl',
    patch: kManifest.replace('replicas: 2', 'replicas: 3').replace(':1.4', ':1.5'),
  },
  {
    title: 'Apply: fields given up',
    kind: 'apply',
    manager: 'kubectl',
    patch: kManifest.replace('    tier: web\n', '').replace('  replicas: 2\n', '').replace(/ {8}env:\n.*\n.*\n/, ''),
  },
  {
    title: 'Apply: a second manager adds a field',
    kind: 'apply',
    manager: 'team-policy',
    patch: 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: storefront\n  namespace: shop\n  labels:\n    cost-centre: shop\nspec:\n  template:\n    spec:\n      containers:\n      - name: web\n        env:\n        - name: REGION\n          value: eu\n',
  },
  {
    title: 'Strategic merge: items by their key',
    kind: 'strategic',
    manager: 'kubectl-patch',
    patch: 'spec:\n  template:\n    spec:\n      containers:\n      - name: web\n        image: registry.example/storefront:1.5\n      - name: log\n        $patch: delete\n      - name: metrics\n        image: registry.example/metrics:2.0\n',
  },
  {
    title: 'Merge patch: the same list, replaced',
    kind: 'merge',
    manager: 'kubectl-patch',
    patch: 'metadata:\n  labels:\n    tier: null\nspec:\n  template:\n    spec:\n      containers:\n      - name: web\n        image: registry.example/storefront:1.5\n',
  },
  {
    title: 'JSON Patch: operations one by one',
    kind: 'json',
    manager: 'kubectl-patch',
    patch: '- op: test\n  path: /spec/replicas\n  value: 5\n- op: replace\n  path: /spec/replicas\n  value: 4\n- op: add\n  path: /metadata/labels/patched\n  value: "yes"\n- op: move\n  from: /metadata/labels/tier\n  path: /metadata/labels/layer\n',
  },
];
