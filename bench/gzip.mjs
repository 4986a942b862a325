import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { cpuSeconds, missingNative, pod, serve } from './lib/native.mjs';

export const doc = 'LIST of 10,000 pods of 2 KiB compressed and not, beside zlib alone on the same bytes';
export const missing = missingNative;

const pods = 10_000;
const rounds = 5;

/** Returns the bytes of an answer as they were sent. */
function read(url, headers) {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({ body: Buffer.concat(chunks), headers: response.headers }));
      response.on('error', reject);
    }).on('error', reject);
  });
}

/** Returns the server's processor time for one answer, in milliseconds, and the answer. */
async function cost(server, headers) {
  let answer;
  const before = cpuSeconds(server.pid);
  for (let i = 0; i < rounds; ++i) answer = await read(`${server.url}/api/v1/pods`, headers);
  return { ms: ((cpuSeconds(server.pid) - before) / rounds) * 1e3, ...answer };
}

function zlibAlone(body) {
  const before = process.cpuUsage().user;
  for (let i = 0; i < rounds; ++i) gzipSync(body, { level: 1 });
  return (process.cpuUsage().user - before) / rounds / 1e3;
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-bench-'));
  const items = Array.from({ length: pods }, (_, i) => pod(`pod-${i}`)).join(',');
  writeFileSync(join(folder, 'pods.json'), `{"apiVersion":"v1","kind":"List","items":[${items}]}`);
  const server = await serve('--load', join(folder, 'pods.json'));
  try {
    const plain = await cost(server, {});
    const gzip = await cost(server, { 'accept-encoding': 'gzip' });
    if (gzip.headers['content-encoding'] !== 'gzip') throw new Error('the list did not come compressed');
    const peer = zlibAlone(plain.body);
    return [
      { measure: 'not compressed', value: plain.body.length / 1e6, unit: 'MB' },
      { measure: 'not compressed, time of the server', value: plain.ms, unit: 'ms' },
      { measure: 'compressed', value: gzip.body.length / 1e6, unit: 'MB' },
      { measure: 'compressed, time of the server', value: gzip.ms, unit: 'ms' },
      { measure: 'peer: zlib alone, level 1', value: peer, unit: 'ms' },
      { measure: 'time of ours to time of zlib', value: gzip.ms / peer, unit: '×' },
    ];
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}
