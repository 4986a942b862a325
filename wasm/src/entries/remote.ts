// A cluster behind a MessagePort. Streams are pulled chunk by chunk, since not every browser can transfer a stream.
import type { Cluster } from '../cluster.js';
import { clusterFetch } from '../fetch.js';
import type { Identity } from '../identity.js';
import { applyObject, setObjectStatus, waitFor } from '../objects.js';
import type { SnapshotDocument } from '../options.js';
import type { RawRequest, RawResponse } from '../raw.js';
import { bodyStream } from '../stream.js';

/**
 * A cluster in another realm. `fetch`, `request`, `load`, `wait`, `apply`, `setStatus` and `as` are those of `Cluster`;
 * what a `Cluster` returns at once comes as a promise.
 *
 * ```ts
 * const cluster: RemoteCluster = await connect(new Worker('cluster.js', { type: 'module' }));
 * const copy = await cluster.fork();
 * ```
 */
export interface RemoteCluster extends Pick<Cluster, 'fetch' | 'request' | 'load' | 'wait' | 'apply' | 'setStatus' | 'corrupt' | 'stored'> {
  as(identity: Identity): RemoteCluster;
  fork(): Promise<RemoteCluster>;
  advance(milliseconds: number): Promise<void>;
  now(): Promise<Date>;
  snapshot(): Promise<Uint8Array<ArrayBuffer>>;
  restore(snapshot: SnapshotDocument): Promise<void>;
  compact(resourceVersion?: string): Promise<void>;
  reset(): Promise<void>;
  /** Ends the cluster for all who are connected. */
  dispose(): Promise<void>;
  /** Ends this connection and its watches. The cluster goes on. */
  disconnect(): void;
}

type Request = Pick<RawRequest, 'method' | 'target' | 'body' | 'user' | 'unlogged'> & { headers: [string, string][] };
type ToHost =
  | { id: number; type: 'request'; request: Request }
  | { id: number; type: 'call'; name: string; args: unknown[] }
  | { id: number; type: 'fork'; port: MessagePort }
  | { id: number; type: 'pull' }
  | { id: number; type: 'cancel' }
  | { id: 0; type: 'bye' };
type Fault = { name: string; message: string };
type ToClient =
  | { id: number; type: 'answer'; answer: Omit<RawResponse, 'stream'>; streams: boolean }
  | { id: number; type: 'value'; value: unknown }
  | { id: number; type: 'chunk'; chunk: Uint8Array<ArrayBuffer> | undefined }
  | { id: number; type: 'error'; error: Fault };

const kCalls = new Set(['load', 'corrupt', 'stored', 'advance', 'now', 'snapshot', 'restore', 'compact', 'reset', 'dispose']);

/** @internal Serves `cluster` to the other end of `port`. */
export function expose(cluster: Cluster, port: MessagePort): void {
  const host = new PortHost(cluster, port);
  port.onmessage = ({ data }: MessageEvent<ToHost>) => host.take(data);
}

class PortHost {
  readonly #leaving = new Map<number, AbortController>();
  readonly #readers = new Map<number, ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>>();

  constructor(
    private readonly cluster: Cluster,
    private readonly port: MessagePort,
  ) {}

  take(message: ToHost): void {
    if (message.type === 'bye') return this.#leave();
    if (message.type === 'cancel') return this.#cancel(message.id);
    this.#do(message).catch((error: unknown) => this.#send({ id: message.id, type: 'error', error: faultOf(error) }));
  }

  async #do(message: Exclude<ToHost, { type: 'bye' | 'cancel' }>): Promise<void> {
    const { id, type } = message;
    if (type === 'request') return this.#request(id, message.request);
    if (type === 'pull') return this.#pull(id);
    if (type === 'fork') {
      expose(this.cluster.fork(), message.port);
      return this.#send({ id, type: 'value', value: undefined });
    }
    if (!kCalls.has(message.name)) throw new TypeError(`tabernetes: no such call: ${message.name}`);
    const member = this.cluster[message.name as keyof Cluster] as unknown;
    const value: unknown = typeof member === 'function' ? await (member.apply(this.cluster, message.args) as unknown) : member;
    this.#send({ id, type: 'value', value });
  }

  async #request(id: number, request: Request): Promise<void> {
    const leaving = new AbortController();
    this.#leaving.set(id, leaving);
    try {
      const { stream, ...answer } = await this.cluster.request({ ...request, signal: leaving.signal });
      if (stream) this.#readers.set(id, stream.getReader() as ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>);
      else this.#leaving.delete(id);
      this.#send({ id, type: 'answer', answer, streams: stream !== undefined }, [answer.body.buffer]);
    } catch (error) {
      this.#leaving.delete(id);
      throw error;
    }
  }

  async #pull(id: number): Promise<void> {
    const { done, value } = (await this.#readers.get(id)?.read()) ?? { done: true, value: undefined };
    if (done) this.#forget(id);
    this.#send({ id, type: 'chunk', chunk: value }, value ? [value.buffer] : []);
  }

  #cancel(id: number): void {
    void this.#readers.get(id)?.cancel().catch(() => {});
    this.#leaving.get(id)?.abort();
    this.#forget(id);
  }

  #leave(): void {
    for (const id of [...this.#leaving.keys()]) this.#cancel(id);
    this.port.close();
  }

  #forget(id: number): void {
    this.#readers.delete(id);
    this.#leaving.delete(id);
  }

  #send(message: ToClient, transfer: Transferable[] = []): void {
    this.port.postMessage(message, transfer);
  }
}

