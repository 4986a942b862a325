// Tests, in Chromium, the entries that live in a page: workers, a service worker, Playwright's routes, and Cypress' hooks
// with stand-ins for its globals.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fixtures, route } from '../../dist/playwright.js';
import { launch, serveFiles } from '../browser/browser.mjs';
import { createCluster, dist, littleSuite, pod } from './support.mjs';

const kOptions = "{ controllers: 'none', scheduler: false }";
const kMost = { timeout: 60_000 };
let folder;
let site;
let browser;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabernetes-entries-'));
  cpSync(dist, join(folder, 'dist'), { recursive: true, filter: (path) => !/\/(ui|cjs)$/.test(path) });
  cpSync(new URL('little_suite.mjs', import.meta.url), join(folder, 'support.js'));
  for (const [name, text] of Object.entries({
    // The little suite uses node:assert; a page has this.
    'assert.js': `
      const same = (a, b) => { if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error(JSON.stringify(a) + ' is not ' + JSON.stringify(b)); };
      export default { equal: same, deepEqual: same, rejects: (promise) => promise.then(() => { throw new Error('it should reject'); }, () => {}) };`,
    'index.html': `<!doctype html><script type="importmap">{"imports":{"node:assert/strict":"./assert.js"}}</script>`,
    'worker.js': `import { createCluster } from './dist/index.js'; import { serve } from './dist/worker.js'; serve(createCluster(${kOptions}));`,
    'sw.js': `import { createCluster } from './dist/index.js'; import { serve } from './dist/service-worker.js'; serve(createCluster(${kOptions}), 'https://kubernetes.example');`,
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

/** Returns a page at `url` that reports its errors. */
async function open(context, url = site.url) {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  return page;
}

for (const kind of ['Worker', 'SharedWorker']) {
  test(`connect() to a cluster in a ${kind}, from a page`, kMost, async () => {
    const page = await open(browser);
    const version = await page.evaluate(async (kind) => {
      const { connect } = await import('./dist/worker.js');
      const { webSocketOf } = await import('./dist/websocket.js');
      const { littleSuite, socketSuite } = await import('./support.js');
      const cluster = await connect(new globalThis[kind]('./worker.js', { type: 'module' }));
      await littleSuite(cluster.fetch, '');
      await socketSuite(webSocketOf(cluster), 'ws://cluster', cluster);
      return (await (await cluster.fetch('/version')).json()).major;
    }, kind);
    assert.equal(version, '1');
    await page.close();
  });
}

test('two pages share the cluster of a SharedWorker', kMost, async () => {
  const context = await browser.newContext();
  const pages = [await open(context), await open(context)];
  const connected = pages.map((page) => page.evaluate(async () => {
    const { connect } = await import('./dist/worker.js');
    globalThis.cluster = await connect(new SharedWorker('./worker.js', { type: 'module' }));
  }));
  await Promise.all(connected);
  const seen = pages[1].evaluate(() => globalThis.cluster.wait('/api/v1/namespaces/default/pods/web', undefined, { timeout: 30_000 }).then((it) => it.metadata.name));
  await pages[0].evaluate((object) => globalThis.cluster.apply(object).then(() => {}), pod('web'));
  assert.equal(await seen, 'web');
  await context.close();
});

test('a service worker: the fetch of the page, watches, aborts, and a WebSocket of the page', kMost, async () => {
  const context = await browser.newContext();
  const page = await open(context);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('./sw.js', { type: 'module' });
    const { connectToServiceWorker } = await import('./dist/service-worker.js');
    const { littleSuite, socketSuite } = await import('./support.js');
    const { cluster, WebSocket } = await connectToServiceWorker();
    await littleSuite(fetch, 'https://kubernetes.example');
    await socketSuite(WebSocket, 'wss://kubernetes.example', cluster);
  });
  assert.equal(await page.evaluate(() => fetch('./index.html').then(({ status }) => status)), 200); // from the network
  await context.close();
});

test('Playwright: route() sends a page to a cluster of the test, over http and https, with sockets', kMost, async () => {
  for (const origin of ['http://localhost:5173', 'https://kubernetes.example']) {
    const cluster = await createCluster({ controllers: 'none', scheduler: false });
    const context = await browser.newContext();
    const stop = await route(context, cluster, { origin, prefix: '/k8s' });
    await context.route(`${origin}/page`, (page) => page.fulfill({ contentType: 'text/html', body: '<!doctype html><title>a page</title>' }));
    const page = await open(context, `${origin}/page`);
    await page.evaluate(async ([origin, path]) => {
      const created = await fetch(`${origin}/k8s${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"metadata":{"name":"a"}}' });
      if (created.status !== 201) throw new Error(await created.text());
      const left = new AbortController();
      const watch = await fetch(`${origin}/k8s${path}?watch=1`, { signal: left.signal });
      const { value } = await watch.body.getReader().read();
      document.title = JSON.parse(new TextDecoder().decode(value).split('\n')[0]).type;
      left.abort();
    }, [origin, '/api/v1/namespaces/shop/configmaps'.replace('shop', 'default')]);
    assert.equal(await page.title(), 'ADDED');
    const message = page.evaluate(({ url, path }) => new Promise((resolve, reject) => {
      const socket = new WebSocket(`${url}/k8s${path}?watch=1`, ['base64.binary.k8s.io']);
      socket.onmessage = ({ data }) => JSON.parse(data).object.metadata.name === 'b' && (socket.close(), resolve('b'));
      socket.onerror = () => reject(new Error('the socket failed'));
    }), { url: origin.replace('http', 'ws'), path: '/api/v1/namespaces/default/configmaps' });
    await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } });
    assert.equal(await message, 'b');
    await context.close();
    await stop();
    cluster.dispose();
  }
});

test('Playwright: the fixtures give each test a fork', kMost, async () => {
  const { filledCluster: [fill, { scope }], cluster: fork, context: routed } = fixtures({ controllers: 'none', scheduler: false, load: pod('web'), origin: 'http://kubernetes.example' });
  assert.equal(scope, 'worker');
  const counts = [];
  await fill({}, async (filledCluster) => {
    for (let i = 0; i < 2; i++) {
      await fork({ filledCluster }, async (cluster) => {
        await cluster.apply(pod('other'));
        const { items } = await (await cluster.fetch('/api/v1/pods')).json();
        counts.push(items.length);
        const context = await browser.newContext();
        await routed({ context, cluster }, async (same) => {
          assert.equal(same, context);
          await context.route('http://kubernetes.example/page', (page) => page.fulfill({ contentType: 'text/html', body: 'a page' }));
          const page = await open(context, 'http://kubernetes.example/page');
          assert.equal(await page.evaluate(() => fetch('/api/v1/pods').then((it) => it.json()).then(({ items }) => items.length)), 2);
        });
        await context.close();
      });
    }
  });
  assert.deepEqual(counts, [2, 2]);
});

test('Cypress: fetch and WebSocket of the page under test, XMLHttpRequest by cy.intercept', kMost, async () => {
  const page = await open(browser);
  await page.evaluate(async () => {
    const listeners = [];
    const intercepts = [];
    const hooks = { before: [], beforeEach: [], afterEach: [], after: [] };
    Object.assign(globalThis, {
      Cypress: { on: (event, listener) => listeners.push(listener), off: (event, listener) => listeners.splice(listeners.indexOf(listener), 1) },
      cy: { intercept: (url, handler) => intercepts.push([url, handler]) },
    });
    for (const name of Object.keys(hooks)) globalThis[name] = (hook) => hooks[name].push(hook);
    const runHooks = async (name) => {
      for (const hook of hooks[name]) await hook();
    };
    const { useCluster } = await import('./dist/cypress.js');
    const { littleSuite, socketSuite } = await import('./support.js');
    const cluster = useCluster({ controllers: 'none', scheduler: false, origin: 'https://kubernetes.example', prefix: '/k8s' });
    await runHooks('before');
    await runHooks('beforeEach');
    const frame = document.body.appendChild(document.createElement('iframe'));
    const realm = frame.contentWindow;
    for (const listener of listeners) listener(realm);
    await littleSuite(realm.fetch, 'https://kubernetes.example/k8s');
    await socketSuite(realm.WebSocket, 'wss://kubernetes.example/k8s', cluster);
    const [[pattern, handler]] = intercepts;
    const url = 'https://kubernetes.example/k8s/api/v1/namespaces/default/configmaps';
    if (!pattern.test(url) || pattern.test('https://kubernetes.example/other')) throw new Error('the pattern is wrong');
    let answer;
    await handler({ url, method: 'POST', headers: { 'content-type': 'application/json' }, body: { metadata: { name: 'by-xhr' } }, reply: (given) => (answer = given) });
    if (answer.statusCode !== 201) throw new Error(JSON.stringify(answer));
    await cluster.requests.next({ verb: 'create', resource: 'configmaps' });
    await runHooks('afterEach');
    await runHooks('after');
    if (listeners.length > 0) throw new Error('a listener is left');
  });
  await page.close();
});
