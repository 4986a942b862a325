// Tests the playground in Chromium, served as plain files: a cluster inside the page.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { eventually, slowDown } from './browser.mjs';
import { kTimeout, playground } from './page.mjs';

const shown = playground();
let page;
beforeEach(() => {
  page = shown.page;
});

const rows = () => page.locator('.table tbody tr');
const row = (name) => rows().filter({ has: page.getByRole('cell', { name, exact: true }) });
const exchanges = () => page.getByRole('region', { name: 'Exchanges' });
const editor = () => page.locator('.editor .cm-content');
const pick = (kind) => page.getByRole('navigation').getByRole('button', { name: kind, exact: true }).click();
const chooseNamespace = (name) => page.getByLabel('Namespace').selectOption(name);

/** Replaces the whole text of the editor by typing. */
async function write(text) {
  await editor().click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

test('it starts with a cluster to look at, and asks no server for anything but its files', async () => {
  await row('database-0').waitFor(kTimeout);
  await eventually(async () => assert.ok((await rows().count()) > 5));
  await eventually(async () => assert.match(await page.locator('.header').innerText(), /Kubernetes v1\.36/));
  // The watches of pods, namespaces and definitions stay open.
  await eventually(async () => assert.equal(await exchanges().locator('.exchange-list li', { hasText: 'WATCH' }).locator('.dot').count(), 3));
  assert.equal(await page.getByRole('button', { name: 'This server' }).count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Token' }).count(), 0);
  assert.deepEqual(shown.files.requests.filter((path) => !/^\/($|assets\/|favicon\.svg$|host\.json$|offline\.js$|manifest\.webmanifest$)/.test(path)), []);
});

test('a resource is found, and its table is the server\'s', async () => {
  await eventually(async () => {
    await page.keyboard.press('/');
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'INPUT');
  });
  await page.keyboard.insertText('deploy');
  await page.keyboard.press('Enter');
  await row('storefront').waitFor(kTimeout);
  const headings = () => page.locator('.table th').allInnerTexts();
  await eventually(async () => assert.deepEqual(await headings(), ['Name', 'Ready', 'Up-to-date', 'Available', 'Age']));
  await page.getByRole('button', { name: 'Wide' }).click();
  await eventually(async () => assert.ok((await headings()).includes('Images')));
});

test('every resource that discovery tells of can be opened', async () => {
  const items = page.locator('.picker-item');
  const count = await items.count();
  assert.ok(count >= 50, `${count} resources`);
  for (let i = 0; i < count; i++) {
    await items.nth(i).click();
    await page.locator('.phase').filter({ hasText: /^live|not live$/ }).waitFor(kTimeout);
  }
});

test('an object is created in the editor; its row, the watch event and the exchange appear', async () => {
  await pick('ConfigMap');
  await chooseNamespace('shop');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await write('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: made-by-hand\n  namespace: shop\ndata:\n  a: b\n');
  await page.getByRole('button', { name: 'Create' }).click();

  await row('made-by-hand').waitFor(kTimeout);
  await exchanges().getByText('ADDED shop/made-by-hand').first().waitFor(kTimeout);
  await exchanges().locator('button', { hasText: 'POST' }).click();
  const message = async (name) => (await exchanges().getByRole('region', { name }).innerText()).replace(/\n\n+/g, '\n');
  await eventually(async () => {
    const request = await message('Request');
    assert.match(request, /^POST \/api\/v1\/namespaces\/shop\/configmaps HTTP\/1\.1\ncontent-type: application\/yaml\n/);
    assert.match(request, /name: made-by-hand/);
    const response = await message('Response');
    assert.match(response, /^HTTP\/1\.1 201 Created\n/);
    assert.match(response, /Content-Type: application\/yaml/);
    assert.match(response, /uid: [0-9a-f-]{36}/);
  });
});

test('an object is edited, patched and deleted', async () => {
  await pick('ConfigMap');
  await chooseNamespace('shop');
  await row('storefront').click();
  await editor().getByText('banner').first().waitFor(kTimeout);

  await editor().getByText('Free delivery this week').click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.insertText('banner: Everything must go');
  await page.keyboard.press('Control+S');
  await page.getByText('200 Replaced').waitFor(kTimeout);
  await exchanges().getByText('MODIFIED shop/storefront').first().waitFor(kTimeout);

  await page.getByRole('button', { name: 'Patch…' }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('200 OK', { exact: true }).waitFor(kTimeout);
  await page.getByRole('region', { name: 'Own request' }).getByRole('button', { name: 'Close' }).click();
  await editor().getByText('touched-by', { exact: true }).waitFor(kTimeout);
  await editor().getByText('Everything must go').waitFor(kTimeout);

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await row('storefront').waitFor(kTimeout);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByText('ConfigMap shop/storefront').waitFor(kTimeout);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await row('storefront').waitFor({ state: 'detached', ...kTimeout });
  await page.getByText('This object is gone.').waitFor(kTimeout);
});

test('a definition brings its resource into the list, and its rules hold', async () => {
  await pick('CustomResourceDefinition');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await write(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {plural: crontabs, kind: CronTab}
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns: [{name: Replicas, type: integer, jsonPath: .spec.replicas}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations: [{rule: self.replicas <= 5, message: too many}]
            properties: {replicas: {type: integer, default: 1}}
`);
  await page.getByRole('button', { name: 'Create' }).click();
  await pick('CronTab');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const cronTab = (replicas) => `apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: nightly, namespace: shop}\nspec: {replicas: ${replicas}}\n`;
  await write(cronTab(9));
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('CronTab.stable.example.com "nightly" is invalid: spec: Invalid value: too many').first().waitFor(kTimeout);
  await write(cronTab(3));
  await page.getByRole('button', { name: 'Create' }).click();
  await row('nightly').getByText('3', { exact: true }).waitFor(kTimeout);
});

test('a quick hand is not lost, however late the page draws', async () => {
  await slowDown(page);
  await shown.open();
  await pick('ConfigMap');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await write('{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "quick", "namespace": "default"}}');
  await page.getByRole('button', { name: 'Create' }).click();
  await exchanges().getByText('/api/v1/namespaces/default/configmaps').first().waitFor(kTimeout);
  await page.getByRole('button', { name: 'Request', exact: true }).click();
  await page.getByLabel('Path and query').fill('/api/v1/namespaces/default/configmaps/quick');
  await page.keyboard.press('Enter');
  await page.getByText('200 OK', { exact: true }).waitFor(kTimeout);
});

test('a mistake is explained, and an own request goes out as it is written', async () => {
  await pick('ConfigMap');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await write('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: Not A Name\n  namespace: shop\n');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('422 Invalid').waitFor(kTimeout);

  await page.getByRole('button', { name: 'Request', exact: true }).click();
  await page.getByLabel('Path and query').fill('/api/v1/namespaces/nowhere');
  await page.keyboard.press('Enter');
  await page.getByText('404 NotFound').waitFor(kTimeout);
  await exchanges().getByText('HTTP/1.1 404 Not Found').waitFor(kTimeout);
});

test('bookmarks, and a version that is gone, are shown as they come', async () => {
  await page.getByRole('button', { name: 'Request', exact: true }).click();
  const send = async (method, target) => {
    await page.getByLabel('Method').selectOption(method);
    await page.getByLabel('Path and query').fill(target);
    await page.getByRole('button', { name: 'Send' }).click();
  };
  const stop = () => page.getByRole('button', { name: 'Stop' }).click();
  const configMaps = '/api/v1/namespaces/shop/configmaps?watch=true&allowWatchBookmarks=true';
  await send('GET', configMaps);
  await exchanges().locator('.event-type.bookmark').first().waitFor(kTimeout);
  await stop();
  await send('POST', '/-/tabernetes/compact');
  await exchanges().getByText('/-/tabernetes/compact').first().waitFor(kTimeout);
  await send('GET', `${configMaps}&resourceVersion=1`);
  await exchanges().getByText(/ERROR\s+too old resource version: 1 \(\d+\)/).first().waitFor(kTimeout);
});

test('it works in the dark and on a small screen', async () => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const luminance = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).reduce((a, b) => a + Number(b), 0));
  await eventually(async () => assert.ok((await luminance()) < 150));
  await page.setViewportSize({ width: 390, height: 800 });
  await row('database-0').click();
  await page.getByRole('button', { name: 'Replace' }).waitFor(kTimeout);
  await eventually(async () =>
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out'),
  );
});
