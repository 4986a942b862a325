// HTTPS and HTTP/2 of a whole server, which the native binary and the npm package's command speak alike.
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
import WebSocket from 'ws';
import { Wire, run, serve, waitFor } from './server.mjs';

const kMaps = '/api/v1/namespaces/default/configmaps';
const kQuiet = ['--log', 'error', '--controllers', 'none', '--scheduler=false', '--ui=false'];
const mapOf = (name, text) => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text } });

/** Sends a request by HTTP/2 and returns { status, headers, body }. */
export async function ask(session, path, { body, ...headers } = {}) {
  const stream = session.request({ ':path': path, ...headers }, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  const [answer] = await once(stream, 'response');
  const parts = [];
  for await (const part of stream) parts.push(part);
  return { status: answer[':status'], headers: answer, body: Buffer.concat(parts) };
}

/** Sends a request by HTTPS and HTTP/1.1 and returns { status, body }. */
export function get(url, options) {
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

/** Makes a certificate that signs itself, and its key, with openssl. */
export function selfSigned(folder, name, host) {
  const [crt, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', `/CN=${name}`, '-addext', `subjectAltName=${host}`, '-keyout', key, '-out', crt],
  ], { stdio: 'ignore' });
  return { crt, key, ca: readFileSync(crt) };
}

/** Defines the tests of `program`, the path of a command. */
export function httpsOf(program) {
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-https-'));
  after(() => rmSync(folder, { recursive: true }));

  for (const secure of [true, false]) {
    describe(secure ? 'HTTP/2 over TLS' : 'HTTP/2 without TLS, known beforehand', () => {
      const certs = join(folder, 'h2');
      let server;
      let session;
      const connect = () => (secure ? http2.connect(server.url, { ca: readFileSync(join(certs, 'ca.crt')) }) : http2.connect(server.url));
      const create = (name, text) => ask(session, kMaps, { ':method': 'POST', 'content-type': 'application/json', body: mapOf(name, text) });
      before(async () => {
        server = await serve(program, ...kQuiet, '--seed', '1', ...(secure ? ['--tls', '--cert-dir', certs] : []));
        session = connect();
      });
      after(async () => {
        session.close();
        assert.equal(await server.stop(), 0);
      });

      test('a request and its answer', async () => {
        const { status, headers, body } = await ask(session, '/api/v1/namespaces/default?a=b', { 'x-a': '1' });
        assert.equal(status, 200);
        assert.match(headers.date, /GMT$/);
        assert.equal(Number(headers['content-length']), body.length);
        assert.equal(headers.connection, undefined);
        assert.equal(JSON.parse(body).metadata.name, 'default');
        assert.equal((await ask(session, `${kMaps}/none`)).status, 404);
      });

      test('bodies, also one that is too large', async () => {
        assert.equal((await create('small', 'a')).status, 201);
        const large = await create('large', 'x'.repeat(5 << 20));
        assert.deepEqual([large.status, JSON.parse(large.body).reason], [413, 'RequestEntityTooLarge']);
      });

      test('lines of one name are all there', async () => {
        const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'warned' }, one: 1, two: 2 });
        const { headers } = await ask(session, `${kMaps}?fieldValidation=Warn`, { ':method': 'POST', 'content-type': 'application/json', body });
        assert.equal(headers.warning, '299 - "unknown field \\"one\\"", 299 - "unknown field \\"two\\""');
      });

      test('a HEAD has no body, but its length', async () => {
        const { status, headers, body } = await ask(session, '/healthz', { ':method': 'HEAD' });
        assert.deepEqual([status, headers['content-length'], body.length], [200, '2', 0]);
      });

      test('large and compressed answers, many at a time', async () => {
        assert.equal((await create('big', 'y'.repeat(900_000))).status, 201);
        const all = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(session, n % 2 ? `${kMaps}/big` : '/version')));
        all.forEach(({ body }, n) => assert.ok(n % 2 ? body.length > 900_000 : JSON.parse(body).major === '1'));
        const { headers, body } = await ask(session, `${kMaps}/big`, { 'accept-encoding': 'gzip' });
        assert.equal(headers['content-encoding'], 'gzip');
        assert.equal(JSON.parse(gunzipSync(body)).data.text.length, 900_000);
      });

      test('watches, finite and endless', async () => {
        const { body } = await ask(session, `${kMaps}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name=small`);
        assert.equal(JSON.parse(body).type, 'ADDED');
        const watch = session.request({ ':path': `${kMaps}?watch=true&resourceVersion=0` });
        let seen = '';
        watch.setEncoding('utf8').on('data', (text) => (seen += text));
        await create('seen', 'a');
        await waitFor(() => seen.includes('"name":"seen"'));
        watch.close(http2.constants.NGHTTP2_CANCEL);
        await once(watch, 'close');
      });

      test('a stream that nobody reads holds up no other', async () => {
        const slow = session.request({ ':path': `${kMaps}?watch=true` });
        await once(slow, 'response');
        slow.pause();
        for (let n = 0; n < 12; n++) await create(`flood-${n}`, 'z'.repeat(900_000));
        assert.ok((await ask(session, `${kMaps}/big`)).body.length > 900_000);
        slow.close(http2.constants.NGHTTP2_CANCEL);
        await once(slow, 'close');
      });

      test('a connection that goes harms no other', async () => {
        const other = connect();
        other.on('error', () => {});
        const lost = [`${kMaps}?watch=true`, kMaps].map((path) => other.request({ ':path': path }).on('error', () => {}));
        await once(lost[0], 'response');
        other.destroy();
        assert.equal((await ask(session, '/version')).status, 200);
      });

      test('a foreign host is refused', async () => {
        const { status, body } = await ask(session, '/version', { ':authority': 'evil.example' });
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
        assert.equal((await ask(session, '/version')).status, 200);
      });

      test('the server ends: watches end, the connection with GOAWAY', async () => {
        const other = await serve(program, ...kQuiet);
        const client = http2.connect(other.url);
        client.on('error', () => {});
        const watch = client.request({ ':path': `${kMaps}?watch=true` });
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

  test('a connection without TLS may begin slowly, byte by byte', async () => {
    const server = await serve(program, ...kQuiet);
    const wire = new Wire(server.port);
    await once(wire.socket, 'connect');
    wire.socket.setNoDelay(true);
    for (const byte of 'PATCH /version HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n') {
      wire.send(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.match(await wire.untilEnded(), /^HTTP\/1\.1 4\d\d /);
    assert.equal(await server.stop(), 0);
  });

  describe('HTTPS', () => {
    const certs = join(folder, 'certs');
    const ca = () => readFileSync(join(certs, 'ca.crt'));
    let server;
    before(async () => {
      server = await serve(program, ...kQuiet, '--tls', '--cert-dir', certs, '--tls-san', 'cluster.example,10.1.2.3');
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

    test('names that the certificate was given are answered; others are not', async () => {
      const of = (host) => get(`${server.url}/version`, { ca: ca(), checkServerIdentity: () => undefined, headers: { host } });
      assert.equal((await of('cluster.example')).status, 200);
      assert.equal((await of('10.1.2.3')).status, 200);
      const { status, body } = await of('other.example');
      assert.deepEqual([status, body], [403, '403 Forbidden: this server does not answer for the host other.example (see --allowed-hosts)\n']);
    });

    test('HTTP/1.1: requests, a watch, a large body, on one connection', async () => {
      const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca: ca() });
      assert.equal(JSON.parse((await get(`${server.url}/version`, { agent })).body).major, '1');
      const post = https.request(server.url + kMaps, { method: 'POST', agent, headers: { 'content-type': 'application/json' } });
      post.end(mapOf('large', 'x'.repeat(900_000)));
      const [created] = await once(post, 'response');
      created.resume();
      await once(created, 'end');
      assert.equal(created.statusCode, 201);
      assert.match((await get(`${server.url}${kMaps}?watch=true&timeoutSeconds=1`, { agent })).body, /^\{"type":"ADDED"/);
      assert.ok((await get(`${server.url}${kMaps}/large`, { agent })).body.length > 900_000);
      agent.destroy();
    });

    test('a watch over WebSocket', async () => {
      const socket = new WebSocket(`${server.url.replace('https', 'wss')}${kMaps}?watch=true`, { ca: ca(), origin: 'http://localhost' });
      const [message] = await once(socket, 'message');
      assert.equal(JSON.parse(message).type, 'ADDED');
      socket.close();
      await once(socket, 'close');
    });

    test('another upgrade is answered over HTTP', async () => {
      const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAEAAEAA' };
      assert.equal((await get(`${server.url}/readyz`, { ca: ca(), headers })).body, 'ok');
    });

    test('plain HTTP is told so, garbage is dropped', async () => {
      const wire = new Wire(server.port);
      wire.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      assert.equal(await wire.until(/server\.\n/), 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n');
      wire.destroy();
      const garbage = new Wire(server.port);
      garbage.send('\x16\x03\x01' + 'garbage'.repeat(100));
      await waitFor(() => garbage.ended);
      assert.equal((await get(`${server.url}/readyz`, { ca: ca() })).body, 'ok');
    });

    test('versions: what is too old is refused', async () => {
      for (const [maxVersion, good] of [['TLSv1.1', false], ['TLSv1.2', true], ['TLSv1.3', true]]) {
        const asked = get(`${server.url}/readyz`, { ca: ca(), minVersion: 'TLSv1', maxVersion, ciphers: 'DEFAULT@SECLEVEL=0' });
        assert.equal(await asked.then(() => true, () => false), good, maxVersion);
      }
      const newest = await serve(program, ...kQuiet, '--tls', '--cert-dir', certs, '--tls-min-version', 'VersionTLS13');
      await assert.rejects(get(`${newest.url}/readyz`, { ca: ca(), maxVersion: 'TLSv1.2' }));
      assert.equal((await get(`${newest.url}/readyz`, { ca: ca() })).body, 'ok');
      assert.equal(await newest.stop(), 0);
    });

    test('the authority is kept; its key is nobody else’s', async () => {
      const before = ca();
      assert.equal(statSync(join(certs, 'ca.key')).mode & 0o777, 0o600);
      assert.ok(existsSync(join(certs, 'apiserver.crt')));
      const again = await serve(program, ...kQuiet, '--tls', '--cert-dir', certs);
      assert.deepEqual(ca(), before);
      assert.equal((await get(`${again.url}/readyz`, { ca: before })).body, 'ok');
      assert.equal(await again.stop(), 0);
    });

    test('the kubeconfig embeds the authority', async () => {
      const file = join(folder, 'kubeconfig');
      const other = await serve(program, ...kQuiet, '--tls', '--kubeconfig', file);
      const text = readFileSync(file, 'utf8');
      assert.match(text, new RegExp(`server: ${other.url}\n    certificate-authority-data: [A-Za-z0-9+/=]+\nusers:\n- name: tabernetes\n  user:\n    token: `));
      const authority = Buffer.from(text.match(/authority-data: (\S+)/)[1], 'base64').toString();
      assert.equal((await get(`${other.url}/readyz`, { ca: authority })).body, 'ok');
      assert.equal(await other.stop(), 0);
    });

    test('certificates of files, also by name', async () => {
      const own = selfSigned(folder, 'own', 'IP:127.0.0.1');
      const other = selfSigned(folder, 'other', 'DNS:other.localhost');
      const files = ['--tls-cert-file', own.crt, '--tls-private-key-file', own.key];
      const started = await serve(program, ...kQuiet, ...files, '--tls-sni-cert-key', `${other.crt},${other.key}`);
      assert.equal((await get(`${started.url}/readyz`, { ca: own.ca })).status, 200);
      assert.equal((await get(`${started.url}/readyz`, { ca: other.ca, servername: 'other.localhost' })).status, 200);
      assert.equal(await started.stop(), 0);

      const wrong = ['serve', '--listen', '127.0.0.1:0', '--tls-cert-file', own.crt, '--tls-private-key-file', other.key];
      const { code, stdout, stderr } = await run(program, wrong);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^tabernetes: the key does not fit the certificate: [^\n]+\n$/);
      const missing = join(folder, 'missing');
      assert.deepEqual(await run(program, [...wrong.slice(0, -1), missing]), {
        code: 1,
        stdout: '',
        stderr: `tabernetes: ${missing}: No such file or directory\n`,
      });
      writeFileSync(missing, 'no certificate');
      assert.deepEqual(await run(program, ['serve', '--listen', '127.0.0.1:0', '--tls', '--client-ca-file', missing]), {
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
        [['--tls', '--requestheader-username-headers', 'a,,b'], '--requestheader-username-headers: names of headers, none of them empty, not a,,b'],
      ]) {
        const stderr = `tabernetes serve: ${message} (see tabernetes serve --help)\n`;
        assert.deepEqual(await run(program, ['serve', ...args]), { code: 2, stdout: '', stderr });
      }
    });
  });
}
