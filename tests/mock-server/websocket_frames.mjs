// RFC 6455 frame by frame, after the cases of the Autobahn test suite that apply: both servers echo through `exec … cat`,
// whose messages have a byte for their channel. The numbers are Autobahn's. Compression is not offered (12, 13).
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { serve, waitFor } from './server.mjs';
import { FrameSocket, handshake, opcodes } from './websocket_client.mjs';

const kPod = fileURLToPath(new URL('../fuzz/wire/pod.yaml', import.meta.url));
const kExec = '/api/v1/namespaces/default/pods/web/exec?command=cat&stdin=1&stdout=1';

export function webSocketFramesOf(binary) {
  describe('frames', () => {
    let server;
    before(async () => {
      server = await serve(binary, '--load', kPod);
      await waitFor(async () => (await (await fetch(`${server.url}/api/v1/namespaces/default/pods/web`)).json()).status.phase === 'Running', 10_000);
    });
    after(async () => assert.equal(await server.stop(), 0));

    const open = (path = kExec) => FrameSocket.open(server.port, path, handshake({ 'Sec-WebSocket-Protocol': 'v4.channel.k8s.io' }));
    const input = (text) => Buffer.concat([Buffer.from([0]), Buffer.from(text)]);
    /** What cat has written so far. */
    const echoed = (socket) => Buffer.concat(socket.frames.filter(({ opcode, payload }) => opcode === opcodes.binary && payload[0] === 1).map(({ payload }) => payload.subarray(1)));

    async function echoes(send, expected) {
      const socket = await open();
      send(socket);
      await waitFor(() => echoed(socket).length >= expected.length, 5000, () => `${echoed(socket).length} of ${expected.length} bytes`);
      assert.ok(echoed(socket).equals(Buffer.from(expected)));
      socket.destroy();
    }

    async function closesWith(code, send) {
      const socket = await open();
      send(socket);
      await socket.untilEnded();
      assert.equal(socket.closeCode, code, send.toString());
    }

    test('1: payloads of all forms of length', async () => {
      for (const size of [1, 124, 125, 126, 127, 65_533, 65_534, 65_535, 65_536]) {
        const text = `${'x'.repeat(size - 1)}\n`;
        await echoes((socket) => socket.send(opcodes.binary, input(text)), text);
      }
    });

    test('2: pings come back with their payload and in order; pongs that nobody asked for are ignored', async () => {
      const socket = await open();
      const pings = ['', 'hello', Buffer.from([0, 255, 254]).toString('latin1'), 'y'.repeat(125)];
      socket.send(opcodes.pong, 'unasked');
      for (const ping of pings) socket.send(opcodes.ping, Buffer.from(ping, 'latin1'));
      await socket.until(opcodes.pong, pings.length);
      assert.deepEqual(socket.frames.filter(({ opcode }) => opcode === opcodes.pong).map(({ payload }) => payload.toString('latin1')), pings);
      socket.destroy();
      await closesWith(1002, (one) => one.send(opcodes.ping, 'z'.repeat(126)));
    });

    test('3: reserved bits', async () => {
      for (const bits of [0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70]) {
        await closesWith(1002, (socket) => socket.send(opcodes.binary | bits, input('a\n')));
        await closesWith(1002, (socket) => socket.send(opcodes.ping | bits, 'a'));
      }
    });

    test('4: reserved opcodes', async () => {
      for (const opcode of [3, 4, 5, 6, 7, 11, 12, 13, 14, 15]) await closesWith(1002, (socket) => socket.send(opcode, 'a'));
    });

    test('5: messages in parts, with pings between them', async () => {
      await echoes((socket) => {
        socket.send(opcodes.binary, input('one '), { fin: false });
        socket.send(opcodes.ping, 'between');
        socket.send(opcodes.more, 'two ', { fin: false });
        socket.send(opcodes.more, '', { fin: false });
        socket.send(opcodes.more, 'three\n');
      }, 'one two three\n');
      await closesWith(1002, (socket) => socket.send(opcodes.ping, 'a', { fin: false }));
      await closesWith(1002, (socket) => socket.send(opcodes.pong, 'a', { fin: false }));
      await closesWith(1002, (socket) => socket.send(opcodes.more, 'of nothing'));
      await closesWith(1002, (socket) => socket.send(opcodes.more, 'of nothing', { fin: false }));
      await closesWith(1002, (socket) => {
        socket.send(opcodes.binary, input('a'), { fin: false });
        socket.send(opcodes.binary, input('b\n'));
      });
    });

    test('6: text that is no UTF-8, at once or in parts', async () => {
      const bad = ['ce ba e1 bd b9 cf 83 ce bc ce b5 ed a0 80', 'f4 90 80 80', 'c0 af', 'f8 88 80 80 80', 'ff', 'e1 bd'];
      for (const bytes of bad.map((hex) => Buffer.from(hex.replaceAll(' ', ''), 'hex'))) {
        await closesWith(1007, (socket) => socket.send(opcodes.text, bytes));
        await closesWith(1007, (socket) => {
          socket.send(opcodes.text, bytes.subarray(0, 1), { fin: false });
          socket.send(opcodes.more, bytes.subarray(1));
        });
      }
    });

    test('7: codes of a close that are allowed come back, others break the protocol', async () => {
      const close = (code, reason = '') => (socket) => socket.send(opcodes.close, Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)]));
      for (const code of [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999]) await closesWith(code, close(code));
      for (const code of [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999]) await closesWith(1002, close(code));
      await closesWith(1000, close(1000, 'r'.repeat(123)));
      await closesWith(1002, close(1000, 'r'.repeat(124)));
      await closesWith(1002, (socket) => socket.send(opcodes.close, Buffer.from([3])));
      const unreadable = await open();
      close(1000, Buffer.from([0xff, 0xfe]))(unreadable);
      await unreadable.untilEnded();
      assert.ok([1002, 1007].includes(unreadable.closeCode));
      const empty = await open();
      empty.send(opcodes.close);
      await empty.untilEnded();
      assert.ok([undefined, 1000].includes(empty.closeCode));
      assert.equal(empty.frames.at(-1).opcode, opcodes.close);
    });

    test('9: large messages, and many', async () => {
      const line = `${'l'.repeat(999)}\n`;
      await echoes((socket) => socket.send(opcodes.binary, input(line.repeat(500))), line.repeat(500));
      await echoes((socket) => {
        for (let i = 0; i < 1000; i++) socket.send(opcodes.binary, input(`${i}\n`));
      }, Array.from({ length: 1000 }, (_, i) => `${i}\n`).join(''));
    });

    test('10: a frame that comes byte by byte', async () => {
      const socket = await open();
      const pieces = [];
      const write = socket.socket.write.bind(socket.socket);
      socket.socket.write = (bytes) => pieces.push(bytes);
      socket.send(opcodes.binary, input('slowly\n'));
      for (const byte of Buffer.concat(pieces)) {
        write(Buffer.from([byte]));
        await new Promise(setImmediate);
      }
      await waitFor(() => echoed(socket).toString() === 'slowly\n');
      socket.destroy();
    });

    test('a client that leaves has ended its input: what it copied in is there', async () => {
      const shell = (line) => kExec.replace('command=cat', new URLSearchParams(['sh', '-c', line].map((word) => ['command', word])).toString());
      for (const leave of [(socket) => socket.send(opcodes.close, Buffer.from([3, 232])), (socket) => socket.destroy()]) {
        const copying = await open(shell('cat - > /tmp/left && echo $?'));
        copying.send(opcodes.binary, input('kept'));
        copying.send(opcodes.ping, 'all has arrived');
        await copying.until(opcodes.pong, 1);
        leave(copying);
        await waitFor(async () => {
          const reading = await open(shell('cat /tmp/left; rm /tmp/left'));
          await reading.untilEnded();
          return echoed(reading).toString() === 'kept';
        }, 5000);
      }
    });

    test('frames without a mask', () => closesWith(1002, (socket) => socket.send(opcodes.binary, input('a'), { mask: false })));
  });
}
