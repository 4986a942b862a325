// Tests what a user of the playground writes: new objects, refusals, deletions, and what is kept of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './browser.mjs';
import { actions, kTimeout, playground } from './page.mjs';

const shown = playground();

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: boats, kind: Boat}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
`;
const map = (name, namespace = 'shop') => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\n`;

test('a refusal is told whole, however YAML folds its lines, with each cause', async () => {
  const { page } = shown;
  const { pick, button, write } = actions(page);
  await pick('ConfigMap');
  await button('New').click();
  await write(`apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: "Not: A 'Name'"\n  namespace: shop\n  labels: {"-": "!"}\n`);
  await button('Create').click();
  await page.getByText('422 Invalid').waitFor(kTimeout);
  const told = page.locator('.outcome > span');
  assert.equal((await told.innerText()).trim(), `ConfigMap "Not: A 'Name'" is invalid:`);
  const [first] = await page.locator('.outcome li').allInnerTexts();
  assert.match(first, /^metadata\.name\W+Invalid value: "Not: A 'Name'": a lowercase RFC 1123 subdomain must consist of /);
  assert.deepEqual(await page.locator('.outcome li code').allInnerTexts(), ['metadata.name', 'metadata.labels', 'metadata.labels']);
});

test('a pod that stops is not called deleted; without its grace period it is', async () => {
  const { page } = shown;
  const { row, button } = actions(page);
  await button('Time').click();
  await button('Pause').click();
  await button('Close time').click(kTimeout);
  await row('database-0').click();
  const remove = () => page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await button('Delete').click();
  await page.getByRole('dialog').getByText('Pod shop/database-0').waitFor(kTimeout);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached', ...kTimeout });
  await button('Delete').click();
  await remove();
  const outcome = page.locator('.outcome').first();
  await eventually(async () =>
    assert.match(await outcome.innerText(), /^200 Terminating It is there until its node says that it has stopped \(grace period: \d+ s\)\./),
  );
  await row('database-0').getByText('Terminating').waitFor(kTimeout);

  await button('Delete').click();
  await page.getByLabel('At once, without a grace period').check();
  await remove();
  await row('database-0').waitFor({ state: 'detached', ...kTimeout });
  await page.getByText('200 Deleted').waitFor(kTimeout);
});

test('a namespace that is emptied first names its finalizer', async () => {
  const { page } = shown;
  const { row, button, pick } = actions(page);
  await pick('Namespace');
  await row('monitoring').click();
  await button('Delete').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('200 Terminating It is there until its finalizers are removed (kubernetes).').waitFor(kTimeout);
});

test('whatever kind is open, manifests of any kinds are created, in many documents', async () => {
  const { page } = shown;
  const { button, write, pick, row } = actions(page);
  await button('New').click(); // a pod
  await write(definition);
  await button('Create').click();
  await page.getByRole('heading', { name: 'CustomResourceDefinition' }).waitFor(kTimeout);
  await page.getByRole('heading', { name: 'boats.example.com' }).waitFor(kTimeout);

  await pick('Pod');
  await button('New').click();
  const yacht = 'apiVersion: ships.example.com/v1\nkind: Yacht\nmetadata: {name: ida}\n';
  const list = `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: scaled, namespace: shop, resourceVersion: "7"}, spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: storefront}}}\n`;
  const ships = definition.replaceAll('example.com', 'ships.example.com').replaceAll('boats', 'yachts').replaceAll('Boat', 'Yacht');
  await write(['# all of it\n', map('one'), map('one'), ships, yacht, 'kind: Airship\napiVersion: v1\nmetadata: {name: z}\n', list].join('---\n'));
  await button('Create').click();
  await page.getByText('4 of 6 created').waitFor(kTimeout);
  assert.deepEqual(await page.locator('.outcome li').allInnerTexts(), [
    'ConfigMap one 409 configmaps "one" already exists',
    'Airship z 404 There is no kind Airship in v1 here.',
  ]);
  await pick('Yacht');
  await page.getByLabel('Namespace').selectOption('shop');
  await row('ida').waitFor(kTimeout);
});

