// Requests and answers of node:http and node:http2, in the form that a cluster has.
import type { ServerResponse } from 'node:http';
import { constants, type Http2ServerRequest } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Peer, RawResponse } from '../raw.js';
import type { Connections } from './connections.js';
import { authority } from './listen-address.js';
import type { Answering, Asked } from './wire.js';

/** Slightly more than the core accepts, so that the core itself refuses a body that is too large. */
const kMostBody = 3 * 1024 * 1024 + 64 * 1024;
/** Large enough for a snapshot of a whole cluster. */
const kMostSnapshot = 1024 * 1024 * 1024;

/** Returns the largest body that is read. */
export const mostBody = (target: string) => (target.startsWith('/-/tabernetes/snapshot') ? kMostSnapshot : kMostBody);

const isHttp2 = (request: Asked): request is Http2ServerRequest => 'stream' in request;

/** The connection of a request; undefined for HTTP/2 whose connection is gone. */
export const connectionOf = (request: Asked): TLSSocket | undefined => (isHttp2(request) ? request.stream.session?.socket : request.socket) as TLSSocket | undefined;

/** The host that a request names, and its path with query. */
export function targetOf(request: Asked): { named: string; target: string } {
  const [, named, target = '/'] = request.url?.match(kAbsoluteForm) ?? [null, isHttp2(request) ? request.authority : request.headers.host, request.url];
  return { named: named ?? '', target };
}

/** A request line as sent to a proxy: `GET http://host/path`. */
const kAbsoluteForm = /^https?:\/\/([^/?]*)(.*)$/s;

export function peerOf(request: Asked): Peer {
  const socket = connectionOf(request);
  return {
    localAddress: authority({ host: socket?.localAddress ?? '', port: socket?.localPort ?? 0 }),
    remoteAddress: socket?.remoteAddress ?? '',
  };
}

/** Larger bodies are sent piece by piece. */
const kPiece = 1024 * 1024;

/** Sends the answer to a request of `method`; a stream until it ends or the client leaves, or takes nothing of it for too long. */
export async function sendAnswer(response: Answering, method: string, { status, headers, body, stream }: RawResponse, connections: Connections): Promise<void> {
  if (method === 'HEAD') return writeHead(response, status, headers), void response.end();
  if (!stream && body.length <= kPiece) {
    sendWhole(response, status, headers, body);
  } else {
    const writable = response as ServerResponse; // that of HTTP/2 can do the same
    writeHead(response, status, stream ? headers : withLength(status, headers, body));
    if (stream) writable.flushHeaders();
    for await (const chunk of stream ?? piecesOf(body)) {
      count(response, chunk);
      if (!writable.write(chunk)) await taken(response, 'drain', connections);
    }
    response.end();
  }
  if (!response.writableFinished) await taken(response, 'finish', connections);
}

function* piecesOf(body: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < body.length; at += kPiece) yield body.subarray(at, at + kPiece);
}

/** Waits until the client has taken what was written; drops one that does not. */
function taken(response: Answering, event: 'drain' | 'finish', connections: Connections): Promise<void> {
  return new Promise((resolve) => {
    const late = () => (connections.drop('write'), drop(response));
    const timer = setTimeout(late, connections.limits.write).unref();
    const done = () => {
      clearTimeout(timer);
      response.off(event, done).off('close', done);
      resolve();
    };
    response.on(event, done).on('close', done);
  });
}

export function sendWhole(response: Answering, status: number, headers: readonly (readonly [string, string])[], body: Uint8Array | string): void {
  writeHead(response, status, withLength(status, headers, body));
  count(response, body);
  response.end(body);
}

function withLength(status: number, headers: readonly (readonly [string, string])[], body: Uint8Array | string): readonly (readonly [string, string])[] {
  const unsaid = status === 204 || status === 304 || headers.some(([name]) => name === 'Content-Encoding');
  return unsaid ? headers : [...headers, ['Content-Length', String(body.length)]];
}

/** HTTP/2 has lines of one name together, and none that are of a connection. */
function writeHead(response: Answering, status: number, headers: readonly (readonly [string, string])[]): void {
  if (!('stream' in response)) return void response.writeHead(status, headers.flat());
  const lines: Record<string, string | string[]> = {};
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (kOfConnection.has(lower)) continue;
    const before = lines[lower];
    lines[lower] = before === undefined ? value : [before, value].flat();
  }
  response.writeHead(status, lines);
}

const kOfConnection: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

/** Ends without an answer, or with what is written of it: the connection of HTTP/1.1, the stream of HTTP/2. */
export function breakOff(response: Answering): void {
  if ('stream' in response) response.stream?.close(constants.NGHTTP2_INTERNAL_ERROR);
  else response.socket?.destroySoon();
}

function drop(exchange: Asked | Answering): void {
  if ('stream' in exchange) exchange.stream?.close(constants.NGHTTP2_CANCEL);
  else exchange.destroy();
}

/** Lets a connection of HTTP/1.1 end with the answer; the request's body is not read. */
export function closeAfter(response: Answering): void {
  if (!('stream' in response)) response.shouldKeepAlive = false;
}

const sent = new WeakMap<Answering, number>();
const count = (response: Answering, bytes: Uint8Array | string) => void ('stream' in response && sent.set(response, bodyBytes(response) + bytes.length));

/** The bytes of an answer of HTTP/2 that were written, without its head. */
export const bodyBytes = (response: Answering): number => sent.get(response) ?? 0;

/** Rejects if the client leaves, or takes too long. */
export async function readBody(request: Asked, most: number, connections: Connections): Promise<Uint8Array> {
  if (request.readableEnded) return kNothing;
  const chunks: Buffer[] = [];
  let size = 0;
  const { body, wholeBody } = connections.limits;
  const late = () => {
    connections.drop('body');
    drop(request);
  };
  const timers = [setTimeout(late, body).unref(), setTimeout(late, wholeBody).unref()] as const;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      timers[0].refresh();
      size += chunk.length;
      if (size <= most) chunks.push(chunk);
    }
  } finally {
    timers.forEach(clearTimeout);
  }
  return Buffer.concat(chunks);
}

const kNothing = new Uint8Array();

/** The protocol that an extended CONNECT of HTTP/2 (RFC 8441) asks for; undefined for other requests. */
const protocolOf = ({ method, headers }: Asked) => (method === 'CONNECT' ? (headers[':protocol'] as string | undefined) : undefined);

/** Returns the protocol if it is none that is spoken here. */
export const unknownProtocol = (request: Asked) => (protocolOf(request) === 'websocket' ? undefined : protocolOf(request));

/** The method of the request; an extended CONNECT is what HTTP/1.1 would have brought. */
export const methodOf = (request: Asked) => (protocolOf(request) ? 'GET' : (request.method ?? ''));

/** Any key: that of HTTP/2 needs none. */
const kUpgrade: [string, string][] = [['connection', 'Upgrade'], ['sec-websocket-key', 'dGFiZXJuZXRlcyBzb2NrZQ==']];

/** The headers of a request, in their order; that of HTTP/2 without a Host header names its authority so. */
export function headersOf(request: Asked): [string, string][] {
  const { rawHeaders } = request;
  const result: [string, string][] = [];
  let authority: string | undefined;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i]!, rawHeaders[i + 1]!];
    if (name === ':authority') authority = value;
    if (!name.startsWith(':')) result.push([name, value]);
  }
  if (authority !== undefined && request.headers.host === undefined) result.push(['host', authority]);
  const protocol = protocolOf(request);
  if (protocol !== undefined) result.push(['upgrade', protocol], ...kUpgrade);
  return result;
}
