// Tests the playground in Chromium as each of the two servers serves it: it shows that server, live, and on request a
// cluster inside the page.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { binary, serve } from '../mock-server/server.mjs';
import { eventually, launch } from './browser.mjs';

const kTimeout = { timeout: 30_000 };
const kHosts = {
  'the native server': process.env.TABERNETES_BINARY ?? binary,
  'npx tabernetes': fileURLToPath(new URL('../../dist/cli.js', import.meta.url)),
};
const kMaps = '/api/v1/namespaces/default/configmaps';
const kJson = { 'content-type': 'application/json' };
/** Requests that only a cluster inside the page makes. */
const kInPage = /\.wasm|embedded|page-place/;

let browser;
let folder;
before(async () => {
  browser = await launch();
  folder = await mkdtemp(join(tmpdir(), 'tabernetes-page-'));
});
after(async () => {
  await browser?.close();
  if (folder) await rm(folder, { recursive: true });
});

for (const [name, program] of Object.entries(kHosts)) {
  describe(`served by ${name}`, () => {
    let server;
    let page;
    let faults;
    let requests;
    /** Messages that the browser itself logs about an answer or a connection under test. */
    let expected;

    beforeEach(async () => {
      [faults, requests, expected] = [[], [], /^$/];
      page = await newPage(await browser.newContext({ viewport: { width: 1280, height: 860 } }));
    });
    afterEach(async () => {
      await page.context().close();
      await server?.stop();
      server = undefined;
      assert.deepEqual(faults.filter((text) => !expected.test(text)), [], 'the page complained');
    });

    async function newPage(context) {
      const made = await context.newPage();
      made.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()));
      made.on('pageerror', (error) => faults.push(error.stack ?? error.message));
      made.on('request', (request) => requests.push(request.url()));
      return made;
    }

    async function start(...flags) {
      server = await serve(program, ...flags);
      await page.goto(`${server.url}/ui/`);
    }

    const ask = async (method, path, body, headers = {}) => {
      const init = { method, headers: { ...(body ? kJson : {}), ...headers }, body: body && JSON.stringify(body) };
      const answer = await fetch(server.url + path, init);
      assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
      return answer.json();
    };
    const configMap = (name, data = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

    const header = () => page.locator('.header');
    const tag = () => page.locator('.header .tag');
    const row = (text) => page.locator('.table tbody tr').filter({ has: page.getByRole('cell', { name: text, exact: true }) });
    const exchanges = () => page.getByRole('region', { name: 'Exchanges' });
    const pick = (kind) => page.getByRole('navigation').getByRole('button', { name: kind, exact: true }).click(kTimeout);
    const is = (text) => page.getByRole('button', { name: text, exact: true }).and(page.locator('[aria-pressed="true"]')).waitFor(kTimeout);
    const choose = (text) => page.getByRole('group', { name: 'Cluster' }).getByRole('button', { name: text }).click(kTimeout);
    const live = (count) => page.locator('.phase').filter({ hasText: count === undefined ? /^live/ : `live, ${count}` }).waitFor(kTimeout);
    const shows = (locator, pattern) => eventually(async () => assert.match(await locator.innerText(), pattern));

    test('it shows this server and says so; what others do appears as it happens, and no WebAssembly is loaded', async () => {
      await start('--controllers', 'none', '--scheduler=false', '--scheduler=false');
      const { host } = new URL(server.url);
      await eventually(async () => assert.match(await tag().innerText(), new RegExp(`^Server ${host.replaceAll('.', '\\.')} · v1\\.36\\.\\d+$`)));
      assert.match(await page.title(), /tabernetes/);
      await is('This server');
      await pick('ConfigMap');
      await live();
      // Three watches, and no request after them.
      const watched = (path) => requests.filter((url) => url.includes(`${path}?watch=true`)).length;
      await eventually(() => assert.equal(watched('/configmaps'), 1));
      await setTimeout(300);
      const asked = requests.length;
      await setTimeout(2500);
      assert.deepEqual(requests.slice(asked), []);
      await ask('POST', kMaps, configMap('from-outside', { a: '1' }));
      await row('from-outside').waitFor(kTimeout);
      await exchanges().getByText('ADDED default/from-outside').first().waitFor(kTimeout);

      await row('from-outside').click();
      await page.locator('.editor .cm-content').getByText('"1"').waitFor(kTimeout);
      await ask('PUT', `${kMaps}/from-outside`, configMap('from-outside', { a: '2' }));
      await page.locator('.editor .cm-content').getByText('"2"').waitFor(kTimeout);
      await ask('DELETE', `${kMaps}/from-outside`);
      await row('from-outside').waitFor({ state: 'detached', ...kTimeout });
      await page.getByText('This object is gone.').waitFor(kTimeout);
      assert.deepEqual(requests.filter((url) => kInPage.test(url)), []);
    });

    test('a namespace and a definition that others make appear as well', async () => {
      await start('--controllers', 'none', '--scheduler=false', '--scheduler=false');
      await pick('ConfigMap');
      await live();
      await ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'far-away' } });
      await page.getByLabel('Namespace').locator('option', { hasText: 'far-away' }).waitFor({ state: 'attached', ...kTimeout });
      await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'widgets.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Namespaced',
          names: { plural: 'widgets', kind: 'Widget' },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        },
      });
      await pick('Widget');
      await live(0);
    });

    test('what is written in the page is on the server; the exchange shows the headers as they came', async () => {
      await start('--controllers', 'none', '--scheduler=false', '--scheduler=false');
      await pick('ConfigMap');
      await page.getByLabel('Namespace').selectOption('default');
      await page.getByRole('button', { name: 'New', exact: true }).click();
      await page.locator('.editor .cm-content').click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: by-hand, namespace: "kube-system"}\n');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { name: 'by-hand' }).waitFor(kTimeout);
      const made = await ask('GET', '/api/v1/namespaces/kube-system/configmaps/by-hand');
      await exchanges().locator('button', { hasText: 'POST' }).click();
      const message = async (name) => (await exchanges().getByRole('region', { name }).innerText()).replace(/\n\n+/g, '\n');
      await eventually(async () => {
        assert.match(await message('Request'), /^POST \/api\/v1\/namespaces\/kube-system\/configmaps *\ncontent-type: application\/yaml\naccept: application\/yaml\n/);
        const response = await message('Response');
        assert.match(response, /^201 Created\n(access-control-.*\n)*audit-id: [0-9a-f-]{36}\n/);
        assert.match(response, /\ndate: \w{3}, \d\d \w{3} \d{4} /);
        assert.ok(response.includes(made.metadata.uid));
      });
      expected = /404/;
      await page.getByRole('button', { name: 'Request', exact: true }).click();
      await page.getByLabel('Path and query').fill('/api/v1/namespaces/nowhere');
      await page.keyboard.press('Enter');
      await page.getByText('404 NotFound').waitFor(kTimeout);
      await page.getByLabel('Path and query').fill('nowhere');
      await page.keyboard.press('Enter');
      await page.getByText('No answer A path begins with a slash.').waitFor(kTimeout);
    });

    test('the switch leads to a cluster in the page and back; the address keeps the choice', async () => {
      await start('--controllers', 'none', '--scheduler=false', '--scheduler=false');
      await ask('POST', kMaps, configMap('of-the-server'));
      await pick('ConfigMap');
      await row('of-the-server').waitFor(kTimeout);
      await choose('In this page');
      await row('storefront').waitFor(kTimeout);
      assert.equal(await row('of-the-server').count(), 0);
      await shows(header(), /Nothing leaves this browser\./);
      assert.match(page.url(), /#\/v1\/configmaps\?on=page&namespace=shop$/);
      assert.ok(requests.some((url) => /\.wasm$/.test(url)));

      await page.reload();
      await row('storefront').waitFor(kTimeout);
      await is('In this page');
      await page.getByRole('link', { name: 'tabernetes playground' }).click();
      await row('database-0').waitFor(kTimeout);
      assert.match(page.url(), /#\/\?on=page$/);

      await pick('ConfigMap');
      await choose('This server');
      await row('of-the-server').waitFor(kTimeout);
      assert.equal(await row('storefront').count(), 0);
      await page.goBack();
      await row('storefront').waitFor(kTimeout);
      const { items } = await ask('GET', '/api/v1/configmaps');
      assert.deepEqual(items.map(({ metadata }) => metadata.name).filter((each) => each === 'storefront'), []);
    });

    test("the server's time is shown and moved, and the server is reset by two clicks", async () => {
      await start('--controllers', 'none', '--scheduler=false', '--scheduler=false', '--clock', '2026-01-01T10:00:00Z', '--seed', '1');
      await pick('ConfigMap');
      await ask('POST', kMaps, configMap('short-lived'));
      await row('short-lived').waitFor(kTimeout);
      await shows(page.locator('.clock time'), /^10:00:00$/);
      await page.getByRole('button', { name: '+1 min' }).click();
      await shows(page.locator('.clock time'), /^10:01:00$/);
      assert.deepEqual(await ask('POST', '/-/tabernetes/clock', { advance: '0s' }), { now: '2026-01-01T10:01:00Z' });
      await shows(row('short-lived'), /\s60s$/);

      await page.getByRole('button', { name: 'Reset', exact: true }).click();
      await row('short-lived').waitFor(kTimeout);
      await page.getByRole('button', { name: 'Reset the server?' }).click();
      await row('short-lived').waitFor({ state: 'detached', ...kTimeout });
      await live();
      await ask('POST', kMaps, configMap('second-life'));
      await row('second-life').waitFor(kTimeout);
      expected = /410/; // the watch from before
    });

    test('a server without control says so', async () => {
      await start('--controllers', 'none', '--scheduler=false', '--scheduler=false', '--admin=false');
      const why = 'This server was started with --admin=false';
      for (const name of ['+1 min', 'Reset']) {
        const button = page.getByRole('button', { name, exact: true });
        await eventually(async () => assert.equal(await button.isDisabled(), true));
        assert.equal(await button.getAttribute('title'), why);
      }
      await choose('In this page');
      await eventually(async () => assert.equal(await page.getByRole('button', { name: 'Reset', exact: true }).isDisabled(), false));
    });

    test('an empty server can be given the sample', async () => {
      expected = /409/; // what control loops have made already
      await start();
      await page.getByRole('button', { name: 'Create the sample objects' }).click(kTimeout);
      await shows(row('database-0'), /Running/);
      await pick('Deployment');
      await shows(row('storefront'), /3\/3/);
      assert.equal(await page.locator('.outcome.bad').count(), 0);
      const { items } = await ask('GET', '/api/v1/namespaces/shop/pods');
      assert.ok(items.length > 5, `${items.length} pods`);
      assert.deepEqual(requests.filter((url) => kInPage.test(url)), []);
    });

    test('the patch bench works beside a server', async () => {
      await start('--controllers', 'none', '--scheduler=false', '--scheduler=false');
      await ask('POST', kMaps, configMap('patched', { banner: 'one' }));
      await pick('ConfigMap');
      await row('patched').click(kTimeout);
      await page.locator('.editor .cm-content').getByText('banner').first().waitFor(kTimeout);
      await page.getByRole('button', { name: 'Bench' }).click();
      const patch = page.getByRole('region', { name: 'Patch', exact: true });
      await patch.locator('.cm-content').click(kTimeout);
      await page.keyboard.insertText('data: {banner: two}\n');
      await page.locator('.owned-line', { hasText: 'banner: two' }).first().waitFor(kTimeout);
      await shows(tag(), /^Server /);
      await page.getByRole('link', { name: 'Cluster' }).click();
      await live(0);
      assert.match(page.url(), /#\/$/);
    });

    test('who asks: refusals are told, and a token is used until the page goes', async () => {
      expected = /401|403/;
      const tokens = join(folder, 'tokens.csv');
      writeFileSync(tokens, 'admin-token,admin,1,"system:masters"\nviewer-token,jane,2,viewers\n');
      await start('--controllers', 'none', '--scheduler=false', '--scheduler=false', '--authorization-mode', 'RBAC', '--token-auth-file', tokens);
      await page.getByRole('heading', { name: '403 Forbidden' }).waitFor(kTimeout);
      await page.getByText(/forbidden: User "system:anonymous" cannot get path "\/apis?"/).first().waitFor(kTimeout);
      const give = async (token) => {
        await page.getByLabel('Bearer token').fill(token);
        await page.getByRole('button', { name: 'Use' }).click();
      };
      await give('nobody-has-this');
      await page.getByRole('heading', { name: '401 Unauthorized' }).waitFor(kTimeout);

      await give('admin-token');
      await pick('ConfigMap');
      await live();
      const admin = { authorization: 'Bearer admin-token' };
      await ask('POST', kMaps, configMap('seen'), admin);
      await row('seen').waitFor(kTimeout);
      await ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'over-websocket' } }, admin);
      await page.getByLabel('Namespace').locator('option', { hasText: 'over-websocket' }).waitFor({ state: 'attached', ...kTimeout });
      assert.doesNotMatch(await exchanges().innerText(), /admin-token/);

      await page.getByRole('button', { name: 'Token' }).click();
      await page.getByText('You are admin.').waitFor(kTimeout);
      await give('viewer-token');
      await page.getByText('You are jane.').waitFor(kTimeout);
      await page.getByText('configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" at the cluster scope').first().waitFor(kTimeout);
      assert.equal(await row('seen').count(), 0);

      const stored = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]));
      assert.doesNotMatch(await stored(), /-token/);
      await page.reload();
      await page.getByText('forbidden: User "system:anonymous"').first().waitFor(kTimeout);
    });

    test('a server that goes is missed, and followed again when it is back', async () => {
      expected = /ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|WebSocket|410|504/;
      const flags = ['--controllers', 'none', '--scheduler=false', '--scheduler=false', '--seed', '7', '--clock', '2026-01-01T10:00:00Z'];
      await start(...flags);
      await pick('ConfigMap');
      await live();
      for (const name of ['one', 'two', 'three']) await ask('POST', kMaps, configMap(name));
      await row('three').waitFor(kTimeout);
      const { port } = server;
      await server.stop();
      await shows(tag(), /^Server 127\.0\.0\.1:\d+ · connection lost$/);
      await page.getByText('not live, trying again').waitFor(kTimeout);
      await row('three').waitFor(kTimeout); // the last known state

      // With the same seed versions restart, below those that the page knows.
      server = await serve(program, '--listen', `127.0.0.1:${port}`, ...flags);
      await row('three').waitFor({ state: 'detached', ...kTimeout });
      await live();
      await shows(tag(), /· v1\.36/);
      await ask('POST', kMaps, configMap('after'));
      await row('after').waitFor(kTimeout);
      await ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'new-life' } });
      await page.getByLabel('Namespace').locator('option', { hasText: 'new-life' }).waitFor({ state: 'attached', ...kTimeout });
    });

    test('many pages at once: those that nobody sees hold no connection, and catch up when they are seen', async () => {
      await start('--controllers', 'none', '--scheduler=false', '--scheduler=false');
      // A headless browser reports all pages as visible.
      const see = (each, seen) =>
        each.evaluate((hidden) => {
          Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
          document.dispatchEvent(new Event('visibilitychange'));
        }, !seen);
      const pages = [page];
      while (pages.length < 8) pages.push(await newPage(page.context()));
      const watches = (each) => each.getByRole('region', { name: 'Exchanges' }).locator('button', { hasText: 'WATCH' }).filter({ hasText: '/configmaps' });
      for (const each of pages) {
        await each.goto(`${server.url}/ui/#/v1/configmaps`);
        await each.locator('.phase.live').waitFor(kTimeout);
        if (each === pages.at(-1)) break;
        await see(each, false);
        await eventually(async () => assert.equal(await watches(each).locator('.dot').count(), 0)); // none is open
      }
      await ask('POST', kMaps, configMap('for-all'));
      await pages.at(-1).locator('.table').getByText('for-all').waitFor(kTimeout);
      assert.equal(await pages[0].locator('.table').getByText('for-all').count(), 0);
      await see(pages[0], true);
      await pages[0].locator('.table').getByText('for-all').waitFor(kTimeout);
    });

    test('it fits a small screen, and is no part of other pages', async () => {
      await start('--controllers', 'none', '--scheduler=false', '--scheduler=false');
      await live();
      await shows(tag(), /^Server 127/);
      for (const width of [1280, 1024, 390]) {
        await page.setViewportSize({ width, height: 800 });
        await eventually(async () => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `nothing sticks out at ${width}`));
      }
      assert.equal((await fetch(`${server.url}/ui/`)).headers.get('content-security-policy'), "frame-ancestors 'none'");
    });
  });
}
