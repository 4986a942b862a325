import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, serveFiles } from '../tests/browser/browser.mjs';
import { binary, serve } from './lib/native.mjs';

export const doc = 'the playground on a phone: a processor four times as slow, nothing cached, with and without a slow network';

const site = fileURLToPath(new URL('../dist/ui', import.meta.url));
export const missing = () => [binary, join(site, 'index.html')].filter((file) => !existsSync(file)).map((file) => `${file} is not built`)[0];

const kSlower = 4;
const kRounds = 5;
/** Bytes per second and milliseconds, as Lighthouse's slow 4G. */
const kSlowNetwork = { offline: false, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8, latency: 150 };

/** Collects what the page's observers tell: shifts of the layout, and what tasks take beyond 50 ms. */
function observe() {
  window.seen = { shift: 0, blocked: 0, largest: 0 };
  const on = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  on('layout-shift', ({ value, hadRecentInput }) => (window.seen.shift += hadRecentInput ? 0 : value));
  on('longtask', ({ duration }) => (window.seen.blocked += Math.max(0, duration - 50)));
  on('largest-contentful-paint', ({ startTime }) => (window.seen.largest = startTime));
}

/** Opens the page once. Returns milliseconds, and the shift of the layout. */
async function open(browser, url, network) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: kSlower });
  if (network) await devtools.send('Network.emulateNetworkConditions', network);
  await page.addInitScript(observe);
  const begun = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator('.phase').getByText(/^live/).waitFor({ timeout: 60_000 });
  const live = performance.now() - begun;
  const first = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
  const seen = await page.evaluate(() => window.seen);
  await context.close();
  return { first, live, ...seen };
}

async function median(browser, url, network) {
  const opened = [];
  for (let round = 0; round < kRounds; ++round) opened.push(await open(browser, url, network));
  const middle = (name) => opened.map((each) => each[name]).sort((a, b) => a - b)[kRounds >> 1];
  return Object.fromEntries(Object.keys(opened[0]).map((name) => [name, middle(name)]));
}

const rows = (what, { first, largest, live, blocked, shift }) => [
  { measure: `${what}: first contentful paint`, value: first, unit: 'ms', budget: 1000 },
  { measure: '  largest contentful paint', value: largest, unit: 'ms' },
  { measure: '  the table is live', value: live, unit: 'ms' },
  { measure: '  total blocking time', value: blocked, unit: 'ms' },
  { measure: '  cumulative layout shift', value: shift, unit: '', budget: 0.1 },
];

export async function run() {
  const browser = await launch();
  const [server, files] = [await serve('--ui=true'), await serveFiles(site)];
  try {
    const served = `${server.url}/ui/`;
    return [
      ...rows("the server's page", await median(browser, served)),
      ...rows('on slow 4G', await median(browser, served, kSlowNetwork)),
      ...rows('with the cluster in the page', await median(browser, files.url)),
      ...rows('on slow 4G', await median(browser, files.url, kSlowNetwork)),
    ];
  } finally {
    await browser.close();
    await server.stop();
    files.close();
  }
}
