// A table's selectors, which the server evaluates, and columns of the user.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from './browser.mjs';
import { actions, kTimeout, playground } from './page.mjs';

for (const width of [1400, 390]) {
  describe(`${width} wide`, () => {
    const shown = playground({ width, height: 900 });
    const names = () => shown.page.locator('.table tbody .name').allInnerTexts();
    const field = (name) => shown.page.getByRole('group', { name: 'Selectors and columns' }).getByLabel(name);

    test('labels and fields select, columns are added, and the address keeps all of it', async () => {
      const { page } = shown;
      const { button } = actions(page);
      await button('Selectors').click();
      await eventually(async () => assert.ok((await page.locator('#offers-Labels option').evaluateAll((all) => all.map(({ value }) => value))).includes('app=storefront')));
      await field('Labels').fill('app in (storefront, database)');
      await eventually(async () => assert.equal((await names()).length, 4));
      await field('Fields').fill('metadata.name=database-0');
      await eventually(async () => assert.deepEqual(await names(), ['database-0']));
      await field('Columns').fill('Image:.spec.containers[*].image,Node:.spec.nodeName');
      await page.locator('.table').getByText('registry.example.com/shop/database:17.6').waitFor(kTimeout);
      await page.locator('.table').getByText(/^worker-\d$|^control-1$/).first().waitFor(kTimeout);
      const address = new URL(page.url()).hash;
      assert.match(address, /labels=app\+in\+/);

      await page.reload();
      await page.locator('.table').getByText('registry.example.com/shop/database:17.6').waitFor(kTimeout);
      await field('Fields').fill('spec.none=a');
      await page.locator('.table-pane').getByText('field label not supported: spec.none').waitFor(kTimeout);
      await field('Fields').fill('');
      await eventually(async () => assert.equal((await names()).length, 4));

      await page.getByRole('button', { name: 'Selectors (in force)' }).click();
      await page.getByRole('button', { name: 'Selectors (in force)' }).click();
      await field('Labels').fill('');
      await page.getByRole('button', { name: 'Selectors (in force)' }).click();
      await eventually(async () => assert.equal((await names()).length, 8));
      await button('Selectors').waitFor(kTimeout);
    });
  });
}
