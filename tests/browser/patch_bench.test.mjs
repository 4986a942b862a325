// Tests the playground's patch bench in Chromium, served as plain files.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually, launch, serveFiles, slowDown } from './browser.mjs';

const folder = fileURLToPath(new URL('../../dist/ui/', import.meta.url));
const kTimeout = { timeout: 30_000 };

let browser;
let files;
before(async () => {
  browser = await launch();
  // The strictest policy for a page: it reports any style or script that is not a file of ours.
  files = await serveFiles(folder, { 'content-security-policy': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'" });
});
after(async () => {
  await browser?.close();
  files?.close();
});

let page;
let faults;
beforeEach(async () => {
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  faults = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
  await open();
});
afterEach(async () => {
  const seen = faults;
  await page.context().close();
  assert.deepEqual(seen, [], 'the page complained');
});

async function open() {
  await page.goto(files.url);
  await page.getByRole('link', { name: 'Patch bench' }).click(kTimeout);
  await result().getByText('conflict', { exact: true }).waitFor(kTimeout);
}

const result = () => page.getByRole('region', { name: 'Result' });
const pane = (name) => page.getByRole('region', { name, exact: true });
const example = (title) => page.getByLabel('Example').selectOption(title);
const kind = (name) => page.getByRole('group', { name: 'Type' }).getByRole('button', { name, exact: true }).click();
const line = (text) => result().locator('.owned-line').filter({ hasText: text }).first();
const ownersOf = async (text) => (await line(text).locator('.owner').allInnerTexts()).map((name) => name.trim());
const areOwners = (text, owners) => eventually(async () => assert.deepEqual(await ownersOf(text), owners));
const shows = (locator, pattern) => eventually(async () => assert.match(await locator.innerText(), pattern));
const hasClass = (locator, pattern) => eventually(async () => assert.match(await locator.getAttribute('class'), pattern));

/** Replaces the whole text of an editor by typing. */
async function write(name, text) {
  await pane(name).locator('.cm-content').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

test('an apply conflicts, and with force takes the field', async () => {
  await result().getByText('409 Conflict').waitFor(kTimeout);
  await shows(result().locator('.conflicts'), /autoscaler\s+owns\s+\.spec\.replicas/);
  await hasClass(line('replicas:'), /conflict/);
  await result().getByRole('button', { name: 'Force' }).click();
  await result().getByText('changed', { exact: true }).waitFor(kTimeout);
  await eventually(async () => assert.equal(await page.getByLabel('Force conflicts').isChecked(), true));
  await areOwners('replicas:', ['kubectl applies']);
  await shows(line('replicas:'), /replicas: 35/); // it is 3, it was 5
});

test('each field has its owners beside it', async () => {
  await example('Apply: a second manager adds a field');
  await result().getByText('changed', { exact: true }).waitFor(kTimeout);
  await areOwners('cost-centre:', ['team-policy applies']);
  await areOwners('tier:', ['kubectl applies']);
  await areOwners('- name: log', ['pipeline']);
  await hasClass(line('cost-centre:'), /added/);
});

test('each type of patch, live as it is typed', async () => {
  await example('Strategic merge: items by their key');
  await line('image: registry.example/metrics:2.0').waitFor(kTimeout);
  await hasClass(line('- name: metrics'), /added/);
  await kind('Merge');
  await result().getByText('unknown field').first().waitFor(kTimeout);
  await example('JSON Patch: operations one by one');
  await line('layer: web').waitFor(kTimeout);
  await areOwners('replicas:', ['kubectl-patch']);
  await write('Patch', '[{"op": "replace", "path": "/spec/replicas", "value": 9}]');
  await line('replicas: 9').waitFor(kTimeout);
  await write('Patch', '[{"op": "remove", "path": "/spec/nothing"}]');
  await result().getByText('422 Invalid').waitFor(kTimeout);
  await write('Patch', '- op: "add');
  await result().getByText(/line 1: found unexpected end of stream/).waitFor(kTimeout);
});

test('the live object is edited too, and the result becomes it', async () => {
  await write('Live object', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: "1"}\n');
  await kind('Merge');
  await write('Patch', 'data:\n  b: "2"\n');
  await line('b: "2"').waitFor(kTimeout);
  await page.getByRole('button', { name: 'Use as live object' }).click();
  await result().getByText('unchanged').waitFor(kTimeout);
  await shows(pane('Live object').locator('.cm-content'), /b: "2"/);
  await write('Live object', 'apiVersion: v1\nkind: ConfigMap\ndata: []\n');
  await result().getByText(/in the live object:/).waitFor(kTimeout);
  await page.getByRole('button', { name: 'Sample' }).click();
  await line('replicas: 5').waitFor(kTimeout);
});

test('managedFields are folded away until they are asked for, and edited like the rest', async () => {
  const text = pane('Live object').locator('.cm-content');
  await shows(text, /^apiVersion/);
  assert.doesNotMatch(await text.innerText(), /managedFields/);
  await page.getByRole('button', { name: 'managedFields' }).click();
  await shows(text, /managedFields:\n/);
  await result().getByText('409 Conflict').waitFor(kTimeout);
  await write('Live object', 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: storefront}\nspec: {replicas: 5}\n');
  // Fields that existed before the first apply have no known owner.
  await result().getByText('before-first-apply').first().waitFor(kTimeout);
});

test('an object of the cluster goes to the bench', async () => {
  await page.getByRole('link', { name: 'Cluster' }).click();
  await page.getByRole('navigation').getByRole('button', { name: 'ConfigMap', exact: true }).click(kTimeout);
  await page.locator('.table tbody tr').filter({ hasText: 'storefront' }).first().click(kTimeout);
  await page.getByRole('region', { name: 'Object' }).getByText('banner').first().waitFor(kTimeout);
  await page.getByRole('button', { name: 'Bench' }).click();
  await write('Patch', 'data: {banner: other}\n');
  await line('banner: other').waitFor(kTimeout);
  await areOwners('banner:', ['kubectl']);
});

test('what is typed stays, however late the page draws', async () => {
  await slowDown(page);
  await open();
  await kind('Merge');
  for (const value of ['one', 'two', 'three']) await write('Patch', `metadata: {labels: {layer: ${value}}}\n`);
  await line('layer: three').waitFor(kTimeout);
  await shows(pane('Patch').locator('.cm-content'), /layer: three/);
});
