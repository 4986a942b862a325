import { readFileSync } from 'node:fs';
import { expect, test as base } from '@playwright/test';
import type { Cluster } from 'tabernetes';
import { fixtures } from 'tabernetes/playwright';
import { DashboardPage } from './dashboard-page';
import { port } from './settings';

const load = readFileSync('manifests/shop.yaml', 'utf8');
const test = base.extend<{ cluster: Cluster }>(fixtures({ load, controllers: 'none', scheduler: false, origin: `http://localhost:${port}`, prefix: '/k8s' }));
const kCart = '/apis/apps/v1/namespaces/shop/deployments/cart';
const kShown = 3;

test('the table follows what others do', async ({ page, cluster }) => {
  const dashboard = new DashboardPage(page);
  await dashboard.open();
  await expect(page.getByRole('row')).toHaveCount(1 + kShown);
  await cluster.setStatus({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'checkout', namespace: 'shop' } }, { replicas: 3, readyReplicas: 3 });
  await expect(dashboard.row('checkout')).toContainText('3/3');
  await cluster.fetch(kCart, { method: 'DELETE' });
  await expect(dashboard.row('cart')).toHaveCount(0);
});

test('an edit is applied', async ({ page, cluster }) => {
  const dashboard = new DashboardPage(page);
  await dashboard.open();
  await dashboard.choose('cart');
  await dashboard.edit('namespace: shop', 'namespace: shop\n  labels: { team: orders }');
  const { status } = await cluster.requests.next({ verb: 'patch', resource: 'deployments' });
  expect(status).toBe(200);
  await cluster.wait(kCart, (it) => it?.metadata.labels?.team === 'orders');
  await expect(dashboard.requests).toContainText(`PATCH ${kCart}?fieldManager=dashboard&force=false 200`);
});

test('a deletion waits for a finalizer', async ({ page }) => {
  const dashboard = new DashboardPage(page);
  await dashboard.open();
  await dashboard.choose('ledger');
  await dashboard.press('Delete');
  await expect(dashboard.status).toContainText('Waits for example.com/backup.');
  await expect(dashboard.row('ledger')).toContainText('Terminating');
  await dashboard.press('Remove finalizers');
  await expect(dashboard.row('ledger')).toHaveCount(0);
});
