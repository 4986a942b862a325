// Tests WebSockets in streams of HTTP/2 (RFC 8441): watches, shells and ports of the binary.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ask } from './https_cluster.mjs';
import { serve, waitFor } from './server.mjs';
import { opcodes } from './websocket_client.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tabernetes-h2-websocket-'));
after(() => rmSync(folder, { recursive: true }));

/** A WebSocket in a stream of `session`. */
class StreamSocket {
  /** All frames: { fin, opcode, payload }. */
  frames = [];
  ended = false;
  #bytes = Buffer.alloc(0);

  static async open(session, path, { protocol = 'websocket', ...headers } = {}) {
    const opened = new StreamSocket();
    opened.stream = session.request({ ':method': 'CONNECT', ':protocol': protocol, ':path': path, 'sec-websocket-version': '13', origin: 'http://localhost:3000', ...headers });
    opened.stream.on('data', (bytes) => opened.#take(bytes));
    opened.stream.on('error', () => (opened.ended = true));
    opened.stream.on('close', () => (opened.ended = true));
    opened.stream.on('end', () => (opened.ended = true));
    [opened.answer] = await once(opened.stream, 'response');
    return opened;
  }

  send(opcode, payload = '', { fin = true } = {}) {
    const bytes = Buffer.from(payload);
    const key = randomBytes(4);
    const size = bytes.length < 126 ? [128 | bytes.length] : [128 | 126, bytes.length >> 8, bytes.length & 255];
    this.stream.write(Buffer.concat([Buffer.from([(fin ? 128 : 0) | opcode, ...size]), key, bytes.map((byte, i) => byte ^ key[i % 4])]));
  }

  /** Returns the text of all messages of a channel. */
  channel(number) {
    return Buffer.concat(this.frames.filter(({ opcode, payload }) => opcode === opcodes.binary && payload[0] === number).map(({ payload }) => payload.subarray(1))).toString();
  }

  get text() {
    return this.frames.filter(({ opcode }) => opcode === opcodes.text).map(({ payload }) => payload.toString()).join('');
  }

  #take(bytes) {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (;;) {
      const all = this.#bytes;
      if (all.length < 2) return;
      assert.equal(all[1] & 128, 0, 'a server masks nothing');
      let [size, at] = [all[1] & 127, 2];
      if (size === 126 && all.length >= 4) [size, at] = [all.readUInt16BE(2), 4];
      else if (size === 127 && all.length >= 10) [size, at] = [Number(all.readBigUInt64BE(2)), 10];
      else if (size > 125) return;
      if (all.length < at + size) return;
      this.frames.push({ fin: all[0] >= 128, opcode: all[0] & 15, payload: all.subarray(at, at + size) });
      this.#bytes = all.subarray(at + size);
    }
  }
}

const kNamespaces = '/api/v1/namespaces';
const kPod = `${kNamespaces}/default/pods/web`;

