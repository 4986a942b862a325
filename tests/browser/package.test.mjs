// The npm package in Chromium without a bundler: in a page and in a worker, under a strict content policy.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, serveFiles } from './browser.mjs';

const kPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

// Creates an object and watches it come; `tell` gets what was seen.
const kProgram = `
import { createCluster } from './dist/index.js';
export async function walk() {
  const cluster = await createCluster({ seed: 1, now: '2026-01-01T00:00:00Z' });
  const maps = '/api/v1/namespaces/default/configmaps';
  const reader = (await cluster.fetch(maps + '?watch=true')).body.pipeThrough(new TextDecoderStream()).getReader();
  const event = reader.read();
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'seen' } });
  const created = await cluster.fetch(maps, { method: 'POST', body });
  const { type, object } = JSON.parse((await event).value);
  cluster.dispose();
  return [created.status, type, object.metadata.name, object.metadata.creationTimestamp, (await reader.read()).done].join(' ');
}
`;
const kSeen = '201 ADDED seen 2026-01-01T00:00:00Z true';

const folder = mkdtempSync(join(tmpdir(), 'tabernetes-page-'));
let browser;
let files;
before(async () => {
  cpSync(fileURLToPath(new URL('../../dist', import.meta.url)), join(folder, 'dist'), { recursive: true });
  const write = (name, text) => writeFileSync(join(folder, name), text);
  write('walk.js', kProgram);
  write('page.js', "import { walk } from './walk.js';\ndocument.title = await walk();");
  write('page.html', '<!doctype html><script type="module" src="page.js"></script>');
  write('worker.js', "import { walk } from './walk.js';\npostMessage(await walk());");
  write('start.js', "new Worker('worker.js', { type: 'module' }).onmessage = ({ data }) => (document.title = data);");
  write('worker.html', '<!doctype html><script type="module" src="start.js"></script>');
  browser = await launch();
  files = await serveFiles(folder, { 'content-security-policy': kPolicy });
});
after(async () => {
  await browser?.close();
  files?.close();
  rmSync(folder, { recursive: true });
});

for (const place of ['page', 'worker']) {
  test(`in a ${place}`, async () => {
    const page = await browser.newPage();
    const faults = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${files.url}${place}.html`);
    await page.waitForFunction(() => document.title !== '', null, { timeout: 15_000 }).catch(() => {});
    assert.equal(await page.title(), kSeen);
    assert.deepEqual(faults.filter((text) => !text.includes('404')), []); // Chromium asks for an icon
    assert.ok(!files.requests.includes('/dist/embedded.js'), 'the embedded copy is not needed');
    await page.close();
  });
}
