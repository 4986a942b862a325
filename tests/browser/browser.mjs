// Chromium and a server of plain files, for the tests of this folder.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';

const kBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const kArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const kTypes = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** A browser, with these arguments besides the usual ones. */
export function launch(...more) {
  const executablePath = process.env.CHROMIUM ?? kBrowsers.find(existsSync);
  if (!executablePath) throw new Error(`no Chromium: looked for ${kBrowsers.join(', ')}`);
  return chromium.launch({ executablePath, args: [...kArguments, ...more] });
}

/** Serves the files of `folder` and nothing else: { url, requests, close }. `headers` go with every answer. */
export async function serveFiles(folder, headers = {}) {
  const requests = [];
  const server = http.createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    requests.push(path);
    const bytes = await readFile(join(folder, path.endsWith('/') ? `${path}index.html` : path)).catch(() => undefined);
    const type = kTypes[extname(path)] ?? (path.endsWith('/') ? kTypes['.html'] : 'application/octet-stream');
    response.writeHead(bytes ? 200 : 404, { 'content-type': type, ...headers });
    response.end(bytes);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, requests, close: () => server.close() };
}
