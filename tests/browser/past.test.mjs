// Earlier versions of a table's collection, and what changed between two of them.
import { describe, test } from 'node:test';
import { actions, kTimeout, playground } from './page.mjs';

describe('the past', () => {
  const shown = playground();
  const commands = async (...lines) => {
    const command = shown.page.getByRole('textbox', { name: 'Command', exact: true });
    for (const [line, answer] of lines) {
      await command.fill(line);
      await command.press('Enter');
      await shown.page.getByRole('log').getByText(answer).first().waitFor(kTimeout);
    }
  };

  test('shows what was created, changed and deleted, and what a version had', async () => {
    const { page } = shown;
    const { button, pick } = actions(page);
    await pick('Deployment');
    await button('Command line').click();
    await commands(['scale deploy/storefront --replicas=5', 'storefront scaled'], ['delete deploy api --wait=false', '"api" deleted'], ['create deployment late --image=nginx', 'late created']);
    await button('Past').click();
    const changes = page.getByRole('region', { name: 'Changes' });
    await changes.waitFor(kTimeout);
    // From the state before the three commands.
    const newest = Number(await page.getByLabel(/^To version/).inputValue());
    await page.getByLabel(/^From version/).fill(String(newest - 3));
    await changes.getByText('created shop/late').waitFor(kTimeout);
    await changes.getByText('deleted shop/api').waitFor(kTimeout);
    await changes.getByText('+ spec.replicas: 5').waitFor(kTimeout);
    await page.getByLabel(/^To version/).fill(String(newest - 3));
    await changes.getByText('the same').waitFor(kTimeout);
  });
});
