// Tests the npm package in Chromium without a bundler: in a page and in a worker, under a strict content policy.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createCluster } from '../../dist/index.js';
import { launch, serveFiles } from './browser.mjs';

const kPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

const kDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { size: { type: 'integer' } }, 'x-kubernetes-validations': [{ rule: 'self.size > 3' }] } },
    } } }],
  },
};

// Programs by name; each returns a text.
const kPrograms = `
import { applyPatch, compareResourceVersions, createCluster, matches, parseSelector, ready } from './dist/index.js';

const fixed = { seed: 1, now: '2026-01-01T00:00:00Z', controllers: 'none', scheduler: false };
const kMaps = '/api/v1/namespaces/default/configmaps';
const create = (cluster, name) =>
  cluster.fetch(kMaps, { method: 'POST', body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }) });
const text = async (cluster, path = kMaps) => (await cluster.fetch(path)).text();
const names = async (cluster) => JSON.parse(await text(cluster)).items.map(({ metadata }) => metadata.name).join();

export async function functions() {
  const early = [];
  try { compareResourceVersions('1', '2'); } catch (error) { early.push(error.message); }
  await ready();
  try { parseSelector('a b'); } catch (error) { early.push(error.message); }
  return [...early, compareResourceVersions('9', '10'), parseSelector('b in (y,x),a'), matches('a', { a: '' })].join(' | ');
}

export async function patches() {
  await ready();
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } };
  return applyPatch(node, { spec: { unschedulable: true } }, { contentType: 'application/merge-patch+json' }).spec.unschedulable + '';
}

export async function fork() {
  const cluster = await createCluster(fixed);
  await create(cluster, 'a');
  const forks = [cluster.fork(), cluster.fork()];
  for (const each of forks) await create(each, 'b');
  const same = (await text(forks[0])) === (await text(forks[1]));
  await create(forks[0], 'c');
  const seen = [same, ...(await Promise.all([cluster, ...forks].map(names)))];
  for (const each of [cluster, ...forks]) each.dispose();
  return seen.join(' | ');
}

/** Through a message, as between a page and its worker. */
export async function snapshot() {
  const cluster = await createCluster(fixed);
  await create(cluster, 'kept');
  const { port1, port2 } = new MessageChannel();
  const arrived = new Promise((resolve) => (port2.onmessage = ({ data }) => resolve(data)));
  const bytes = cluster.snapshot();
  port1.postMessage(bytes, [bytes.buffer]);
  const again = await createCluster({ ...fixed, snapshot: await arrived });
  const same = (await text(again, '/api/v1/configmaps')) === (await text(cluster, '/api/v1/configmaps'));
  port1.close();
  await again.fetch(kMaps + '/kept', { method: 'DELETE' });
  const [before, after] = [await names(cluster), await names(again)];
  cluster.compact();
  const watch = (await cluster.fetch(kMaps + '?watch=true&resourceVersion=2')).body.pipeThrough(new TextDecoderStream());
  const { type, object } = JSON.parse((await watch.getReader().read()).value);
  return [same, before, after, type, object.code].join(' | ');
}

const send = async (cluster, path, object) => {
  const { status } = await cluster.fetch(path, { method: 'POST', body: JSON.stringify(object) });
  return status;
};
const kWidgets = '/apis/example.com/v1/namespaces/default/widgets';
const widget = (size) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' + size }, spec: { size } });

/** Creates a custom resource with a rule. */
export async function definition() {
  const cluster = await createCluster(fixed);
  const defined = await send(cluster, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', ${JSON.stringify(kDefinition)});
  cluster.advance(1000);
  return [defined, await send(cluster, kWidgets, widget(1)), await send(cluster, kWidgets, widget(4))].join(' ');
}

/** The same from a snapshot. */
export async function restore() {
  const cluster = await createCluster(fixed);
  cluster.restore(await (await fetch('snapshot.json')).arrayBuffer());
  return [await send(cluster, kWidgets, widget(1)), await send(cluster, kWidgets, widget(4))].join(' ');
}

/** Creates an object and watches for it. */
export async function walk() {
  const cluster = await createCluster(fixed);
  const maps = '/api/v1/namespaces/default/configmaps';
  const reader = (await cluster.fetch(maps + '?watch=true')).body.pipeThrough(new TextDecoderStream()).getReader();
  const event = reader.read();
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'seen' } });
  const created = await cluster.fetch(maps, { method: 'POST', body });
  const { type, object } = JSON.parse((await event).value);
  cluster.dispose();
  return [created.status, type, object.metadata.name, object.metadata.creationTimestamp, (await reader.read()).done].join(' ');
}
`;
const kSeen = {
  walk: '201 ADDED seen 2026-01-01T00:00:00Z true',
  functions:
    'tabernetes: the core is not loaded yet; `await ready()` or `await createCluster()` comes first | ' +
    "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt | -1 | a,b in (x,y) | true",
  patches: 'true',
  fork: 'true | a | a,b,c | a,b',
  snapshot: 'true | kept | | ERROR | 410',
  definition: '201 422 201',
  restore: '422 201',
};

const folder = mkdtempSync(join(tmpdir(), 'tabernetes-page-'));
let browser;
let files;
before(async () => {
  cpSync(fileURLToPath(new URL('../../dist', import.meta.url)), join(folder, 'dist'), { recursive: true });
  const write = (name, text) => writeFileSync(join(folder, name), text);
  write('programs.js', kPrograms);
  const defined = await createCluster({ load: [kDefinition] });
  write('snapshot.json', defined.snapshot());
  defined.dispose();
  write('page.js', "import * as all from './programs.js';\ndocument.title = await all[location.search.slice(1)]();");
  write('page.html', '<!doctype html><script type="module" src="page.js"></script>');
  write('worker.js', "import * as all from './programs.js';\npostMessage(await all[location.search.slice(1)]());");
  write(
    'start.js',
    "const worker = new Worker('worker.js' + location.search, { type: 'module' });\n" +
      'worker.onmessage = ({ data }) => (document.title = data);',
  );
  write('worker.html', '<!doctype html><script type="module" src="start.js"></script>');
  browser = await launch();
  files = await serveFiles(folder, { 'content-security-policy': kPolicy });
});
after(async () => {
  await browser?.close();
  files?.close();
  rmSync(folder, { recursive: true });
});

for (const place of ['page', 'worker']) {
  for (const [program, seen] of Object.entries(kSeen)) {
    test(`${program} in a ${place}`, async () => {
      const page = await browser.newPage();
      const faults = [];
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
      page.on('pageerror', (error) => faults.push(error.message));
      await page.goto(`${files.url}${place}.html?${program}`);
      await page.waitForFunction(() => document.title !== '', null, { timeout: 30_000 }).catch(() => {});
      assert.equal(await page.title(), seen);
      assert.deepEqual(faults.filter((text) => !text.includes('404')), []); // Chromium requests an icon
      const loaded = files.requests.splice(0).filter((path) => /wasm$|embedded/.test(path));
      assert.deepEqual(loaded, ['/dist/tabernetes.wasm']);
      await page.close();
    });
  }
}
