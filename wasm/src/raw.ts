/**
 * A request as the core sees it: nothing of it is normalised, and no header is forbidden.
 *
 * ```ts
 * const request: RawRequest = { method: 'GET', target: '/api/v1/pods?limit=2', headers: { accept: 'application/yaml' } };
 * ```
 */
export interface RawRequest {
  /** `GET` if left out. */
  method?: string;
  /** Path and query, percent-encoded, as on the request line. */
  target: string;
  headers?: Iterable<readonly [string, string]> | Readonly<Record<string, string>>;
  body?: string | Uint8Array | ArrayBuffer | null;
  /** Gives up waiting for the answer, or ends a stream. */
  signal?: AbortSignal | null;
  /** Facts of the connection, if the request came over one. */
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
 * An answer: a whole `body`, or a `stream` of one that goes on, such as a watch.
 *
 * ```ts
 * const { status, headers, body } = await cluster.request({ target: '/version' });
 * const warnings = headers.filter(([name]) => name === 'Warning');
 * ```
 */
export interface RawResponse {
  status: number;
  /** In the order of the wire; a name may come more than once. */
  headers: [name: string, value: string][];
  /** Empty when there is a `stream`. Gzipped if the headers say so, which only a request's `Accept-Encoding` brings. */
  body: Uint8Array<ArrayBuffer>;
  /** Each chunk is one whole event. Cancel it to stop. */
  stream?: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** With status 101, to a request that asks for a WebSocket: what its messages are, one a chunk. */
  messages?: 'text' | 'binary';
}
