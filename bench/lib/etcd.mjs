// An etcd and a real kube-apiserver (KUBE_APISERVER) for the benchmarks, and the same load on each.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import https from 'node:https';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { noEtcd } from '../../tests/mock-server/etcd_server.mjs';
import { pod } from './native.mjs';

export const build = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'build');
const etcdLoad = join(build, 'release', 'bin', 'etcd_load');
export const missingEtcd = () => noEtcd ?? (existsSync(etcdLoad) ? undefined : `${etcdLoad} is not built`);
export const pods = '/api/v1/namespaces/default/pods';

/** Returns the transactions that put 1.6 KB which etcd itself does in a second over our transport. */
export async function transactionsOf(etcd, { connections, seconds }) {
  const child = spawn(etcdLoad, [etcd.url, String(connections), String(seconds), '1600'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  await once(child, 'close');
  const { requests, seconds: taken } = JSON.parse(output);
  return requests / taken;
}

/** Returns the requests a second of a server that speaks TLS alone; `send(ask, n, i)` makes one. */
async function perSecond(server, { connections, seconds }, send) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: connections, ca: server.ca });
  const end = performance.now() + seconds * 1000;
  let done = 0;
  const ask = (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${server.token}`, ...(body && { 'content-type': 'application/json' }) };
      const sent = https.request(server.url + path, { method, agent, headers, rejectUnauthorized: false }, (answer) => answer.resume().on('end', () => resolve(answer.statusCode)));
      sent.on('error', reject).end(body);
    });
  await Promise.all(
    Array.from({ length: connections }, async (_, n) => {
      for (let i = 0; performance.now() < end; ++i) {
        const status = await send(ask, n, i);
        if (status >= 300) throw new Error(`kube-apiserver answered ${status}`);
        ++done;
      }
    }),
  );
  agent.destroy();
  return done / seconds;
}

/** Pods that a kube-apiserver creates in a second. */
export const createsOf = (server, load) => perSecond(server, load, (ask, n, i) => ask('POST', pods, pod(`real-${n}-${i}`)));
/** GETs of a path that it answers in a second. */
export const getsOf = (server, path, load) => perSecond(server, load, (ask) => ask('GET', path));
