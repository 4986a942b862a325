// Tests watches over WebSocket against the native server, with Chromium's own WebSocket: a dashboard's page, and a
// hostile one.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { binary, serve } from '../mock-server/server.mjs';
import { eventually, launch } from './browser.mjs';

const kConfigMaps = '/api/v1/namespaces/default/configmaps';

let browser;
let server;
let pages;
before(async () => {
  server = await serve(binary, '--log', 'info');
  pages = http.createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>'));
  await new Promise((resolve) => pages.listen(0, '127.0.0.1', resolve));
  browser = await launch('--host-resolver-rules=MAP evil.example 127.0.0.1');
});
after(async () => {
  await browser?.close();
  pages?.close();
  pages?.closeAllConnections();
  assert.equal(await server?.stop(), 0);
});

/** Opens an empty page from `host`, on another port than the server. */
async function pageOf(host) {
  const page = await browser.newPage();
  await page.goto(`http://${host}:${pages.address().port}/`);
  return page;
}

/** Opens a watch in the page and returns what arrived until it ended or `events` events came. */
const watchFrom = (page, url, protocols, events) =>
  page.evaluate(
    ([url, protocols, events]) =>
      new Promise((resolve) => {
        const seen = [];
        const socket = new WebSocket(url, protocols);
        socket.onopen = () => seen.push(`open ${socket.protocol}`);
        socket.onmessage = ({ data }) => {
          const { type, object } = JSON.parse(data);
          seen.push(`${type} ${object.metadata.name}`);
          if (seen.length > events) socket.close(1000);
        };
        socket.onclose = ({ code, wasClean }) => resolve([...seen, `close ${code} ${wasClean}`]);
      }),
    [url, protocols, events],
  );

const watchUrl = (query = '') => `ws://127.0.0.1:${server.port}${kConfigMaps}?watch=1&fieldSelector=metadata.name%3Dseen${query}`;

test('a dashboard on another port of this machine watches', async () => {
  const body = JSON.stringify({ metadata: { name: 'seen' } });
  const created = await fetch(server.url + kConfigMaps, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  assert.equal(created.status, 201);
  const page = await pageOf('localhost');
  assert.deepEqual(await watchFrom(page, watchUrl(), ['base64.binary.k8s.io'], 1), ['open base64.binary.k8s.io', 'ADDED seen', 'close 1000 true']);
  assert.deepEqual(await watchFrom(page, watchUrl('&timeoutSeconds=1'), [], 9), ['open ', 'ADDED seen', 'close 1000 true']);
  const token = 'base64url.bearer.authorization.k8s.io.dG9rZW4';
  assert.deepEqual(await watchFrom(page, watchUrl(), [token, 'base64.binary.k8s.io'], 1), ['open base64.binary.k8s.io', 'ADDED seen', 'close 1000 true']);
  await page.close();
});

/** Returns the number of watches that the server refused to open. */
const refusals = () => server.output.stderr.match(/watch=1\S* 403 /g)?.length ?? 0;

test('a page of a foreign origin sees nothing', async () => {
  const page = await pageOf('evil.example');
  assert.deepEqual(await watchFrom(page, watchUrl(), [], 1), ['close 1006 false']);
  await eventually(() => assert.equal(refusals(), 1));
  // A sandboxed frame, whose origin is null, cannot either.
  const sandboxed = await page.evaluate(
    (url) =>
      new Promise((resolve) => {
        addEventListener('message', ({ data }) => resolve(data));
        const frame = document.createElement('iframe');
        frame.sandbox = 'allow-scripts';
        frame.srcdoc = `<script>
          const socket = new WebSocket(${JSON.stringify(url)});
          socket.onopen = () => parent.postMessage('open', '*');
          socket.onclose = ({ code }) => parent.postMessage('close ' + code, '*');
        </script>`;
        document.body.append(frame);
      }),
    watchUrl(),
  );
  assert.equal(sandboxed, 'close 1006');
  await eventually(() => assert.equal(refusals(), 2));
  await page.close();
});