test('files are dropped, chosen or pasted, and their objects created', async () => {
  const { page } = shown;
  const { button, drop, editor, pick, chooseNamespace, row } = actions(page);
  await drop({ 'a.yaml': map('from-a'), 'b.json': '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "from-b", "namespace": "shop"}}' });
  await page.getByRole('heading', { name: 'New objects' }).waitFor(kTimeout);
  await editor().getByText('from-b').waitFor(kTimeout);
  await button('Create').click();
  await page.getByText('2 of 2 created').waitFor(kTimeout);

  await page.getByLabel('Open files…').setInputFiles({ name: 'c.yaml', mimeType: 'text/yaml', buffer: Buffer.from(map('from-c')) });
  await editor().getByText('from-c').waitFor(kTimeout);
  await button('Create').click();
  await page.getByRole('heading', { name: 'from-c' }).waitFor(kTimeout);

  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
  }, map('from-d'));
  await editor().getByText('from-d').waitFor(kTimeout);
  await button('Create').click();
  await page.getByRole('heading', { name: 'from-d' }).waitFor(kTimeout);
  await pick('ConfigMap');
  await chooseNamespace('shop');
  for (const name of ['from-a', 'from-b', 'from-c', 'from-d']) await row(name).waitFor(kTimeout);
});

test('managedFields are folded away, in both formats, until they are opened', async () => {
  const { page } = shown;
  const { row, button, editor } = actions(page);
  await row('database-0').click();
  const folded = page.locator('.editor .cm-foldPlaceholder');
  for (const format of ['YAML', 'JSON']) {
    await button(format).click();
    await folded.waitFor(kTimeout);
    await page.locator('.editor .cm-scroller').evaluate((element) => (element.scrollTop = 300));
    await editor().getByText(/^"?spec"?$/).first().waitFor(kTimeout);
    assert.equal(await editor().getByText('fieldsV1').count(), 0);
  }
  await folded.scrollIntoViewIfNeeded();
  await folded.click();
  await editor().getByText('fieldsV1').first().waitFor(kTimeout);
});

test('a reload keeps the objects and the time, until a reset', async () => {
  const { page } = shown;
  const { button, write, pick, chooseNamespace, row } = actions(page);
  await pick('ConfigMap');
  await chooseNamespace('shop');
  await row('storefront').waitFor(kTimeout);
  await button('New').click();
  await write(map('lasting'));
  await button('Create').click();
  await row('lasting').waitFor(kTimeout);
  for (let i = 0; i < 3; i++) await button('+1 min').click();
  await eventually(async () => assert.match(await row('lasting').innerText(), /\s3m\d*s?$/));
  await page.reload();
  await row('lasting').waitFor(kTimeout);
  assert.match(await row('lasting').innerText(), /\s3m\d*s?$/);
  await page.locator('.header').getByText('Nothing leaves this browser.').waitFor(kTimeout);

  await button('Reset').click();
  await row('lasting').waitFor({ state: 'detached', ...kTimeout });
  await page.reload();
  await row('storefront').waitFor(kTimeout);
  assert.equal(await row('lasting').count(), 0);
});

test('what is kept and cannot be read is given up, and the page says so', async () => {
  const { page } = shown;
  const { row } = actions(page);
  await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
  await page.goto(`${shown.files.url}favicon.svg`); // the cluster has let go of its database
  await page.evaluate(async (name) => {
    const wait = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
    await wait(indexedDB.deleteDatabase(name));
    const opening = indexedDB.open(name, 99);
    opening.onupgradeneeded = () => opening.result.createObjectStore('of-something-else');
    (await wait(opening)).close();
  }, 'tabernetes-page');
  await page.goto(shown.files.url);
  await row('database-0').waitFor(kTimeout);
  await page.locator('.header').getByText(/^What this browser had kept cannot be read: /).waitFor(kTimeout);
  await page.reload();
  await page.locator('.header').getByText('Nothing leaves this browser.').waitFor(kTimeout);
});
