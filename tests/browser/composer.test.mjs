// Requests with every option as a control, and a watch that is drawn.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from './browser.mjs';
import { actions, kTimeout, playground } from './page.mjs';

for (const width of [1400, 390]) {
  describe(`${width} wide`, () => {
    const shown = playground({ width, height: 900 });
    const option = (name) => shown.page.getByRole('group', { name: 'Options' }).getByLabel(name, { exact: true });
    const target = () => shown.page.getByLabel('Path and query').inputValue();
    const send = () => shown.page.getByRole('button', { name: 'Send', exact: true }).click();
    const response = () => shown.page.getByRole('region', { name: 'Response' });

    test('options are set by controls, which follow the method; answers come in every form', async () => {
      const { page } = shown;
      const { button } = actions(page);
      await button('Request').click();
      await button('Options').click();
      await option('limit').fill('2');
      await option('resourceVersionMatch').selectOption('NotOlderThan');
      await option('resourceVersion').fill('0');
      assert.equal(await target(), '/api/v1/namespaces/shop/pods?limit=2&resourceVersionMatch=NotOlderThan&resourceVersion=0');
      assert.equal(await option('dryRun').count(), 0);
      await send();
      await response().getByText('"kind": "PodList"').waitFor(kTimeout);
      for (const [form, text] of [['Table', '"kind": "Table"'], ['PartialObjectMetadataList', '"kind": "PartialObjectMetadataList"'], ['protobuf', '6b 38 73 00'], ['CBOR', 'd9 d9 f7']]) {
        await option('Answer as').selectOption(form);
        await send();
        await response().getByText(text).first().waitFor(kTimeout);
      }
      await page.getByLabel('Method').selectOption('DELETE');
      await page.getByLabel('Path and query').fill('/api/v1/namespaces/shop/configmaps/storefront');
      await option('Answer as').selectOption('JSON');
      await option('dryRun').selectOption('All');
      await option('propagationPolicy').selectOption('Foreground');
      await option('preconditions.resourceVersion').fill('1');
      await send();
      await page.getByText('409 Conflict').first().waitFor(kTimeout);
      await response().getByText(/the ResourceVersion in the precondition \(1\) does not match/).first().waitFor(kTimeout);
    });

    test('a watch is drawn: initial events, a bookmark, a change, and the 410 of a version that is gone', async () => {
      const { page } = shown;
      const { button } = actions(page);
      await button('Watch').click();
      const pane = page.getByRole('region', { name: 'Watch timeline' });
      await pane.getByLabel('Initial events').check();
      await pane.getByRole('button', { name: 'Watch', exact: true }).click();
      const row = (name) => pane.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
      await row('shop/database-0').getByText('ADDED').waitFor(kTimeout);
      await row('bookmarks').getByText('the initial events end here').waitFor(kTimeout);
      await button('Command line').click();
      const command = page.getByRole('textbox', { name: 'Command', exact: true });
      await command.fill('label pod database-0 drawn=yes');
      await command.press('Enter');
      await row('shop/database-0').getByText('MODIFIED').first().waitFor(kTimeout);
      await pane.getByRole('button', { name: 'Stop' }).click();
      await pane.getByRole('button', { name: 'Drop history' }).click();
      await pane.getByLabel('Initial events').uncheck();
      await pane.getByLabel('From version').fill('1');
      await eventually(async () => {
        await pane.getByRole('button', { name: 'Watch', exact: true }).click({ timeout: 1000 }).catch(() => {});
        await row('errors').getByText(/^410 too old resource version: 1 \(\d+\)$/).first().waitFor({ timeout: 1500 });
      });
    });
  });
}
