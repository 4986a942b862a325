// Tests that both servers do alike: node:http with the package ws, and Beast.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import WebSocket from 'ws';
import { serve, waitFor } from './server.mjs';
import { FrameSocket, handshake, opcodes } from './websocket_client.mjs';

/** Tests the watches of a real cluster over WebSocket, for either server `binary`. */
export function webSocketsOfACluster(binary) {
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
      // The control loops keep a ConfigMap of their own there.
      const socket = await open('/api/v1/namespaces/kube-public/configmaps?watch=1&fieldSelector=metadata.name!=kube-root-ca.crt');
      await socket.until(opcodes.text, 30);
      for (const text of socket.texts) assert.equal(JSON.parse(text).object.data.x.length, 200_000);
    });
  });
}
