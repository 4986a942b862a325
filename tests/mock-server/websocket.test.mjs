// Tests watches over WebSocket: the connection around a fake core, then the watches of a real cluster.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import WebSocket from 'ws';
import { Wire, binary, fakeBinary, serve, waitFor } from './server.mjs';
import { webSocketsOfACluster } from './websocket_cluster.mjs';
import { webSocketFramesOf } from './websocket_frames.mjs';
import { FrameSocket, acceptOf, handshake, opcodes } from './websocket_client.mjs';

describe('the connection', () => {
  let server;
  before(async () => (server = await serve(fakeBinary, '--log', 'error')));
  after(async () => assert.equal(await server.stop(), 0));

  const counters = async () => (await (await fetch(`${server.url}/counters`)).text()).split(' ').map(Number);
  const noStreams = () => waitFor(async () => (await counters())[0] === 0);
  const open = (path, headers) => FrameSocket.open(server.port, path, headers);

  test('the answer to the handshake', async () => {
    const socket = await open('/idle', handshake({ 'Sec-WebSocket-Protocol': 'base64.binary.k8s.io' }));
    const { status, headers } = socket.answer;
    assert.equal(status, 101);
    assert.deepEqual(headers, {
      upgrade: 'websocket',
      connection: 'Upgrade',
      'sec-websocket-accept': acceptOf(socket.headers['Sec-WebSocket-Key']),
      'sec-websocket-protocol': 'base64.binary.k8s.io',
      server: 'tabernetes',
    });
    socket.destroy();
    await noStreams();
  });

  test('each event is one text message of one frame, and the end of the stream closes with 1000', async () => {
    const socket = await open('/stream?1000');
    await socket.untilEnded();
    const expected = Array.from({ length: 1000 }, (_, i) => `{"line":${999 - i}}\n`);
    assert.deepEqual(socket.texts, expected);
    assert.ok(socket.frames.every(({ fin }) => fin));
    assert.equal(socket.frames.length, 1001);
    assert.equal(socket.closeCode, 1000);
    await noStreams();
  });

  test('a close by the client is returned, and ends the stream', async () => {
    const socket = await open('/idle');
    socket.close(1001);
    await socket.untilEnded();
    assert.equal(socket.closeCode, 1001);
    await noStreams();
  });

  test('a client that vanishes ends the stream', async () => {
    const socket = await open('/idle');
    assert.equal((await counters())[0], 1);
    socket.socket.resetAndDestroy();
    await noStreams();
  });

  test('pings are answered, other messages read and ignored, however large', async () => {
    const socket = await open('/idle');
    socket.send(opcodes.text, 'hello');
    socket.send(opcodes.binary, Buffer.alloc(8 * 1024 * 1024));
    socket.send(opcodes.text, 'part', { fin: false });
    socket.send(opcodes.ping, 'between the parts');
    socket.send(opcodes.more, 'part');
    socket.send(opcodes.pong, 'unasked');
    socket.send(opcodes.ping, 'again');
    assert.equal((await socket.until(opcodes.pong, 2)).payload.toString(), 'again');
    assert.equal(socket.frames[0].payload.toString(), 'between the parts');
    assert.equal(socket.frames.length, 2);
    socket.destroy();
    await noStreams();
  });

  test('what breaks the protocol closes with its code, and ends the stream', async () => {
    const broken = [
      [1002, (socket) => socket.send(opcodes.text, 'x', { mask: false })],
      [1002, (socket) => socket.send(3, 'no such opcode')],
      [1002, (socket) => socket.send(opcodes.more, 'of nothing')],
      [1002, (socket) => socket.send(opcodes.ping, Buffer.alloc(126))],
      [1007, (socket) => socket.send(opcodes.text, Buffer.from([0xff]))],
      [1002, (socket) => socket.send(opcodes.close, Buffer.from([0, 0]))],
    ];
    for (const [code, breach] of broken) {
      const socket = await open('/idle');
      breach(socket);
      await socket.untilEnded();
      assert.equal(socket.closeCode, code, breach.toString());
    }
    await noStreams();
  });

  test('a key of another length is refused', async () => {
    const socket = await open('/idle', handshake({ 'Sec-WebSocket-Key': 'x'.repeat(25) }));
    assert.equal(socket.answer.status, 400);
    await noStreams();
  });

  test('who sends before the answer is refused', async () => {
    const wire = new Wire(server.port);
    const head = Object.entries(handshake()).map((header) => header.join(': '));
    wire.send(`GET /idle HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n\x81\x80\0\0\0\0`);
    assert.match(await wire.untilEnded(10000), /^HTTP\/1\.1 400 Bad Request\r\n[^]*\r\n\r\n400 Bad Request: data before the upgrade$/);
    await noStreams();
  });

  test('a stalled peer is not read ahead of', async () => {
    const socket = new FrameSocket(server.port, '/flood');
    await waitFor(() => socket.frames.length > 3);
    socket.socket.pause();
    const flooded = async () => (await counters())[1];
    // A server that has no processor for a moment also seems to stall.
    let last = -1;
    const stalls = async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return last === (last = await flooded());
    };
    await waitFor(stalls, 10000, () => 'the flood to stall');
    assert.ok(last < 32 * 1024 * 1024, `${last} bytes`);
    const seen = socket.frames.length;
    socket.socket.resume();
    await waitFor(() => socket.frames.length > seen + 100);
    assert.equal(socket.frames.at(-1).payload.length, 65536);
    socket.destroy();
    await noStreams();
  });

  test('every page of a foreign origin is refused, before anything is looked at', async () => {
    for (const origin of ['https://evil.example', 'http://localhost.evil.example', 'http://127.0.0.1@evil.example', 'file://', 'null']) {
      const socket = await open('/idle', handshake({ Origin: origin }));
      assert.equal(socket.answer.status, 403);
      await waitFor(() => socket.answer.body);
      assert.equal(socket.answer.body, `403 Forbidden: pages of ${origin} may not open a WebSocket here (see --allowed-hosts)\n`);
      socket.destroy();
    }
    for (const origin of ['http://localhost:5173', 'https://127.0.0.1', 'http://[::1]:80', 'http://app.localhost']) {
      const socket = await open('/idle', handshake({ Origin: origin }));
      assert.equal(socket.answer.status, 101, origin);
      socket.destroy();
    }
    await noStreams();
  });

  test('a name that is not ours is refused as in HTTP', async () => {
    const socket = await open('/idle', handshake({ Host: 'evil.example', Origin: 'http://evil.example' }));
    assert.equal(socket.answer.status, 403);
    await waitFor(() => socket.answer.body);
    assert.match(socket.answer.body, /does not answer for the host evil\.example/);
    socket.destroy();
  });

  test('--allowed-hosts lets origins in', async () => {
    const lenient = await serve(fakeBinary, '--allowed-hosts', 'dashboard.test');
    const any = await serve(fakeBinary, '--allowed-hosts', '*');
    const statusOf = async ({ port }, origin) => {
      const socket = await FrameSocket.open(port, '/idle', handshake({ Origin: origin }));
      socket.destroy();
      return socket.answer.status;
    };
    assert.equal(await statusOf(lenient, 'https://dashboard.test'), 101);
    assert.equal(await statusOf(lenient, 'https://other.test'), 403);
    assert.equal(await statusOf(any, 'https://other.test'), 101);
    assert.equal(await statusOf(any, 'file://'), 101);
    assert.equal(await lenient.stop(), 0);
    assert.equal(await any.stop(), 0);
  });

  test('many at once, each with its own', async () => {
    const sockets = await Promise.all(Array.from({ length: 200 }, () => open('/stream?20')));
    await Promise.all(sockets.map((socket) => socket.untilEnded()));
    for (const socket of sockets) assert.equal(socket.texts.length, 20);
    await noStreams();
  });

  test('a server that stops says 1001, whatever is going on, and waits for nobody', async () => {
    const stopping = await serve(fakeBinary);
    const idle = await FrameSocket.open(stopping.port, '/idle');
    const busy = await FrameSocket.open(stopping.port, '/flood');
    const library = new WebSocket(`ws://127.0.0.1:${stopping.port}/idle`, { origin: 'http://localhost' });
    await new Promise((resolve) => library.once('open', resolve));
    const libraryClosed = new Promise((resolve) => library.once('close', resolve));
    const stop = stopping.stop();
    await idle.until(opcodes.close);
    await busy.until(opcodes.close);
    assert.equal(await libraryClosed, 1001);
    assert.equal(idle.closeCode, 1001);
    assert.equal(busy.closeCode, 1001);
    assert.equal(await stop, 0);
  });
});

webSocketsOfACluster(binary);
webSocketFramesOf(binary);
