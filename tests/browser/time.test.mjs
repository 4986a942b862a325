// Time in the page: pause, step, settle, forks that are compared, and what was done done again.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from './browser.mjs';
import { actions, kTimeout, playground } from './page.mjs';

for (const width of [1400, 390]) {
  describe(`${width} wide`, () => {
    const shown = playground({ width, height: 900 });
    const told = (text) => shown.page.getByRole('log', { name: 'What happened' }).getByText(text).first().waitFor(kTimeout);
    const command = async (line, answer) => {
      const field = shown.page.getByRole('textbox', { name: 'Command', exact: true });
      await field.fill(line);
      await field.press('Enter');
      await shown.page.getByRole('log', { name: 'Output' }).getByText(answer).first().waitFor(kTimeout);
    };

    test('a paused cluster is stepped: each step says who did what', async () => {
      const { page } = shown;
      const { button } = actions(page);
      await button('Time').click();
      await button('Pause').click();
      await told('Paused.');
      const clock = () => page.locator('.clock time').innerText();
      const before = await clock();
      await button('Command line').click();
      await command('create deployment stepped --image=nginx', 'deployment.apps/stepped created');
      await button('Step').click();
      await told('deployment-controller:');
      await told(/^created ReplicaSet shop\/stepped-/);
      await button('Settle').click();
      await told('Settled: only periodic work is left.');
      await command('get deploy stepped', /stepped\s+1\/1/);
      await page.waitForTimeout(1200);
      const after = await clock();
      await page.waitForTimeout(1200);
      assert.equal(await clock(), after, `it stands still, after ${before}`);
      await page.getByRole('log', { name: 'What happened' }).getByRole('button', { name: /^created ReplicaSet shop\/stepped-/ }).click();
      await page.getByRole('heading', { name: /^stepped-/ }).waitFor(kTimeout);
      await button('Resume').click();
      await eventually(async () => assert.notEqual(await clock(), after));
    });

    test('a fork goes its own way, and is compared; a recording is replayed', async () => {
      const { page } = shown;
      const { button } = actions(page);
      await button('Time').click();
      await button('Record').click();
      await button('Stop recording (0)').waitFor(kTimeout);
      await button('Command line').click();
      await command('create configmap kept --from-literal=a=b', 'configmap/kept created');
      await command('scale deploy/api --replicas=4', 'api scaled');
      await button('Stop recording (2)').click();
      await told('Recorded 2 writes.');

      await button('Replay in a fork').click();
      await told('Replayed 2 writes; all were answered as before.');
      await page.locator('.header').getByText('A fork, in memory', { exact: false }).waitFor({ state: width > 900 ? 'visible' : 'attached', ...kTimeout });
      await button('Settle').click();
      await told('Settled: only periodic work is left.');
      await button('Command line').click();
      await command('create configmap only-here --from-literal=a=b', 'configmap/only-here created');
      await button('Compare with the original').click();
      const differences = page.getByRole('region', { name: 'Differences' });
      await differences.getByText('ConfigMap shop/only-here').waitFor(kTimeout);
      assert.equal(await differences.getByText('Lease kube-node-lease').count(), 0);

      await page.getByRole('group', { name: 'Cluster' }).getByRole('button', { name: 'In this page' }).click();
      await button('Replay').click();
      await told(/instead of 201\. configmaps "kept" already exists/);
    });
  });
}
