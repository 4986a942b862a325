// Replays the requests of a kubectl walk against the native server through `cluster.fetch` in Node.js and in Chromium:
// the bodies of the answers are the same, byte for byte.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { kubectl as findKubectl } from '../../tools/kubectl.mjs';
import { launch, serveFiles } from '../browser/browser.mjs';
import { recordingProxy } from './recording_proxy.mjs';
import { startServer, top } from './server.mjs';

const run = promisify(execFile);
const kClock = '2026-01-01T00:00:00Z';
let exchanges;

/** Walks through the shop with kubectl, through the proxy. */
async function walk(server, proxy) {
  const kubeconfig = join(server.dir, 'proxied');
  writeFileSync(kubeconfig, readFileSync(server.kubeconfig, 'utf8').replaceAll(server.url, proxy.url));
  const kubectl = (...args) => run(findKubectl(), ['--kubeconfig', kubeconfig, '--cache-dir', join(server.dir, 'cache'), ...args], { maxBuffer: 64 << 20 });
  const replaced = join(server.dir, 'replaced.json');
  await kubectl('create', '-f', join(top, 'tests/clients/manifests/shop.yaml'));
  await kubectl('get', 'all', '-n', 'shop');
  await kubectl('get', 'ingress,pvc,role,cronjob', '-n', 'shop', '-o', 'yaml');
  await kubectl('explain', 'deployment.spec.template.spec.containers');
  await kubectl('label', 'deployment', 'shop', '-n', 'shop', 'release=stable');
  await kubectl('annotate', 'service', 'shop', '-n', 'shop', 'example.com/owner=web');
  const { stdout } = await kubectl('get', 'configmap', 'shop-config', '-n', 'shop', '-o', 'json');
  writeFileSync(replaced, stdout.replace('"info"', '"debug"'));
  await kubectl('replace', '-f', replaced);
  await kubectl('patch', 'deployment', 'shop', '-n', 'shop', '--type', 'json', '-p', '[{"op":"replace","path":"/spec/replicas","value":5}]');
  await kubectl('delete', 'job', 'migrate-database', '-n', 'shop', '--wait=false');
  await kubectl('delete', 'namespace', 'shop', '--wait=false');
  await kubectl('get', 'namespaces');
}

before(async () => {
  const server = await startServer('--seed', '7', '--clock', kClock, '--nodes', '1');
  const proxy = await recordingProxy(server.url);
  await walk(server, proxy);
  proxy.close();
  await server.stop();
  // Plain JSON, so that it can be passed to the page.
  exchanges = proxy.exchanges.map(({ method, path, headers, body, status, answer }) => ({
    method,
    path,
    // Headers that a browser's fetch may not set, or that belong to the proxy's connection.
    headers: Object.entries(headers).filter(([name]) => !['host', 'connection', 'content-length', 'accept-encoding', 'transfer-encoding'].includes(name)),
    body: body.toString('base64'),
    status,
    answer: answer.toString('base64'),
  }));
});

/**
 * Sends the exchanges to a new cluster of `createCluster` and returns the differences. Runs in Node.js and in the page.
 */
async function replay(createCluster, exchanges, clock) {
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const text = (array) => Array.from(array, (byte) => String.fromCharCode(byte)).join('');
  const cluster = await createCluster({ seed: 7, now: clock, nodes: 1, controllers: 'none', scheduler: false });
  const differences = [];
  for (const { method, path, headers, body, status, answer } of exchanges) {
    const response = await cluster.fetch(`http://cluster.test${path}`, { method, headers, body: body ? bytes(body) : undefined });
    const got = text(new Uint8Array(await response.arrayBuffer()));
    if (response.status !== status || got !== atob(answer)) {
      differences.push({ method, path, expected: [status, atob(answer).slice(0, 400)], got: [response.status, got.slice(0, 400)] });
    }
  }
  cluster.dispose();
  return differences;
}

test('the walk asked for discovery, OpenAPI, tables and objects, and wrote', () => {
  assert.ok(exchanges.length > 40, `${exchanges.length} exchanges`);
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) assert.ok(exchanges.some((exchange) => exchange.method === method), method);
  assert.deepEqual(exchanges.filter(({ status }) => status >= 400).map(({ method, path, status }) => [method, path, status]), []);
});

test('Node.js answers the same', async () => {
  const { createCluster } = await import(join(top, 'dist/index.js'));
  assert.deepEqual(await replay(createCluster, exchanges, kClock), []);
});

test('Chromium answers the same', async () => {
  const files = await serveFiles(top);
  const browser = await launch();
  after(async () => {
    await browser.close();
    await files.close();
  });
  const page = await browser.newPage();
  await page.goto(`${files.url}dist/ui/favicon.svg`).catch(() => {});
  const differences = await page.evaluate(
    async ([source, exchanges, clock, index]) => {
      const { createCluster } = await import(index);
      return (0, eval)(`(${source})`)(createCluster, exchanges, clock);
    },
    [replay.toString(), exchanges, kClock, `${files.url}dist/index.js`],
  );
  assert.deepEqual(differences, []);
});