/** Defines the tests of `binary`, the path of a command. */
export function http2WebSocketsOf(binary) {
  for (const secure of [true, false]) {
    describe(secure ? 'over TLS' : 'without TLS', () => {
      let server;
      let session;
      const post = (path, object) => ask(session, path, { ':method': 'POST', 'content-type': 'application/json', body: JSON.stringify(object) });
      const open = (path, headers) => StreamSocket.open(session, path, headers);

      before(async () => {
        const certs = join(folder, 'certs');
        server = await serve(binary, '--log', 'info', '--ui=false', ...(secure ? ['--tls', '--cert-dir', certs] : []));
        session = http2.connect(server.url, secure ? { ca: readFileSync(join(certs, 'ca.crt')) } : {});
        const [settings] = await once(session, 'remoteSettings');
        assert.equal(settings.enableConnectProtocol, true);
        await post(`${kNamespaces}/default/pods`, { metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80 }] }] } });
        await waitFor(async () => JSON.parse((await ask(session, kPod)).body).status.phase === 'Running', 15_000);
      });
      after(async () => {
        session.close();
        assert.equal(await server.stop(), 0);
      });

      test('a watch: events are messages, and other streams go on', async () => {
        const watch = await open(`${kNamespaces}?watch=true`);
        assert.equal(watch.answer[':status'], 200);
        assert.equal(watch.answer['sec-websocket-accept'], undefined);
        assert.equal(watch.answer.connection, undefined);
        await waitFor(() => watch.text.includes('"name":"kube-system"'));
        assert.equal((await post(kNamespaces, { metadata: { name: `seen-${secure}` } })).status, 201);
        await waitFor(() => watch.text.includes(`"name":"seen-${secure}"`));
        for (const { payload } of watch.frames) assert.equal(JSON.parse(payload).type, 'ADDED');
        watch.send(opcodes.ping, 'hello');
        await waitFor(() => watch.frames.some(({ opcode, payload }) => opcode === opcodes.pong && payload.toString() === 'hello'));
        watch.send(opcodes.close, Buffer.from([3, 232]));
        await waitFor(() => watch.ended);
        assert.deepEqual(watch.frames.at(-1).opcode, opcodes.close);
        await waitFor(() => new RegExp(`^GET ${kNamespaces}\\?watch=true 200 `, 'm').test(server.output.stderr));
      });

      test('a watch that ends closes with 1000', async () => {
        const watch = await open(`${kNamespaces}?watch=true&timeoutSeconds=1&resourceVersion=0`);
        await waitFor(() => watch.frames.at(-1)?.opcode === opcodes.close);
        assert.deepEqual([...watch.frames.at(-1).payload], [3, 232]);
        watch.send(opcodes.close, Buffer.from([3, 232]));
        await waitFor(() => watch.ended);
      });

      test('many at once in one connection', async () => {
        const watches = await Promise.all(Array.from({ length: 50 }, () => open(`${kNamespaces}/default/configmaps?watch=true`)));
        assert.equal((await post(`${kNamespaces}/default/configmaps`, { metadata: { name: `big-${secure}` }, data: { text: 'x'.repeat(100_000) } })).status, 201);
        for (const watch of watches) await waitFor(() => watch.text.includes(`"name":"big-${secure}"`));
        for (const watch of watches) watch.stream.close();
        assert.equal((await ask(session, '/healthz')).status, 200);
      });

      test('exec, with input and an exit code', async () => {
        const query = 'container=web&stdin=true&stdout=true&stderr=true&command=sh&command=-c&command=cat%3B+exit+3';
        const shell = await open(`${kPod}/exec?${query}`, { 'sec-websocket-protocol': 'v5.channel.k8s.io' });
        assert.equal(shell.answer['sec-websocket-protocol'], 'v5.channel.k8s.io');
        shell.send(opcodes.binary, '\0some ');
        shell.send(opcodes.binary, '\0in', { fin: false });
        shell.send(opcodes.more, 'put');
        shell.send(opcodes.binary, Buffer.from([255, 0])); // closes stdin
        await waitFor(() => shell.channel(3) !== '');
        assert.equal(shell.channel(1), 'some input');
        assert.deepEqual(JSON.parse(shell.channel(3)).details.causes, [{ reason: 'ExitCode', message: '3' }]);
        await waitFor(() => shell.frames.at(-1).opcode === opcodes.close);
        shell.stream.end();
      });

      test('port-forward, tunnelled', async () => {
        const forward = await open(`${kPod}/portforward?ports=80`, { 'sec-websocket-protocol': 'SPDY/3.1+portforward.k8s.io' });
        assert.equal(forward.answer['sec-websocket-protocol'], 'SPDY/3.1+portforward.k8s.io');
        forward.send(opcodes.binary, Buffer.from([0x80, 3, 0, 6, 0, 0, 0, 4, 0, 0, 0, 1])); // a PING of SPDY
        await waitFor(() => forward.frames.length > 0);
        assert.deepEqual([...forward.frames[0].payload], [0x80, 3, 0, 6, 0, 0, 0, 4, 0, 0, 0, 1]);
        forward.stream.close();
      });

      test('refusals are answers like others', async () => {
        const missing = await open(`${kNamespaces}/default/pods/none/exec?command=sh&stdout=true`, { 'sec-websocket-protocol': 'v5.channel.k8s.io' });
        assert.equal(missing.answer[':status'], 404);
        const foreign = await open(`${kNamespaces}?watch=true`, { origin: 'http://evil.example' });
        assert.equal(foreign.answer[':status'], 403);
        const old = await open(`${kNamespaces}?watch=true`, { 'sec-websocket-version': '8' });
        assert.equal(old.answer[':status'], 400);
        const other = await open(`${kNamespaces}?watch=true`, { protocol: 'connect-udp' });
        assert.equal(other.answer[':status'], 501);
        assert.equal((await ask(session, '/healthz')).status, 200);
      });

      test('bytes that are no frames end the stream alone', async () => {
        const watch = await open(`${kNamespaces}?watch=true`);
        watch.stream.write(Buffer.alloc(32, 0xff));
        await waitFor(() => watch.ended);
        assert.deepEqual([...watch.frames.at(-1).payload], [3, 234]);
        assert.equal((await ask(session, '/healthz')).status, 200);
      });
    });
  }

  test('a server that stops closes with 1001', async () => {
    const server = await serve(binary, '--log', 'error', '--ui=false', '--controllers', 'none');
    const session = http2.connect(server.url);
    await once(session, 'remoteSettings');
    const watch = await StreamSocket.open(session, `${kNamespaces}?watch=true`);
    const stopped = server.stop();
    await waitFor(() => watch.frames.at(-1)?.opcode === opcodes.close);
    assert.deepEqual([...watch.frames.at(-1).payload], [3, 233]);
    watch.send(opcodes.close, Buffer.from([3, 233]));
    assert.equal(await stopped, 0);
    session.destroy();
  });
}
