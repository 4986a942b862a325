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

/** Resolves with the gaps between the frames of a page, in milliseconds: the median, and what 95 % do not exceed. */
async function framesOf(page) {
  const gaps = await page.evaluate(
    (milliseconds) =>
      new Promise((resolve) => {
        const found = [];
        let last = performance.now();
        const until = last + milliseconds;
        const frame = (now) => {
          found.push(now - last);
          last = now;
          if (now < until) requestAnimationFrame(frame);
          else resolve(found);
        };
        requestAnimationFrame(frame);
      }),
    kSeconds * 1000,
  );
  gaps.sort((a, b) => a - b);
  const at = (part) => Number(gaps[Math.floor(gaps.length * part)].toFixed(1));
  return { at50: at(0.5), at95: at(0.95) };
}

/** The frames of a page that does nothing, on this machine now. */
async function emptyFrames() {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto('data:text/html,<p>empty');
  const frames = await framesOf(page);
  await page.context().close();
  return frames;
}

test('sorted, with events in sight and out of it, the page is busy for less than a third of the time, and 95 % of its frames are those of an empty page', { timeout: 180_000 }, async (t) => {
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
  const empty = await emptyFrames();
  await page.bringToFront();
  const before = await busy();
  const frames = await framesOf(page);
  const share = ((await busy()) - before) / kSeconds;
  const written = end();
  const ratio = frames.at95 / empty.at95;
  t.diagnostic(`busy ${(share * 100).toFixed(0)} %, ${written} writes, frames of ${frames.at50} ms, at 95 % ${frames.at95} ms, ${ratio.toFixed(1)} times those of an empty page`);
  assert.ok(written > 0.5 * kPerSecond * kSeconds, `${written} writes`);
  assert.ok(ratio < 2.1, `frames at 95 %: ${frames.at95} ms, of an empty page ${empty.at95} ms`); // one frame may be left out
  assert.ok(share < 0.33, `busy for ${(share * 100).toFixed(0)} % of the time`);
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
