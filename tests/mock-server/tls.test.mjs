// Tests HTTPS and HTTP/2 of the native server around a fake core, with Node's own clients.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import tls from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { Wire, fakeBinary, run, serve, waitFor } from './server.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tabernetes-tls-'));
after(() => rmSync(folder, { recursive: true }));

/** Sends a request by HTTP/2 and returns { status, headers, body }. */
async function ask(session, path, { body, ...headers } = {}) {
  const stream = session.request({ ':path': path, ...headers }, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  const [answer] = await once(stream, 'response');
  const parts = [];
  for await (const part of stream) parts.push(part);
  return { status: answer[':status'], headers: answer, body: Buffer.concat(parts) };
}

/** Sends a request by HTTPS and HTTP/1.1 and returns { status, body }. */
function get(url, options) {
  return new Promise((done, failed) => {
    https
      .get(url, options, async (answer) => {
        const parts = [];
        for await (const part of answer) parts.push(part);
        done({ status: answer.statusCode, body: Buffer.concat(parts).toString() });
      })
      .on('error', failed);
  });
}

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

  test('the ready line says https, and the certificate has the names', async () => {
    assert.match(server.url, /^https:\/\/127\.0\.0\.1:\d+$/);
    const socket = tls.connect({ port: server.port, host: '127.0.0.1', ca: ca(), ALPNProtocols: ['http/1.1'] });
    await once(socket, 'secureConnect');
    assert.equal(socket.alpnProtocol, 'http/1.1');
    const { subjectaltname, asn1Curve, ext_key_usage } = socket.getPeerCertificate();
    assert.equal(
      subjectaltname,
      'DNS:localhost, DNS:kubernetes, DNS:kubernetes.default, DNS:kubernetes.default.svc, DNS:kubernetes.default.svc.cluster.local, ' +
        'IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:cluster.example, IP Address:10.1.2.3',
    );
    assert.deepEqual([asn1Curve, ext_key_usage], ['prime256v1', ['1.3.6.1.5.5.7.3.1']]);
    socket.destroy();
  });

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

  test('plain HTTP is told so, garbage is dropped', async () => {
    const wire = new Wire(server.port);
    wire.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    assert.equal(await wire.until(/server\.\n/), 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n');
    wire.destroy();
    const garbage = new Wire(server.port);
    garbage.send('\x16\x03\x01' + 'garbage'.repeat(100));
    await waitFor(() => garbage.ended);
    assert.match((await get(`${server.url}/alive`, { ca: ca() })).body, /^GET \/alive\n/);
  });

  test('versions: what is too old is refused', async () => {
    for (const [maxVersion, good] of [['TLSv1.1', false], ['TLSv1.2', true], ['TLSv1.3', true]]) {
      const asked = get(`${server.url}/echo`, { ca: ca(), minVersion: 'TLSv1', maxVersion, ciphers: 'DEFAULT@SECLEVEL=0' });
      assert.equal(await asked.then(() => true, () => false), good, maxVersion);
    }
  });

  test('the authority is kept; its key is nobody else’s', async () => {
    const before = ca();
    assert.equal(statSync(join(certs, 'ca.key')).mode & 0o777, 0o600);
    assert.ok(existsSync(join(certs, 'apiserver.crt')));
    const again = await serve(fakeBinary, '--log', 'error', '--tls', '--cert-dir', certs);
    assert.deepEqual(ca(), before);
    assert.match((await get(`${again.url}/echo`, { ca: before })).body, /^GET \/echo\n/);
    assert.equal(await again.stop(), 0);
  });

  test('the kubeconfig embeds the authority', async () => {
    const file = join(folder, 'kubeconfig');
    const other = await serve(fakeBinary, '--log', 'error', '--tls', '--kubeconfig', file);
    const text = readFileSync(file, 'utf8');
    assert.match(text, new RegExp(`server: ${other.url}\n    certificate-authority-data: [A-Za-z0-9+/=]+\nusers:\n- name: tabernetes\n  user:\n    token: `));
    const authority = Buffer.from(text.match(/authority-data: (\S+)/)[1], 'base64').toString();
    assert.match((await get(`${other.url}/echo`, { ca: authority })).body, /^GET \/echo\n/);
    assert.equal(await other.stop(), 0);
  });

  test('certificates of files, also by name', async () => {
    const make = (name, host) => {
      const [crt, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
      execFileSync('openssl', [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
        ...['-subj', `/CN=${name}`, '-addext', `subjectAltName=${host}`, '-keyout', key, '-out', crt],
      ], { stdio: 'ignore' });
      return { crt, key, ca: readFileSync(crt) };
    };
    const own = make('own', 'IP:127.0.0.1');
    const other = make('other', 'DNS:other.localhost');
    const files = ['--tls-cert-file', own.crt, '--tls-private-key-file', own.key];
    const started = await serve(fakeBinary, '--log', 'error', ...files, '--tls-sni-cert-key', `${other.crt},${other.key}`);
    assert.equal((await get(`${started.url}/echo`, { ca: own.ca })).status, 200);
    assert.equal((await get(`${started.url}/echo`, { ca: other.ca, servername: 'other.localhost' })).status, 200);
    assert.equal(await started.stop(), 0);

    const wrong = ['serve', '--listen', '127.0.0.1:0', '--tls-cert-file', own.crt, '--tls-private-key-file', other.key];
    const { code, stdout, stderr } = await run(fakeBinary, wrong);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^tabernetes: the key does not fit the certificate: [^\n]+\n$/);
    const missing = join(folder, 'missing');
    assert.deepEqual(await run(fakeBinary, [...wrong.slice(0, -1), missing]), {
      code: 1,
      stdout: '',
      stderr: `tabernetes: ${missing}: No such file or directory\n`,
    });
    writeFileSync(missing, 'no certificate');
    assert.deepEqual(await run(fakeBinary, ['serve', '--listen', '127.0.0.1:0', '--tls', '--client-ca-file', missing]), {
      code: 1,
      stdout: '',
      stderr: 'tabernetes: no certificate of an authority in PEM\n',
    });
  });

  test('flags that need each other', async () => {
    for (const [args, message] of [
      [['--tls-cert-file', 'a'], '--tls-cert-file and --tls-private-key-file: each needs the other'],
      [['--client-ca-file', 'a'], '--client-ca-file: --tls or --tls-cert-file is needed'],
      [['--tls-san', 'a'], '--tls-san: --tls or --tls-cert-file is needed'],
      [['--tls', '--tls-min-version', '1.2'], '--tls-min-version: VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13, not 1.2'],
      [['--tls-sni-cert-key', 'a'], '--tls-sni-cert-key: CERTFILE,KEYFILE, not a'],
    ]) {
      const stderr = `tabernetes serve: ${message} (see tabernetes serve --help)\n`;
      assert.deepEqual(await run(fakeBinary, ['serve', ...args]), { code: 2, stdout: '', stderr });
    }
  });
});
