// Requests and answers of node:http, in the form that a cluster has.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Peer, RawResponse } from '../raw.js';
import { authority } from './listen-address.js';

/** Slightly more than the core accepts, so that the core itself refuses a body that is too large. */
const kMostBody = 3 * 1024 * 1024 + 64 * 1024;
/** Large enough for a snapshot of a whole cluster. */
const kMostSnapshot = 1024 * 1024 * 1024;

/** Returns the largest body that is read. */
export const mostBody = (target: string) => (target.startsWith('/-/tabernetes/snapshot') ? kMostSnapshot : kMostBody);

export function peerOf({ socket }: IncomingMessage): Peer {
  return {
    localAddress: authority({ host: socket.localAddress ?? '', port: socket.localPort ?? 0 }),
    remoteAddress: socket.remoteAddress ?? '',
  };
}

/** Sends the answer to a request of `method`; a stream until it ends or the client leaves. */
export async function sendAnswer(response: ServerResponse, method: string, { status, headers, body, stream }: RawResponse): Promise<void> {
  if (method === 'HEAD') return void response.writeHead(status, headers.flat()).end();
  if (!stream) return sendWhole(response, status, headers, body);
  response.writeHead(status, headers.flat());
  response.flushHeaders();
  for await (const chunk of stream) {
    if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
  }
  response.end();
}

export function sendWhole(
  response: ServerResponse,
  status: number,
  headers: readonly (readonly [string, string])[],
  body: Uint8Array | string,
): void {
  const unsaid = status === 204 || status === 304 || headers.some(([name]) => name === 'Content-Encoding');
  const withLength = unsaid ? headers : [...headers, ['Content-Length', String(body.length)]];
  response.writeHead(status, withLength.flat());
  response.end(body);
}

export async function readBody(request: IncomingMessage, most: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function pairs(rawHeaders: readonly string[]): [string, string][] {
  const result: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) result.push([rawHeaders[i]!, rawHeaders[i + 1]!]);
  return result;
}
