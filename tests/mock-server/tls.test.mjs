// Tests how the native server carries HTTPS and HTTP/2, around a fake core that counts streams; https.test.mjs has
// certificates, flags and whole requests.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import tls from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { ask, get } from './https_cluster.mjs';
import { fakeBinary, serve, waitFor } from './server.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tabernetes-tls-'));
after(() => rmSync(folder, { recursive: true }));

for (const secure of [true, false]) {
  describe(secure ? 'HTTP/2 over TLS' : 'HTTP/2 without TLS, known beforehand', () => {
    const certs = join(folder, 'h2');
    let server;
    let session;
    const connect = () => (secure ? http2.connect(server.url, { ca: readFileSync(join(certs, 'ca.crt')) }) : http2.connect(server.url));
    before(async () => {
      server = await serve(fakeBinary, '--log', 'error', ...(secure ? ['--tls', '--cert-dir', certs] : []));
      session = connect();
    });
    after(async () => {
      session.close();
      assert.equal(await server.stop(), 0);
    });
    const streams = async () => Number((await ask(session, '/counters')).body.toString().split(' ')[0]);

    test('a request and its answer', async () => {
      const { status, headers, body } = await ask(session, '/echo?a=b', { 'x-a': '1' });
      assert.equal(status, 200);
      assert.match(headers.date, /GMT$/);
      assert.equal(Number(headers['content-length']), body.length);
      assert.equal(headers.connection, undefined);
      assert.equal(body.toString(), `GET /echo?a=b\nx-a: 1\nhost: 127.0.0.1:${server.port}\nbody 0\n`);
    });

    test('a body', async () => {
      assert.match((await ask(session, '/echo', { ':method': 'POST', body: 'hello' })).body.toString(), /^POST \/echo\n[^]*body 5\n$/);
      const large = Buffer.alloc(5 << 20, 'a');
      assert.match((await ask(session, '/echo', { ':method': 'PUT', body: large })).body.toString(), /body 3145729\n$/);
    });

    test('a HEAD has no body, but its length', async () => {
      const { headers, body } = await ask(session, '/large?1234', { ':method': 'HEAD' });
      assert.deepEqual([headers['content-length'], body.length], ['1234', 0]);
    });

    test('large, late and compressed answers, many at a time', async () => {
      const sizes = Array.from({ length: 60 }, (_, n) => n * 20_011);
      const all = await Promise.all([...sizes.map((size) => ask(session, `/large?${size}`)), ask(session, '/late')]);
      sizes.forEach((size, n) => assert.equal(all[n].body.length, size));
      const { headers, body } = await ask(session, '/gzip?100000');
      assert.deepEqual([headers['content-length'], gunzipSync(body).toString().split('\n').length], [undefined, 14287]);
      assert.equal(gunzipSync((await ask(session, '/gzip-stream?5000')).body).toString().split('\n').length, 5001);
    });

    test('streams, finite and endless', async () => {
      assert.equal((await ask(session, '/stream?3')).body.toString(), '{"line":2}\n{"line":1}\n{"line":0}\n');
      assert.equal((await ask(session, '/list?7')).body.length, 7 * 65536);
      const open = await streams();
      const idle = session.request({ ':path': '/idle' });
      await once(idle, 'response');
      await waitFor(async () => (await streams()) === open + 1);
      idle.close(http2.constants.NGHTTP2_CANCEL);
      await waitFor(async () => (await streams()) === open);
    });

    test('a stream that nobody reads holds up no other, and is not read ahead of', async () => {
      const flood = session.request({ ':path': '/flood' });
      await once(flood, 'response');
      flood.pause();
      const flooded = async () => Number((await ask(session, '/counters')).body.toString().split(' ')[1]);
      let before = -1;
      await waitFor(async () => {
        const now = await flooded();
        const still = now === before;
        before = now;
        return still;
      });
      assert.ok(before < 4 << 20, `read ${before} bytes ahead`);
      assert.equal((await ask(session, '/large?300000')).body.length, 300_000);
      flood.close(http2.constants.NGHTTP2_CANCEL);
      await once(flood, 'close');
    });

    test('a connection that goes takes its streams along', async () => {
      const open = await streams();
      const other = connect();
      other.on('error', () => {});
      const lost = ['/idle', '/never', '/flood'].map((path) => other.request({ ':path': path }).on('error', () => {}));
      await once(lost[0], 'response');
      other.destroy();
      await waitFor(async () => (await streams()) === open);
    });

    test('a foreign host is refused', async () => {
      const { status, body } = await ask(session, '/echo', { ':authority': 'evil.example' });
      assert.equal(status, 403);
      assert.equal(body.toString(), '403 Forbidden: this server does not answer for the host evil.example (see --allowed-hosts)\n');
    });

    test('what is not HTTP/2 ends the connection, and no other', async () => {
      const wire = secure
        ? tls.connect({ port: server.port, ca: readFileSync(join(certs, 'ca.crt')), ALPNProtocols: ['h2'] })
        : net.connect(server.port, '127.0.0.1');
      wire.on('error', () => {});
      wire.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' + 'x'.repeat(1000));
      wire.resume();
      await once(wire, 'close');
      assert.equal((await ask(session, '/large?1')).body.length, 1);
    });

    test('the server ends: watches end with their last bytes, the connection with GOAWAY', async () => {
      const other = await serve(fakeBinary, '--log', 'error');
      const client = http2.connect(other.url);
      const watch = client.request({ ':path': '/idle' });
      await once(watch, 'response');
      const goaway = once(client, 'goaway');
      const ended = once(watch.resume(), 'end');
      assert.equal(await other.stop(), 0);
      assert.equal((await goaway)[0], http2.constants.NGHTTP2_NO_ERROR);
      await ended;
      client.destroy();
    });
  });
}

describe('HTTPS', () => {
  const certs = join(folder, 'certs');
  const ca = () => readFileSync(join(certs, 'ca.crt'));
  let server;
  before(async () => {
    server = await serve(fakeBinary, '--log', 'error', '--tls', '--cert-dir', certs, '--tls-san', 'cluster.example,10.1.2.3');
  });
  after(async () => assert.equal(await server.stop(), 0));

  test('HTTP/1.1: requests, large answers, streams, on one connection', async () => {
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca: ca() });
    assert.match((await get(`${server.url}/echo`, { agent })).body, /^GET \/echo\n/);
    assert.equal((await get(`${server.url}/large?3000000`, { agent })).body.length, 3_000_000);
    assert.equal((await get(`${server.url}/stream?2`, { agent })).body, '{"line":1}\n{"line":0}\n');
    assert.equal((await get(`${server.url}/list?3`, { agent })).body.length, 3 * 65536);
    assert.match((await get(`${server.url}/after`, { agent })).body, /^GET \/after\n/);
    agent.destroy();
  });

  test('a client that leaves ends its stream', async () => {
    const streams = async () => Number((await get(`${server.url}/counters`, { ca: ca() })).body.split(' ')[0]);
    const open = await streams();
    const watch = https.get(`${server.url}/idle`, { ca: ca() });
    watch.on('error', () => {});
    await once(watch, 'response');
    assert.equal(await streams(), open + 1);
    watch.destroy();
    await waitFor(async () => (await streams()) === open);
  });
});
