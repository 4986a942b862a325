// Tests the playground before its WebAssembly is built, and without it: it shows the server nevertheless.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { binary, serve } from '../mock-server/server.mjs';
import { eventually, launch } from './browser.mjs';

const kTimeout = { timeout: 30_000 };
const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

let folder;
let browser;
let server;
before(async () => {
  // As installed: bin/tabernetes and share/tabernetes/ui.
  folder = mkdtempSync(join(tmpdir(), 'tabernetes-unbuilt-'));
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'share/tabernetes'), { recursive: true });
  copyFileSync(process.env.TABERNETES_BINARY ?? binary, join(folder, 'bin/tabernetes'));
  execFileSync(process.execPath, [at('web-demo/build.mjs'), '--server-only', '--out', join(folder, 'server-only')], { stdio: 'inherit' });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

let page;
let faults;
beforeEach(async () => {
  page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage();
  faults = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
});
afterEach(async () => {
  await page.context().close();
  await server?.stop();
  server = undefined;
});

const ui = () => join(folder, 'share/tabernetes/ui');
async function start(files) {
  rmSync(ui(), { recursive: true, force: true });
  cpSync(files, ui(), { recursive: true });
  server = await serve(join(folder, 'bin/tabernetes'), '--controllers', 'none', '--scheduler=false', '--scheduler=false');
  await page.goto(`${server.url}/ui/`);
  await page.locator('.phase.live').waitFor(kTimeout);
}
const inThisPage = () => page.getByRole('button', { name: 'In this page' }).click();

test('a page whose cluster is not built yet says so, and takes it when it is', async () => {
  await start(join(folder, 'server-only'));
  await eventually(async () => assert.match(await page.locator('.header .tag').innerText(), /^Server .* · v1\.36/));
  await page.getByRole('button', { name: 'Create the sample objects' }).click();
  await page.locator('.table').getByText('database-0').waitFor(kTimeout);
  await page.getByRole('link', { name: 'Patch bench' }).click();
  await page.getByText('The cluster inside this page is not built yet.').waitFor(kTimeout);
  await page.getByRole('link', { name: 'Cluster' }).click();
  await inThisPage();
  await page.getByText('The cluster inside this page is not built yet.').waitFor(kTimeout);
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByText('The cluster inside this page is not built yet.').waitFor(kTimeout);
  await page.getByRole('button', { name: 'This server' }).click();
  await page.locator('.phase.live').waitFor(kTimeout);
  await inThisPage();
  await page.getByText('The cluster inside this page is not built yet.').waitFor(kTimeout);

  // As web-demo/build.mjs places it.
  cpSync(at('dist/ui'), `${ui()}.new`, { recursive: true });
  renameSync(ui(), `${ui()}.old`);
  renameSync(`${ui()}.new`, ui());
  await page.locator('.table').getByText('database-0').waitFor(kTimeout);
  await eventually(async () => assert.match(await page.locator('.header .tag').innerText(), /^Kubernetes v1\.36/));
  assert.deepEqual(faults, [], 'the page complained');
});

test('a page without its WebAssembly file shows the server, and says what is missing', async () => {
  const files = join(folder, 'without');
  cpSync(at('dist/ui'), files, { recursive: true });
  for (const name of readdirSync(join(files, 'assets'))) if (name.endsWith('.wasm')) rmSync(join(files, 'assets', name));
  await start(files);
  assert.deepEqual(faults, [], 'the page complained');
  await inThisPage();
  await page.getByText('The cluster inside this page did not load.').waitFor(kTimeout);
  await page.getByText('tabernetes.wasm is not beside this code').waitFor(kTimeout);
  const assets = join(ui(), 'assets');
  for (const name of readdirSync(join(at('dist/ui'), 'assets'))) if (name.endsWith('.wasm')) copyFileSync(join(at('dist/ui/assets'), name), join(assets, name));
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.locator('.table').getByText('database-0').waitFor(kTimeout);
});
