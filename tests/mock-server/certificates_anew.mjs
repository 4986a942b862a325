// SIGHUP reads certificates anew: tests that both servers do alike.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import tls from 'node:tls';
import { ask, get, selfSigned } from './https_cluster.mjs';
import { serveExactly, waitFor } from './server.mjs';

const kQuiet = ['--controllers', 'none', '--scheduler=false', '--ui=false'];

export function certificatesAnewOf(binary) {
  describe('SIGHUP', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tabernetes-certificates-'));
    after(() => rmSync(folder, { recursive: true }));

    test('certificates are read anew; bad ones are told, and the old ones stay', async () => {
      const old = selfSigned(folder, 'old', 'IP:127.0.0.1');
      const renewed = selfSigned(folder, 'renewed', 'IP:127.0.0.1');
      const [crt, key] = [join(folder, 'now.crt'), join(folder, 'now.key')];
      const use = (pair) => (copyFileSync(pair.crt, crt), copyFileSync(pair.key, key));
      use(old);
      const server = await serveExactly(binary, 1, ...kQuiet, '--listen', '127.0.0.1:0', '--tls-cert-file', crt, '--tls-private-key-file', key);
      const trusts = ({ ca }) => get(`${server.url}/readyz`, { ca, agent: false }).then(() => true, () => false);
      const session = http2.connect(server.url, { ca: old.ca });
      assert.equal((await ask(session, '/readyz')).status, 200);
      use(renewed);
      process.kill(server.pid, 'SIGHUP');
      await waitFor(() => trusts(renewed));
      assert.equal(await trusts(old), false);
      assert.equal((await ask(session, '/readyz')).status, 200); // a connection that is there goes on
      writeFileSync(crt, 'nothing');
      process.kill(server.pid, 'SIGHUP');
      await waitFor(() => server.output.stderr !== '');
      assert.match(server.output.stderr, /^tabernetes: SIGHUP: the certificate is not PEM: [^\n]+; the certificates stay\n$/);
      assert.equal(await trusts(renewed), true);
      session.close();
      assert.equal(await server.stop(), 0);
    });

    test('an authority that is in no file stays', async () => {
      const kubeconfig = join(folder, 'renewed-kubeconfig');
      const server = await serveExactly(binary, 1, ...kQuiet, '--listen', '127.0.0.1:0', '--tls', '--kubeconfig', kubeconfig);
      const ca = Buffer.from(readFileSync(kubeconfig, 'utf8').match(/authority-data: (\S+)/)[1], 'base64');
      const shownNumber = async () => {
        const socket = tls.connect({ port: server.port, host: '127.0.0.1', ca });
        await once(socket, 'secureConnect');
        const { serialNumber } = socket.getPeerCertificate();
        socket.destroy();
        return serialNumber;
      };
      const before = await shownNumber();
      process.kill(server.pid, 'SIGHUP');
      await waitFor(async () => (await shownNumber()) !== before);
      assert.equal((await get(`${server.url}/readyz`, { ca, agent: false })).body, 'ok');
      assert.equal(await server.stop(), 0);
    });
  });
}
