// Tests the playground's table: filter, order, thousands of rows, and a phone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './browser.mjs';
import { actions, kTimeout, playground } from './page.mjs';

const shown = playground();

const names = (page) => page.locator('.table tbody .name').allInnerTexts();
const maps = (count) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: Array.from({ length: count }, (_, i) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `map-${String(i).padStart(4, '0')}`, namespace: 'default' } })),
  });

test('rows are filtered by words in any cell', async () => {
  const { page } = shown;
  const { rows } = actions(page);
  const all = await rows().count();
  await page.getByLabel('Filter').fill('DATA running');
  await eventually(async () => assert.deepEqual(await names(page), ['database-0']));
  await page.locator('.phase').getByText(`live, 1 of ${all}`).waitFor(kTimeout);
  await page.getByLabel('Filter').fill('nothing-is-called-that');
  await page.getByText('No row contains that.').waitFor(kTimeout);
});

test('a heading sorts: up, down, then as the server does', async () => {
  const { page } = shown;
  const first = await names(page);
  const { compare } = new Intl.Collator('en', { numeric: true }); // node-2 stands before node-10
  const heading = (name) => page.getByRole('columnheader', { name });
  await heading('Name').getByRole('button').click();
  await heading('Name').getByRole('button').click();
  await eventually(async () => assert.deepEqual(await names(page), first.toSorted(compare).reverse()));
  assert.equal(await heading('Name').getAttribute('aria-sort'), 'descending');
  await heading('Name').getByRole('button').click();
  await eventually(async () => assert.deepEqual(await names(page), first));
  await heading('Age').getByRole('button').click();
  await eventually(async () => assert.match((await names(page))[0], /^import-catalogue-/));
});

test('of 5,000 rows those in sight are in the document; all can be reached', async () => {
  const { page } = shown;
  const { button, drop, pick, chooseNamespace, rows, row } = actions(page);
  await pick('ConfigMap');
  await chooseNamespace('default');
  await drop({ 'maps.json': maps(5000) });
  await button('Create').click();
  await page.getByText('5000 of 5000 created').waitFor({ timeout: 90_000 });
  await button('Close').click();
  await page.locator('.phase').getByText(/^live, 500\d$/).waitFor(kTimeout);
  assert.ok((await rows().count()) < 100, `${await rows().count()} rows`);
  // The last events may still be coming: a large table gets them in batches.
  await eventually(async () => {
    await page.locator('.table-scroll').evaluate((element) => (element.scrollTop = element.scrollHeight));
    await row('map-4999').waitFor({ timeout: 1000 });
    const visible = await row('map-4999').evaluate((element) => element.getBoundingClientRect().bottom <= element.closest('.table-scroll').getBoundingClientRect().bottom + 1);
    assert.ok(visible, 'the last row ends where the table does');
  });
  await page.locator('.table-scroll').evaluate((element) => (element.scrollTop = 35 * 2500));
  await row('map-2510').waitFor(kTimeout);
  assert.ok((await rows().count()) < 100, `${await rows().count()} rows`);

  await row('map-2510').focus();
  for (let i = 0; i < 40; i++) await page.keyboard.press('ArrowDown');
  await eventually(async () => assert.match(await page.evaluate(() => document.activeElement.innerText), /^map-2550\s/));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'map-2550' }).waitFor(kTimeout);
});

test('on a phone the list of resources is a menu, no cell is cut, and an object opens in sight', async () => {
  const { page } = shown;
  await page.setViewportSize({ width: 390, height: 844 });
  const { row, button } = actions(page);
  const list = page.locator('.picker-list');
  assert.equal(await list.isVisible(), false);
  const top = (await page.locator('.table-pane').boundingBox()).y;
  assert.ok(top < 250, `the table begins at ${top}`);
  await page.getByLabel('Find a resource').click();
  await list.getByRole('button', { name: 'Service', exact: true }).click();
  await row('storefront').waitFor(kTimeout);
  assert.equal(await list.isVisible(), false);
  const outside = () =>
    page.locator('.table tbody td').evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth || cell.getBoundingClientRect().right > innerWidth).map((cell) => cell.innerText));
  await eventually(async () => assert.deepEqual(await outside(), []));

  await page.locator('.table tbody tr').last().click();
  await button('Replace').waitFor(kTimeout);
  await eventually(async () => {
    const box = await page.getByRole('region', { name: 'Object' }).boundingBox();
    assert.ok(box.y >= 0 && box.y < 300 && box.y + box.height <= 844, JSON.stringify(box));
  });
  await button('Close').click();
  await row('storefront').waitFor(kTimeout);
});
