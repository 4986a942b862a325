// Tests with axe that the playground has no findings of WCAG 2.2 AA: light and dark, on a desk and on a phone.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findings } from './findings.mjs';
import { actions, kTimeout, playground } from './page.mjs';

for (const width of [1400, 390]) {
  for (const colorScheme of ['light', 'dark']) {
    describe(`${width} wide, ${colorScheme}`, () => {
      const shown = playground({ width, height: 900 });
      const look = async (what) => assert.deepEqual(await findings(shown.page), [], what);

      test('the table, an object, its deletion and a refusal', async () => {
        const { page } = shown;
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const { row, button, editor } = actions(page);
        await row('database-0').waitFor(kTimeout);
        await look('table');
        await row('database-0').click();
        await editor().getByText('metadata', { exact: true }).first().waitFor(kTimeout);
        await look('object');
        await button('Relations').click();
        await page.getByRole('region', { name: 'Relations' }).waitFor(kTimeout);
        await look('relations');
        await button('Relations').click();
        await editor().getByText('metadata', { exact: true }).first().waitFor(kTimeout);
        await button('Delete').click();
        await page.getByRole('dialog').waitFor(kTimeout);
        await look('dialog');
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
        await page.getByText('200 Terminating').waitFor(kTimeout);
        await look('terminating');
        await editor().click();
        await page.keyboard.press('Control+A');
        await page.keyboard.insertText('apiVersion: v1\nkind: Pod\nmetadata: {name: database-0}\n');
        await button('Replace').click();
        await page.locator('.outcome.bad').waitFor(kTimeout);
        await look('refusal');
      });

      test('new objects, a request, and the list of resources', async () => {
        const { page } = shown;
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const { button } = actions(page);
        await button('New').click();
        await page.locator('.editor .cm-content').waitFor(kTimeout);
        await look('new');
        await button('Close').click();
        await button('Request').click();
        await page.getByLabel('Path and query').waitFor(kTimeout);
        await look('request');
        await button('Close').click();
        await page.getByLabel('Find a resource').click();
        await look('resources');
      });

      test('the patch bench', async () => {
        const { page } = shown;
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.getByRole('link', { name: 'Patch bench' }).click();
        await page.locator('.owned-line').first().waitFor(kTimeout);
        await look('bench');
      });

      test('the command line and code', async () => {
        const { page } = shown;
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const { button } = actions(page);
        await button('Code').click();
        await page.getByRole('region', { name: 'Code' }).waitFor(kTimeout);
        await look('code');
        await button('Command line').click();
        const command = page.getByRole('textbox', { name: 'Command', exact: true });
        await command.fill('get none');
        await command.press('Enter');
        await page.getByRole('log').getByText('error:').waitFor(kTimeout);
        await command.fill('get ');
        await command.press('Tab');
        await page.locator('.offers').waitFor(kTimeout);
        await look('command line');
      });

      test('the past', async () => {
        const { page } = shown;
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await actions(page).button('Past').click();
        await page.getByRole('region', { name: 'Changes' }).waitFor(kTimeout);
        await look('past');
      });

      test('time, selection, selectors, and the panes beside the table', async () => {
        const { page } = shown;
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const { button, editor } = actions(page);
        await button('Time').click();
        await button('Pause').click();
        await button('Step').click();
        await page.getByRole('log', { name: 'What happened' }).getByText('Paused.').waitFor(kTimeout);
        await button('Selectors').click();
        await button('Select').click();
        await page.getByLabel('Select database-0').check(kTimeout);
        await look('bars');
        await button('Evict…').click();
        await page.getByRole('dialog').waitFor(kTimeout);
        await look('question');
        await page.keyboard.press('Escape');
        await button('Close time').click();
        await button('Rights').click();
        await button('Ask').click();
        await page.getByText('Yes.').waitFor(kTimeout);
        await look('rights');
        await button('Close').click();
        await button('Files').click();
        await page.getByRole('region', { name: 'Files and examples' }).waitFor(kTimeout);
        await look('files');
        await button('Close').click();
        await button('Watch').click();
        const timeline = page.getByRole('region', { name: 'Watch timeline' });
        await timeline.getByLabel('Initial events').check();
        await timeline.getByRole('button', { name: 'Watch', exact: true }).click();
        await timeline.getByText('ADDED').first().waitFor(kTimeout);
        await look('timeline');
        await button('Close').click();
        await button('Request').click();
        await button('Options').click();
        await page.getByRole('group', { name: 'Options' }).waitFor(kTimeout);
        await look('options');
        await button('Close').click();
        await button('New').click();
        await editor().click();
        await page.keyboard.press('Control+A');
        await page.keyboard.insertText('apiVersion: v1\nkind: Pod\nspec: {colour: red}\n');
        await page.locator('.editor .cm-problem').first().waitFor(kTimeout);
        await look('problems');
      });

      test('the tour', async () => {
        const { page } = shown;
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.getByRole('link', { name: 'API Concepts' }).click();
        await page.locator('#overview-2').getByRole('button').click();
        await page.locator('#overview-2').getByRole('img', { name: 'right' }).first().waitFor(kTimeout);
        await page.locator('#overview-2 summary').first().click();
        await look('proof');
        await page.getByRole('button', { name: 'Українська' }).click();
        await page.locator('.tour-sections li button').nth(4).click();
        await page.getByRole('button', { name: 'Почати', exact: true }).click();
        await page.locator('.tour-form').waitFor(kTimeout);
        await look('exercise');
      });
    });
  }
}

describe('the keyboard', () => {
  const shown = playground();
  test('reaches the text of an object, scrolls it and leaves it', async () => {
    const { page } = shown;
    const { row, editor } = actions(page);
    await row('database-0').focus();
    await page.keyboard.press('Enter');
    await editor().getByText('metadata', { exact: true }).first().waitFor(kTimeout);
    const inEditor = () => page.evaluate(() => document.activeElement.classList.contains('editor'));
    const tabs = async (until) => {
      for (let i = 0; i < 60; i++) {
        if ((await inEditor()) === until) return;
        await page.keyboard.press('Tab');
      }
      assert.fail('not by 60 times Tab');
    };
    await tabs(true);
    for (let i = 0; i < 5; i++) await page.keyboard.press('PageDown');
    assert.ok((await page.locator('.editor .cm-scroller').evaluate((element) => element.scrollTop)) > 100);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    assert.equal(await inEditor(), false);
  });
});
