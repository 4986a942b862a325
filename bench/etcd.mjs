import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import https from 'node:https';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { Etcd, noEtcd } from '../tests/mock-server/etcd_server.mjs';
import { startKubeApiserver } from '../tests/interop/kube_apiserver.mjs';
import { load, missingNative, pod, request, serve } from './lib/native.mjs';

export const doc = 'POST of a new pod of 2 KiB over etcd: one server and three, beside a real kube-apiserver (KUBE_APISERVER) and etcd itself';
const build = join(dirname(dirname(fileURLToPath(import.meta.url))), 'build');
const etcdLoad = join(build, 'release', 'bin', 'etcd_load');
export const missing = () => noEtcd ?? missingNative() ?? (existsSync(etcdLoad) ? undefined : `${etcdLoad} is not built`);

const kConnections = 64;
const kSeconds = 5;
const pods = '/api/v1/namespaces/default/pods';

/** The same load on a server that speaks TLS alone. */
async function loadOverTls(server) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: kConnections, ca: server.ca });
  const end = performance.now() + kSeconds * 1000;
  let made = 0;
  const one = (name) =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${server.token}` };
      const sent = https.request(server.url + pods, { method: 'POST', agent, headers, rejectUnauthorized: false }, (answer) => answer.resume().on('end', () => resolve(answer.statusCode)));
      sent.on('error', reject).end(pod(name));
    });
  await Promise.all(
    Array.from({ length: kConnections }, async (_, n) => {
      for (let i = 0; performance.now() < end; ++i) {
        const status = await one(`real-${n}-${i}`);
        if (status !== 201) throw new Error(`kube-apiserver answered ${status}`);
        ++made;
      }
    }),
  );
  agent.destroy();
  return made / kSeconds;
}

async function limitOf(etcd) {
  const child = spawn(etcdLoad, [etcd.url, String(kConnections), String(kSeconds), '1600'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  await once(child, 'close');
  const { requests, seconds } = JSON.parse(output);
  return requests / seconds;
}

export async function run() {
  // Beside the sources, as /tmp may be in memory.
  const folder = mkdtempSync(join(build, 'etcd-'));
  const etcd = await Etcd.start(join(folder, 'data'));
  const results = [];
  try {
    results.push({ measure: 'transactions of etcd alone, our transport', value: await limitOf(etcd), unit: '/s' });
    if (process.env.KUBE_APISERVER) {
      const real = await startKubeApiserver(etcd, folder);
      results.push({ measure: 'create, kube-apiserver', value: await loadOverTls(real), unit: '/s' });
      await real.stop();
    }
    for (const count of [1, 3]) {
      const flags = ['--etcd-servers', etcd.url, '--nodes', '0', '--controllers', 'none', '--scheduler=false', '--disable-admission-plugins', 'ServiceAccount'];
      const servers = await Promise.all(Array.from({ length: count }, () => serve(...flags)));
      const each = await Promise.all(
        servers.map((server, n) => load(server.port, request('POST', pods, pod(`pod-${count}-${n}-########`)), { connections: Math.floor(kConnections / count), seconds: kSeconds })),
      );
      results.push({ measure: `create, ${count} of ours`, value: each.reduce((sum, { perSecond }) => sum + perSecond, 0), unit: '/s' });
      await Promise.all(servers.map((server) => server.stop()));
    }
    return results;
  } finally {
    await etcd.stop();
    rmSync(folder, { recursive: true });
  }
}
