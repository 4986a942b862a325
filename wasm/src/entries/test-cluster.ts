// What Vitest and Jest share: a cluster for each file of tests, and a fork of it for each test.
import { createCluster, type Cluster } from '../index.js';
import type { ClusterOptions } from '../options.js';
import { intercept } from './intercept.js';
import { checkOptionNames } from '../option-names.js';
import { kRouteOptions, type RouteOptions, Routes } from './routes.js';

/**
 * Options of `useCluster`: those of the cluster and, if the code under test calls the global `fetch` and `WebSocket`,
 * which URLs go to the cluster.
 *
 * ```ts
 * const options: UseClusterOptions = { load: manifests, origin: 'http://localhost:8001' };
 * ```
 */
export type UseClusterOptions = RouteOptions & ClusterOptions;

/** The hooks of a test runner. */
export interface Hooks {
  beforeAll(hook: () => Promise<void>): void;
  beforeEach(hook: () => void): void;
  afterEach(hook: () => void): void;
  afterAll(hook: () => void): void;
}

/** Registers the hooks. Returns the cluster of the test that runs. `make` makes the one that is forked. */
export function useClusterWith(hooks: Hooks, { origin, prefix, ...options }: UseClusterOptions = {}, make: (options: ClusterOptions) => Promise<Cluster> = createCluster): Cluster {
  checkOptionNames(options, kRouteOptions);
  const routes = origin === undefined && prefix === undefined ? undefined : new Routes({ ...(origin ? { origin } : {}), ...(prefix ? { prefix } : {}) });
  let filled: Cluster | undefined;
  let present: Cluster | undefined;
  let restore: (() => void) | undefined;
  hooks.beforeAll(async () => {
    filled = await make(options);
  });
  hooks.beforeEach(() => {
    present = filled!.fork();
    if (routes) restore = intercept(globalThis, () => present!, routes);
  });
  hooks.afterEach(() => {
    restore?.();
    restore = undefined;
    present?.dispose();
    present = undefined;
  });
  hooks.afterAll(() => {
    filled?.dispose();
    filled = undefined;
  });
  return present_(() => present ?? filled);
}

/** Returns a cluster that is always the present one. */
function present_(find: () => Cluster | undefined): Cluster {
  const found = () => {
    const cluster = find();
    if (!cluster) throw new Error('tabernetes: the cluster exists while tests run; use it in a test or hook');
    return cluster;
  };
  return new Proxy({} as Cluster, {
    get(_, name) {
      if (name === 'then') return undefined; // it is no promise
      const value = found()[name as keyof Cluster] as unknown;
      return typeof value === 'function' && name !== 'requests' ? (value.bind(found()) as unknown) : value;
    },
    has: (_, name) => name in found(),
  });
}
