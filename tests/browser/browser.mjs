// Chromium and a plain file server, for the tests of this folder.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { extname, join, normalize } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chromium } from 'playwright-core';

const kBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const kArguments = [
  '--no-sandbox',
  '--disable-dev-shm-usage', // containers have 64 MiB of it
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
  '.webmanifest': 'application/manifest+json',
};

/** Launches a browser with these additional arguments. */
export function launch(...more) {
  const executablePath = process.env.CHROMIUM ?? kBrowsers.find(existsSync);
  if (!executablePath) throw new Error(`no Chromium: looked for ${kBrowsers.join(', ')}`);
  return chromium.launch({ executablePath, args: [...kArguments, ...more] });
}

/** Serves the files of `folder` and nothing else; returns { url, requests, close }. Every answer has `headers`. */
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

/** Repeats `check` until it no longer throws, as a page follows a click by a frame or two. Throws its last error. */
export async function eventually(check, milliseconds = Number(process.env.PATIENCE ?? 30_000)) {
  for (const end = Date.now() + milliseconds; ; await setTimeout(20)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** Delays every deferred callback of `page` by this much from its next navigation on, as on a busy machine. */
export const slowDown = (page, milliseconds = 150) =>
  page.addInitScript((more) => {
    const { setTimeout } = window;
    window.setTimeout = (callback, delay = 0, ...rest) => setTimeout(callback, delay + more, ...rest);
  }, milliseconds);
