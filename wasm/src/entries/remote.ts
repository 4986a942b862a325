// A cluster behind a line of messages: a MessagePort, or a BroadcastChannel with two ends. Streams are pulled chunk by chunk,
// since not every browser can transfer a stream.
import type { Cluster, FaultCount, Step } from '../cluster.js';
import { clusterFetch } from '../fetch.js';
import { checkIdentity, type Identity } from '../identity.js';
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
export interface RemoteCluster extends Pick<Cluster, 'fetch' | 'request' | 'load' | 'wait' | 'apply' | 'setStatus' | 'corrupt' | 'stored' | 'settle' | 'explain'> {
  as(identity: Identity): RemoteCluster;
  fork(): Promise<RemoteCluster>;
  advance(milliseconds: number): Promise<void>;
  now(): Promise<Date>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  step(): Promise<Step | undefined>;
  readonly behaviour: {
    set(rules: readonly object[] | string): Promise<string[]>;
    get(): Promise<object[]>;
    reset(): Promise<void>;
  };
  readonly containers: {
    set(rules: readonly object[] | string): Promise<void>;
    get(): Promise<object[]>;
    reset(): Promise<void>;
  };
  readonly faults: {
    set(rules: readonly object[] | string): Promise<void>;
    get(): Promise<object[]>;
    counts(): Promise<FaultCount[]>;
    reset(): Promise<void>;
  };
  snapshot(): Promise<Uint8Array<ArrayBuffer>>;
  restore(snapshot: SnapshotDocument): Promise<void>;
  compact(resourceVersion?: string): Promise<void>;
  reset(): Promise<void>;
  /** Ends the cluster for all who are connected. */
  dispose(): Promise<void>;
  /** Ends this connection and its watches. The cluster goes on. */
  disconnect(): void;
}

/** @internal One end of a line of messages. */
export interface Line {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer: Transferable[]): void;
  close(): void;
}

/** @internal The end of a line that is a BroadcastChannel of its own. */
export function channelLine(name: string): Line {
  const channel = new BroadcastChannel(name);
  const line: Line = { onmessage: null, postMessage: (message) => channel.postMessage(message), close: () => channel.close() };
  channel.onmessage = (event) => line.onmessage?.(event);
  return line;
}

type Exposed = Pick<Cluster, 'request'> & { fork(): Exposed | Promise<Exposed> };

type Request = Pick<RawRequest, 'method' | 'target' | 'body' | 'user' | 'unlogged'> & { headers: [string, string][] };
type ToHost =
  | { id: number; type: 'request'; request: Request }
  | { id: number; type: 'call'; name: string; args: unknown[] }
  | { id: number; type: 'fork'; port: MessagePort | string }
  | { id: number; type: 'pull' }
  | { id: number; type: 'send'; message: string | Uint8Array }
  | { id: number; type: 'cancel' }
  | { id: 0; type: 'bye' };
type Fault = { name: string; message: string };
type ToClient =
  | { id: number; type: 'taken' }
  | { id: number; type: 'answer'; answer: Omit<RawResponse, 'stream' | 'send'>; streams: boolean }
  | { id: number; type: 'value'; value: unknown }
  | { id: number; type: 'chunk'; chunk: Uint8Array<ArrayBuffer> | undefined }
  | { id: number; type: 'error'; error: Fault };

const kCalls = new Set(['load', 'explain', 'corrupt', 'stored', 'advance', 'now', 'pause', 'resume', 'step', 'settle', 'behaviour.set', 'behaviour.get', 'behaviour.reset', 'containers.set', 'containers.get', 'containers.reset', 'faults.set', 'faults.get', 'faults.counts', 'faults.reset', 'snapshot', 'restore', 'compact', 'reset', 'dispose']);

/**
 * @internal Serves `cluster` to the other end of `line`. Returns a function that ends that. `tells`: the other end wants to
 * know what has arrived, because this one may go without a word.
 */
export function expose(cluster: Exposed, line: Line, tells = false): () => void {
  const host = new PortHost(cluster, line, tells);
  line.onmessage = ({ data }: MessageEvent<ToHost>) => host.take(data);
  return () => host.leave();
}

class PortHost {
  readonly #leaving = new Map<number, AbortController>();
  readonly #readers = new Map<number, ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>>();
  readonly #senders = new Map<number, NonNullable<RawResponse['send']>>();
  #left = false;

  constructor(
    private readonly cluster: Exposed,
    private readonly port: Line,
    private readonly tells: boolean,
  ) {}

