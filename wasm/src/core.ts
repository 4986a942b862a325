// One cluster of the core, in an instance of the WebAssembly.
import type { AuditLog } from './audit.js';
import type { Batch, Change, Outcome, Stored } from './backend.js';
import { canCompress } from './compression.js';
import type { BoundCluster } from './glue.js';
import type { Bytes, Instance } from './instance.js';
import type { LoadFault } from './load.js';
import type { CoreOptions, WebhookService } from './options.js';
import type { Peer } from './raw.js';
import { giveChanges } from './stored-changes.js';
import type { Chunk } from './stream.js';

export interface CoreRequest {
  /** Made by `writeHead`. */
  head: string;
  body: Bytes;
}

export interface CoreAnswer {
  status: number;
  headers: [string, string][];
  body: Uint8Array<ArrayBuffer>;
  /** The number of the stream that follows; 0 if none. */
  stream: number;
  /** With status 101: the type of WebSocket messages; `none` for another protocol. */
  messages: 'none' | 'text' | 'binary';
  /** True if the body must be compressed; the headers say so already. */
  gzip: boolean;
  /** True if there is no answer: the connection closes instead. */
  lost: boolean;
}

export interface CoreChunk extends Chunk {
  /** True if the stream's id becomes ready when there is more. */
  waits: boolean;
}

/** A webhook call that the host must make. */
export interface WebhookCall {
  id: number;
  url: string;
  caBundle: string;
  body: string;
  /** The name is empty if the webhook is not a service. */
  service: WebhookService;
  method: string;
  headers: [string, string][];
  /** As in `WebhookTls`, like the following. */
  certificate: string;
  key: string;
  serverName: string;
  insecure: boolean;
}

/** A request to an aggregated API server that the host must make. */
export interface ProxyCall {
  id: number;
  method: string;
  url: string;
  headers: [string, string][];
  /** Headers by which the connection is to become another protocol's; none: it is not. */
  upgrade: [string, string][];
  caBundle: string;
  /** Any certificate will do. */
  insecure: boolean;
  body: Uint8Array<ArrayBuffer>;
  service: WebhookService;
  /** Milliseconds for the whole answer; 0: no limit. */
  patience: number;
  /** The answer is wanted as a whole. */
  whole: boolean;
}

export interface ProxyAnswer {
  status: number;
  error: string;
  headers: [string, string][];
  body: Bytes;
  more: boolean;
}

/** A cluster of the core. Calls must not overlap. Results are copies. */
export class Core {
  /** A view of the numbers that the core keeps up to date; its length is 0 once the memory has grown. */
  #state: Float64Array;
  /** A view of the core's array of places; too small when it has to be fetched again. */
  #places: Uint32Array;

  private constructor(
    readonly instance: Instance,
    private readonly cluster: BoundCluster,
  ) {
    this.#state = cluster.state();
    this.#places = cluster.places();
  }

  /** `stored` is what a backend has of earlier runs; null if there is no backend. */
  static create(instance: Instance, options: CoreOptions, stored: Stored | undefined | null): Core {
    const given = {
      ...options,
      seed: options.seed?.toString(),
      compression: canCompress,
      backend: stored === null ? undefined : { stored: stored && factsOf(stored) },
    };
    if (stored) giveChanges(instance, stored.changes);
    return new Core(instance, new instance.core.Cluster(given));
  }

  destroy(): void {
    this.cluster.delete();
  }

  /** Returns an independent cluster in the same instance. */
  fork(): Core {
    return new Core(this.instance, this.cluster.fork());
  }

  /**
   * Hands a request in and returns its id, which `takeReady` returns once it is answered. Returns 0 if the request asks
   * for an OpenAPI document: then call `giveOpenApiTexts` and hand it in again.
   */
  request({ head, body }: CoreRequest): number {
    const headSize = this.instance.write(head);
    return this.cluster.request(headSize, this.instance.write(body, headSize));
  }

  /** Hands in the texts of OpenAPI documents; no bytes if there are none. Returns an error, empty for success. */
  giveOpenApiTexts(content: Bytes): string {
    const fault = this.cluster.giveOpenapiTexts(this.instance.write(content));
    this.instance.dropInput();
    return fault;
  }

  /**
   * Returns the ids of answered requests, woken streams, pending webhook calls and proposals. Call it after every other call,
   * until it returns none.
   */
  takeReady(): ArrayLike<number> {
    const count = this.#stateAt(kReady);
    if (count === 0) return kNone;
    return count === 1 ? [this.cluster.nextReady()] : this.cluster.takeReady().slice();
  }

