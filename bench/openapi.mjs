import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { binary, median, serve } from './lib/native.mjs';

const index = new URL('../dist/index.js', import.meta.url);
const texts = new URL('../dist/openapi-texts.gz', import.meta.url);

export const doc = 'the first answer of each OpenAPI document of a new server, which loads its texts and makes it, native and in WASM';
export const missing = () => {
  if (!existsSync(binary)) return `${binary} is not built`;
  return existsSync(index) && existsSync(texts) ? undefined : 'dist/ is not built';
};

const kDocuments = [
  ['v3 of apps/v1, with loading the texts', '/openapi/v3/apis/apps/v1', 'application/json'],
  ['v3 index', '/openapi/v3', 'application/json'], // builds every v3 document, for its hash
  ['v2', '/openapi/v2', 'application/json'],
  ['v2 as protobuf, after its JSON', '/openapi/v2', 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'],
];

/** Returns the milliseconds of the first answer for each document, from `get(path, accept)`. */
async function firsts(get) {
  const times = [];
  for (const [, path, accept] of kDocuments) {
    const start = performance.now();
    const answer = await get(path, accept);
    await answer.arrayBuffer();
    times.push(performance.now() - start);
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`);
  }
  return times;
}

async function native() {
  const server = await serve();
  try {
    await (await fetch(`${server.url}/version`)).arrayBuffer();
    return await firsts((path, accept) => fetch(server.url + path, { headers: { accept } }));
  } finally {
    await server.stop();
  }
}

async function wasm() {
  const { createCluster } = await import(index);
  const cluster = await createCluster();
  const times = await firsts((path, accept) => cluster.fetch(`http://localhost${path}`, { headers: { accept } }));
  cluster.dispose();
  return times;
}

export async function run() {
  await wasm(); // compiles
  const packed = readFileSync(texts);
  const rows = [
    { measure: 'the texts as they travel', value: packed.length / 1024, unit: 'KiB' },
    { measure: 'the texts unpacked', value: gunzipSync(packed).length / 1024, unit: 'KiB' },
  ];
  for (const [host, once] of [['native', native], ['WASM', wasm]]) {
    const runs = [];
    for (let i = 0; i < 7; ++i) runs.push(await once());
    kDocuments.forEach(([name], i) => rows.push({ measure: `${name}, ${host}, median of 7`, value: median(runs.map((times) => times[i])), unit: 'ms' }));
  }
  return rows;
}
