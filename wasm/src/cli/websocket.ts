// Connections that ask for an upgrade. The core decides which become a WebSocket, or speak SPDY/3.1 with the core, and
// answers the others normally; `ws` speaks the WebSocket protocol.
import { once } from 'node:events';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { RawResponse } from '../raw.js';

/** Larger messages are not for the core. */
const kLargestMessage = 1024 * 1024;

/** Returns true if the connection may become a WebSocket, or one of SPDY. No other protocol, such as h2c, is spoken here. */
export function wantsUpgrade({ method, headers }: IncomingMessage): boolean {
  const protocol = headers.upgrade?.toLowerCase();
  return protocol === 'spdy/3.1' || (method === 'GET' && protocol === 'websocket');
}

/** Gives the connection to what the answer, with status 101, has upgraded it to; a WebSocket closes with `endCode()`. */
export function serveUpgraded(request: IncomingMessage, socket: Duplex, head: Buffer, answer: RawResponse, endCode: () => number): void {
  if (answer.messages) serveWebSocket(request, socket, head, answer, endCode);
  else void serveTunnel(socket, head, answer).catch(() => socket.destroy());
}

/** Sends the head of the answer, then carries bytes both ways. */
async function serveTunnel(socket: Duplex, head: Buffer, { status, headers, stream, send }: RawResponse): Promise<void> {
  const reader = stream!.getReader();
  socket.once('close', () => void reader.cancel().catch(() => {}));
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (head.length > 0) send!(head);
  socket.on('data', (bytes: Buffer) => send!(bytes));
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (!socket.write(part.value)) await once(socket, 'drain');
  }
  socket.end();
}

/** Hands the connection back, by `goOn`, to the server as plain HTTP, without the upgrade. */
export function goOnWithHttp(goOn: () => void, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i]!;
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${request.rawHeaders[i + 1]}`);
  }
  if (head.length > 0) socket.unshift(head);
  socket.unshift(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
  goOn();
}

/** Carries messages both ways, then closes with `endCode()`. */
function serveWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { headers, stream, messages, send }: RawResponse,
  endCode: () => number,
): void {
  const protocol = headers.find(([name]) => name === 'Sec-WebSocket-Protocol')?.[1];
  const handshake = new WebSocketServer({ noServer: true, clientTracking: false, handleProtocols: () => protocol ?? false });
  const reader = stream!.getReader();
  socket.once('close', () => void reader.cancel().catch(() => {})); // also after a handshake that `ws` refuses
  handshake.handleUpgrade(request, socket, head, async (peer) => {
    peer.on('error', () => {}); // 'close' follows
    peer.on('message', (message: Buffer) => message.length <= kLargestMessage && send!(message));
    try {
      const options = { binary: messages === 'binary' };
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const { value } = part;
        await new Promise<void>((sent, failed) => peer.send(value, options, (error) => (error ? failed(error) : sent())));
      }
      peer.close(endCode());
    } catch {
      peer.terminate(); // the peer has left, or the cluster was disposed of
    }
  });
}
