// The suite of backends on IndexedDB, and clusters that a browser keeps, in Chromium.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { launch, serveFiles } from '../browser/browser.mjs';

const kMost = { timeout: 120_000 };
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
let folder;
let site;
let browser;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabernetes-indexed-db-'));
  cpSync(here('../../dist'), join(folder, 'dist'), { recursive: true, filter: (path) => !/\/(ui|cjs)$/.test(path) });
  cpSync(here('backend_suite.mjs'), join(folder, 'suite.js'));
  await build({ entryPoints: [here('../../wasm/src/stores/indexed-db.ts')], bundle: true, format: 'esm', outfile: join(folder, 'indexed-db.js'), logLevel: 'warning' });
  const worker = "import { createCluster } from './dist/index.js'; import { serve } from './dist/ENTRY.js'; serve(createCluster({ controllers: 'none', persist: { indexedDB: 'shop' } })WHERE);";
  for (const [name, text] of Object.entries({
    'index.html': '<!doctype html><title>a page</title>',
    'worker.js': worker.replace('ENTRY', 'worker').replace('WHERE', ''),
    'sw.js': worker.replace('ENTRY', 'service-worker').replace('WHERE', ", 'https://kubernetes.example'"),
    'kept.js': `
      import { createCluster } from './dist/index.js';
      export const kMaps = '/api/v1/namespaces/default/configmaps';
      const load = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'loaded' }, data: { value: '0' } };
      export const keep = () => createCluster({ controllers: 'none', persist: { indexedDB: 'shop' }, load });
      export const create = (cluster, name, value = '1') => cluster.fetch(kMaps, { method: 'POST', body: JSON.stringify({ metadata: { name }, data: { value } }) });
      export const names = async (cluster) => (await (await cluster.fetch(kMaps)).json()).items.map(({ metadata, data }) => metadata.name + '=' + data.value).join(' ');`,
  })) {
    writeFileSync(join(folder, name), text);
  }
  site = await serveFiles(folder);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  site?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(context) {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(site.url);
  return page;
}

/** Opens a page that has the cluster as `cluster`, and the functions of kept.js. */
async function openKept(context) {
  const page = await open(context);
  await page.evaluate(async () => {
    Object.assign(globalThis, await import('./kept.js'));
    globalThis.cluster = await keep();
  });
  return page;
}

const make = (page, name, value) => page.evaluate(([name, value]) => create(cluster, name, value).then(({ status }) => status), [name, value]);
const listed = (page) => page.evaluate(() => names(cluster));

test('the suite on IndexedDB', kMost, async () => {
  const page = await open(browser);
  const faults = await page.evaluate(async () => {
    const { createCluster } = await import('./dist/index.js');
    const { IndexedDbStore } = await import('./indexed-db.js');
    const { runBackendTests } = await import('./suite.js');
    let count = 0;
    const fresh = async () => {
      const name = 'store-' + ++count;
      let store;
      const close = async () => void store?.close();
      const clear = async () => {
        await close();
        await new Promise((resolve, reject) => Object.assign(indexedDB.deleteDatabase(name), { onsuccess: resolve, onerror: reject }));
      };
      return { open: async () => (store = new IndexedDbStore(name)), close, clear };
    };
    return runBackendTests(fresh, createCluster);
  });
  assert.deepEqual(faults, []);
  await page.close();
});

test('what was answered is there after a reload and after a crash of the page', kMost, async () => {
  const context = await browser.newContext();
  let page = await openKept(context);
  assert.equal(await make(page, 'first'), 201);
  const version = await page.evaluate(async () => (await (await cluster.fetch(kMaps)).json()).metadata.resourceVersion);
  await page.reload();
  await page.evaluate(async () => {
    Object.assign(globalThis, await import('./kept.js'));
    globalThis.cluster = await keep();
  });
  assert.equal(await listed(page), 'first=1 loaded=0');
  // Versions go on: a watch from before the reload tells what came after.
  assert.equal(await make(page, 'second'), 201);
  const event = await page.evaluate(async (version) => {
    const { body } = await cluster.fetch(`${kMaps}?watch=1&resourceVersion=${version}`);
    const reader = body.getReader();
    const { value } = await reader.read();
    await reader.cancel();
    return JSON.parse(new TextDecoder().decode(value).split('\n')[0]).object.metadata.name;
  }, version);
  assert.equal(event, 'second');
  const crash = await context.newCDPSession(page);
  const died = page.waitForEvent('crash');
  crash.send('Page.crash').catch(() => {});
  await died;
  page = await openKept(context);
  assert.equal(await listed(page), 'first=1 loaded=0 second=1');
  await context.close();
});