  take(message: ToHost): void {
    if (message.type === 'bye') return this.leave();
    if (message.type === 'cancel') return this.#cancel(message.id);
    if (message.type === 'send') return this.#senders.get(message.id)?.(message.message);
    if (this.tells && message.type !== 'pull') this.#send({ id: message.id, type: 'taken' });
    this.#do(message).catch((error: unknown) => this.#send({ id: message.id, type: 'error', error: faultOf(error) }));
  }

  async #do(message: Exclude<ToHost, { type: 'bye' | 'cancel' | 'send' }>): Promise<void> {
    const { id, type } = message;
    if (type === 'request') return this.#request(id, message.request);
    if (type === 'pull') return this.#pull(id);
    if (type === 'fork') {
      expose(await this.cluster.fork(), typeof message.port === 'string' ? channelLine(message.port) : message.port);
      return this.#send({ id, type: 'value', value: undefined });
    }
    this.#send({ id, type: 'value', value: await callMember(this.cluster, message.name, message.args) });
  }

  async #request(id: number, request: Request): Promise<void> {
    const leaving = new AbortController();
    this.#leaving.set(id, leaving);
    try {
      const { stream, send, ...answer } = await this.cluster.request({ ...request, signal: leaving.signal });
      if (stream) this.#readers.set(id, stream.getReader() as ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>);
      else this.#leaving.delete(id);
      if (send) this.#senders.set(id, send);
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

  leave(): void {
    for (const id of [...this.#leaving.keys()]) this.#cancel(id);
    this.#left = true;
    this.port.close();
  }

  #forget(id: number): void {
    this.#readers.delete(id);
    this.#senders.delete(id);
    this.#leaving.delete(id);
  }

  // A channel that is closed throws, and nobody is there to hear of what ends later.
  #send(message: ToClient, transfer: Transferable[] = []): void {
    if (!this.#left) this.port.postMessage(message, transfer);
  }
}

function faultOf(error: unknown): Fault {
  const { name = 'Error', message = String(error) } = (error ?? {}) as Partial<Error>;
  return { name, message };
}

/** @internal Returns what a call by name gives. */
export async function callMember(cluster: Exposed, name: string, args: readonly unknown[]): Promise<unknown> {
  if (!kCalls.has(name)) throw new TypeError(`tabernetes: no such call: ${name}`);
  const [first, part] = name.split('.') as [string, string?];
  const own = (cluster as unknown as Record<string, unknown>)[first];
  const member = part === undefined ? own : (own as Record<string, unknown>)[part];
  return typeof member === 'function' ? (member.apply(cluster, args) as unknown) : member;
}

/** @internal Returns the cluster at the other end of `line`. */
export function remoteCluster(line: Line): RemoteCluster {
  return remoteOf(new PortClient(line));
}

/** @internal What a RemoteCluster is made of. */
export interface Remote {
  request(request: RawRequest): Promise<RawResponse>;
  call(name: string, args: unknown[]): Promise<unknown>;
  fork(): Promise<RemoteCluster>;
  disconnect(): void;
}

/** @internal */
export function remoteOf(remote: Remote, as: (request: RawRequest) => RawRequest = (request) => request): RemoteCluster {
  const request = (raw: RawRequest) => remote.request(as(raw));
  const call = (name: string) => (...args: unknown[]) => remote.call(name, args) as Promise<any>;
  return {
    fetch: clusterFetch(request),
    request,
    as: (identity) => {
      checkIdentity(identity);
      return remoteOf(remote, (raw) => ({ user: identity, ...raw }));
    },
    wait: (path, predicate = (value) => value !== undefined, options = {}) => waitFor(request, path, predicate, options),
    apply: (object, options = {}) => applyObject(request, object, options),
    setStatus: (object, status) => setObjectStatus(request, object, status),
    fork: () => remote.fork(),
    load: call('load'),
    corrupt: call('corrupt'),
    explain: call('explain'),
    stored: call('stored'),
    advance: call('advance'),
    pause: call('pause'),
    resume: call('resume'),
    step: call('step'),
    settle: call('settle'),
    behaviour: { set: call('behaviour.set'), get: call('behaviour.get'), reset: call('behaviour.reset') },
    containers: { set: call('containers.set'), get: call('containers.get'), reset: call('containers.reset') },
    faults: { set: call('faults.set'), get: call('faults.get'), counts: call('faults.counts'), reset: call('faults.reset') },
    now: call('now'),
    snapshot: call('snapshot'),
    restore: call('restore'),
    compact: call('compact'),
    reset: call('reset'),
    dispose: call('dispose'),
    disconnect: () => remote.disconnect(),
  };
}

/** @internal The other end has gone. `done`: it may have done what was asked. */
export class LineLost extends TypeError {
  constructor(readonly done: boolean) {
    super('tabernetes: who held the cluster has gone, and nobody knows whether this was done');
  }
}

/** @internal The client's end of a line. */
export class PortClient implements Remote {
  #last = 0;
  readonly #waiting = new Map<number, (message: ToClient | LineLost) => void>();
  readonly #taken = new Set<number>();
  #lost = false;

  constructor(private readonly port: Line) {
    port.onmessage = ({ data }: MessageEvent<ToClient>) => {
      if (data.type === 'taken') return void this.#taken.add(data.id);
      this.#taken.delete(data.id);
      const take = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      take?.(data);
    };
  }

  /** Ends all that waits: the other end has gone. */
  lose(): void {
    for (const [id, take] of this.#waiting) take(new LineLost(this.#taken.has(id)));
    this.#waiting.clear();
    this.#lost = true;
    this.port.close();
  }

  disconnect(): void {
    this.#post({ id: 0, type: 'bye' });
    const error = { name: 'Error', message: 'tabernetes: the connection to the cluster has been ended' };
    for (const [id, take] of this.#waiting) take({ id, type: 'error', error });
    this.#waiting.clear();
    this.#lost = true;
    this.port.close();
  }

  async fork(): Promise<RemoteCluster> {
    if (!(this.port instanceof MessagePort)) {
      const channel = `tabernetes fork ${crypto.randomUUID()}`;
      const line = channelLine(channel);
      await this.#ask({ id: ++this.#last, type: 'fork', port: channel });
      return remoteCluster(line);
    }
    const { port1, port2 } = new MessageChannel();
    await this.#ask({ id: ++this.#last, type: 'fork', port: port2 }, [port2]);
    return remoteCluster(port1);
  }

  async call(name: string, args: unknown[]): Promise<unknown> {
    return ((await this.#ask({ id: ++this.#last, type: 'call', name, args })) as { value: unknown }).value;
  }

  async request({ method, target, headers = [], body, user, unlogged, signal }: RawRequest): Promise<RawResponse> {
    (signal as AbortSignal | null | undefined)?.throwIfAborted();
    const id = ++this.#last;
    const pairs = Symbol.iterator in headers ? [...(headers as Iterable<[string, string]>)] : Object.entries(headers);
    const request: Request = { target, headers: pairs as [string, string][], ...(method ? { method } : {}), ...(body ? { body } : {}), ...(user ? { user } : {}), ...(unlogged ? { unlogged } : {}) };
    const asked = this.#ask({ id, type: 'request', request });
    const abort = () => {
      this.#post({ id, type: 'cancel' });
      this.#waiting.get(id)?.({ id, type: 'error', error: { name: 'AbortError', message: 'aborted' } });
      this.#waiting.delete(id);
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const { answer, streams } = (await asked) as Extract<ToClient, { type: 'answer' }>;
      if (!streams) return answer;
      const send = (message: string | Uint8Array) => this.#post({ id, type: 'send', message });
      return { ...answer, stream: this.#stream(id, signal), ...(answer.status === 101 ? { send } : {}) };
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  #stream(id: number, signal: AbortSignal | null | undefined): ReadableStream {
    let ended = false;
    const took = ({ chunk }: { chunk?: Uint8Array<ArrayBuffer> | undefined }) => {
      ended = !chunk;
      body.give({ events: chunk ? [chunk] : [], ended, broken: false });
    };
    const body = bodyStream(
      {
        ask: () => void this.#ask({ id, type: 'pull' }).then((message) => took(message as { chunk: Uint8Array<ArrayBuffer> }), () => took({})),
        close: () => {
          if (!ended) this.#post({ id, type: 'cancel' });
          this.#waiting.delete(id);
        },
      },
      signal ?? null,
    );
    return body.stream;
  }

  #ask(message: ToHost, transfer: Transferable[] = []): Promise<ToClient> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(message.id, (answer) => {
        if (answer instanceof LineLost) return reject(answer);
        if (answer.type !== 'error') return resolve(answer);
        reject(Object.assign(new Error(answer.error.message), { name: answer.error.name }));
      });
      if (this.#lost) reject(new LineLost(false));
      else this.#post(message, transfer);
    });
  }

  #post(message: ToHost, transfer: Transferable[] = []): void {
    if (!this.#lost) this.port.postMessage(message, transfer);
  }
}
