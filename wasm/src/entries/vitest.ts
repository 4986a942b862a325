/**
 * Vitest: a cluster for each file of tests, and a fork of it for each test, in every environment (node, jsdom, happy-dom).
 *
 * ```ts
 * import { expect, test } from 'vitest';
 * import { useCluster } from 'tabernetes/vitest';
 *
 * const cluster = useCluster({ load: manifests, origin: 'http://localhost:8001' });
 * test('it lists', async () => {
 *   const list = await (await fetch('http://localhost:8001/api/v1/pods')).json();
 *   expect(list.items).toHaveLength(1);
 * });
 * ```
 *
 * @module tabernetes/vitest
 */
import * as vitest from 'vitest';
import { createCluster, type Cluster } from '../index.js';
import type { ClusterOptions } from '../options.js';
import { type UseClusterOptions, useClusterWith } from './test-cluster.js';

export type { RouteOptions } from './routes.js';
export type { UseClusterOptions } from './test-cluster.js';

/**
 * Makes a cluster for this file, and a fork of it for each test. Returns the present test's fork. With `origin` or
 * `prefix`, the global `fetch` and `WebSocket` reach it.
 *
 * ```ts
 * const cluster = useCluster({ load: manifests });
 * test('a deletion', async () => {
 *   await deletePod(cluster.fetch, 'web');
 *   await cluster.requests.next({ verb: 'delete', resource: 'pods' });
 * });
 * ```
 */
export function useCluster(options: UseClusterOptions = {}): Cluster {
  return useClusterWith(vitest, options);
}

/**
 * Returns a fixture for `test.extend`, for tests that run at once (`test.concurrent`): each has a fork of its own.
 *
 * ```ts
 * const test = base.extend(fixtures({ load: manifests }));
 * test.concurrent('a deletion', async ({ cluster }) => {
 *   await deletePod(cluster.fetch, 'web');
 * });
 * ```
 */
export function fixtures(options: ClusterOptions = {}): { cluster: (context: object, use: (cluster: Cluster) => Promise<void>) => Promise<void> } {
  let filled: Promise<Cluster> | undefined;
  return {
    cluster: async ({}: object, use) => {
      const cluster = (await (filled ??= createCluster(options))).fork();
      try {
        await use(cluster);
      } finally {
        cluster.dispose();
      }
    },
  };
}