test('two pages share a cluster; when one goes, by closing or by a crash, the other takes over', kMost, async () => {
  const context = await browser.newContext();
  const first = await openKept(context);
  const second = await openKept(context);
  const third = await openKept(context);
  assert.equal(await make(first, 'of-first'), 201);
  assert.equal(await make(second, 'of-second'), 201);
  assert.equal(await make(third, 'of-second'), 409);
  for (const page of [first, second, third]) assert.equal(await listed(page), 'loaded=0 of-first=1 of-second=1');
  // A watch here sees what is written there.
  const seen = third.evaluate(() => cluster.wait(`${kMaps}/later`).then(({ data }) => data.value));
  assert.equal(await make(second, 'later', '7'), 201);
  assert.equal(await seen, '7');
  // What a Cluster gives at once comes as a promise.
  assert.equal(await second.evaluate(async () => JSON.parse(new TextDecoder().decode(await cluster.snapshot())).kind !== undefined || true), true);
  assert.equal(await second.evaluate(async () => {
    const fork = await cluster.fork();
    await create(fork, 'of-fork');
    return `${(await names(fork)).includes('of-fork')} ${(await names(cluster)).includes('of-fork')}`;
  }), 'true false');

  const watch = third.evaluate(async () => {
    const { body } = await cluster.fetch(`${kMaps}?watch=1`);
    const reader = body.getReader();
    globalThis.watching = true;
    while (!(await reader.read()).done);
    return 'ended';
  });
  await third.waitForFunction(() => globalThis.watching);
  await first.close();
  assert.equal(await watch, 'ended');
  assert.equal(await make(third, 'after-first'), 201);
  assert.equal(await listed(second), 'after-first=1 later=7 loaded=0 of-first=1 of-second=1');

  const crash = await context.newCDPSession(second);
  const died = second.waitForEvent('crash');
  crash.send('Page.crash').catch(() => {});
  await died;
  assert.equal(await make(third, 'after-second'), 201);
  assert.equal(await listed(third), 'after-first=1 after-second=1 later=7 loaded=0 of-first=1 of-second=1');
  await context.close();
});

test('dispose() lets go: the next one holds the cluster, and the database can be deleted', kMost, async () => {
  const context = await browser.newContext();
  const first = await openKept(context);
  const second = await openKept(context);
  assert.equal(await make(first, 'kept'), 201);
  await first.evaluate(() => cluster.dispose());
  assert.equal(await first.evaluate(() => names(cluster).catch(({ message }) => message)), 'tabernetes: this cluster has been disposed of');
  assert.equal(await listed(second), 'kept=1 loaded=0');
  await second.evaluate(() => cluster.dispose());
  await second.evaluate(() => new Promise((resolve, reject) => Object.assign(indexedDB.deleteDatabase('shop'), { onsuccess: resolve, onerror: reject, onblocked: reject })));
  await second.evaluate(async () => {
    globalThis.cluster = await keep();
  });
  assert.equal(await listed(second), 'loaded=0');
  await context.close();
});

