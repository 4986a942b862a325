// The built playground in a page of its own for each test, as plain files: a cluster inside the page.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, serveFiles } from './browser.mjs';

const folder = fileURLToPath(new URL('../../dist/ui/', import.meta.url));
export const kTimeout = { timeout: Number(process.env.PATIENCE ?? 30_000) };

/**
 * Registers the hooks. Returns an object with the `page` of the test, which must not complain, the `files` that serve it, and
 * `open()`, which loads it again.
 */
export function playground(viewport = { width: 1440, height: 900 }) {
  const shown = {};
  let browser;
  let faults;
  before(async () => {
    browser = await launch();
    shown.files = await serveFiles(folder);
  });
  after(async () => {
    await browser?.close();
    shown.files?.close();
  });
  beforeEach(async () => {
    faults = [];
    shown.page = await (await browser.newContext({ viewport })).newPage();
    shown.page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()));
    shown.page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
    await shown.open();
  });
  afterEach(async () => {
    await shown.page.context().close();
    assert.deepEqual(faults, [], 'the page complained');
  });
  shown.open = async () => {
    await shown.page.goto(shown.files.url);
    await shown.page.locator('.table tbody tr').first().waitFor(kTimeout);
  };
  return shown;
}

/** Returns what tests do with a page. */
export function actions(page) {
  const button = (name) => page.getByRole('button', { name, exact: true });
  const editor = () => page.locator('.editor .cm-content');
  return {
    button,
    editor,
    rows: () => page.locator('.table tbody tr:not(.gap)'),
    row: (name) => page.locator('.table tbody tr').filter({ has: page.getByRole('cell', { name, exact: true }) }),
    pick: (kind) => page.getByRole('navigation', { name: 'Resources' }).getByRole('button', { name: kind, exact: true }).click(),
    chooseNamespace: (name) => page.getByLabel('Namespace').selectOption(name),
    /** Replaces the whole text of the editor. */
    async write(text) {
      await editor().click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(text);
    },
    /** Drops files, `{ name: text }`, on the page. */
    drop: (files) =>
      page.evaluate((given) => {
        const dataTransfer = new DataTransfer();
        for (const [name, text] of Object.entries(given)) dataTransfer.items.add(new File([text], name));
        for (const type of ['dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
      }, files),
  };
}
