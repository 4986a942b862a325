// The command line of the page, and exchanges as code.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { actions, kTimeout, playground } from './page.mjs';

describe('the command line', () => {
  const shown = playground();
  const enter = async (line) => {
    const command = shown.page.getByRole('textbox', { name: 'Command', exact: true });
    await command.fill(line);
    await command.press('Enter');
  };
  const printed = (text) => shown.page.getByRole('log').getByText(text).first().waitFor(kTimeout);

  test('changes the cluster that the table shows', async () => {
    const { page } = shown;
    const { button, row, pick } = actions(page);
    await pick('Deployment');
    await button('Command line').click();
    await enter('kubectl scale deploy/storefront --replicas=5');
    await printed('deployment.apps/storefront scaled');
    await row('storefront').getByText('5/5').waitFor(kTimeout);
    await enter('apply -f - <<EOF\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: mine}\ndata: {k: v}\nEOF');
    await printed('configmap/mine created');
    await enter('get cm mine -o yaml | grep "k: v"');
    await printed('  k: v');
    await enter('logs deploy/storefront --tail=1');
    await printed(/^Found \d pods, using pod\/storefront-/);
    await enter('exec -i database-0 -- cat | wc -l');
    await printed('error: there is no terminal to read from');
    await enter('exec deploy/storefront -- echo of one of them');
    await printed(/^of one of them/);
    await enter('set image deploy/storefront *=registry.example/storefront:3');
    await printed('deployment.apps/storefront image updated');
    await enter('get nonsense');
    await printed('error: the server doesn\'t have a resource type "nonsense"');
    await enter('describe pod database-0');
    await printed(/^Name:\s+database-0\s+Namespace:\s+shop\s+Priority:\s+1000\s/);
  });

  test('completes with Tab, remembers lines, and leaves with Escape', async () => {
    const { page } = shown;
    await actions(page).button('Command line').click();
    const command = page.getByRole('textbox', { name: 'Command', exact: true });
    await page.waitForFunction(() => document.activeElement.ariaLabel === 'Command', undefined, kTimeout);
    await command.fill('descr');
    await command.press('Tab');
    await page.waitForFunction(() => document.querySelector('.prompt textarea').value === 'describe ', undefined, kTimeout);
    await command.fill('get pods storefr');
    await command.press('Tab');
    await page.waitForFunction(() => document.querySelector('.prompt textarea').value.startsWith('get pods storefront-'), undefined, kTimeout);
    await enter('config view');
    await printed('namespace: shop');
    await command.press('ArrowUp');
    assert.equal(await command.inputValue(), 'config view');
    await command.press('Escape');
    await command.press('Tab');
    assert.equal(await command.evaluate((element) => element === document.activeElement), false);
  });

  test('keeps its end in sight, and takes more of the page', async () => {
    const { page } = shown;
    const { button } = actions(page);
    await button('Command line').click();
    await enter('get pods -A -o wide');
    await enter('get nonsense');
    const fault = page.getByRole('log').getByText('error: the server doesn\'t have');
    await fault.waitFor(kTimeout);
    await page.getByRole('textbox', { name: 'Command', exact: true }).fill('rollout ');
    await page.keyboard.press('Tab');
    await page.getByRole('status').filter({ hasText: 'history' }).waitFor(kTimeout);
    const log = await page.getByRole('log').boundingBox();
    const { y, height } = await fault.boundingBox();
    assert.ok(y + height <= log.y + log.height + 1, 'the fault is cut off');
    await button('Taller').click();
    assert.ok((await page.getByRole('log').boundingBox()).height > 1.5 * log.height);
  });

  test('edits an object, and stops a watch', async () => {
    const { page } = shown;
    const { button, editor, write } = actions(page);
    await button('Command line').click();
    await enter('edit deploy storefront');
    await editor().getByText('spec', { exact: true }).first().waitFor(kTimeout);
    await write('apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: storefront, namespace: shop}\nspec: {}\n');
    await button('Save').click();
    await printed('The Deployment "storefront" is invalid');
    await enter('edit deploy storefront');
    await editor().getByText('spec', { exact: true }).first().waitFor(kTimeout);
    await button('Cancel').click();
    await printed('Edit cancelled, no changes made.');
    await enter('get pods -w');
    await printed('NAME');
    await button('Stop').click();
    await button('Stop').waitFor({ state: 'detached', ...kTimeout });
  });
});

describe('exchanges', () => {
  const shown = playground();
  test('are shown as code', async () => {
    const { page } = shown;
    const { button } = actions(page);
    await button('Code').click();
    const code = page.getByRole('region', { name: 'Code' });
    await code.getByText(/^curl /).waitFor(kTimeout);
    await page.getByRole('group', { name: 'Form' }).getByRole('button', { name: 'client-go' }).click();
    await code.getByText(/metav1\.ListOptions/).waitFor(kTimeout);
  });
});
