import { expect, test } from '@playwright/test';
import { DashboardPage } from './dashboard-page';
import { apiUrl } from './settings';

const kCart = '/apis/apps/v1/namespaces/shop/deployments/cart';

/** Back to what the server loaded when it started. */
test.beforeEach(async ({ request }) => {
  expect((await request.post(`${apiUrl}/-/tabernetes/reset`)).status()).toBe(200);
});

test('the page shows, edits and deletes what is on the server', async ({ page, request }) => {
  const dashboard = new DashboardPage(page);
  await dashboard.open();
  await expect(dashboard.row('checkout')).toContainText('1/3');

  await dashboard.choose('cart');
  await dashboard.edit('namespace: shop', 'namespace: shop\n  labels: { team: orders }');
  await expect.poll(async () => (await (await request.get(apiUrl + kCart)).json()).metadata.labels).toEqual({ team: 'orders' });
  await expect(dashboard.requests).toContainText(`PATCH ${kCart}?fieldManager=dashboard&force=false 200`);

  await request.patch(apiUrl + kCart, { headers: { 'content-type': 'application/merge-patch+json' }, data: { spec: { replicas: 7 } } });
  await expect(dashboard.row('cart')).toContainText('2/7');

  await dashboard.choose('ledger');
  await dashboard.press('Delete');
  await expect(dashboard.status).toContainText('Waits for example.com/backup.');
  await dashboard.press('Remove finalizers');
  await expect(dashboard.row('ledger')).toHaveCount(0);
});

test('the page follows the server through a loss of its history', async ({ page, request }) => {
  const dashboard = new DashboardPage(page);
  await dashboard.open();
  await expect(dashboard.row('cart')).toBeVisible();
  await request.post(`${apiUrl}/-/tabernetes/reset`);
  await request.delete(apiUrl + kCart);
  await expect(dashboard.row('cart')).toHaveCount(0);
});
