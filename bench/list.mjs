import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, missingNative, pod, request, serve, which } from './lib/native.mjs';

export const doc = 'LIST of 10,000 pods of 2 KiB, whole and by pages of 500, against nginx sending a file of the same bytes';
export const missing = missingNative;

const pods = 10_000;
const pageSize = 500;
const options = { connections: 2, seconds: 5 };

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Returns the requests per second of nginx with one worker and sendfile for a file of `body`. */
async function nginxPeer(body) {
  const nginx = which('nginx');
  if (!nginx) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-bench-'));
  const port = await freePort();
  writeFileSync(join(folder, 'list.json'), body);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr crit; ${process.getuid() === 0 ? 'user root;' : ''}
     events { worker_connections 64; }
     http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
       client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
       server { listen 127.0.0.1:${port}; root ${folder}; } }\n`,
  );
  const child = spawn(nginx, ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'inherit' });
  try {
    for (let i = 0; i < 100; ++i) {
      if (await fetch(`http://127.0.0.1:${port}/list.json`, { method: 'HEAD' }).catch(() => undefined)) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return await load(port, request('GET', '/list.json'), options);
  } finally {
    child.kill();
    await once(child, 'close');
    rmSync(folder, { recursive: true });
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