function faultOf(error: unknown): Fault {
  const { name = 'Error', message = String(error) } = (error ?? {}) as Partial<Error>;
  return { name, message };
}

/** @internal Returns the cluster at the other end of `port`. */
export function remoteCluster(port: MessagePort): RemoteCluster {
  return new PortClient(port).cluster((request) => request);
}

class PortClient {
  #last = 0;
  readonly #waiting = new Map<number, (message: ToClient) => void>();

  constructor(private readonly port: MessagePort) {
    port.onmessage = ({ data }: MessageEvent<ToClient>) => {
      const take = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      take?.(data);
    };
  }

  cluster(as: (request: RawRequest) => RawRequest): RemoteCluster {
    const request = (raw: RawRequest) => this.#request(as(raw));
    const call = (name: string) => (...args: unknown[]) => this.#call(name, args) as Promise<any>;
    return {
      fetch: clusterFetch(request),
      request,
      as: (identity) => this.cluster((raw) => ({ user: identity, ...raw })),
      wait: (path, predicate = (value) => value !== undefined, options = {}) => waitFor(request, path, predicate, options),
      apply: (object, options = {}) => applyObject(request, object, options),
      setStatus: (object, status) => setObjectStatus(request, object, status),
      fork: () => this.#fork(),
      load: call('load'),
      corrupt: call('corrupt'),
      stored: call('stored'),
      advance: call('advance'),
      now: call('now'),
      snapshot: call('snapshot'),
      restore: call('restore'),
      compact: call('compact'),
      reset: call('reset'),
      dispose: call('dispose'),
      disconnect: () => this.#disconnect(),
    };
  }

  #disconnect(): void {
    this.port.postMessage({ id: 0, type: 'bye' } satisfies ToHost);
    const error = { name: 'Error', message: 'tabernetes: the connection to the cluster has been ended' };
    for (const [id, take] of this.#waiting) take({ id, type: 'error', error });
    this.#waiting.clear();
    this.port.close();
  }

  async #fork(): Promise<RemoteCluster> {
    const { port1, port2 } = new MessageChannel();
    await this.#ask({ id: ++this.#last, type: 'fork', port: port2 }, [port2]);
    return remoteCluster(port1);
  }

  async #call(name: string, args: unknown[]): Promise<unknown> {
    return ((await this.#ask({ id: ++this.#last, type: 'call', name, args })) as { value: unknown }).value;
  }

  async #request({ method, target, headers = [], body, user, unlogged, signal }: RawRequest): Promise<RawResponse> {
    (signal as AbortSignal | null | undefined)?.throwIfAborted();
    const id = ++this.#last;
    const pairs = Symbol.iterator in headers ? [...(headers as Iterable<[string, string]>)] : Object.entries(headers);
    const request: Request = { target, headers: pairs as [string, string][], ...(method ? { method } : {}), ...(body ? { body } : {}), ...(user ? { user } : {}), ...(unlogged ? { unlogged } : {}) };
    const asked = this.#ask({ id, type: 'request', request });
    const abort = () => {
      this.port.postMessage({ id, type: 'cancel' } satisfies ToHost);
      this.#waiting.get(id)?.({ id, type: 'error', error: { name: 'AbortError', message: 'aborted' } });
      this.#waiting.delete(id);
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const { answer, streams } = (await asked) as Extract<ToClient, { type: 'answer' }>;
      return streams ? { ...answer, stream: this.#stream(id, signal) } : answer;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  #stream(id: number, signal: AbortSignal | null | undefined): ReadableStream {
    let arrived: Uint8Array<ArrayBuffer>[] = [];
    let ended = false;
    let pulling = false;
    return bodyStream(
      {
        read: (woken) => {
          const events = arrived;
          arrived = [];
          if (events.length === 0 && !ended && !pulling) {
            pulling = true;
            const took = ({ chunk }: { chunk?: Uint8Array<ArrayBuffer> | undefined }) => {
              pulling = false;
              if (chunk) arrived.push(chunk);
              else ended = true;
              woken();
            };
            this.#ask({ id, type: 'pull' }).then((message) => took(message as { chunk: Uint8Array<ArrayBuffer> }), () => took({}));
          }
          return { events, ended: ended && events.length === 0, waits: true };
        },
        close: () => {
          if (!ended) this.port.postMessage({ id, type: 'cancel' } satisfies ToHost);
          this.#waiting.delete(id);
        },
      },
      signal ?? null,
    ).stream;
  }

  #ask(message: ToHost, transfer: Transferable[] = []): Promise<ToClient> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(message.id, (answer) => {
        if (answer.type !== 'error') return resolve(answer);
        reject(Object.assign(new Error(answer.error.message), { name: answer.error.name }));
      });
      this.port.postMessage(message, transfer);
    });
  }
}
