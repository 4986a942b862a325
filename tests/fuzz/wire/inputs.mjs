// What real clients send, as recorded bytes: the inputs to damage.
import { once } from 'node:events';
import http2 from 'node:http2';
import net from 'node:net';
import tls from 'node:tls';
import { handshake } from '../../mock-server/websocket_client.mjs';

const kConfigMap = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'wire-' } });
const kConfigMaps = '/api/v1/namespaces/default/configmaps';

/** Relays to `port` and keeps what the client sends, while `talk` speaks to the relay's own port. */
async function recorded(port, talk) {
  const sent = [];
  const relay = net.createServer((client) => {
    const server = net.connect(port, '127.0.0.1');
    client.on('data', (bytes) => (sent.push(bytes), server.write(bytes)));
    server.on('data', (bytes) => client.write(bytes));
    for (const [one, other] of [[client, server], [server, client]]) one.on('error', () => other.destroy()).on('close', () => other.destroy());
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  await talk(relay.address().port);
  relay.close();
  return Buffer.concat(sent);
}

async function request(session, headers, body) {
  const stream = session.request(headers);
  stream.on('error', () => {});
  stream.end(body);
  stream.resume();
  await once(stream, 'close');
}

async function http2Inputs(port) {
  const session = (talk) => recorded(port, async (relay) => {
    const client = http2.connect(`http://127.0.0.1:${relay}`);
    client.on('error', () => {});
    await talk(client);
    client.close();
  });
  return [
    await session((client) => request(client, { ':path': '/version' })),
    await session((client) => request(client, { ':path': kConfigMaps, ':method': 'POST', 'content-type': 'application/json' }, kConfigMap)),
    await session(async (client) => {
      const watch = client.request({ ':path': `${kConfigMaps}?watch=1` });
      watch.on('error', () => {});
      await once(watch, 'response');
      await Promise.all([request(client, { ':path': '/api' }), request(client, { ':path': '/apis' })]);
      watch.close(http2.constants.NGHTTP2_CANCEL);
      await once(watch, 'close');
    }),
  ];
}

const http1Inputs = () => [
  Buffer.from('GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n'),
  Buffer.from(`POST ${kConfigMaps} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${kConfigMap.length}\r\n\r\n${kConfigMap}GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n`),
  Buffer.from(`POST ${kConfigMaps} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${kConfigMap.length.toString(16)};a=b\r\n${kConfigMap}\r\n0\r\nTrailer: x\r\n\r\n`),
  Buffer.from(`GET ${kConfigMaps}?watch=1&timeoutSeconds=1 HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n`),
  Buffer.from(`GET ${kConfigMaps} HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n`),
];

/** Returns a masked frame. */
function frame(opcode, payload, fin = true) {
  const bytes = Buffer.from(payload);
  const size = bytes.length < 126 ? [bytes.length | 128] : [126 | 128, bytes.length >> 8, bytes.length & 255];
  return Buffer.concat([Buffer.from([(fin ? 128 : 0) | opcode, ...size, 0, 0, 0, 0]), bytes]);
}

function websocketInputs() {
  const head = (path, headers) => Buffer.from(`GET ${path} HTTP/1.1\r\n${Object.entries(handshake(headers)).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  const talk = [frame(1, 'hello'), frame(2, Buffer.alloc(300), false), frame(0, 'more'), frame(9, 'ping'), frame(10, ''), frame(8, Buffer.from([3, 232]))];
  const exec = '/api/v1/namespaces/default/pods/web/exec?command=cat&stdin=1&stdout=1&stderr=1';
  const forward = '/api/v1/namespaces/default/pods/web/portforward?ports=80';
  return [
    Buffer.concat([head(`${kConfigMaps}?watch=1`), ...talk]),
    Buffer.concat([head(exec, { 'Sec-WebSocket-Protocol': 'v5.channel.k8s.io' }), frame(2, '\0input\n'), frame(2, '\x04{"Width":80,"Height":24}'), frame(2, '\xff\0'), ...talk]),
    Buffer.concat([head(forward, { 'Sec-WebSocket-Protocol': 'v4.channel.k8s.io' }), frame(2, '\0GET / HTTP/1.1\r\n\r\n'), ...talk]),
  ];
}

/** Returns the hello of a client, and what follows of one that trusts everybody. */
async function tlsInputs(port) {
  const hello = (options) => recorded(port, async (relay) => {
    const client = tls.connect({ port: relay, host: '127.0.0.1', rejectUnauthorized: false, ...options });
    client.on('error', () => {});
    await Promise.race([once(client, 'secureConnect'), once(client, 'close')]);
    client.end('GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(client, 'close');
  });
  return [await hello({ ALPNProtocols: ['h2', 'http/1.1'], servername: 'localhost' }), await hello({ maxVersion: 'TLSv1.2' })];
}

/** By target: the flags of the server, and the inputs, which may be made by speaking to it. */
export const targets = {
  http1: { flags: [], inputs: http1Inputs },
  http2: { flags: [], inputs: http2Inputs },
  websocket: { flags: [], inputs: websocketInputs },
  tls: { flags: ['--tls'], inputs: tlsInputs },
};
