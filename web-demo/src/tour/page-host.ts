// Clusters for proofs inside this page: one base for each kind, and a fork of it for every proof.
import { type Cluster, compareResourceVersions, createCluster, decode, encode } from 'tabernetes';
import type { Codec, ProofHost } from './host';
import { clusterKind, kAdminToken, kControllers, kTokens } from './kinds';
import type { Needs } from './sections';
import { kNamespaces } from './short-forms';

export const pageCodec: Codec = { encode, decode, compareResourceVersions };

export interface PageHost extends ProofHost {
  dispose(): void;
}

const kBases = new Map<string, Promise<Cluster>>();

/** Returns a new cluster that has what a proof needs. */
export async function pageHost(needs: Needs | undefined): Promise<PageHost> {
  const { featureGates, rbac } = clusterKind(needs);
  const name = needs ?? '';
  let base = kBases.get(name);
  if (!base) {
    const load = kNamespaces.map((each) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: each } }));
    base = createCluster({ controllers: kControllers, scheduler: false, nodes: 0, featureGates, load, ...(rbac ? { authorizationMode: 'RBAC', tokenFile: kTokens } : {}) });
    kBases.set(name, base);
  }
  const cluster = (await base).fork();
  const token: [string, string][] = rbac ? [['Authorization', `Bearer ${kAdminToken}`]] : [];
  return {
    request: (request) => cluster.request({ ...request, headers: [...request.headers, ...token] }) as ReturnType<ProofHost['request']>,
    advance: async (milliseconds) => cluster.advance(milliseconds),
    compact: async () => cluster.compact(),
    corrupt: (path) => cluster.corrupt(path),
    dispose: () => cluster.dispose(),
  };
}
