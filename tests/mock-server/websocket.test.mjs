// Watches over WebSocket: the connection around a stand-in for the core, then the watches of a real cluster.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import WebSocket from 'ws';
import { Wire, binary, fakeBinary, serve, waitFor } from './server.mjs';
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
    assert.match(await wire.untilEnded(10000), /^HTTP\/1\.1 400 Bad Request\r\n[^]*\r\n\r\n400 Bad Request: data before the WebSocket is open$/);
    await noStreams();
  });

  test('a stalled peer is not read ahead of', async () => {
    const socket = new FrameSocket(server.port, '/flood');
    await waitFor(() => socket.frames.length > 3);
    socket.socket.pause();
    const flooded = async () => (await counters())[1];
    let last = -1;
    await waitFor(async () => last === (last = await flooded()), 5000, () => 'the flood to stall'); // 5 ms apart is enough here
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(await flooded(), last);
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

describe('a cluster', () => {
  const configMaps = '/api/v1/namespaces/default/configmaps';
  let server;
  let sockets = [];
  before(async () => (server = await serve(binary)));
  after(async () => {
    for (const socket of sockets) socket.destroy();
    assert.equal(await server.stop(), 0);
  });

  const open = async (path, headers = {}) => {
    const socket = await FrameSocket.open(server.port, path, handshake(headers));
    sockets.push(socket);
    return socket;
  };
  const send = async (method, path, body) => {
    const answer = await fetch(server.url + path, { method, body: body && JSON.stringify(body), headers: { 'content-type': 'application/json' } });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
    return answer.json();
  };
  const create = (name, labels) => send('POST', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } });
  const remove = (name) => send('DELETE', `${configMaps}/${name}`);
  const version = async () => (await send('GET', configMaps)).metadata.resourceVersion;
  const events = (socket) => socket.texts.map((text) => JSON.parse(text)).map(({ type, object }) => `${type} ${object.metadata.name}`);

  test('a message an event, in text, with the line break kept', async () => {
    const socket = await open(`${configMaps}?watch=1&resourceVersion=${await version()}`);
    assert.equal(socket.answer.status, 101);
    await create('one');
    await remove('one');
    await socket.until(opcodes.text, 2);
    assert.deepEqual(events(socket), ['ADDED one', 'DELETED one']);
    for (const text of socket.texts) assert.match(text, /^\{"type":"[A-Z]+","object":\{.*\}\}\n$/);
  });

  // Invariant 39 of the specification.
  test('the same lines as over HTTP, for every form of a watch', async () => {
    const from = await version();
    for (const name of ['a', 'b']) await create(`same-${name}`, { same: name });
    await send('PUT', `${configMaps}/same-a`, { metadata: { name: 'same-a', labels: { same: 'c' } }, data: { x: 'ü\u2028' } });
    await remove('same-b');
    const table = { Accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
    const partial = { Accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' };
    const forms = [
      [`${configMaps}?watch=1&resourceVersion=${from}&timeoutSeconds=1`, 4, {}],
      [`${configMaps}?watch=1&resourceVersion=${from}&timeoutSeconds=1&labelSelector=same%3Da`, 2, {}],
      [`${configMaps}?watch=1&resourceVersion=${from}&timeoutSeconds=1&fieldSelector=metadata.name%3Dsame-b`, 2, {}],
      [`${configMaps}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dsame-a&allowWatchBookmarks=1`, 2, {}],
      [`/api/v1/watch${configMaps.slice(7)}/same-a?resourceVersion=${from}&timeoutSeconds=1`, 2, {}],
      [`/apis/apps/v1/deployments?watch=1&timeoutSeconds=1&allowWatchBookmarks=1&sendInitialEvents=1&resourceVersionMatch=NotOlderThan`, 1, {}],
      [`${configMaps}?watch=1&resourceVersion=${from}&timeoutSeconds=1`, 4, table],
      [`${configMaps}?watch=1&resourceVersion=${from}&timeoutSeconds=1`, 4, partial],
    ];
    await Promise.all(
      forms.map(async ([path, count, headers]) => {
        const plain = fetch(server.url + path, { headers });
        const socket = await open(path, headers);
        const lines = await (await plain).text();
        await socket.until(opcodes.close);
        assert.equal(socket.texts.join(''), lines, path);
        assert.equal(socket.texts.length, count, lines);
        assert.equal(socket.closeCode, 1000);
      }),
    );
  });

  test('protobuf comes in binary messages, as over HTTP but for the lengths', async () => {
    await create('binary');
    const path = `${configMaps}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dbinary`;
    const headers = { Accept: 'application/vnd.kubernetes.protobuf;stream=watch' };
    const plain = fetch(server.url + path, { headers });
    const socket = await open(path, headers);
    const framed = Buffer.from(await (await plain).arrayBuffer());
    await socket.until(opcodes.close);
    const [message, ...rest] = socket.frames.filter(({ opcode }) => opcode !== opcodes.close);
    assert.deepEqual(rest, []);
    assert.equal(message.opcode, opcodes.binary);
    assert.equal(framed.readUInt32BE(0), message.payload.length);
    assert.ok(framed.subarray(4).equals(message.payload));
  });

  test('timeoutSeconds ends it with 1000', async () => {
    const socket = await open(`${configMaps}?watch=1&resourceVersion=${await version()}&timeoutSeconds=1`);
    const started = Date.now();
    await socket.until(opcodes.close);
    assert.equal(socket.closeCode, 1000);
    assert.ok(Date.now() - started > 500);
    assert.deepEqual(socket.texts, []);
  });

  test('a version that is gone is told in a message, then closed', async () => {
    await create('compacted');
    await send('POST', '/-/tabernetes/compact', {});
    const socket = await open(`${configMaps}?watch=1&resourceVersion=1`);
    await socket.until(opcodes.close);
    assert.equal(socket.texts.length, 1);
    const { type, object } = JSON.parse(socket.texts[0]);
    assert.deepEqual([type, object.kind, object.reason, object.code], ['ERROR', 'Status', 'Expired', 410]);
    assert.equal(socket.closeCode, 1000);
  });

  test('errors of the request and of the handshake are plain answers, and the connection goes on', async () => {
    for (const [path, headers, status, body] of [
      [`${configMaps}?watch=1&labelSelector=%3D`, {}, 400, /"reason":"BadRequest"/],
      [`${configMaps}?watch=1&resourceVersionMatch=Exact`, {}, 422, /"reason":"Invalid"/],
      ['/api/v1/nosuch?watch=1', {}, 404, /./],
      [`${configMaps}?watch=1`, { Origin: null }, 403, /^$/],
      [`${configMaps}?watch=1`, { 'Sec-WebSocket-Protocol': 'a, b' }, 400, /^$/],
      [`${configMaps}?watch=1`, { 'Sec-WebSocket-Version': '8' }, 400, /^missing or bad WebSocket Version$/],
      [configMaps, {}, 200, /"kind":"ConfigMapList"/],
    ]) {
      const socket = await open(path, headers);
      assert.equal(socket.answer.status, status, path);
      assert.equal(socket.answer.headers.upgrade, undefined);
      const length = Number(socket.answer.headers['content-length']);
      await waitFor(() => Buffer.byteLength(socket.answer.body) === length);
      assert.match(socket.answer.body, body);
    }
  });

  test('a client library, as a dashboard uses it', async () => {
    const url = `${server.url.replace('http', 'ws')}${configMaps}?watch=1&resourceVersion=${await version()}`;
    const socket = new WebSocket(url, ['base64.binary.k8s.io'], { origin: 'http://localhost:4466' });
    const messages = [];
    socket.on('message', (data, isBinary) => messages.push([isBinary, JSON.parse(data).type]));
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    assert.equal(socket.protocol, 'base64.binary.k8s.io');
    await create('library');
    await waitFor(() => messages.length === 1);
    assert.deepEqual(messages, [[false, 'ADDED']]);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.close(1000);
    assert.equal(await closed, 1000);
  });

  test('a large initial state and large objects arrive whole', async () => {
    const data = { x: 'y'.repeat(200_000) };
    for (let i = 0; i < 30; i++) await send('POST', '/api/v1/namespaces/kube-public/configmaps', { metadata: { name: `large-${i}` }, data });
    const socket = await open('/api/v1/namespaces/kube-public/configmaps?watch=1');
    await socket.until(opcodes.text, 30);
    for (const text of socket.texts) assert.equal(JSON.parse(text).object.data.x.length, 200_000);
  });
});