test('a page, a worker and a service worker share it', kMost, async () => {
  const context = await browser.newContext();
  const page = await open(context);
  const found = await page.evaluate(async () => {
    Object.assign(globalThis, await import('./kept.js'));
    await navigator.serviceWorker.register('./sw.js', { type: 'module' });
    const { connectToServiceWorker } = await import('./dist/service-worker.js');
    const { connect } = await import('./dist/worker.js');
    const { cluster: served } = await connectToServiceWorker();
    const worker = await connect(new Worker('./worker.js', { type: 'module' }));
    globalThis.cluster = await keep();
    const statuses = [(await create(served, 'of-service-worker')).status, (await create(worker, 'of-worker')).status, (await create(cluster, 'of-page')).status];
    const all = [await names(served), await names(worker), await names(cluster), await names({ fetch: (path) => fetch(`https://kubernetes.example${path}`) })];
    return { statuses, all: [...new Set(all)] };
  });
  assert.deepEqual(found, { statuses: [201, 201, 201], all: ['of-page=1 of-service-worker=1 of-worker=1'] });
  await context.close();
});

test('a snapshot is made only for a cluster that is not there yet, and a start that fails leaves none', kMost, async () => {
  const context = await browser.newContext();
  const page = await open(context);
  const found = await page.evaluate(async () => {
    const { createCluster } = await import('./dist/index.js');
    const { create, names } = await import('./kept.js');
    const other = await createCluster({ controllers: 'none' });
    await create(other, 'made');
    let made = 0;
    const snapshot = async () => (made++, other.snapshot());
    const found = [];
    for (const more of [{ snapshot, load: 'kind: Nothing' }, { snapshot }, { snapshot }]) {
      try {
        const cluster = await createCluster({ controllers: 'none', persist: { indexedDB: 'made' }, ...more });
        found.push(await names(cluster), made);
        await cluster.dispose();
      } catch ({ name }) {
        found.push(name, made);
      }
    }
    return found;
  });
  assert.deepEqual(found, ['LoadError', 1, 'made=1', 2, 'made=1', 2]);
  await context.close();
});

test('a quota that is used up: 500 with words, and nothing is lost', kMost, async () => {
  const context = await browser.newContext();
  const session = await context.newCDPSession(await open(context));
  await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(site.url).origin, quotaSize: 300_000 });
  const page = await openKept(context);
  assert.equal(await make(page, 'before'), 201);
  const answer = await page.evaluate(() => create(cluster, 'during', 'x'.repeat(1_000_000)).then(async (it) => [it.status, (await it.json()).message]));
  assert.deepEqual(answer, [500, 'the change was not stored: IndexedDB shop: the browser gives this site no more room']);
  assert.equal(await listed(page), 'before=1 loaded=0');
  assert.equal(await make(page, 'after'), 201);
  assert.equal(await listed(page), 'after=1 before=1 loaded=0');
  await context.close();
});

test('a database that is deleted meanwhile: writes are refused, not half kept', kMost, async () => {
  const context = await browser.newContext();
  const page = await openKept(context);
  assert.equal(await make(page, 'before'), 201);
  await page.evaluate(() => new Promise((resolve) => Object.assign(indexedDB.deleteDatabase('shop'), { onsuccess: resolve })));
  const answer = await page.evaluate(() => create(cluster, 'lost').then(async (it) => [it.status, (await it.json()).message]));
  assert.deepEqual(answer, [500, 'the change was not stored: IndexedDB shop: what was stored has been deleted or replaced']);
  await context.close();
});

test('what persist cannot be', kMost, async () => {
  const page = await open(browser);
  const messages = await page.evaluate(async () => {
    const { createCluster } = await import('./dist/index.js');
    const options = [{ persist: {} }, { persist: { indexedDB: '' } }, { persist: { indexedDb: 'x' } }, { persist: { indexedDB: 'x' }, backend: {} }, { persist: { indexedDB: 'x' }, sed: 1 }];
    return Promise.all(options.map((each) => createCluster(each).catch(({ message }) => message)));
  });
  assert.deepEqual(messages, [
    'tabernetes: persist.indexedDB is the name of a database',
    'tabernetes: persist.indexedDB is the name of a database',
    'tabernetes: persist has no "indexedDb", only "indexedDB"',
    'tabernetes: a cluster has either backend or persist',
    'tabernetes: there is no option "sed", did you mean "seed"?',
  ]);
  await page.close();
});
