/**
 * Jest: a cluster for each file of tests, and a fork of it for each test, in every environment (node, jsdom), with
 * CommonJS and with modules.
 *
 * ```ts
 * const { useCluster } = require('tabernetes/jest');
 *
 * const cluster = useCluster({ load: manifests, origin: 'http://localhost:8001' });
 * test('it lists', async () => {
 *   const list = await (await fetch('http://localhost:8001/api/v1/pods')).json();
 *   expect(list.items).toHaveLength(1);
 * });
 * ```
 *
 * @module tabernetes/jest
 */
import type { Cluster } from '../index.js';
import { outerRealm } from './outer-realm.js';
import { type Hooks, type UseClusterOptions, useClusterWith } from './test-cluster.js';

export type { RouteOptions } from './routes.js';
export type { UseClusterOptions } from './test-cluster.js';

/**
 * Makes a cluster for this file, and a fork of it for each test. Returns the present test's fork. With `origin` or
 * `prefix`, the global `fetch` and `WebSocket` reach it; jsdom, which has no `fetch`, then gets that of Node.js and what
 * belongs to it (`Response`, `Headers`, `TextDecoder`, streams).
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
  const { beforeAll, beforeEach, afterEach, afterAll } = globalThis as unknown as Hooks;
  if (typeof beforeAll !== 'function') throw new Error('tabernetes: useCluster is for files of tests, with the globals of Jest (injectGlobals)');
  if (options.origin !== undefined || options.prefix !== undefined) supplyMissing();
  return useClusterWith({ beforeAll, beforeEach, afterEach, afterAll }, options);
}

const kOfFetch = ['Headers', 'Request', 'Response', 'ReadableStream', 'TransformStream', 'TextEncoder', 'TextDecoder', 'TextDecoderStream'] as const;

function supplyMissing(): void {
  const realm = outerRealm();
  for (const name of kOfFetch) {
    if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value: realm[name], configurable: true, writable: true });
  }
}
