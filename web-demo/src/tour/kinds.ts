// The clusters that proofs need.
import type { Needs } from './sections';

export interface ClusterKind {
  featureGates: Record<string, boolean>;
  rbac: boolean;
}

/** The control loops that run: those that proofs ask for, so that nothing else changes a cluster. */
export const kControllers = 'namespace-controller,garbage-collector-controller';

/** Shown by the caller of every request where access is decided. */
export const kAdminToken = 'admin';
export const kTokens = 'admin,admin,1,"system:masters"\n';

const kKinds: Readonly<Record<Needs | 'plain', Partial<ClusterKind>>> = {
  plain: {},
  rbac: { rbac: true },
  cbor: { featureGates: { CBORServingAndStorage: true } },
  unsafe: { featureGates: { AllowUnsafeMalformedObjectDeletion: true } },
  'unsafe-rbac': { featureGates: { AllowUnsafeMalformedObjectDeletion: true }, rbac: true },
  'no-watch-list': { featureGates: { WatchList: false } },
  'no-compression': { featureGates: { APIResponseCompression: false } },
};

export function clusterKind(needs: Needs | undefined): ClusterKind {
  return { featureGates: {}, rbac: false, ...kKinds[needs ?? 'plain'] };
}
