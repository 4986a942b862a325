/**
 * A cluster as the handler of an edge runtime: workerd and others that call `export default { fetch }`, Deno, Bun.
 *
 * ```ts
 * import { serve } from 'tabernetes/edge';
 * import wasm from 'tabernetes/tabernetes.wasm';
 *
 * export default serve({ wasm, load: manifests });
 * ```
 *
 * @module tabernetes/edge
 */
import { createCluster, type Cluster } from '../index.js';
import type { ClusterOptions } from '../options.js';
import type { PlatformRequest, PlatformResponse } from '../platform.js';

/** The handler of an edge runtime. */
export interface EdgeHandler {
  fetch(request: PlatformRequest, ...others: unknown[]): Promise<PlatformResponse>;
}

/**
 * Returns a handler whose cluster is made at the first request and lives as long as the isolate. Watches come over HTTP
 * and, where the runtime has `WebSocketPair` (workerd), over WebSocket. In workerd see `clusterObject`.
 *
 * ```ts
 * export default serve({ wasm, load: manifests, controllers: 'none' });
 * ```
 */
export function serve(options: ClusterOptions = {}): EdgeHandler {
  let made: Promise<Cluster> | undefined;
  return {
    async fetch(request: Request) {
      // A failure is not kept: the next request tries again.
      made ??= createCluster(options).catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      const cluster = await made;
      if (request.headers.get('upgrade')?.toLowerCase() === 'websocket' && 'WebSocketPair' in globalThis) return upgrade(cluster, request);
      return cluster.fetch(request);
    },
  };
}

/**
 * Returns the class of a Durable Object that holds one cluster, in memory. In workerd a request cannot be woken by
 * another one, so a watch that waits for later writes needs an object, in which all requests of a cluster meet.
 *
 * ```ts
 * export const ClusterObject = clusterObject({ wasm, load: manifests });
 * export default { fetch: (request, env) => env.CLUSTER.get(env.CLUSTER.idFromName('demo')).fetch(request) };
 * ```
 */
export function clusterObject(options: ClusterOptions = {}): new () => EdgeHandler {
  return class ClusterObject implements EdgeHandler {
    readonly #handler = serve(options);

    fetch(request: Request): Promise<Response> {
      return this.#handler.fetch(request);
    }
  };
}

/** The two ends of a socket of workerd. */
interface EdgeSocket {
  accept(): void;
  send(message: string | Uint8Array): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'close' | 'error', listener: () => void): void;
}

async function upgrade(cluster: Cluster, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const left = new AbortController();
  // The runtime has no secret for the key, and checks it itself.
  const answer = await cluster.request({ target: pathname + search, headers: [...request.headers], signal: left.signal });
  const headers = new Headers(answer.headers);
  if (answer.status !== 101 || !answer.stream) return new Response(answer.stream ?? answer.body, { status: answer.status, headers });
  const { 0: theirs, 1: ours } = new (globalThis as unknown as { WebSocketPair: new () => Record<0 | 1, EdgeSocket> }).WebSocketPair();
  ours.accept();
  for (const type of ['close', 'error'] as const) ours.addEventListener(type, () => left.abort());
  void send(answer.stream as ReadableStream<Uint8Array>, ours, answer.messages === 'binary');
  const protocol = headers.get('sec-websocket-protocol');
  const given = { status: 101, webSocket: theirs, headers: protocol === null ? {} : { 'sec-websocket-protocol': protocol } };
  return new Response(null, given as ResponseInit);
}

async function send(events: ReadableStream<Uint8Array>, socket: EdgeSocket, binary: boolean): Promise<void> {
  const reader = events.getReader();
  const decoder = new TextDecoder();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) socket.send(binary ? part.value : decoder.decode(part.value));
    socket.close(1000);
  } catch {
    socket.close(1011); // the client has left, or the cluster is gone
  }
}
