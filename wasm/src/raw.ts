import type { Identity } from './identity.js';
import type { PlatformSignal, PlatformStream } from './platform.js';

/**
 * A request as the core sees it: nothing is normalised, and no header is forbidden.
 *
 * ```ts
 * const request: RawRequest = { method: 'GET', target: '/api/v1/pods?limit=2', headers: { accept: 'application/yaml' } };
 * ```
 */
export interface RawRequest {
  /** `GET` if left out. */
  method?: string;
  /** Path and query, percent-encoded, as in the request line. */
  target: string;
  headers?: Iterable<readonly [string, string]> | Readonly<Record<string, string>>;
  body?: string | Uint8Array | ArrayBuffer | null;
  /** Aborts the wait for the answer, or ends a stream. */
  signal?: PlatformSignal | null;
  /** Who asks, as with `cluster.as`; if left out, the headers say. */
  user?: Identity;
  /** @internal Leaves the request out of `cluster.requests`. */
  unlogged?: boolean;
  /** The two ends of the connection, if there is one. */
  peer?: Peer;
}

/**
 * The two ends of a connection.
 *
 * ```ts
 * const peer: Peer = { localAddress: '127.0.0.1:8001', remoteAddress: '127.0.0.1' };
 * ```
 */
export interface Peer {
  /** Host and port that the client reached. */
  localAddress: string;
  /** The client's address. */
  remoteAddress: string;
}

/**
 * An answer: a whole `body`, or a `stream` for a body without a known end, such as a watch.
 *
 * ```ts
 * const { status, headers, body } = await cluster.request({ target: '/version' });
 * const warnings = headers.filter(([name]) => name === 'Warning');
 * ```
 */
export interface RawResponse {
  status: number;
  /** In the order of the wire. A name may occur more than once. */
  headers: [name: string, value: string][];
  /**
   * Empty if there is a `stream`. Gzipped if the headers say so, which happens only if the request has
   * `Accept-Encoding`.
   */
  body: Uint8Array<ArrayBuffer>;
  /** Each chunk is one whole event. Cancel it to stop. */
  stream?: PlatformStream;
  /** With status 101 to a WebSocket request: the type of its messages, one per chunk. */
  messages?: 'text' | 'binary';
  /**
   * With status 101: sends a message of the client, or bytes of the protocol that it has upgraded to. Ignored once the
   * stream has ended.
   */
  send?: (message: string | Uint8Array) => void;
}
