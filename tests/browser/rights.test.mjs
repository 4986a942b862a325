// Personas: who the page asks as, what that user may do, and why something is refused.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from './browser.mjs';
import { actions, kTimeout, playground } from './page.mjs';

for (const width of [1400, 390]) {
  describe(`${width} wide`, () => {
    const shown = playground({ width, height: 900 });

    test('a service account is tried out: its rules, a refusal rule by rule, and its view of the cluster', async () => {
      const { page } = shown;
      const { button } = actions(page);
      const pick = async (kind) => {
        if (width < 900) await page.getByLabel('Find a resource').click();
        await actions(page).pick(kind);
      };
      await button('Rights').click();
      const rights = page.getByRole('region', { name: 'Rights' });
      await rights.getByText('system:masters').waitFor(kTimeout);
      await rights.getByLabel('User').fill('system:serviceaccount:shop:api');
      await button('Be this user').click();
      await rights.getByText('system:serviceaccounts:shop').waitFor(kTimeout);
      await rights.getByRole('row', { name: /get, list, watch configmaps/ }).waitFor(kTimeout);
      await button('Ask').click();
      await rights.getByText('No.').waitFor(kTimeout);
      await rights.getByText('RoleBinding shop/api-reads-config').waitFor(kTimeout);
      await rights.getByText('is about configmaps').waitFor(kTimeout);
      await rights.getByLabel('Resource').fill('configmaps');
      await button('Ask').click();
      await rights.getByText('Yes.').waitFor(kTimeout);
      await rights.getByText('allows it').waitFor(kTimeout);
      await button('Close').click();

      await pick('Secret');
      await page.locator('.table-pane').getByText(/secrets is forbidden: User "system:serviceaccount:shop:api" cannot list resource "secrets"/).waitFor(kTimeout);
      await pick('ConfigMap');
      await actions(page).row('storefront').waitFor(kTimeout);
      await button('As system:serviceaccount:shop:api').click();
      await button('Be yourself').click();
      await pick('Secret');
      await eventually(async () => assert.ok((await page.locator('.table tbody tr').count()) > 0));
    });
  });
}
