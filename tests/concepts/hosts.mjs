// Clusters for proofs: the native server over HTTP, and the package in Node. Each gives `fresh()`, a cluster of its own.
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createCluster } from '../../dist/index.js';
import { startServer } from '../clients/server.mjs';
import { pageModule } from './tour_code.mjs';

const { kAdminToken, kControllers, kNamespaces, kTokens } = await pageModule('tour/proving.ts');

const namespaces = kNamespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
const withToken = (kind, headers) => (kind.rbac ? [...headers, ['Authorization', `Bearer ${kAdminToken}`]] : headers);

/** Starts a server for proofs that need this kind of cluster. */
export async function nativeHost(kind) {
  const flags = ['--controllers', kControllers, '--nodes', '0', '--scheduler=false'];
  const gates = Object.entries(kind.featureGates).map(([name, on]) => `${name}=${on}`);
  if (gates.length > 0) flags.push('--feature-gates', gates.join(','));
  const server = await startServer(...flags, ...(kind.rbac ? ['--authorization-mode', 'RBAC', '--token-auth-file', tokenFile()] : []));
  const admin = async (name, body) => {
    const answer = await send({ method: 'POST', target: `/-/tabernetes/${name}`, headers: [['Content-Type', 'application/json']], body: body && JSON.stringify(body) });
    if (answer.status >= 300) throw new Error(`${name}: ${answer.status} ${new TextDecoder().decode(answer.body)}`);
  };
  const send = (request) => sendOver(server.url, { ...request, headers: withToken(kind, request.headers) });
  const host = { request: send, advance: (milliseconds) => admin('clock', { advance: `${milliseconds}ms` }), compact: () => admin('compact'), corrupt: (object) => admin('corrupt', { object }) };
  return {
    async fresh() {
      await admin('reset');
      for (const each of namespaces) await send({ method: 'POST', target: '/api/v1/namespaces', headers: [['Content-Type', 'application/json']], body: JSON.stringify(each) });
      return { ...host, dispose() {} };
    },
    stop: () => server.stop(),
  };
}

function tokenFile() {
  const path = join(process.env.TMPDIR ?? '/tmp', `tabernetes-tokens-${process.pid}.csv`);
  writeFileSync(path, kTokens);
  return path;
}

/** Sends a request exactly as it is, and takes the answer as it comes. */
function sendOver(url, { method, target, headers, body, signal }) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    // A pair per header: names may repeat.
    const request = http.request({ hostname, port, method, path: target, signal, agent: false });
    for (const [name, value] of headers) request.setHeader(name, value);
    request.once('error', reject);
    request.once('response', async (response) => {
      response.on('error', () => {}); // cut off at the end of a proof
      const pairs = [];
      for (let i = 0; i < response.rawHeaders.length; i += 2) pairs.push([response.rawHeaders[i], response.rawHeaders[i + 1]]);
      const answer = { status: response.statusCode, headers: pairs, body: new Uint8Array() };
      const isWatch = /[?&]watch(=1)?(&|$)/.test(target) && answer.status === 200;
      if (isWatch) return resolve({ ...answer, stream: Readable.toWeb(response) });
      const chunks = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ ...answer, body: new Uint8Array(Buffer.concat(chunks)) });
    });
    if (body !== undefined) request.setHeader('Content-Length', Buffer.byteLength(body));
    request.end(body);
  });
}

/** Makes clusters in this process. */
export async function wasmHost(kind) {
  const base = await createCluster({
    controllers: kControllers,
    scheduler: false,
    nodes: 0,
    featureGates: kind.featureGates,
    load: namespaces,
    ...(kind.rbac ? { authorizationMode: 'RBAC', tokenFile: kTokens } : {}),
  });
  return {
    async fresh() {
      const cluster = base.fork();
      return {
        request: (request) => cluster.request({ ...request, headers: withToken(kind, request.headers) }),
        advance: async (milliseconds) => cluster.advance(milliseconds),
        compact: async () => cluster.compact(),
        corrupt: (path) => cluster.corrupt(path),
        dispose: () => cluster.dispose(),
      };
    },
    stop: async () => base.dispose(),
  };
}
