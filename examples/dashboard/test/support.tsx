// The dashboard in jsdom, whose requests MSW hands to a cluster in this process.
import { readFileSync } from 'node:fs';
import { render, screen, within } from '@testing-library/react';
import { setupServer } from 'msw/node';
import type { Cluster } from 'tabernetes';
import { handlers } from 'tabernetes/msw';
import { useCluster, type UseClusterOptions } from 'tabernetes/vitest';
import { afterAll, beforeAll } from 'vitest';
import { KubeClient } from '../src/api/client';
import { Exchanges } from '../src/api/exchanges';
import { App } from '../src/app';

const manifests = readFileSync('manifests/shop.yaml', 'utf8');

/**
 * Makes a cluster for this file of tests, and returns the fork of the test that runs. The page sees it as the user
 * that `seenBy` makes of it.
 */
export function useServedCluster(options: UseClusterOptions = {}, seenBy: (cluster: Cluster) => Pick<Cluster, 'fetch' | 'request'> = (cluster) => cluster): Cluster {
  // Nothing runs in it but what fills roles: statuses stay as they are loaded and written.
  const cluster = useCluster({ load: manifests, controllers: 'clusterrole-aggregation', scheduler: false, ...options });
  const server = setupServer(...handlers(() => seenBy(cluster), { prefix: '/k8s' }));
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterAll(() => server.close());
  return cluster;
}

export const showDashboard = () => render(<App client={new KubeClient('/k8s', new Exchanges())} />);

/** Returns the cells of each row of the table. */
export const rows = (): (string | null)[][] => screen.queryAllByRole('row').slice(1).map((row) => within(row).getAllByRole('cell').map((cell) => cell.textContent));
