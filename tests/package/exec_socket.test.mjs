// Tests what kubectl does in containers, by sockets of the package: what is typed goes in, output and status come out.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { webSocketOf } from '../../dist/websocket.js';
import { connect, serve } from '../../dist/worker.js';
import { createCluster, kReproducible } from './support.mjs';

let cluster;
before(async () => {
  cluster = await createCluster({ ...kReproducible, controllers: 'kubelet,serviceaccount', nodes: 1 });
  await cluster.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
  await cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'shell' }, spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'a' }] } });
  cluster.advance(10_000);
});
after(() => cluster.dispose());

const kExec = '/api/v1/namespaces/default/pods/shell/exec';
const query = (command) => new URLSearchParams([...command.map((word) => ['command', word]), ['stdin', 'true'], ['stdout', 'true'], ['stderr', 'true']]);
const once = (socket, type) => new Promise((resolve) => socket.addEventListener(type, resolve, { once: true }));
const kStdin = 0;
const kClose = 255;

/** Runs a command with input, and returns what its channels gave. */
async function exec(WebSocket, command, protocol, messages) {
  const socket = new WebSocket(`ws://cluster${kExec}?${query(command)}`, [protocol]);
  socket.binaryType = 'arraybuffer';
  const channels = {};
  const decoder = new TextDecoder();
  socket.onmessage = ({ data }) => {
    const [channel, text] = typeof data === 'string' ? [Number(data[0]), atob(data.slice(1))] : [new Uint8Array(data)[0], decoder.decode(data.slice(1))];
    if (text !== '') channels[channel] = (channels[channel] ?? '') + text;
  };
  await once(socket, 'open');
  for (const message of messages) socket.send(message);
  const { code } = await once(socket, 'close');
  return { code, channels };
}

const bytes = (channel, text) => new Uint8Array([channel, ...new TextEncoder().encode(text)]);
const kSuccess = '{"metadata":{},"status":"Success"}';

test('bytes in an array, a buffer and a Blob, in their order', async () => {
  const end = new Uint8Array([kClose, kStdin]);
  const { code, channels } = await exec(webSocketOf(cluster), ['cat'], 'v5.channel.k8s.io', [bytes(kStdin, 'one '), new Blob([bytes(kStdin, 'two ')]), bytes(kStdin, 'three').buffer, end]);
  assert.deepEqual({ code, channels }, { code: 1000, channels: { 1: 'one two three', 3: kSuccess } });
});

test('a socket that is closed has ended its input', async () => {
  const WebSocket = webSocketOf(cluster);
  const socket = new WebSocket(`ws://cluster${kExec}?${query(['sh', '-c', 'cat - > /tmp/left'])}`, ['v4.channel.k8s.io']);
  await once(socket, 'open');
  socket.send(bytes(kStdin, 'kept'));
  socket.close();
  await once(socket, 'close');
  const { channels } = await exec(WebSocket, ['cat', '/tmp/left'], 'v5.channel.k8s.io', [new Uint8Array([kClose, kStdin])]);
  assert.equal(channels[1], 'kept');
});

test('text of the protocol in base64, and the exit code of a shell', async () => {
  const { channels } = await exec(webSocketOf(cluster), ['sh'], 'base64.channel.k8s.io', [`0${btoa('echo hello; exit 3\n')}`]);
  assert.equal(channels[1], 'hello\n');
  assert.match(channels[3], /exit code 3/);
});

test('through a worker', async () => {
  const worker = new EventTarget();
  serve(cluster, worker);
  const remote = await connect({ postMessage: (data) => worker.dispatchEvent(new MessageEvent('message', { data })) });
  const { channels } = await exec(webSocketOf(remote), ['cat'], 'v5.channel.k8s.io', [bytes(kStdin, 'far'), new Uint8Array([kClose, kStdin])]);
  assert.deepEqual(channels, { 1: 'far', 3: kSuccess });
  remote.disconnect();
});

test('what is sent after the end is ignored', async () => {
  const headers = { upgrade: 'websocket', connection: 'upgrade', 'sec-websocket-key': 'x', 'sec-websocket-version': '13', 'sec-websocket-protocol': 'v5.channel.k8s.io', origin: 'http://x' };
  const answer = await cluster.request({ target: `${kExec}?command=true&stdin=true&stdout=true`, headers });
  assert.equal(answer.messages, 'binary');
  for await (const chunk of answer.stream) assert.ok(chunk);
  answer.send(bytes(kStdin, 'late'));
});
