import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, missingNative, pod, request, serve } from './lib/native.mjs';

export const doc = 'LIST with a label selector over 100,000 pods of 2 KiB, of which ten match';
export const missing = missingNative;

const pods = 100_000;
const every = 10_000;

function item(i) {
  const object = JSON.parse(pod(`pod-${String(i).padStart(6, '0')}`));
  object.metadata.labels.shard = i % every === 0 ? 'wanted' : `s${i % 97}`;
  return JSON.stringify(object);
}

const milliseconds = (result) => 1000 / result.perCpuSecond;

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-bench-'));
  const manifest = join(folder, 'pods.json');
  writeFileSync(manifest, `{"apiVersion":"v1","kind":"List","items":[${Array.from({ length: pods }, (_, i) => item(i)).join(',')}]}`);
  const server = await serve('--load', manifest);
  try {
    const list = (query) => load(server.port, request('GET', `/api/v1/pods?${query}`), { connections: 1, seconds: 4, pid: server.pid });
    const found = (await (await fetch(`${server.url}/api/v1/pods?labelSelector=shard%3Dwanted`)).json()).items.length;
    if (found !== pods / every) throw new Error(`${found} pods were selected`);
    return [
      { measure: 'shard=wanted, time of the server', value: milliseconds(await list('labelSelector=shard%3Dwanted')), unit: 'ms', budget: 20 },
      { measure: 'app=shop,shard in (wanted,other)', value: milliseconds(await list('labelSelector=app%3Dshop,shard+in+(wanted,other)')), unit: 'ms' },
      { measure: 'no such label', value: milliseconds(await list('labelSelector=none')), unit: 'ms' },
      { measure: 'peer: one pod by name, the cost of a request', value: milliseconds(await list('fieldSelector=metadata.name%3Dpod-000000,metadata.namespace%3Ddefault')), unit: 'ms' },
    ];
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}
