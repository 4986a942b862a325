// Editing: what the schema says while one types, what an edit would change, and what the server says of it, line by line.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from './browser.mjs';
import { actions, kTimeout, playground } from './page.mjs';

for (const width of [1400, 390]) {
  describe(`${width} wide`, () => {
    const shown = playground({ width, height: 900 });
    const open = async (kind, name) => {
      const { page } = shown;
      if (width < 900) await page.getByLabel('Find a resource').click();
      await actions(page).pick(kind);
      await actions(page).row(name).click(kTimeout);
      await actions(page).editor().getByText('apiVersion').first().waitFor(kTimeout);
    };
    const problems = () => shown.page.locator('.editor .cm-problem').allInnerTexts();

    test('fields are completed and explained, mistakes are told beside their lines', async () => {
      const { page } = shown;
      const { button, write, editor } = actions(page);
      await button('New').click();
      await write('apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: two\n  colour: red\n  template:\n    spec:\n      containers:\n      - name: a\n        imag');
      await eventually(async () => {
        const told = (await problems()).join('\n');
        for (const each of ['missing: selector', 'must be an integer, is string', 'unknown field "colour"', 'Implicit map keys']) assert.ok(told.includes(each), told);
      });
      await page.keyboard.press('Control+Space');
      const offers = page.locator('.editor .cm-tooltip-autocomplete li');
      await offers.first().waitFor(kTimeout);
      assert.match(await offers.first().innerText(), /^image\s*string/);
      await page.waitForTimeout(250); // the editor ignores a key right after the list has opened
      await page.keyboard.press('Enter');
      await editor().getByText('image').first().waitFor(kTimeout);
      await eventually(async () => assert.ok(!(await problems()).some((each) => each.includes('Implicit'))));
      if (width > 900) {
        await editor().getByText('replicas').hover();
        await page.locator('.editor .cm-field-text').getByText('spec.replicas: integer').waitFor(kTimeout);
      }
    });

    test('an edit is reviewed as a replacement, an apply and a patch before it is sent', async () => {
      const { page } = shown;
      const { button, write } = actions(page);
      await open('ConfigMap', 'storefront');
      await write((await text()).replace('Free delivery this week', 'Half price'));
      await button('Review').click();
      const review = page.getByRole('region', { name: 'Review' });
      await review.getByText('+ data.banner: "Half price"').waitFor(kTimeout);
      await review.getByText('- data.banner: "Free delivery this week"').waitFor(kTimeout);
      await review.getByRole('button', { name: 'apply', exact: true }).click();
      await review.getByText(/^409 Conflict/).waitFor(kTimeout);
      await review.getByLabel('Force').check();
      await review.getByText('+ data.banner: "Half price"').waitFor(kTimeout);
      await review.getByRole('button', { name: 'merge patch' }).click();
      await review.getByText('+ data.banner: "Half price"').waitFor(kTimeout);
      await review.locator('summary').click();
      await review.getByText('{ "data": { "banner": "Half price" } }', { exact: true }).waitFor(kTimeout);
      await review.getByRole('button', { name: 'Send' }).click();
      await page.getByText('200 Sent').waitFor(kTimeout);
      await actions(page).editor().getByText('Half price').waitFor(kTimeout);
    });

    test('each cause of a 422 stands beside its line', async () => {
      const { page } = shown;
      const { button, write } = actions(page);
      await open('Deployment', 'api');
      await write('apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api, namespace: shop}\nspec:\n  replicas: -1\n  selector: {matchLabels: {app: api}}\n  template:\n    metadata: {labels: {app: api}}\n    spec:\n      containers:\n      - name: Not_Good\n        image: a\n');
      await button('Replace').click();
      await page.getByText('422 Invalid').waitFor(kTimeout);
      await eventually(async () => {
        const told = await problems();
        assert.match(told[0], /^Invalid value: -1: must be greater than or equal to 0/);
        assert.match(told[1], /^Invalid value: "Not_Good": a lowercase RFC 1123 label/);
      });
    });

    async function text() {
      const lines = await shown.page.locator('.editor .cm-line').allInnerTexts();
      // The folded managedFields are one line, which is left out.
      return lines.filter((line) => !/managedFields/.test(line)).join('\n').replaceAll('\n\n', '\n');
    }
  });
}
