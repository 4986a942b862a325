// Runs the suite on the WebAssembly core inside a Chromium page. A static server gives the page dist/ and
// tests/conformance/; page.mjs runs there.

import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { extname, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scenarioFiles } from '../files.mjs';

const kRoot = fileURLToPath(new URL('../../../../', import.meta.url));
const kServed = /^\/(dist|tests\/conformance)\//;
const kTypes = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

export async function run({ only, report }) {
  const { launch } = await import('../../../browser/browser.mjs');
  const server = await serve();
  const browser = await launch();
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(`page: ${error.stack ?? error}`));
    page.on('console', (message) => message.type() === 'error' && console.error(`page: ${message.text()}`));
    const results = [];
    await page.exposeFunction('report', (text) => {
      results.push(JSON.parse(text));
      report?.(results[results.length - 1]);
    });
    await page.goto(`http://127.0.0.1:${server.address().port}/tests/conformance/runner/hosts/page.html`);
    await page.evaluate(({ files, only: wanted }) => globalThis.conformance(files, wanted), { files: scenarioFiles(), only });
    return { results };
  } finally {
    await browser.close();
    server.close();
  }
}

function serve() {
  const server = http.createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const bytes = kServed.test(path) ? await readFile(kRoot + path.slice(1)).catch(() => null) : null;
    response.writeHead(bytes ? 200 : 404, { 'content-type': kTypes[extname(path)] ?? 'application/octet-stream' });
    response.end(bytes ?? undefined);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
