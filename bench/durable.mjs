import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Etcd } from '../tests/mock-server/etcd_server.mjs';
import { startKubeApiserver } from '../tests/interop/kube_apiserver.mjs';
import { build, createsOf, missingEtcd, transactionsOf } from './lib/etcd.mjs';
import { kApiAlone, load, missingNative, pod, request, serve } from './lib/native.mjs';

export const doc = 'POST of a new pod of 2 KiB over 64 connections: on the disk before each answer (--data-dir), and in memory, beside etcd and a real kube-apiserver (KUBE_APISERVER) over it';
export const missing = missingNative;

const kLoad = { connections: 64, seconds: 5 };

/** What etcd and a kube-apiserver make durable on the same disk, if they are here. */
async function peers(folder) {
  if (missingEtcd()) return [];
  const etcd = await Etcd.start(join(folder, 'etcd'));
  try {
    const rows = [{ measure: 'peer: transactions of etcd alone', value: await transactionsOf(etcd, kLoad), unit: '/s' }];
    if (!process.env.KUBE_APISERVER) return rows;
    const real = await startKubeApiserver(etcd, folder);
    rows.push({ measure: 'peer: create, kube-apiserver', value: await createsOf(real, kLoad), unit: '/s' });
    await real.stop();
    return rows;
  } finally {
    await etcd.stop();
  }
}

export async function run() {
  // Beside the sources, as /tmp may be in memory.
  const folder = mkdtempSync(join(build, 'durable-'));
  const create = request('POST', '/api/v1/namespaces/default/pods', pod('pod-########'));
  const measure = async (...flags) => {
    const server = await serve(...kApiAlone, ...flags);
    try {
      return await load(server.port, create, { ...kLoad, pid: server.pid });
    } finally {
      await server.stop();
    }
  };
  try {
    const durable = await measure('--data-dir', join(folder, 'data'));
    const inMemory = await measure();
    return [
      { measure: 'create, durable', value: durable.perSecond, unit: '/s', budget: 5000, higher: true },
      { measure: 'create, durable, per second of one core', value: durable.perCpuSecond, unit: '/s' },
      { measure: 'create, in memory', value: inMemory.perSecond, unit: '/s' },
      ...(await peers(folder)),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
