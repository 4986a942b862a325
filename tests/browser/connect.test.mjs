// A page of plain files that shows a server at an address that the user gives.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { binary, serve } from '../mock-server/server.mjs';
import { eventually, launch, serveFiles } from './browser.mjs';
import { findings } from './findings.mjs';
import { actions, kTimeout } from './page.mjs';

const folder = fileURLToPath(new URL('../../dist/ui/', import.meta.url));
const kQuiet = ['--controllers', 'none', '--scheduler=false'];

/** A kubeconfig with a token, and with two users whose credentials a page cannot use. */
const kubeconfig = (server) => `apiVersion: v1
kind: Config
current-context: here
clusters:
- name: one
  cluster: {server: '${server}', certificate-authority-data: LS0t}
users:
- name: admin
  user: {token: admin-token}
- name: cloud
  user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: cloud, args: [get-token, --cluster=x]}}
- name: certified
  user: {client-certificate-data: LS0t, client-key-data: LS0t}
contexts:
- name: here
  context: {cluster: one, user: admin, namespace: kube-system}
- name: by-program
  context: {cluster: one, user: cloud}
- name: by-certificate
  context: {cluster: one, user: certified}
`;

describe('another cluster', () => {
  let browser;
  let files;
  let secrets;
  let server;
  let page;
  let faults;
  let expected;
  before(async () => {
    browser = await launch();
    files = await serveFiles(folder);
    secrets = mkdtempSync(join(tmpdir(), 'tabernetes-connect-'));
    writeFileSync(join(secrets, 'tokens.csv'), 'admin-token,admin,1,"system:masters"\n');
  });
  after(async () => {
    await browser?.close();
    files?.close();
    if (secrets) rmSync(secrets, { recursive: true });
  });
  beforeEach(async () => {
    [faults, expected] = [[], /^$/];
    page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
    await page.goto(`${files.url}#/v1/configmaps?on=other`);
    await form().waitFor(kTimeout);
  });
  afterEach(async () => {
    await page.context().close();
    await server?.stop();
    server = undefined;
    assert.deepEqual(faults.filter((text) => !expected.test(text)), [], 'the page complained');
  });
  const start = async (...flags) => (server = await serve(process.env.TABERNETES_BINARY ?? binary, ...kQuiet, ...flags));
  const form = () => page.getByRole('main', { name: 'Another cluster' });
  const connect = async (address) => {
    if (address) await page.getByLabel('Address').fill(address);
    await actions(page).button('Connect').click();
  };

  test('a kubeconfig leads to its cluster, live; credentials go with the page', async () => {
    await start('--authorization-mode', 'RBAC', '--token-auth-file', join(secrets, 'tokens.csv'));
    await page.getByLabel('Kubeconfig').fill(kubeconfig(server.url));
    const notes = page.getByRole('list', { name: 'What a page cannot use of it' });
    await page.getByLabel('Context').selectOption('by-program');
    await notes.getByText('cloud get-token --cluster=x').waitFor(kTimeout);
    await page.getByLabel('Context').selectOption('by-certificate');
    await notes.getByText('kubectl create token SERVICEACCOUNT').waitFor(kTimeout);
    await page.getByLabel('Context').selectOption('here');
    await notes.getByText('A page cannot use it: the browser itself must trust that certificate').waitFor(kTimeout);
    assert.equal(await page.getByLabel('Bearer token').inputValue(), 'admin-token');
    await connect();
    await page.getByText(`Server ${new URL(server.url).host} · v1.36`).waitFor(kTimeout);
    assert.equal(await page.getByLabel('Namespace').inputValue(), 'kube-system');
    await page.locator('.phase').getByText(/^live/).waitFor(kTimeout);
    const headers = { 'content-type': 'application/json', authorization: 'Bearer admin-token' };
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'from-outside' } };
    const made = await fetch(`${server.url}/api/v1/namespaces/kube-system/configmaps`, { method: 'POST', headers, body: JSON.stringify(map) });
    assert.equal(made.status, 201);
    await actions(page).row('from-outside').waitFor(kTimeout);
    assert.doesNotMatch(await page.locator('.exchange-pane').innerText(), /admin-token/);
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]));
    assert.doesNotMatch(stored, /admin-token/);
    await actions(page).button('Reset').waitFor(kTimeout);
    await actions(page).button('Leave').click();
    await form().waitFor(kTimeout);
    assert.equal(await page.getByLabel('Bearer token').inputValue(), '');
  });

  test('wrong credentials, a server that is not for pages and one that is not there are told apart', async () => {
    expected = /401|CORS|ERR_|Failed to load/;
    await start('--authorization-mode', 'RBAC', '--token-auth-file', join(secrets, 'tokens.csv'));
    await page.getByLabel('Bearer token').fill('nobody-has-this');
    await connect(server.url);
    await page.getByRole('heading', { name: '401 Unauthorized: the server does not know these credentials.' }).waitFor(kTimeout);
    const { url } = server;
    await server.stop();
    await connect(url);
    await page.getByRole('heading', { name: `${new URL(url).host} does not answer.` }).waitFor(kTimeout);

    await start('--cors-allowed-origins=');
    await connect(server.url);
    const { origin } = new URL(files.url);
    await page.getByRole('heading', { name: `${new URL(server.url).host} answers, but not to pages of ${origin}.` }).waitFor(kTimeout);
    await page.getByText(`--cors-allowed-origins='^${origin.replaceAll('.', '\\.')}$'`).waitFor(kTimeout);
    await page.getByText('--allowed-hosts=127.0.0.1').waitFor(kTimeout);
    assert.deepEqual(await findings(page), []);
  });

  test('the flag of the advice lets the page in', async () => {
    const { origin } = new URL(files.url);
    await start(`--cors-allowed-origins=^${origin.replaceAll('.', '\\.')}$`);
    await connect(server.url);
    await page.locator('.phase').getByText(/^live/).waitFor(kTimeout);
  });

  test('addresses and texts that are none are refused', async () => {
    await connect('ftp://somewhere');
    await page.getByText('An address begins with https:// or http://.').waitFor(kTimeout);
    await page.getByLabel('Kubeconfig').fill('kind: Pod');
    await page.getByText('This is no kubeconfig: it has no clusters.').waitFor(kTimeout);
  });

  test('axe finds nothing, in light and dark, on a desk and on a phone', async () => {
    await page.getByLabel('Kubeconfig').fill(kubeconfig('https://10.0.0.1:6443'));
    await page.getByLabel('Context').waitFor(kTimeout);
    await page.getByText('Or a user with a password').click();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        assert.deepEqual(await findings(page), [], `${width} wide, ${colorScheme}`);
        if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `connect-${width}-${colorScheme}.png`) });
      }
    }
    await page.getByLabel('Kubeconfig').focus();
    const seen = [];
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press('Tab');
      seen.push(await page.evaluate(() => document.activeElement.closest('label, summary, button')?.innerText.trim().split('\n')[0] ?? ''));
    }
    await eventually(() => assert.deepEqual(seen.slice(2), ['Address', 'Bearer token', 'Or a user with a password, as some proxies ask for', 'User', 'Password', 'Connect']));
  });
});
