// Sends requests to a cluster inside this page or on the server that serves it.

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
  /** Empty if there is a `stream`. */
  text: string;
  /** The body of a watch. */
  stream?: ReadableStream<Uint8Array>;
}

/** An open connection to a container. A message is the number of a channel, then bytes. */
export interface Connection {
  readonly messages: ReadableStream<Uint8Array>;
  send(message: Uint8Array<ArrayBuffer>): void;
  close(): void;
}

/** The protocol of connections to containers. */
export const kChannels = 'v5.channel.k8s.io';

/** A refused connection: the answer. */
export class Refused extends Error {
  constructor(readonly answer: TransportAnswer) {
    super(`the server answered ${answer.status}`);
  }
}

/** The state of the connection. `returns` counts how often it was restored. */
export interface Reach {
  up: boolean;
  returns: number;
}

export interface Transport {
  /** The HTTP version for start lines, if known. */
  readonly protocol: 'HTTP/1.1' | '';

  /** True if all pages of the browser share a few connections, so that a hidden page should hold none. */
  readonly fewConnections: boolean;

  /** Resolves with the answer. Rejects if there is none or `signal` aborts. */
  request(request: TransportRequest): Promise<TransportAnswer>;

  /** Like `request`, for a watch that stays open beside others. Its body has one event per line. */
  quietWatch(request: TransportRequest): Promise<TransportAnswer>;

  /** Opens a connection to a container. Rejects with a Refused if the answer is known. */
  connect(request: TransportRequest): Promise<Connection>;

  /** Resolves when a failed request can be repeated, or at once if `signal` aborts. */
  whenBack(signal: AbortSignal): Promise<void>;

  readonly reach: Reach;
  onReach(listener: () => void): () => void;

  /** Returns the cluster's time. */
  now(): Date;
}

/** Resolves after `milliseconds`, or when `signal` aborts. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
