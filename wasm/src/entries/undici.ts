/**
 * A dispatcher for clients that bring their own undici, such as `@kubernetes/client-node` 2, and for the `dispatcher` of
 * Node's fetch.
 *
 * ```ts
 * import { dispatcher } from 'tabernetes/undici';
 *
 * const response = await fetch('http://cluster/api/v1/namespaces', { dispatcher: dispatcher(cluster) });
 * ```
 *
 * @module tabernetes/undici
 */
import type { Cluster } from '../cluster.js';
import type { RawRequest } from '../raw.js';

/** What the dispatcher reads of undici's DispatchOptions. */
interface DispatchOptions {
  path: string;
  method?: string;
  query?: Record<string, unknown>;
  headers?: unknown;
  body?: unknown;
}

/** Callbacks of undici 5 to 7. */
interface OldHandler {
  onConnect?(abort: (reason?: Error) => void, context?: object): void;
  onHeaders?(status: number, headers: Uint8Array[], resume: () => void, text: string): boolean | void;
  onData?(chunk: Uint8Array): boolean | void;
  onComplete?(trailers: []): void;
  onError?(error: Error): void;
}

/** Callbacks of undici 7 and newer. */
interface NewHandler {
  onRequestStart?(controller: Controller, context: object): void;
  onResponseStart?(controller: Controller, status: number, headers: Record<string, string | string[]>, text: string): void;
  onResponseData?(controller: Controller, chunk: Uint8Array): void;
  onResponseEnd?(controller: Controller, trailers: object): void;
  onResponseError?(controller: Controller, error: Error): void;
}

/**
 * Returns a `Dispatcher` of undici, 6 to 8, that sends every request to `cluster`, whatever the origin. Watches stream,
 * with back pressure. WebSockets (`upgrade`) are refused: see `tabernetes/websocket`.
 *
 * ```ts
 * const kubeConfig = new KubeConfig();
 * kubeConfig.loadFromClusterAndUser({ name: 'test', server: 'http://cluster', skipTLSVerify: true }, { name: 'test' });
 * kubeConfig.createDispatcher = () => dispatcher(cluster);
 * ```
 */
export function dispatcher<Dispatcher = any>(cluster: Pick<Cluster, 'request'>): Dispatcher {
  return new ClusterDispatcher(cluster) as Dispatcher;
}

class ClusterDispatcher {
  closed = false;
  destroyed = false;

  constructor(private readonly cluster: Pick<Cluster, 'request'>) {}

  dispatch(options: DispatchOptions, handler: OldHandler & NewHandler): boolean {
    const exchange = new Exchange(handler);
    void exchange.run(this.cluster, options);
    return true;
  }

  /** Returns a dispatcher that sends through the interceptors, the last one first. */
  compose(...interceptors: (Interceptor | Interceptor[])[]): ClusterDispatcher {
    let dispatch: Dispatch = this.dispatch.bind(this);
    for (const wrap of interceptors.flat()) dispatch = wrap(dispatch);
    const composed = new ClusterDispatcher(this.cluster);
    composed.dispatch = dispatch as ClusterDispatcher['dispatch'];
    return composed;
  }

  // The cluster is the caller's, so there is nothing to close.
  close(done?: () => void): Promise<void> | void {
    this.closed = true;
    return done ? queueMicrotask(done) : Promise.resolve();
  }

  destroy(...given: unknown[]): Promise<void> | void {
    this.destroyed = true;
    return this.close(given.find((each) => typeof each === 'function') as (() => void) | undefined);
  }

  // A Dispatcher emits events of its connections; there are none.
  on(): this { return this; }
  once(): this { return this; }
  off(): this { return this; }
  addListener(): this { return this; }
  removeListener(): this { return this; }
  emit(): boolean { return false; }
}

type Dispatch = (options: DispatchOptions, handler: OldHandler & NewHandler) => boolean;
type Interceptor = (dispatch: Dispatch) => Dispatch;

/** What a handler of undici 7 and newer steers a response with. */
class Controller {
  readonly aborting = new AbortController();
  rawHeaders: Uint8Array[] | null = null;
  rawTrailers: Uint8Array[] | null = null;
  paused = false;
  resumed: (() => void) | undefined;

