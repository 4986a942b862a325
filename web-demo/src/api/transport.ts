// How requests reach a cluster: inside this page, or on the server that serves it.

export interface TransportRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: readonly (readonly [string, string])[];
  body: string;
  signal?: AbortSignal;
}

export interface TransportAnswer {
  status: number;
  headers: [string, string][];
  /** Empty when there is a `stream`. */
  text: string;
  /** The body of a watch, which goes on. */
  stream?: ReadableStream<Uint8Array>;
}

/** Whether the cluster can be reached; `returns` counts how often it came back. */
export interface Reach {
  up: boolean;
  returns: number;
}

export interface Transport {
  /** The version of HTTP on start lines, where it is known. */
  readonly protocol: 'HTTP/1.1' | '';

  /** Whether all pages of the browser share a few connections, so that a page that nobody sees should hold none. */
  readonly fewConnections: boolean;

  /** Rejects when there is no answer at all, or when `signal` aborts. */
  request(request: TransportRequest): Promise<TransportAnswer>;

  /** Like `request`, for a watch that is kept open beside others: one event a line. */
  quietWatch(request: TransportRequest): Promise<TransportAnswer>;

  /** Resolves when it is worth asking again after a failure, at once if `signal` aborts. */
  whenBack(signal: AbortSignal): Promise<void>;

  readonly reach: Reach;
  onReach(listener: () => void): () => void;

  /** The cluster's time. */
  now(): Date;
}

/** Waits, at most until `signal` aborts. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