  takeAnswer(id: number): CoreAnswer {
    const { status, stream, finite, messages, gzip, lost, places: count } = this.cluster.takeAnswer(id);
    const places = this.#placesOf(count);
    const headers = readHeaders(this.instance.textAt(places, 0));
    if (finite) return { status, stream: 0, messages, gzip, lost, headers, body: this.#readToEnd(stream) };
    return { status, stream, messages, gzip, lost, headers, body: this.instance.joinedBytes(places, 1, count) };
  }

  /** Reads a long answer, which the core encodes piece by piece: its memory holds one piece at a time. */
  #readToEnd(stream: number): Uint8Array<ArrayBuffer> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for (let goesOn: number | undefined; goesOn !== kEnded; ) {
      const count = this.cluster.readStreams(this.instance.writeNumbers([stream]));
      const places = this.#placesOf(count);
      const piece = this.instance.joinedBytes(places, 1, count);
      pieces.push(piece);
      size += piece.length;
      goesOn = places[1];
    }
    this.streamClose(stream);
    const body = new Uint8Array(size);
    let at = 0;
    for (const piece of pieces) {
      body.set(piece, at);
      at += piece.length;
    }
    return body;
  }

  /** Reads the next chunk of each of these streams. */
  readStreams(ids: readonly number[]): CoreChunk[] {
    const count = this.cluster.readStreams(this.instance.writeNumbers(ids));
    const places = this.#placesOf(count);
    const chunks: CoreChunk[] = [];
    for (let at = 0; at < count; ) {
      const events: Uint8Array<ArrayBuffer>[] = [];
      const [slices, goesOn] = [places[2 * at]!, places[2 * at + 1]!];
      const end = ++at + slices;
      // Each event is an array of its own, so that a reader can keep or transfer it.
      for (; at < end; at++) events.push(this.instance.bytesAt(places, at));
      chunks.push({ events, ended: goesOn === kEnded || goesOn === kBroken, broken: goesOn === kBroken, waits: goesOn === kLater });
    }
    return chunks;
  }

  /** Hands in what the client of a stream has sent. */
  streamReceive(id: number, message: Bytes): void {
    this.cluster.receive(id, this.instance.write(message));
  }

  streamClose(id: number): void {
    this.cluster.closeStream(id);
  }

  /** Returns the webhook call `id`, or undefined if `id` numbers something else. */
  webhookCall(id: number): WebhookCall | undefined {
    return this.cluster.webhookCall(id) as WebhookCall | undefined;
  }

  /** `error` says why there is no answer; empty if there is one. */
  answerWebhook(id: number, status: number, error: string, contentType: string, body: Bytes): void {
    this.cluster.answerWebhook(id, status, error, contentType, this.instance.write(body));
  }

  /** Returns the request to another server `id`, or undefined if `id` numbers something else. */
  proxyCall(id: number): ProxyCall | undefined {
    const call = this.cluster.proxyCall(id) as (Omit<ProxyCall, 'headers' | 'upgrade'> & { head: string; upgrade: string }) | undefined;
    return call && { ...call, headers: readHeaders(call.head), upgrade: readHeaders(call.upgrade), body: call.body.slice() };
  }

  /** `error` says why there is no answer; empty if there is one. With `more`, `continueProxyAnswer` follows. */
  answerProxy(id: number, { status, error, headers, body, more }: ProxyAnswer): void {
    const head = headers.map(([name, value]) => line(name) + line(value)).join('');
    this.cluster.answerProxy(id, status, error, head, this.instance.write(body), more);
  }

  continueProxyAnswer(id: number, bytes: Bytes, state: 'more' | 'ended' | 'broken'): void {
    this.cluster.continueProxyAnswer(id, this.instance.write(bytes), state);
  }

  /** Returns what is to be sent on the connection that was upgraded for the call `id`; undefined: nobody reads its answer any more. */
  proxiedInput(id: number): Uint8Array<ArrayBuffer> | undefined {
    return this.cluster.takeProxiedInput(id) ? this.instance.takeOutput() : undefined;
  }

  /** Replaces the tokens that callers may show. Returns an error, empty for success. */
  useTokenFile(text: string): string {
    return this.cluster.useTokenFile(this.instance.write(text));
  }

  /** Returns the batch `id`, or undefined if `id` numbers something else. */
  proposal(id: number): Batch | undefined {
    const facts = this.cluster.proposal(id);
    if (!facts) return undefined;
    const { changes: count, whole, revision, oldest, clock, random } = facts;
    const places = this.#placesOf(1 + 2 * count);
    const numbers = new BigUint64Array(this.instance.core.HEAPU8.buffer, places[0], kNumbers * count);
    const changes = Array.from({ length: count }, (_, i): Change => {
      const at = kNumbers * i;
      const change = { key: this.instance.textAt(places, 1 + 2 * i), revision: numbers[at]!, replaces: numbers[at + 1]!, time: BigInt.asIntN(64, numbers[at + 2]!) };
      return numbers[at + 3] === 0n ? change : { ...change, value: this.instance.bytesAt(places, 2 + 2 * i) };
    });
    const state = { revision: BigInt(revision), oldest: BigInt(oldest), clock: BigInt(clock) };
    return { whole, changes, ...state, ...(random === undefined ? {} : { random: BigInt(random) }) };
  }

  /** Gives the outcome of the batch `id`, if it has none yet. */
  finishProposal(id: number, outcome: Outcome): void {
    if (outcome.kind === 'conflict') giveChanges(this.instance, outcome.others);
    this.cluster.finishProposal(id, outcome.kind, outcome.kind === 'failed' ? outcome.fault : '');
  }

  load(manifest: string): LoadFault[] {
    const faults = this.cluster.load(this.instance.write(manifest)) as LoadFault[];
    this.instance.dropInput();
    return faults;
  }

  markInitialState(): void {
    this.cluster.markInitialState();
  }

  reset(): void {
    this.cluster.reset();
  }

  snapshot(): Uint8Array<ArrayBuffer> {
    this.cluster.snapshot();
    return this.instance.takeOutput();
  }

  /** Restores a snapshot. Returns an error, empty for success. */
  restore(document: Bytes): string {
    const fault = this.cluster.restore(this.instance.write(document));
    this.instance.dropInput();
    return fault;
  }

  /** Drops history. Returns an error, empty for success. */
  compact(resourceVersion: string): string {
    return this.cluster.compact(resourceVersion);
  }

  /** Times are milliseconds since 1970. */
  advance(now: number): void {
    this.cluster.advance(now);
  }

  /** The same after a long break of this realm: what came due meanwhile is done once, now. */
  wake(now: number): void {
    this.cluster.wake(now);
  }

  /** Logs requests from now on; undefined: not any more. Returns the policy's fault, empty for success, and a warning. */
  setAuditLog(log: AuditLog | undefined): { fault: string; warning: string } {
    if (log) return this.cluster.setAuditLog(this.instance.write(log.policy), log.format === 'legacy', log.mostBytes);
    this.cluster.endAuditLog();
    return { fault: '', warning: '' };
  }

  /** Returns the lines of the audit log since the last call. */
  takeAuditLines(): string[] {
    if (this.#stateAt(kAuditEvents) === 0) return [];
    this.cluster.takeAuditEvents();
    return this.instance.takeOutputText().split('\n').slice(0, -1);
  }

  /** Answers a request to /-/tabernetes/ without a host in between. */
  administer(method: string, call: string, body: Bytes): { status: number; body: string } {
    const status = this.cluster.administer(method, call, this.instance.write(body));
    this.instance.dropInput();
    return { status, body: new TextDecoder().decode(this.instance.takeOutput()) };
  }

  /** True while the time stands still because somebody said so. */
  paused(): boolean {
    return this.#stateAt(kPaused) === 1;
  }

  /** Returns the time of the next work; infinite if there is none. */
  nextDeadline(): number {
    return this.#stateAt(kDeadline);
  }

  now(): number {
    return this.#stateAt(kNow);
  }

  #placesOf(count: number): Uint32Array {
    if (this.#places.length < 2 * count) this.#places = this.cluster.places(); // too small, or memory has grown
    return this.#places;
  }

  #stateAt(place: number): number {
    if (this.#state.length === 0) this.#state = this.cluster.state(); // the memory has grown
    return this.#state[place]!;
  }
}