  get aborted(): boolean { return this.aborting.signal.aborted; }
  get reason(): unknown { return this.aborted ? (this.aborting.signal.reason as unknown) : null; }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.resumed?.();
  }

  abort(reason?: unknown): void {
    this.aborting.abort(reason ?? new DOMException('This operation was aborted', 'AbortError'));
    this.resume();
  }
}

/** One request and its answer, told to a handler. */
class Exchange {
  readonly #controller = new Controller();

  constructor(private readonly handler: OldHandler & NewHandler) {}

  async run(cluster: Pick<Cluster, 'request'>, options: DispatchOptions): Promise<void> {
    const { signal } = this.#controller.aborting;
    try {
      this.#start();
      const { status, headers, body, stream } = await cluster.request({ ...(await requestOf(options)), signal });
      this.#head(status, headers);
      if (stream) for await (const chunk of stream as AsyncIterable<Uint8Array>) await this.#data(chunk);
      else if (body.length > 0) await this.#data(body);
      signal.throwIfAborted();
      if (this.#isNew()) this.handler.onResponseEnd?.(this.#controller, {});
      else this.handler.onComplete?.([]);
    } catch (error) {
      if (this.#isNew()) this.handler.onResponseError?.(this.#controller, error as Error);
      else this.handler.onError?.(error as Error);
    }
  }

  #isNew(): boolean {
    return typeof this.handler.onRequestStart === 'function';
  }

  #start(): void {
    if (this.#isNew()) this.handler.onRequestStart!(this.#controller, {});
    else this.handler.onConnect?.((reason) => this.#controller.abort(reason), {});
  }

  #head(status: number, headers: readonly [string, string][]): void {
    const raw = headers.flat().map((text) => Buffer.from(text, 'latin1'));
    this.#controller.rawHeaders = raw;
    if (this.#isNew()) this.handler.onResponseStart?.(this.#controller, status, joined(headers), '');
    else if (this.handler.onHeaders?.(status, raw, () => this.#controller.resume(), '') === false) this.#controller.pause();
  }

  async #data(chunk: Uint8Array): Promise<void> {
    await this.#whilePaused();
    this.#controller.aborting.signal.throwIfAborted();
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.#isNew()) this.handler.onResponseData?.(this.#controller, bytes);
    else if (this.handler.onData?.(bytes) === false) this.#controller.pause();
  }

  async #whilePaused(): Promise<void> {
    while (this.#controller.paused) await new Promise<void>((resolve) => (this.#controller.resumed = resolve));
  }
}

async function requestOf({ path, method = 'GET', query, headers, body }: DispatchOptions): Promise<RawRequest> {
  const search = query ? String(new URLSearchParams(query as Record<string, string>)) : '';
  const target = search === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${search}`;
  const pairs = headerPairs(headers).filter(([name]) => name.toLowerCase() !== 'upgrade');
  return { method, target, headers: pairs, body: await wholeBody(body) };
}

/** Reads headers in every form that undici takes: a flat list, pairs, an object. */
function headerPairs(headers: unknown): [string, string][] {
  if (headers === undefined || headers === null) return [];
  if (Array.isArray(headers) && !Array.isArray(headers[0])) {
    return headers.flatMap((name: unknown, i) => (i % 2 === 0 ? values(name, headers[i + 1]) : []));
  }
  const pairs = Symbol.iterator in (headers as object) ? (headers as Iterable<[unknown, unknown]>) : Object.entries(headers);
  return [...pairs].flatMap(([name, value]) => values(name, value));
}

function values(name: unknown, value: unknown): [string, string][] {
  return [value].flat().filter((each) => each !== undefined && each !== null).map((each) => [String(name), String(each)]);
}

function joined(headers: readonly [string, string][]): Record<string, string | string[]> {
  const record: Record<string, string | string[]> = {};
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    record[lower] = lower in record ? [record[lower]!, value].flat() : value;
  }
  return record;
}

async function wholeBody(body: unknown): Promise<string | Uint8Array | null> {
  if (body === undefined || body === null) return null;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (Symbol.asyncIterator in (body as object)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body as AsyncIterable<Uint8Array | string>) chunks.push(Buffer.from(chunk as string));
    return Buffer.concat(chunks);
  }
  return new Uint8Array(await new Response(body as BodyInit).arrayBuffer());
}
