// Tests HTTPS and HTTP/2 of `tabernetes serve` in Node, and `listen`.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { ask, get, httpsOf, selfSigned } from '../mock-server/https_cluster.mjs';
import { run, serveExactly } from '../mock-server/server.mjs';
import { dist } from './support.mjs';

const cli = join(dist, 'cli.js');
const { createCluster } = await import(join(dist, 'index.js'));
const { listen } = await import(join(dist, 'node.js'));
const folder = mkdtempSync(join(tmpdir(), 'tabernetes-tls-'));
after(() => rmSync(folder, { recursive: true }));

httpsOf(cli);

/** GET by HTTP on a Unix socket. */
const getBySocket = (socketPath, path) =>
  new Promise((done, failed) => {
    http
      .get({ socketPath, path, headers: { host: 'localhost' } }, async (answer) => {
        let body = '';
        for await (const part of answer) body += part;
        done(body);
      })
      .on('error', failed);
  });

test('versions of TLS that are old are spoken if they are asked for', async () => {
  const server = await serveExactly(cli, 1, '--listen', '127.0.0.1:0', '--tls', '--tls-min-version', 'VersionTLS10');
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0', rejectUnauthorized: false };
  assert.equal((await get(`${server.url}/readyz`, old)).body, 'ok');
  assert.equal(await server.stop(), 0);
});

test('an authority without the one that signs it is refused', async () => {
  const root = selfSigned(folder, 'root', 'DNS:root');
  const [key, csr, crt, both] = ['key', 'csr', 'crt', 'pem'].map((end) => join(folder, `middle.${end}`));
  const openssl = (...args) => execFileSync('openssl', args, { stdio: 'ignore' });
  openssl('req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=middle', '-keyout', key, '-out', csr);
  openssl('x509', '-req', '-in', csr, '-CA', root.crt, '-CAkey', root.key, '-CAcreateserial', '-days', '2', '-out', crt);
  const flags = ['--listen', '127.0.0.1:0', '--tls', '--client-ca-file'];
  assert.deepEqual(await run(cli, ['serve', ...flags, crt]), {
    code: 1,
    stdout: '',
    stderr: 'tabernetes: Node.js trusts an authority only up to one that signs itself: the file of CN=middle needs CN=root, too\n',
  });
  writeFileSync(both, readFileSync(crt, 'utf8') + root.ca);
  assert.equal(await (await serveExactly(cli, 1, ...flags, both)).stop(), 0);
});

describe('listen', () => {
  test('tls: true makes certificates, and the kubeconfig embeds the authority', async () => {
    const cluster = await createCluster();
    const server = await listen(cluster, { tls: { names: ['cluster.example'] } });
    const ca = Buffer.from(server.kubeconfig.match(/authority-data: (\S+)/)[1], 'base64');
    assert.match(server.url, /^https:/);
    const session = http2.connect(server.url, { ca });
    assert.equal((await ask(session, '/readyz')).body.toString(), 'ok');
    session.close();
    assert.equal((await get(`${server.url}/readyz`, { ca, servername: 'cluster.example' })).body, 'ok');
    await server.close();
    await (await listen(cluster, { tls: true })).close();
    cluster.dispose();
  });

  test('certificates of clients', async () => {
    const users = selfSigned(folder, 'jane', 'DNS:jane');
    const stranger = selfSigned(folder, 'stranger', 'DNS:stranger');
    const cluster = await createCluster({ authorizationMode: 'RBAC' });
    const server = await listen(cluster, { tls: { clientCa: users.ca.toString() } });
    const ca = Buffer.from(server.kubeconfig.match(/authority-data: (\S+)/)[1], 'base64');
    const as = ({ crt, key }) => get(`${server.url}/api/v1/pods`, { ca, cert: readFileSync(crt), key: readFileSync(key), agent: false });
    const { status, body } = await as(users);
    assert.equal(status, 403);
    assert.match(JSON.parse(body).message, /^pods is forbidden: User "jane" cannot list/);
    assert.equal((await as(stranger)).status, 401);
    await server.close();
    cluster.dispose();
  });

  test('a Unix socket', async () => {
    const path = join(folder, 'listen.sock');
    const cluster = await createCluster();
    const server = await listen(cluster, { socket: path });
    assert.deepEqual([server.url, server.port, server.kubeconfig], [`unix://${path}`, 0, '']);
    assert.equal(await getBySocket(path, '/readyz'), 'ok');
    await server.close();
    cluster.dispose();
  });

  test('wrong certificates and names are told', async () => {
    const cluster = await createCluster();
    const { crt } = selfSigned(folder, 'one', 'DNS:one');
    await assert.rejects(listen(cluster, { tls: { cert: readFileSync(crt) } }), { name: 'TypeError', message: 'tabernetes: tls has both key and cert, or neither' });
    await assert.rejects(listen(cluster, { tls: { cert: 'a', key: 'b' } }), /^Error: the certificate is not PEM: /);
    await assert.rejects(listen(cluster, { tls: { ca: 'a' } }), { name: 'TypeError', message: /^tabernetes: tls takes no "ca"/ });
    cluster.dispose();
  });
});
