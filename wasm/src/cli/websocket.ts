// Connections that ask for an upgrade. The core decides which become a WebSocket and answers the others normally; `ws`
// speaks the protocol.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { RawResponse } from '../raw.js';

/** Returns true if the connection may become a WebSocket. No other protocol, such as h2c, is spoken here. */
export const wantsWebSocket = (request: IncomingMessage) =>
  request.method === 'GET' && request.headers.upgrade?.toLowerCase() === 'websocket';

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

/** Sends the messages of an answer with status 101, then closes with `endCode()`. */
export function serveWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { headers, stream, messages }: RawResponse,
  endCode: () => number,
): void {
  const protocol = headers.find(([name]) => name === 'Sec-WebSocket-Protocol')?.[1];
  const handshake = new WebSocketServer({ noServer: true, clientTracking: false, handleProtocols: () => protocol ?? false });
  const reader = stream!.getReader();
  socket.once('close', () => void reader.cancel().catch(() => {})); // also after a handshake that `ws` refuses
  handshake.handleUpgrade(request, socket, head, async (peer) => {
    peer.on('error', () => {}); // 'close' follows
    peer.on('message', () => {}); // a watch ignores messages
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
