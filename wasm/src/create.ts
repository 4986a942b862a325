import type { Cluster } from './cluster.js';
import { startCluster } from './start.js';
import type { ClusterOptions, KeptCluster, KeptClusterOptions } from './options.js';

/**
 * Makes a cluster with the objects of every new cluster (the namespaces default, kube-system, …) and those of `load`.
 *
 * ```ts
 * const cluster = await createCluster({ load: yamlText, seed: 1, now: '2026-01-01T00:00:00Z' });
 * ```
 */
export function createCluster(options?: ClusterOptions & { persist?: undefined }): Promise<Cluster>;
/**
 * Makes a cluster that the browser keeps in IndexedDB, or goes on with the one that is there, without `load` and
 * `snapshot`. What was answered as written is there after a reload or a crash. Pages and workers share it; the options of
 * the one that holds it count.
 *
 * ```ts
 * const cluster = await createCluster({ persist: { indexedDB: 'shop' }, load: yamlText });
 * ```
 */
export function createCluster(options: KeptClusterOptions): Promise<KeptCluster>;
export async function createCluster(options: ClusterOptions & { persist?: KeptClusterOptions['persist'] | undefined } = {}): Promise<Cluster | KeptCluster> {
  const { persist, ...others } = options ?? {};
  if (persist === undefined) return startCluster(options && others);
  const { keptCluster } = kept ?? (await import('./kept.js'));
  return keptCluster({ ...others, persist }, startCluster);
}

type Kept = typeof import('./kept.js');

/** A part of its own, which is loaded when it is needed; unless it is here already. */
let kept: Kept | undefined;

/** @internal For service workers, which may load nothing later. */
export function provideKept(part: Kept): void {
  kept = part;
}
