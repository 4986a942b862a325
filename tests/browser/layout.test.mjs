// Nothing that can be used is cut off or out of sight, on a desk and on a phone.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from './browser.mjs';
import { actions, kTimeout, playground } from './page.mjs';

/** Returns the controls of a page of which a part is beyond the window or an element that does not scroll, by their texts. */
const cutControls = (page) =>
  page.evaluate(() => {
    const cut = [];
    for (const control of document.querySelectorAll('button, a[href], input, select, textarea')) {
      const { left, right, width } = control.getBoundingClientRect();
      if (width === 0 || !control.checkVisibility() || control.closest('.unseen, .cm-editor')) continue;
      let [from, to] = [0, innerWidth];
      for (let around = control.parentElement; around; around = around.parentElement) {
        const { overflowX } = getComputedStyle(around);
        if (overflowX === 'auto' || overflowX === 'scroll') break; // it can be scrolled to
        if (overflowX === 'visible') continue;
        const box = around.getBoundingClientRect();
        [from, to] = [Math.max(from, box.left), Math.min(to, box.right)];
      }
      if (left < from - 1 || right > to + 1) cut.push(control.ariaLabel ?? (control.textContent.trim() || control.placeholder || control.tagName));
    }
    return cut;
  });

/** Counts how far what is shown moves (the Layout Instability API), other than the exchanges, which make room for new ones. */
function countShifts() {
  window.shifted = 0;
  const moves = ({ sources }) => sources.some(({ node }) => !(node?.nodeType === 1 ? node : node?.parentElement)?.matches('.exchange-pane *'));
  const add = (list) => list.getEntries().forEach((entry) => (window.shifted += moves(entry) ? entry.value : 0));
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
}

for (const width of [1400, 390]) {
  describe(`${width} wide`, () => {
    test('what comes while the page loads moves nothing', async () => {
      const page = await shown.page.context().newPage();
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      await page.addInitScript(countShifts);
      await page.goto(shown.page.url());
      await page.locator('.phase').getByText(/^live/).waitFor(kTimeout);
      const shifted = await page.evaluate(() => window.shifted);
      assert.ok(shifted < 0.1, `cumulative layout shift ${shifted}`);
      await page.close();
    });

    const shown = playground({ width, height: 900 });
    const whole = (what) => eventually(async () => assert.deepEqual(await cutControls(shown.page), [], what), 3000);

    test('the table, an object with its containers and relations, a new one', async () => {
      const { page } = shown;
      const { button, row } = actions(page);
      await whole('table');
      await row('database-0').click();
      await button('Containers').click(kTimeout);
      await page.getByRole('button', { name: 'Shell' }).waitFor(kTimeout);
      await whole('containers');
      await button('Relations').click();
      await whole('relations');
      await button('Close').click();
      await button('New').click();
      await whole('new');
    });

    test('a request with its options, and its code', async () => {
      const { page } = shown;
      const { button } = actions(page);
      await button('Request').click();
      await button('Options').click();
      await page.getByRole('group', { name: 'Options' }).waitFor(kTimeout);
      await whole('request');
      await button('Code').click();
      await page.getByRole('region', { name: 'Code' }).waitFor(kTimeout);
      await whole('code');
    });

    test('selection, time, and what is beside the table', async () => {
      const { page } = shown;
      const { button } = actions(page);
      await button('Selectors').click();
      await button('Select').click();
      await page.getByLabel('Select database-0').check(kTimeout);
      await button('Time').click();
      await button('Pause').click();
      await button('Step').click();
      await whole('bars');
      await button('Close time').click();
      for (const [name, part] of [['Rights', 'Who am I?'], ['Files', 'Files and examples'], ['Past', /at two versions/], ['Watch', 'Watch timeline']]) {
        await button(name).click();
        await page.getByRole('heading', { name: part }).waitFor(kTimeout);
        await whole(name);
        await button('Close').click();
      }
    });

    test('the controls of the cluster stand in one line', async () => {
      const tops = await shown.page.locator('.header > .clock, .header > .button').evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top / 20)));
      assert.equal(new Set(tops).size, 1, tops.join());
    });

    test('the tour has its whole title, and buttons as wide as their words', async () => {
      const { page } = shown;
      await page.getByRole('link', { name: 'API Concepts' }).click();
      await page.locator('#overview-2').getByRole('button').click();
      await page.locator('#overview-2').getByRole('img', { name: 'right' }).first().waitFor(kTimeout);
      assert.ok((await page.locator('#overview-2').getByRole('button', { name: 'Prove it again' }).boundingBox()).width < 130);
      await page.getByRole('button', { name: 'Українська' }).click();
      await whole('tour');
      const title = page.locator('.tour-sections h2');
      assert.ok(await title.evaluate((element) => element.scrollWidth <= element.clientWidth));
    });
  });
}

describe('the timeline of a watch', () => {
  const shown = playground({ width: 390, height: 900 });
  test('says what its rows are when it has moved on', async () => {
    const { page } = shown;
    const { button } = actions(page);
    await button('Watch').click();
    const timeline = page.getByRole('region', { name: 'Watch timeline' });
    await timeline.getByLabel('Initial events').check();
    await timeline.getByRole('button', { name: 'Watch', exact: true }).click();
    await timeline.getByText('the initial events end here').waitFor(kTimeout);
    const box = await timeline.getByRole('region', { name: 'Events' }).boundingBox();
    for (const each of [timeline.getByRole('columnheader', { name: 'object' }), timeline.locator('caption span')]) {
      await eventually(async () => {
        const { x, width } = await each.boundingBox();
        assert.ok(x >= box.x && x + width <= box.x + box.width, `${x}, ${width} wide`);
      }, 3000);
    }
  });
});
