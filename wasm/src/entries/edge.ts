/**
 * Clusters as the handler of an edge runtime: workerd and others that call `export default { fetch }`, Deno, Bun.
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
import { createCluster, startCluster, type Cluster } from '../index.js';
import type { ClusterOptions } from '../options.js';
import type { PlatformRequest, PlatformResponse } from '../platform.js';
import { hasSql, type ObjectStorage, openObjectStore } from '../stores/durable-object.js';
import { type AcceptSocket, kBunSockets, upgrade, upgradeRequested } from './edge-sockets.js';
import { ObjectAlarm } from './object-alarm.js';
import { ObjectSockets, type SleepingSocket, type SocketState } from './object-sockets.js';

/** The handler of an edge runtime. */
export interface EdgeHandler {
  fetch(request: PlatformRequest, ...others: unknown[]): Promise<PlatformResponse>;
  /** What Bun calls for WebSockets. */
  websocket?: object;
}

/**
 * How a request says which cluster it is for: by its host name, or by the first segment of its path, which the cluster
 * does not see (`/demo/api/v1/pods`), or as a function says. A name has letters, digits, `.`, `_` and `-`; a request
 * without one is answered 404.
 *
 * ```ts
 * const byUser: ClusterAddress = (request) => request.headers.get('x-user') ?? undefined;
 * ```
 */
export type ClusterAddress = 'host' | 'path' | ((request: PlatformRequest) => string | undefined);

/**
 * Options of `serve`.
 *
 * ```ts
 * const options: EdgeOptions = { clusters: 'path', load: manifests };
 * ```
 */
export interface EdgeOptions extends ClusterOptions {
  /** Gives each name a cluster of its own, which its first request makes. If left out, there is one cluster. */
  clusters?: ClusterAddress;
  /** The greatest number of clusters; requests for another one are answered 429. 10,000 if left out. */
  mostClusters?: number;
}

/**
 * Returns a handler whose clusters are made at their first requests and live as long as the isolate. Watches come over
 * HTTP and WebSocket. In workerd see `clusterObject`.
 *
 * ```ts
 * export default serve({ wasm, load: manifests, controllers: 'none' });
 * ```
 */
