// One cluster of the core, in an instance of the WebAssembly.
import { canCompress } from './compression.js';
import type { BoundCluster } from './glue.js';
import { type Bytes, Instance } from './instance.js';
import type { LoadFault } from './load.js';
import type { CoreOptions, WebhookService } from './options.js';
import type { Peer } from './raw.js';

export interface CoreRequest {
  /** By `writeHead`. */
  head: string;
  body: Bytes;
}

export interface CoreAnswer {
  status: number;
  headers: [string, string][];
  body: Uint8Array<ArrayBuffer>;
  /** The number of the stream that follows; 0 if none does. */
  stream: number;
  /** Whether messages of a WebSocket are bytes. */
  binary: boolean;
  /** The body is to be compressed; the headers say so. */
  gzip: boolean;
}

export interface CoreChunk {
  /** Each is one whole event. */
  events: Uint8Array<ArrayBuffer>[];
  ended: boolean;
  /** `ready` tells when there is more. */
  waits: boolean;
}

/** A call that the core wants to be made. */
export interface WebhookCall {
  id: number;
  url: string;
  caBundle: string;
  body: string;
  /** Its name is empty if the webhook is no service. */
  service: WebhookService;
}

/** Calls must not overlap, and each result is a copy. */
export class Core {
  /** Numbers that the core keeps up to date; empty if they have to be asked for again. */
  #state: Float64Array;
  /** Where what was read lies: the room that the core has for it; too small if it has to be asked for again. */
  #places: Uint32Array;

  private constructor(
    readonly instance: Instance,
    private readonly cluster: BoundCluster,
  ) {
    this.#state = cluster.state();
    this.#places = cluster.places();
  }

  static async create(module: WebAssembly.Module, options: CoreOptions): Promise<Core> {
    const instance = await Instance.create(module);
    const given = {
      ...options,
      seed: options.seed?.toString(),
      featureGates: Object.entries(options.featureGates),
      compression: canCompress,
    };
    return new Core(instance, new instance.core.Cluster(given));
  }

  destroy(): void {
    this.cluster.delete();
  }

  /** Another one, in the same instance. */
  fork(): Core {
    return new Core(this.instance, this.cluster.fork());
  }

  /**
   * Hands a request in; the result is the id that `ready` gives once it is answered. 0: it asks for an OpenAPI document,
   * and is to be handed in again after `giveOpenApiTexts`.
   */
  request({ head, body }: CoreRequest): number {
    const headSize = this.instance.write(head);
    return this.cluster.request(headSize, this.instance.write(body, headSize));
  }

  /** What is wrong with the texts of OpenAPI documents; empty if nothing is. No bytes: there are none. */
  giveOpenApiTexts(content: Bytes): string {
    const fault = this.cluster.giveOpenapiTexts(this.instance.write(content));
    this.instance.dropInput();
    return fault;
  }

  /**
   * The requests that are answered, streams that woke and webhooks that are to be called. To be asked for after every
   * call, until there are none.
   */
  takeReady(): ArrayLike<number> {
    const count = this.#stateAt(kReady);
    if (count === 0) return kNone;
    return count === 1 ? [this.cluster.nextReady()] : this.cluster.takeReady().slice();
  }

  takeAnswer(id: number): CoreAnswer {
    const { status, stream, finite, binary, gzip, places: count } = this.cluster.takeAnswer(id);
    const places = this.#placesOf(count);
    const headers = readHeaders(this.instance.textAt(places, 0));
    if (finite) return { status, stream: 0, binary, gzip, headers, body: this.#readToEnd(stream) };
    return { status, stream, binary, gzip, headers, body: this.instance.joinedBytes(places, 1, count) };
  }

  /** A long answer, which the core makes piece by piece: its memory holds no more than one at a time. */
  #readToEnd(stream: number): Uint8Array<ArrayBuffer> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    do {
      const count = this.cluster.readStream(stream);
      const piece = this.instance.joinedBytes(this.#placesOf(count), 0, count);
      pieces.push(piece);
      size += piece.length;
    } while (this.#stateAt(kGoesOn) !== kEnded);
    this.streamClose(stream);
    const body = new Uint8Array(size);
    let at = 0;
    for (const piece of pieces) {
      body.set(piece, at);
      at += piece.length;
    }
    return body;
  }

  streamNext(id: number): CoreChunk {
    const events: Uint8Array<ArrayBuffer>[] = [];
    const count = this.cluster.readStream(id);
    const places = this.#placesOf(count);
    // Each in an array of its own, so that a reader may keep or transfer one.
    for (let i = 0; i < count; i++) events.push(this.instance.bytesAt(places, i));
    const goesOn = this.#stateAt(kGoesOn);
    return { events, ended: goesOn === kEnded, waits: goesOn === kLater };
  }

  streamClose(id: number): void {
    this.cluster.closeStream(id);
  }

  /** The call that is to be made, if `id` is one's. */
  webhookCall(id: number): WebhookCall | undefined {
    return this.cluster.webhookCall(id) as WebhookCall | undefined;
  }

  /** `error` tells why there is no answer; empty if there is one. */
  answerWebhook(id: number, status: number, error: string, body: Bytes): void {
    this.cluster.answerWebhook(id, status, error, this.instance.write(body));
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

  /** What is wrong with the document; empty if nothing is. */
  restore(document: Bytes): string {
    const fault = this.cluster.restore(this.instance.write(document));
    this.instance.dropInput();
    return fault;
  }

  /** Why it cannot be; empty if it was done. */
  compact(resourceVersion: string): string {
    return this.cluster.compact(resourceVersion);
  }

  /** Times are milliseconds since 1970. */
  advance(now: number): void {
    this.cluster.advance(now);
  }

  /** Infinite if there is none. */
  nextDeadline(): number {
    return this.#stateAt(kDeadline);
  }

  now(): number {
    return this.#stateAt(kNow);
  }

  #placesOf(count: number): Uint32Array {
    if (this.#places.length < 2 * count) this.#places = this.cluster.places(); // larger, or the memory has grown
    return this.#places;
  }

  #stateAt(place: number): number {
    if (this.#state.length === 0) this.#state = this.cluster.state(); // the memory has grown
    return this.#state[place]!;
  }
}

const kNone: readonly number[] = [];

/** Places of the state. */
const kNow = 0;
const kDeadline = 1;
const kReady = 2;
const kGoesOn = 3;
/** How a stream goes on. */
const kEnded = 0;
const kLater = 1;

/** The head of a request as the core reads it: a line each. Throws where that cannot be. */
export function writeHead(method: string, target: string, peer: Peer | undefined, headers: Iterable<readonly [string, string]>): string {
  let head = line(method) + line(target) + line(peer?.localAddress ?? '') + line(peer?.remoteAddress ?? '');
  for (const [name, value] of headers) head += line(String(name).toLowerCase()) + line(String(value));
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
