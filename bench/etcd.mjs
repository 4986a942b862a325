import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Etcd } from '../tests/mock-server/etcd_server.mjs';
import { startKubeApiserver } from '../tests/interop/kube_apiserver.mjs';
import { build, createsOf, getsOf, missingEtcd, pods, transactionsOf } from './lib/etcd.mjs';
import { kApiAlone, load, missingNative, pod, request, serve } from './lib/native.mjs';

export const doc = 'pods of 2 KiB over etcd: POST, GET and LIST by one server and three, beside a real kube-apiserver (KUBE_APISERVER) and etcd itself';
export const missing = () => missingEtcd() ?? missingNative();

const kLoad = { connections: 64, seconds: 5 };
// Each is read as it is now, which asks etcd, and as it may be.
const kReads = [
  ['GET', `${pods}/read-1`],
  ['GET at resourceVersion=0', `${pods}/read-1?resourceVersion=0`],
  ['LIST of 100', `/api/v1/namespaces/kube-public/pods`],
];

export async function run() {
  // Beside the sources, as /tmp may be in memory.
  const folder = mkdtempSync(join(build, 'etcd-'));
  const etcd = await Etcd.start(join(folder, 'data'));
  const results = [];
  const add = (measure, value, budget) => results.push({ measure, value, unit: '/s', ...(budget && { budget, higher: true }) });
  const flags = ['--etcd-servers', etcd.url, ...kApiAlone, '--disable-admission-plugins', 'ServiceAccount'];
  // The sum of what all servers do under a part of the load each.
  const ofAll = async (servers, makeRequest) => {
    const each = await Promise.all(servers.map((server, n) => load(server.port, makeRequest(n), { connections: Math.floor(kLoad.connections / servers.length), seconds: kLoad.seconds })));
    return each.reduce((sum, { perSecond }) => sum + perSecond, 0);
  };
  try {
    add('transactions of etcd alone, our transport', await transactionsOf(etcd, kLoad));
    const first = await serve(...flags);
    const make = (path, name) => fetch(first.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: pod(name).replace('"namespace":"default",', '') });
    await make(pods, 'read-1');
    for (let i = 0; i < 100; ++i) await make('/api/v1/namespaces/kube-public/pods', `listed-${i}`);
    await first.stop();
    let creates;
    if (process.env.KUBE_APISERVER) {
      const real = await startKubeApiserver(etcd, folder);
      creates = await createsOf(real, kLoad);
      add('create, kube-apiserver', creates);
      for (const [what, path] of kReads) add(`${what}, kube-apiserver`, await getsOf(real, path, kLoad));
      await real.stop();
    }
    for (const count of [1, 3]) {
      const servers = await Promise.all(Array.from({ length: count }, () => serve(...flags)));
      const made = await ofAll(servers, (n) => request('POST', pods, pod(`pod-${count}-${n}-########`)));
      add(`create, ${count} of ours`, made, creates && count === 3 ? 3 * creates : undefined);
      for (const [what, path] of kReads) add(`${what}, ${count} of ours`, await ofAll(servers, () => request('GET', path)));
      await Promise.all(servers.map((server) => server.stop()));
    }
    return results;
  } finally {
    await etcd.stop();
    rmSync(folder, { recursive: true });
  }
}
