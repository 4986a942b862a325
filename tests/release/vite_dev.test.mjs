// Tests Vite's development server, which moves packages to a folder of its own: the WebAssembly is found in the
// package.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createServer } from 'vite';
import { launch } from '../browser/browser.mjs';
import { projectWith, version } from './support.mjs';

test('without configuration, in Chromium', async () => {
  const { folder } = await projectWith(`tabernetes-${version}.tgz`);
  writeFileSync(join(folder, 'index.html'), '<script type="module" src="./page.js"></script>');
  writeFileSync(
    join(folder, 'page.js'),
    `import { createCluster } from 'tabernetes';
     const cluster = await createCluster();
     document.title = (await (await cluster.fetch('/api/v1/namespaces/default')).json()).metadata.name;`,
  );
  const server = await createServer({ root: folder, configFile: false, logLevel: 'error', server: { host: '127.0.0.1', port: 0 } });
  const browser = await launch();
  try {
    await server.listen();
    const page = await browser.newPage();
    const loaded = [];
    page.on('request', (request) => request.url().includes('.wasm') && loaded.push(new URL(request.url()).pathname));
    await page.goto(`http://127.0.0.1:${server.httpServer.address().port}/`);
    await page.waitForFunction(() => document.title !== '', null, { timeout: 30_000 });
    assert.equal(await page.title(), 'default');
    assert.deepEqual(loaded, ['/node_modules/.vite/deps/tabernetes.wasm', '/node_modules/tabernetes/dist/tabernetes.wasm']);
  } finally {
    await browser.close();
    await server.close();
  }
});
