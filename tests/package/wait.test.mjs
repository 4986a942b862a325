// Tests delayed answers: a request for a future version waits for up to 3 seconds of the cluster's time.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { configMap, create, createCluster, dist, kConfigMaps, kReproducible } from './support.mjs';

let cluster;
beforeEach(async () => (cluster = await createCluster(kReproducible)));
afterEach(() => cluster.dispose());

const present = async () => Number((await (await cluster.fetch(kConfigMaps)).json()).metadata.resourceVersion);
const tooLarge = (version, current) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: `Timeout: Too large resource version: ${version}, current: ${current}`,
  reason: 'Timeout',
  details: {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  },
  code: 504,
});

/** Requests a future version. Returns an object that says if the answer has arrived. */
function ask(path, init) {
  const asked = { settled: false, answer: cluster.fetch(path, init) };
  asked.answer.then(
    () => (asked.settled = true),
    () => (asked.settled = true),
  );
  return asked;
}
const turns = () => new Promise((resolve) => setTimeout(resolve, 20));

test('a fixed clock: it waits for advance', async () => {
  const current = await present();
  const version = current + 100;
  for (const path of [`${kConfigMaps}/a`, kConfigMaps]) {
    const asked = ask(`${path}?resourceVersion=${version}`);
    await turns();
    cluster.advance(2_999);
    await turns();
    assert.equal(asked.settled, false, path);
    cluster.advance(1);
    const response = await asked.answer;
    assert.equal(response.status, 504);
    assert.equal(response.headers.get('retry-after'), '1');
    assert.deepEqual(await response.json(), tooLarge(version, current));
  }
});

test('the write that reaches the version answers it', async () => {
  const version = (await present()) + 2;
  const asked = ask(`${kConfigMaps}?resourceVersion=${version}`);
  await create(cluster, configMap('a'));
  await turns();
  assert.equal(asked.settled, false);
  await create(cluster, configMap('b'));
  const list = await (await asked.answer).json();
  assert.equal(list.metadata.resourceVersion, String(version));
  assert.deepEqual(list.items.map(({ metadata }) => metadata.name), ['a', 'b']);
});

test('an abort gives up, and the cluster goes on', async () => {
  const abort = new AbortController();
  const asked = ask(`${kConfigMaps}?resourceVersion=1000`, { signal: abort.signal });
  await turns();
  const reason = new Error('no longer needed');
  abort.abort(reason);
  await assert.rejects(asked.answer, reason);
  cluster.advance(5_000);
  assert.equal((await create(cluster, configMap('a'))).status, 201);
});

test('dispose gives up all that wait', async () => {
  const waiting = [1000, 2000].map((version) => ask(`${kConfigMaps}?resourceVersion=${version}`));
  await turns();
  cluster.dispose();
  for (const { answer } of waiting) await assert.rejects(answer, /disposed/);
});

test('a fork leaves them with its parent', async () => {
  const asked = ask(`${kConfigMaps}?resourceVersion=1000`);
  const fork = cluster.fork();
  fork.advance(10_000);
  fork.dispose();
  await turns();
  assert.equal(asked.settled, false);
  cluster.advance(3_000);
  assert.equal((await asked.answer).status, 504);
});

test('the real time: it passes, and the program waits for it', () => {
  const program = `
    const { createCluster } = await import('${pathToFileURL(join(dist, 'index.js'))}');
    const cluster = await createCluster();
    const { metadata } = await (await cluster.fetch('/api/v1/pods')).json();
    const begun = performance.now();
    const { status } = await cluster.fetch('/api/v1/pods?resourceVersion=' + (BigInt(metadata.resourceVersion) + 9n));
    console.log(status, performance.now() - begun >= 2990);`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  assert.equal(output, '504 true\n');
});
