// The page without a network: it starts, its cluster works, and its late parts are there.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import assert from 'node:assert/strict';
import { launch, serveFiles } from './browser.mjs';
import { kTimeout } from './page.mjs';

let browser;
let files;
let folder;
before(async () => {
  // Below any path.
  folder = mkdtempSync(join(tmpdir(), 'tabernetes-offline-'));
  cpSync(fileURLToPath(new URL('../../dist/ui/', import.meta.url)), join(folder, 'some', 'path'), { recursive: true });
  browser = await launch();
  files = await serveFiles(folder);
});
after(async () => {
  await browser?.close();
  files?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('after one visit the page works offline, with its cluster, command line and tour', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${files.url}some/path/`);
  await page.locator('html[data-offline="ready"]').waitFor({ state: 'attached', ...kTimeout });
  files.close();
  await context.setOffline(true);
  await page.reload();
  await page.locator('.table tbody tr').first().waitFor(kTimeout);
  await page.getByRole('button', { name: 'Command line' }).click();
  const command = page.getByRole('textbox', { name: 'Command', exact: true });
  await command.fill('create namespace offline');
  await command.press('Enter');
  await page.getByRole('log').getByText('namespace/offline created').waitFor(kTimeout);
  await page.getByRole('link', { name: 'API Concepts' }).click();
  await page.locator('#overview-1').getByRole('button').click();
  await page.getByText('1 of 267 proved').waitFor(kTimeout);
  await context.close();
});

test('the manifest names the page, wherever it is', async () => {
  const page = await browser.newPage();
  const again = await serveFiles(folder);
  await page.goto(`${again.url}some/path/`);
  const manifest = await page.evaluate(async () => {
    const link = document.querySelector('link[rel=manifest]').href;
    return { link, content: await (await fetch(link)).json() };
  });
  assert.equal(new URL(manifest.content.start_url, manifest.link).pathname, '/some/path/');
  await page.close();
  again.close();
});
