// Connections that ask for an upgrade. The core decides which become a WebSocket, or speak SPDY/3.1 with the core, and
// answers the others normally; `ws` speaks the WebSocket protocol.
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Http2ServerResponse, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import type { RawResponse } from '../raw.js';
import { kUsualLimits } from './connections.js';

/**
 * How many milliseconds the channels of a container are silent at first. client-go makes its streams after the handshake,
 * and loses what comes before.
 */
const kFirstSilence = 20;

/** Larger messages are not for the core. */
const kLargestMessage = 1024 * 1024;

/** Returns true if the connection may become a WebSocket, or one of SPDY. No other protocol, such as h2c, is spoken here. */
export function wantsUpgrade({ method, headers }: IncomingMessage): boolean {
  const protocol = headers.upgrade?.toLowerCase();
  return protocol === 'spdy/3.1' || (method === 'GET' && protocol === 'websocket');
}

/** A connection, or a stream of HTTP/2, that may become another protocol's. */
export interface Upgrade {
  /** What closes with the client. */
  readonly channel: Duplex;
  /** Sends the head of the answer, whose status is 101, and serves what it is upgraded to; a WebSocket closes with `endCode()`. */
  serve(answer: RawResponse, date: string, endCode: () => number): void;
}

/** Of HTTP/1.1; `head`: the bytes that followed the request. */
export class SocketUpgrade implements Upgrade {
  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    readonly channel: Socket,
    private readonly head: Buffer,
  ) {}

  serve(answer: RawResponse, _date: string, endCode: () => number): void {
    const { request, response, channel, head } = this;
    const { status, headers, messages, send } = answer;
    response.statusCode = status;
    response.detachSocket(channel);
    const reader = readerOf(answer, channel); // also for a handshake that `ws` refuses
    if (messages) {
      const protocol = protocolOf(answer);
      const handshake = new WebSocketServer({ noServer: true, clientTracking: false, handleProtocols: () => protocol ?? false });
      return handshake.handleUpgrade(request, channel, head, (peer) => void carryMessages(peer, reader, answer, endCode));
    }
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
    channel.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    if (head.length > 0) send!(head);
    void carryBytes(channel, reader, answer);
  }
}

/** Of HTTP/2 (RFC 8441). */
export class StreamUpgrade implements Upgrade {
  readonly channel: ServerHttp2Stream;

  constructor(private readonly response: Http2ServerResponse) {
    this.channel = response.stream;
  }

  serve(answer: RawResponse, date: string, endCode: () => number): void {
    const { response, channel } = this;
    response.statusCode = 200;
    const protocol = protocolOf(answer);
    channel.respond({ ':status': 200, date, ...(protocol === undefined ? {} : { 'sec-websocket-protocol': protocol }) });
    channel.once('finish', () => channel.close()); // nothing more is needed of the client
    const reader = readerOf(answer, channel);
    if (!answer.messages) return void carryBytes(channel, reader, answer);
    const peer = new WebSocket(null, undefined, kWebSocket);
    peer.setSocket(channel, Buffer.alloc(0), kWebSocket);
    void carryMessages(peer, reader, answer, endCode);
  }
}

/** As a server of `ws` has them. */
const kWebSocket = { autoPong: true, allowSynchronousEvents: true, maxPayload: 100 * 1024 * 1024, closeTimeout: 30_000 };

const protocolOf = ({ headers }: RawResponse) => headers.find(([name]) => name.toLowerCase() === 'sec-websocket-protocol')?.[1];

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** The reader of the answer's stream, which ends with the channel. */
function readerOf({ stream }: RawResponse, channel: Duplex): Reader {
  const reader = stream!.getReader() as Reader;
  channel.once('close', () => void reader.cancel().catch(() => {}));
  return reader;
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

/** Carries bytes both ways. */
async function carryBytes(channel: Duplex, reader: Reader, { send }: RawResponse): Promise<void> {
  channel.on('error', () => channel.destroy());
  channel.on('data', (bytes: Buffer) => send!(bytes));
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (!channel.write(part.value)) await once(channel, 'drain', { signal: AbortSignal.timeout(kUsualLimits.write) });
    }
    channel.end();
  } catch {
    channel.destroy();
  }
}

/** Carries messages both ways, then closes with `endCode()`. */
async function carryMessages(peer: WebSocket, reader: Reader, answer: RawResponse, endCode: () => number): Promise<void> {
  const { messages, send } = answer;
  peer.on('error', () => {}); // 'close' follows
  peer.on('message', (message: Buffer) => message.length <= kLargestMessage && send!(message));
  const options = { binary: messages === 'binary' };
  if (protocolOf(answer)?.includes('channel.k8s.io')) await new Promise((goOn) => setTimeout(goOn, kFirstSilence));
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const { value } = part;
      const late = setTimeout(() => peer.terminate(), kUsualLimits.write).unref();
      await new Promise<void>((sent, failed) => peer.send(value, options, (error) => (error ? failed(error) : sent()))).finally(() => clearTimeout(late));
    }
    peer.close(endCode());
  } catch {
    peer.terminate(); // the peer has left, or the cluster was disposed of
  }
}
