// What is done to selected objects of a table, after a question where it hurts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from './browser.mjs';
import { actions, kTimeout, playground } from './page.mjs';

for (const width of [1400, 390]) {
  describe(`${width} wide`, () => {
    const shown = playground({ width, height: 900 });
    const pick = async (kind) => {
      const { page } = shown;
      if (width < 900) await page.getByLabel('Find a resource').click();
      await actions(page).pick(kind);
    };
    const select = (name) => shown.page.getByLabel(`Select ${name}`, { exact: true }).check(kTimeout);
    const done = (text) => shown.page.locator('.action-bar .outcome').getByText(text).waitFor(kTimeout);
    const dialog = () => shown.page.getByRole('dialog');

    test('deployments are scaled and restarted, each after a question with its command', async () => {
      const { page } = shown;
      const { button, row } = actions(page);
      await pick('Deployment');
      await button('Select').click();
      await select('api');
      await select('storefront');
      await button('Scale…').click();
      await dialog().getByLabel('Replicas').fill('4');
      await dialog().getByText('kubectl scale deployments.v1.apps/api -n shop --replicas=4').waitFor(kTimeout);
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      assert.equal(await page.locator('.action-bar .outcome').count(), 0);
      await button('Scale…').click();
      await dialog().getByLabel('Replicas').fill('4');
      await dialog().getByRole('button', { name: 'Scale' }).click();
      await done('2 done:');
      await done(/deployment\.apps\/storefront scaled/);
      await row('storefront').getByText('4/4').waitFor(kTimeout);
      await button('Restart…').click();
      await dialog().getByRole('button', { name: 'Restart' }).click();
      await done(/deployment\.apps\/api restarted/);
      await eventually(async () => assert.match(await page.locator('.phase.live').first().innerText(), /^live, 2$/));
    });

    test('a node is cordoned, drained and uncordoned; a pod is evicted', async () => {
      const { page } = shown;
      const { button, row } = actions(page);
      await pick('Node');
      await button('Select').click();
      await select('worker-1');
      await button('Cordon').click();
      await done('node/worker-1 cordoned');
      await row('worker-1').getByText('Ready,SchedulingDisabled').waitFor(kTimeout);
      await button('Drain…').click();
      await dialog().getByText('kubectl drain worker-1 --ignore-daemonsets').waitFor(kTimeout);
      await dialog().getByRole('button', { name: 'Drain' }).click();
      await done(/node\/worker-1 drained/);
      await button('Uncordon').click();
      await done('node/worker-1 uncordoned');

      await pick('Pod');
      await button('Select').click();
      await select('database-0');
      await button('Evict…').click();
      await dialog().getByRole('button', { name: 'Evict' }).click();
      await done('pod/database-0 evicted');
    });

    test('what a deletion does to owned objects is chosen', async () => {
      const { page } = shown;
      const { button, row } = actions(page);
      await pick('Deployment');
      await button('Select').click();
      await select('storefront');
      await button('Delete…').click();
      await dialog().getByLabel('What it owns').selectOption('orphan');
      await dialog().getByText('--cascade=orphan').waitFor(kTimeout);
      await dialog().getByRole('button', { name: 'Delete' }).click();
      await row('storefront').waitFor({ state: 'detached', ...kTimeout });
      await done('deployment.apps "storefront" deleted');
      await pick('ReplicaSet');
      await page.locator('.table').getByText(/^storefront-/).waitFor(kTimeout);
    });
  });
}
