// Tests tabernetes/websocket: a WebSocket class whose server is the cluster.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { webSocketOf } from '../../dist/websocket.js';
import { configMap, create, createCluster, kConfigMaps, kReproducible } from './support.mjs';

let cluster;
let WebSocket;
test.beforeEach(async () => {
  cluster = await createCluster(kReproducible);
  WebSocket = webSocketOf(cluster);
});
test.afterEach(() => cluster.dispose());

const kWatch = `${kConfigMaps}?watch=true`;
const kPast = `${kWatch}&resourceVersion=1`;
const once = (socket, type) => new Promise((resolve) => socket.addEventListener(type, resolve, { once: true }));
const wordsOf = ({ data }) => `${JSON.parse(data).type} ${JSON.parse(data).object.metadata.name}`;

/** Records the events of a socket as words. */
function recorded(socket) {
  const events = [];
  socket.onopen = () => events.push('open');
  socket.onmessage = (message) => events.push(wordsOf(message));
  socket.onerror = () => events.push('error');
  socket.onclose = ({ code, reason, wasClean }) => events.push(`close ${code} ${reason} ${wasClean}`);
  return events;
}

test('one message an event, and 1000 at the deadline', async () => {
  const socket = new WebSocket(`ws://any.example${kPast}&timeoutSeconds=5`);
  const events = recorded(socket);
  assert.equal(socket.readyState, WebSocket.CONNECTING);
  await once(socket, 'open');
  assert.equal(socket.readyState, socket.OPEN);
  assert.equal(socket.url, `ws://any.example${kPast}&timeoutSeconds=5`);
  const first = once(socket, 'message');
  await create(cluster, configMap('a'));
  await create(cluster, configMap('b'));
  const message = await first;
  assert.equal(message.origin, 'ws://any.example');
  assert.match(message.data, /^\{"type":"ADDED",.*\}\n$/s);
  const closed = once(socket, 'close');
  cluster.advance(6_000);
  await closed;
  assert.equal(socket.readyState, WebSocket.CLOSED);
  assert.deepEqual(events, ['open', 'ADDED a', 'ADDED b', 'close 1000  true']);
});

test('the subprotocol of dashboards, with a token beside it', async () => {
  const socket = new WebSocket(kWatch, ['base64url.bearer.authorization.k8s.io.dG9r', 'base64.binary.k8s.io']);
  await once(socket, 'open');
  assert.equal(socket.protocol, 'base64.binary.k8s.io');
  socket.close();
  assert.equal((await once(socket, 'close')).code, 1005);
});

test('what the server refuses fails', async () => {
  for (const [url, protocols] of [[kConfigMaps], ['/nowhere'], [`${kWatch}&resourceVersion=x`], [kWatch, ['a', 'b']],
    [kWatch, 'base64url.bearer.authorization.k8s.io.dG9r']]) {
    const socket = new WebSocket(url, protocols);
    const events = recorded(socket);
    await once(socket, 'close');
    assert.deepEqual(events, ['error', 'close 1006  false'], url);
  }
});

test('closed by the page: nothing follows, and the stream is left', async () => {
  const socket = new WebSocket(kPast);
  const events = recorded(socket);
  await once(socket, 'open');
  socket.close(4000, 'enough');
  assert.equal(socket.readyState, socket.CLOSING);
  await once(socket, 'close');
  await create(cluster, configMap('a'));
  assert.deepEqual(events.slice(-1), ['close 4000 enough true']);
  socket.close(); // a second close has no effect
});

test('closed before it is open: it fails', async () => {
  const socket = new WebSocket(kPast);
  const events = recorded(socket);
  socket.close();
  await once(socket, 'close');
  assert.deepEqual(events, ['error', 'close 1006  false']);
});

test('misuse throws what a browser throws', async () => {
  const throws = (action, name) => assert.throws(action, (error) => error instanceof DOMException && error.name === name);
  throws(() => new WebSocket('ftp://x/'), 'SyntaxError');
  throws(() => new WebSocket('ws://x/#y'), 'SyntaxError');
  throws(() => new WebSocket('http://%'), 'SyntaxError');
  throws(() => new WebSocket(kWatch, ['a', 'a']), 'SyntaxError');
  throws(() => new WebSocket(kWatch, 'a b'), 'SyntaxError');
  const socket = new WebSocket(kWatch);
  throws(() => socket.send('x'), 'InvalidStateError');
  throws(() => socket.close(1001), 'InvalidAccessError');
  await once(socket, 'open');
  socket.send('ignored');
  socket.close(1000);
  await once(socket, 'close');
});

test('the raw entry gives the messages as chunks of a 101', async () => {
  const headers = { upgrade: 'websocket', connection: 'upgrade', 'sec-websocket-key': 'x', 'sec-websocket-version': '13', origin: 'http://x' };
  const answer = await cluster.request({ target: kWatch, headers });
  assert.equal(answer.status, 101);
  await answer.stream.cancel();
});

test('fetch knows no WebSockets', async () => {
  const answer = await cluster.fetch(`${kWatch}&timeoutSeconds=1`, { headers: { upgrade: 'websocket', 'sec-websocket-version': '13' } });
  assert.equal(answer.status, 200);
  await answer.body.cancel();
});
