// What an object belongs to, what belongs to it, its conditions and its events.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { actions, kTimeout, playground } from './page.mjs';

describe('relations', () => {
  const shown = playground();
  test('lead from an object to its owner and back; conditions and events stand below', async () => {
    const { page } = shown;
    const { button, pick, row } = actions(page);
    const command = page.getByRole('textbox', { name: 'Command', exact: true });
    const run = async (line) => {
      await command.fill(line);
      await command.press('Enter');
    };
    await pick('Deployment');
    await button('Command line').click();
    await run("get deploy storefront -o jsonpath='{.metadata.uid}'");
    const printed = page.getByRole('log').getByText(/^[0-9a-f-]{36}$/);
    await printed.waitFor(kTimeout);
    const uid = await printed.innerText();
    const owner = `{apiVersion: apps/v1, kind: Deployment, name: storefront, uid: ${uid}}`;
    await run(`apply -f - <<EOF\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: owned, ownerReferences: [${owner}]}\nEOF`);
    await page.getByRole('log').getByText('configmap/owned created').waitFor(kTimeout);
    await row('storefront').click();
    await button('Relations').click();
    const relations = page.getByRole('region', { name: 'Relations' });
    await relations.getByRole('button', { name: 'owned' }).click();
    await page.getByRole('region', { name: 'Object' }).getByRole('heading', { name: 'owned' }).waitFor(kTimeout);
    await button('Relations').click();
    await relations.getByRole('button', { name: 'storefront', exact: true }).waitFor(kTimeout);
    assert.equal(await relations.locator('.tree [aria-current]').innerText(), 'owned');
    await relations.getByRole('button', { name: 'storefront', exact: true }).click();
    await button('Relations').click();
    await relations.getByRole('heading', { name: 'Events' }).waitFor(kTimeout);
    await relations.getByRole('button', { name: /^storefront-[^-]+-[^-]+$/ }).first().click();
    await button('Containers').waitFor(kTimeout);
    await button('Relations').click();
    await relations.getByRole('heading', { name: 'Events' }).waitFor(kTimeout);
    await button('Containers').click();
    await page.getByRole('region', { name: 'Containers' }).getByRole('log', { name: 'Log' }).waitFor(kTimeout);
  });
});
