import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, missingNative, pod, request, serve } from './lib/native.mjs';
import { nginx } from './lib/nginx.mjs';

export const doc = 'LIST of 10,000 pods of 2 KiB, whole and by pages of 500, against nginx sending a file of the same bytes';
export const missing = missingNative;

const pods = 10_000;
const pageSize = 500;
const options = { connections: 2, seconds: 5 };

/** Returns the requests per second of nginx for a file of `body`. */
async function nginxPeer(body) {
  const peer = await nginx(body);
  if (!peer) return undefined;
  try {
    return await load(peer.port, request('GET', '/body.json'), options);
  } finally {
    await peer.stop();
  }
}

/** Returns the target of a page in the middle of the list, and its answer. */
async function middlePage(url) {
  const first = `/api/v1/pods?limit=${pageSize}`;
  let target = first;
  for (let page = 0; page < pods / pageSize / 2; ++page) {
    const { metadata } = await (await fetch(url + target)).json();
    target = `${first}&continue=${metadata.continue}`;
  }
  return { target, body: Buffer.from(await (await fetch(url + target)).arrayBuffer()) };
}

async function pageRows(server) {
  const { target, body } = await middlePage(server.url);
  const ours = await load(server.port, request('GET', target), options);
  const peer = await nginxPeer(body);
  const rows = [{ measure: `a page of ${pageSize}, ${(body.length / 1e6).toFixed(1)} MB`, value: ours.perSecond, unit: 'pages/s' }];
  if (peer) {
    rows.push(
      { measure: 'peer: nginx, a file of this page', value: peer.perSecond, unit: 'pages/s' },
      { measure: 'time of our page to time of nginx', value: peer.perSecond / ours.perSecond, unit: '×' },
    );
  }
  return rows;
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-bench-'));
  const manifest = join(folder, 'pods.json');
  const items = Array.from({ length: pods }, (_, i) => pod(`pod-${String(i).padStart(5, '0')}`));
  writeFileSync(manifest, `{"apiVersion":"v1","kind":"List","items":[${items.join(',')}]}`);
  const server = await serve('--load', manifest);
  try {
    const body = Buffer.from(await (await fetch(`${server.url}/api/v1/pods`)).arrayBuffer());
    const ours = await load(server.port, request('GET', '/api/v1/pods'), options);
    const peer = await nginxPeer(body);
    const rows = [
      { measure: `${pods} pods, ${(body.length / 1e6).toFixed(1)} MB`, value: ours.perSecond, unit: 'lists/s' },
      { measure: 'bytes', value: ours.bytes / ours.seconds / 1e6, unit: 'MB/s' },
    ];
    if (peer) {
      rows.push(
        { measure: 'peer: nginx, a file of these bytes', value: peer.perSecond, unit: 'lists/s' },
        { measure: 'time of ours to time of nginx', value: peer.perSecond / ours.perSecond, unit: '×', budget: 2 },
      );
    }
    return [...rows, ...(await pageRows(server))];
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}
