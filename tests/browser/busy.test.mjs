// A table of 50,000 objects while 200 events a second come: the page has time for its frames.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { binary, serve } from '../mock-server/server.mjs';
import { launch } from './browser.mjs';

const kObjects = 50_000;
const kPerSecond = 200;
const kSeconds = 4;
const kMaps = '/api/v1/namespaces/default/configmaps';
const nameOf = (number) => `map-${String(number).padStart(5, '0')}`;

let browser;
let server;
let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabernetes-busy-'));
  const items = Array.from({ length: kObjects }, (_, i) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: nameOf(i), namespace: 'default' }, data: { a: '0' } }));
  const manifest = join(folder, 'maps.json');
  writeFileSync(manifest, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  [browser, server] = await Promise.all([launch(), serve(process.env.TABERNETES_BINARY ?? binary, '--controllers', 'none', '--scheduler=false', '--load', manifest)]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

/** Patches objects at a steady pace, every other one in sight. Returns a function that ends it and tells how many there were. */
function writes() {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  const begun = Date.now();
  let [due, done] = [0, 0];
  const patch = (turn) => {
    const target = `${kMaps}/${nameOf(turn % 2 ? (turn * 7919) % kObjects : turn % 20)}`;
    const body = JSON.stringify({ data: { a: String(turn) } });
    const headers = { 'content-type': 'application/merge-patch+json', 'content-length': body.length };
    const request = http.request(server.url + target, { method: 'PATCH', agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => (done += answer.statusCode === 200));
    });
    request.end(body);
  };
  const timer = setInterval(() => {
    for (const wanted = ((Date.now() - begun) * kPerSecond) / 1000; due < wanted; ) patch(due++);
  }, 5);
  return () => {
    clearInterval(timer);
    return done;
  };
}

test('sorted, with events in sight and out of it, the page is busy for less than two thirds of the time', { timeout: 180_000 }, async (t) => {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto(`${server.url}/ui/#/v1/configmaps?namespace=default`);
  await page.locator('.phase').getByText(/^live, 5000\d$/).waitFor({ timeout: 90_000 });
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  const devtools = await page.context().newCDPSession(page);
  // The thread's own time: other programs on the machine do not count.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async () => (await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;
  const end = writes();
  await setTimeout(1000);
  const before = await busy();
  const frames = await page.evaluate(
    (milliseconds) =>
      new Promise((resolve) => {
        const gaps = [];
        let last = performance.now();
        const until = last + milliseconds;
        const frame = (now) => {
          gaps.push(now - last);
          last = now;
          if (now < until) requestAnimationFrame(frame);
          else resolve(gaps);
        };
        requestAnimationFrame(frame);
      }),
    kSeconds * 1000,
  );
  const share = ((await busy()) - before) / kSeconds;
  const written = end();
  frames.sort((a, b) => a - b);
  const at = (part) => frames[Math.floor(frames.length * part)].toFixed(1);
  t.diagnostic(`busy ${(share * 100).toFixed(0)} %, ${written} writes, frames of ${at(0.5)} ms, at 95 % ${at(0.95)} ms`);
  assert.ok(written > 0.5 * kPerSecond * kSeconds, `${written} writes`);
  assert.ok(share < 0.66, `busy for ${(share * 100).toFixed(0)} % of the time`);
  // What was written is shown.
  await page.getByLabel('Filter').fill(nameOf(12));
  await page.locator('.table tbody .name', { hasText: nameOf(12) }).waitFor({ timeout: 30_000 });
  await page.context().close();
});

test('a row that changes keeps the focus of the keyboard', async () => {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto(`${server.url}/ui/#/v1/configmaps?namespace=default&labels=focus=here`);
  const create = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'focused', labels: { focus: 'here' } }, data: { a: '1' } };
  await fetch(server.url + kMaps, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(create) });
  const row = page.locator('.table tbody tr').filter({ hasText: 'focused' });
  await row.focus({ timeout: 30_000 });
  const headers = { 'content-type': 'application/merge-patch+json' };
  await fetch(`${server.url}${kMaps}/focused`, { method: 'PATCH', headers, body: JSON.stringify({ data: { b: '2' } }) });
  await row.getByRole('cell', { name: '2', exact: true }).waitFor({ timeout: 30_000 });
  assert.match(await page.evaluate(() => document.activeElement.innerText), /^focused\s/);
  await page.context().close();
});
