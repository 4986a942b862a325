// One cluster of the core, in an instance of the WebAssembly.
import { canCompress } from './compression.js';
import { optionsNeedExtensions } from './extensions.js';
import { type Address, type InputRecord, Instance, type OutputReader } from './instance.js';
import type { LoadFault } from './load.js';
import type { CoreModules } from './module.js';
import type { CoreOptions, WebhookService } from './options.js';
import type { Peer } from './raw.js';

export interface CoreRequest {
  method: string;
  target: string;
  headers: readonly (readonly [string, string])[];
  body: Uint8Array | string;
  peer: Peer;
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
  private constructor(
    readonly instance: Instance,
    private readonly cluster: Address,
  ) {}

  static async create(modules: CoreModules, options: CoreOptions): Promise<Core> {
    const instance = await Instance.create(modules);
    if (optionsNeedExtensions(options)) await instance.extend();
    instance.send(optionsRecord(options));
    return new Core(instance, instance.exports.tab_create(options.now));
  }

  destroy(): void {
    this.#exports.tab_destroy(this.cluster);
  }

  /** Another one, in the same instance. */
  fork(): Core {
    return new Core(this.instance, this.#exports.tab_fork(this.cluster));
  }

  /** Hands a request in; the result is the id that `ready` gives once it is answered. */
  request(request: CoreRequest): number {
    const { method, target, headers, body, peer } = request;
    const record: InputRecord = [method, target, peer.localAddress, peer.remoteAddress, headers.length];
    for (const [name, value] of headers) record.push(name.toLowerCase(), value);
    record.push(body);
    this.instance.send(record);
    return this.#exports.tab_request(this.cluster);
  }

  /** The next request that is answered or stream that woke; 0 if there is none. To be drained after every call. */
  ready(): number {
    return this.#exports.tab_ready(this.cluster);
  }

  takeAnswer(id: number): CoreAnswer {
    const output = this.#read(this.#exports.tab_take_answer(this.cluster, id));
    const status = output.word();
    const stream = output.word();
    const finite = output.word() !== 0;
    const binary = output.word() !== 0;
    const gzip = output.word() !== 0;
    const headers: [string, string][] = [];
    for (let left = output.word(); left > 0; left--) headers.push([output.text(), output.text()]);
    if (finite) return { status, stream: 0, binary, gzip, headers, body: this.#readToEnd(stream) };
    return { status, stream, binary, gzip, headers, body: output.rope() };
  }

  /** A long answer, which the core makes piece by piece: its memory holds no more than one at a time. */
  #readToEnd(stream: number): Uint8Array<ArrayBuffer> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for (let ended = false; !ended; ) {
      const output = this.#read(this.#exports.tab_stream_next(this.cluster, stream));
      ended = output.word() !== 0;
      const piece = output.rope();
      pieces.push(piece);
      size += piece.length;
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

  streamNext(id: number): CoreChunk {
    const output = this.#read(this.#exports.tab_stream_next(this.cluster, id));
    const ended = output.word() !== 0;
    return { ended, events: output.slices() };
  }

  streamClose(id: number): void {
    this.#exports.tab_stream_close(this.cluster, id);
  }

  /** Those that are to be made now. To be asked for after every call. */
  takeWebhookCalls(): WebhookCall[] {
    const output = this.#read(this.#exports.tab_take_webhook_calls(this.cluster));
    const calls: WebhookCall[] = [];
    for (let left = output.word(); left > 0; left--) {
      const call = { id: output.word(), url: output.text(), caBundle: output.text(), body: output.text() };
      calls.push({ ...call, service: { name: output.text(), address: output.text(), fault: output.text() } });
    }
    return calls;
  }

  /** `error` tells why there is no answer; empty if there is one. */
  answerWebhook(id: number, status: number, error: string, body: Uint8Array | string): void {
    this.instance.send([id, status, error, body]);
    this.#exports.tab_answer_webhook(this.cluster);
  }

  load(manifest: string): LoadFault[] {
    this.instance.sendBytes(manifest);
    const output = this.#read(this.#exports.tab_load(this.cluster));
    const faults: LoadFault[] = [];
    for (let left = output.word(); left > 0; left--) faults.push({ document: output.word(), message: output.text() });
    return faults;
  }

  markInitialState(): void {
    this.#exports.tab_mark_initial_state(this.cluster);
  }

  reset(): void {
    this.#exports.tab_reset(this.cluster);
  }

  snapshot(): Uint8Array<ArrayBuffer> {
    const document = this.#read(this.#exports.tab_snapshot(this.cluster)).bytes();
    this.#exports.tab_release();
    return document;
  }

  /** What is wrong with the document; empty if nothing is. */
  restore(document: Uint8Array | string): string {
    this.instance.sendBytes(document);
    return this.#read(this.#exports.tab_restore(this.cluster)).text();
  }

  /** Why it cannot be; empty if it was done. */
  compact(resourceVersion: string): string {
    this.instance.sendBytes(resourceVersion);
    return this.#read(this.#exports.tab_compact(this.cluster)).text();
  }

  /** Times are milliseconds since 1970. */
  advance(now: number): void {
    this.#exports.tab_advance(this.cluster, now);
  }

  /** Infinite if there is none. */
  nextDeadline(): number {
    return this.#exports.tab_next_deadline(this.cluster);
  }

  now(): number {
    return this.#exports.tab_now(this.cluster);
  }

  get #exports() {
    return this.instance.exports;
  }

  #read(address: Address): OutputReader {
    return this.instance.read(address);
  }
}

function optionsRecord(options: CoreOptions): InputRecord {
  const record: InputRecord = [];
  if (options.seed === undefined) record.push(0);
  else record.push(1, ...words(options.seed));
  record.push(options.nodes, options.serverAddress, options.admin ? 1 : 0, canCompress ? 1 : 0, options.allowPrivileged ? 1 : 0);
  record.push(...words(BigInt(options.watchHistory)), ...words(BigInt(options.firstVersion)));
  const origins = options.corsAllowedOrigins;
  if (origins === 'local') record.push(kLocalOrigins);
  else record.push(origins.length, ...origins);
  record.push(options.controllers.length, ...options.controllers);
  const gates = Object.entries(options.featureGates);
  record.push(gates.length);
  for (const [name, on] of gates) record.push(name, on ? 1 : 0);
  for (const names of [options.enableAdmissionPlugins, options.disableAdmissionPlugins]) record.push(names.length, ...names);
  record.push(options.tokenFile, options.serviceAccountKey);
  record.push(options.authorizationMode === 'RBAC' ? 1 : 0, options.anonymousAuth ? 1 : 0);
  return record;
}

/** In the place of a number of origins. */
const kLocalOrigins = 0xffffffff;

/** The two words of a long number. */
function words(value: bigint): [number, number] {
  return [Number(value & 0xffffffffn), Number(value >> 32n)];
}