export function serve({ clusters: address, mostClusters = 10_000, ...options }: EdgeOptions = {}): EdgeHandler {
  let made: Promise<Cluster> | undefined;
  const first = () =>
    // A failure is not kept: the next request tries again.
    (made ??= createCluster(options).catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
  const named = new Map<string, Cluster>();

  return {
    async fetch(request: Request, ...others: unknown[]) {
      if (address === undefined) return answer(await first(), request, request.url, others);
      const place = placeOf(request, address);
      if (!place) return refusal(404, 'NotFound', 'the request names no cluster');
      let cluster = named.get(place.name);
      if (!cluster) {
        const template = await first();
        cluster = named.get(place.name);
        if (!cluster && named.size >= mostClusters) return refusal(429, 'TooManyRequests', `there are ${mostClusters} clusters already`);
        if (!cluster) named.set(place.name, (cluster = template.fork()));
      }
      return answer(cluster, request, place.url, others);
    },
    ...('Bun' in globalThis ? { websocket: kBunSockets } : {}),
  };
}

/** The class of a Durable Object. */
export type ClusterObjectClass = new (state?: any, environment?: any) => EdgeHandler;

/**
 * Returns the class of a Durable Object that holds one cluster. If the object has SQLite storage, the cluster is stored
 * there: nothing is answered before it is durable, and an object that starts again goes on, without `load` and `snapshot`.
 * It then sleeps while nothing happens, with its WebSockets open, and alarms wake it for what is due. In workerd a request
 * cannot be woken by another one, so a watch that waits for later writes needs an object, in which all requests of a
 * cluster meet.
 *
 * ```ts
 * export const ClusterObject = clusterObject({ wasm, load: manifests });
 * export default serveObjects('CLUSTER', 'host');
 * ```
 */
export function clusterObject(options: ClusterOptions = {}): ClusterObjectClass {
  // The objects of an isolate share the WebAssembly's memory. A promise of one object cannot be awaited in another one,
  // so what is shared is a cluster itself: in memory, each has a fork of it, and a fork is small; stored ones have its
  // instance.
  let shared: Cluster | undefined;
  const abandoned = 'FinalizationRegistry' in globalThis ? new FinalizationRegistry((cluster: Cluster) => cluster.dispose()) : undefined;

  async function make(storage: ObjectStorage | undefined, alarm: ObjectAlarm | undefined): Promise<Cluster> {
    if (storage && alarm) {
      const backend = openObjectStore(storage);
      const made = await startCluster({ ...options, backend }, { alarm: (ring) => alarm.ringing(ring), beside: shared });
      shared = made;
      return made;
    }
    if (!shared) {
      const made = await createCluster(options);
      if (shared) made.dispose();
      else shared = made;
    }
    return shared.fork();
  }

  return class ClusterObject implements EdgeHandler {
    readonly #storage: ObjectStorage | undefined;
    readonly #sockets: ObjectSockets | undefined;
    readonly #alarm: ObjectAlarm | undefined;
    #cluster: Cluster | undefined;
    #starting: Promise<Cluster> | undefined;

    constructor(state?: { storage?: ObjectStorage } & SocketState) {
      if (!state?.storage || !hasSql(state.storage)) return;
      this.#storage = state.storage;
      this.#sockets = new ObjectSockets(state);
      this.#alarm = new ObjectAlarm(state.storage);
    }

    async fetch(request: Request): Promise<Response> {
      const cluster = this.#cluster ?? (await this.#start());
      const sockets = this.#sockets;
      return answer(cluster, request, request.url, [], sockets && ((...socket) => sockets.accept(cluster, ...socket)));
    }

    async alarm(): Promise<void> {
      if (!this.#cluster) await this.#start();
      this.#alarm?.ring();
    }

    webSocketMessage(): void {} // a watch takes none

    webSocketClose(socket: SleepingSocket): void {
      this.#sockets?.leave(socket);
    }

    webSocketError(socket: SleepingSocket): void {
      this.#sockets?.leave(socket);
    }

    #start(): Promise<Cluster> {
      // A failure is not kept: the next request tries again.
      return (this.#starting ??= this.#make().finally(() => (this.#starting = undefined)));
    }

    async #make(): Promise<Cluster> {
      const cluster = await make(this.#storage, this.#alarm);
      abandoned?.register(this, cluster);
      this.#cluster = cluster;
      this.#sockets?.resume(cluster);
      return cluster;
    }
  };
}

/** What workerd gives a worker for a class of Durable Objects. */
interface ObjectNamespace {
  idFromName(name: string): unknown;
  get(id: never): { fetch(request: Request): Promise<Response> };
}

/**
 * Returns the handler of a worker that hands each request to the Durable Object of the cluster that it names. `binding`
 * is the name of the objects' binding in the worker's environment.
 *
 * ```ts
 * export default serveObjects('CLUSTER', 'path'); // https://worker.example/demo/api/v1/pods
 * ```
 */
export function serveObjects(binding: string, clusters: ClusterAddress): EdgeHandler {
  return {
    async fetch(request: Request, ...[environment]: unknown[]) {
      const place = placeOf(request, clusters);
      if (!place) return refusal(404, 'NotFound', 'the request names no cluster');
      const objects = (environment as Record<string, ObjectNamespace>)[binding];
      if (!objects) throw new Error(`tabernetes: the worker's environment has no ${binding}`);
      return objects.get(objects.idFromName(place.name) as never).fetch(new Request(place.url, request));
    },
  };
}

/** Returns the name of the cluster that a request is for, and the URL that the cluster sees. */
function placeOf(request: Request, address: ClusterAddress): { name: string; url: string } | undefined {
  const url = new URL(request.url);
  let name: string | undefined;
  if (address === 'path') {
    const segments = url.pathname.split('/');
    [name] = segments.splice(1, 1);
    url.pathname = segments.join('/');
  } else name = address === 'host' ? url.hostname : address(request);
  return name !== undefined && /^[\w.-]{1,253}$/.test(name) ? { name, url: url.href } : undefined;
}

async function answer(cluster: Cluster, request: Request, url: string, others: readonly unknown[], accept?: AcceptSocket): Promise<Response> {
  if (upgradeRequested(request)) return upgrade(cluster, request, url, others, accept);
  const { method, headers } = request;
  const body = request.body === null || method === 'GET' || method === 'HEAD' ? null : new Uint8Array(await request.arrayBuffer());
  // Deno and Bun cancel the body of an answer whose client has left. Deno aborts the signal of all others too, and Bun 1.3
  // ends the process if that breaks off a body.
  const signal = 'Deno' in globalThis || 'Bun' in globalThis ? null : request.signal;
  const response = (await cluster.fetch(url, { method, headers, body, signal })) as Response;
  return 'Bun' in globalThis ? answerInBun(request, response, others[0]) : response;
}

/**
 * Bun ends connections that are silent for ten seconds, as a watch may be, and keeps the headers until the first byte of
 * the body (oven-sh/bun#33660). A space before the first event tells a client that its watch has begun, and is no
 * part of any JSON value.
 */
function answerInBun(request: Request, response: Response, server: unknown): Response {
  (server as { timeout?(request: Request, seconds: number): void } | undefined)?.timeout?.(request, 0);
  const { pathname, searchParams } = new URL(request.url);
  const watches = searchParams.has('watch') || pathname.includes('/watch/');
  if (!watches || !response.body || !response.headers.get('content-type')?.startsWith('application/json')) return response;
  const events = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(' ')),
    async pull(controller) {
      const { done, value } = await events.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => events.cancel(reason),
  }, { highWaterMark: 0 });
  return new Response(body, { status: response.status, headers: response.headers });
}

/** Returns an answer that a client of Kubernetes understands. */
function refusal(code: number, reason: string, message: string): Response {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: `tabernetes: ${message}`, reason, code };
  return Response.json(status, { status: code });
}
