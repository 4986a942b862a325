// Tests the texts of OpenAPI documents: loaded once, on demand; if they cannot be loaded, documents work without them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createCluster } from '../../dist/index.js';

const kOptions = { seed: 1, now: 0, controllers: 'none', scheduler: false };
const kPath = '/openapi/v3/version';
const kTexts = {
  format: 1,
  kubernetes: '1.36',
  texts: ['a major version'],
  types: { 'io.k8s.apimachinery.pkg.version.Info': { major: 0 } },
  parameters: {},
};
const bytes = (texts) => new TextEncoder().encode(JSON.stringify(texts));

/** Returns the document's description of the field `major`. */
async function described(cluster) {
  const response = await cluster.fetch(kPath);
  assert.equal(response.status, 200);
  return (await response.json()).components.schemas['io.k8s.apimachinery.pkg.version.Info'].properties.major.description;
}

/** Runs `body` and returns its console warnings. */
async function warnings(body) {
  const told = [];
  const { warn } = console;
  console.warn = (text) => told.push(text);
  try {
    await body();
  } finally {
    console.warn = warn;
  }
  return told;
}

test('documents have the texts of the file beside the package', async () => {
  const cluster = await createCluster(kOptions);
  const { texts, types } = JSON.parse(gunzipSync(readFileSync(new URL('../../dist/openapi-texts.gz', import.meta.url))));
  const spec = await (await cluster.fetch('/openapi/v2')).json();
  const pod = spec.definitions['io.k8s.api.core.v1.Pod'];
  assert.equal(pod.description, texts[types['io.k8s.api.core.v1.Pod']['']]);
  assert.equal(pod.properties.spec.description, texts[types['io.k8s.api.core.v1.Pod'].spec]);
  cluster.dispose();
});

test('they are loaded by the first request for such a document, once, for the forks too', async () => {
  let loads = 0;
  const openapiTexts = { then: (done) => (++loads, setTimeout(() => done(new Response(gzipSync(bytes(kTexts)))), 5)) };
  const cluster = await createCluster({ ...kOptions, openapiTexts });
  const fork = cluster.fork();
  await cluster.fetch('/api/v1/pods');
  await cluster.fetch('/version');
  assert.equal(loads, 0);
  const all = [described(cluster), described(fork), described(cluster)];
  assert.equal((await cluster.fetch('/version')).status, 200); // does not wait for the texts
  assert.deepEqual(await Promise.all(all), Array(3).fill('a major version'));
  assert.equal(await described(fork.fork()), 'a major version');
  assert.equal(loads, 1);
  cluster.dispose();
  fork.dispose();
});

test('bytes are taken packed and unpacked', async () => {
  for (const openapiTexts of [bytes(kTexts), bytes(kTexts).buffer, gzipSync(bytes(kTexts))]) {
    const cluster = await createCluster({ ...kOptions, openapiTexts });
    assert.equal(await described(cluster), 'a major version');
    cluster.dispose();
  }
});

test('without them documents have no descriptions, and one warning says why', async () => {
  const cases = [
    [new URL('nowhere.gz', import.meta.url), /^tabernetes: OpenAPI documents have no descriptions: Error: ENOENT/],
    [bytes({}), /: it has another format$/],
    [bytes({ ...kTexts, kubernetes: '1.35' }), /: it is of Kubernetes 1\.35, not of 1\.36$/],
    [gzipSync(bytes(kTexts)).subarray(0, 40), /^tabernetes: OpenAPI documents have no descriptions: \w*Error/],
  ];
  for (const [openapiTexts, expected] of cases) {
    const cluster = await createCluster({ ...kOptions, openapiTexts });
    const told = await warnings(async () => {
      assert.equal(await described(cluster), undefined);
      assert.equal(await described(cluster), undefined);
    });
    assert.equal(told.length, 1);
    assert.match(told[0], expected);
    cluster.dispose();
  }
});

test('a request that is given up, and a cluster that goes, while they are loaded', async () => {
  let deliver;
  const openapiTexts = new Promise((done) => (deliver = () => done(new Response(bytes(kTexts)))));
  const cluster = await createCluster({ ...kOptions, openapiTexts });
  const fork = cluster.fork();
  const abort = new AbortController();
  const given = cluster.fetch(kPath, { signal: abort.signal });
  const lost = cluster.fetch(kPath);
  const kept = described(fork);
  abort.abort();
  await assert.rejects(given, { name: 'AbortError' });
  cluster.dispose();
  await assert.rejects(lost, /has been disposed of/);
  deliver();
  assert.equal(await kept, 'a major version');
  fork.dispose();
});