const kNone: readonly number[] = [];

/** How many numbers wasm/backend.cc gives of each change. */
const kNumbers = 4;

/** What the core is told of a backend's past, beside the changes. */
const factsOf = ({ revision, oldest, clock, random }: Stored) => ({ revision: String(revision), oldest: String(oldest), clock: String(clock), random: random?.toString() });

/** Indexes into the state. */
const kNow = 0;
const kDeadline = 1;
const kReady = 2;
const kPaused = 3;
const kAuditEvents = 4;
/** Values of StreamGoesOn in wasm/cluster.h. */
const kEnded = 0;
const kLater = 1;
const kBroken = 3;

/**
 * Returns the head of a request as the core reads it, one line each; `own` are lines of this host, not of the caller.
 * Throws a TypeError if a part contains a line break.
 */
export function writeHead(method: string, target: string, peer: Peer | undefined, headers: Iterable<readonly [string, string]>, own: readonly (readonly [string, string])[]): string {
  let head = line(method) + line(target) + line(peer?.localAddress ?? '') + line(peer?.remoteAddress ?? '');
  for (const [name, value] of headers) {
    const lower = String(name).toLowerCase();
    if (lower.startsWith(':')) throw new TypeError(`tabernetes: not the name of a header: ${lower}`);
    head += line(lower) + line(String(value));
  }
  for (const [name, value] of own) head += line(name) + line(value);
  return head;
}

function line(text: string): string {
  if (text.includes('\n')) throw new TypeError(`tabernetes: no request has a line break in its head: ${JSON.stringify(text)}`);
  return `${text}\n`;
}

function readHeaders(head: string): [string, string][] {
  const headers: [string, string][] = [];
  for (let at = 0; at < head.length; ) {
    const middle = head.indexOf('\n', at);
    const end = head.indexOf('\n', middle + 1);
    headers.push([head.slice(at, middle), head.slice(middle + 1, end)]);
    at = end + 1;
  }
  return headers;
}
