// The other side of wasm/bindings.cc: one instance of the WebAssembly, its memory, and one cluster in it.
import type { LoadFault } from './load.js';
import type { CoreOptions } from './options.js';
import type { Peer } from './raw.js';

type Address = number;

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  tab_input(size: number): Address;
  tab_create(now: number): Address;
  tab_destroy(cluster: Address): void;
  tab_request(cluster: Address): number;
  tab_ready(cluster: Address): number;
  tab_take_answer(cluster: Address, id: number): Address;
  tab_stream_next(cluster: Address, id: number): Address;
  tab_stream_close(cluster: Address, id: number): void;
  tab_load(cluster: Address): Address;
  tab_mark_initial_state(cluster: Address): void;
  tab_advance(cluster: Address, now: number): void;
  tab_next_deadline(cluster: Address): number;
  tab_now(cluster: Address): number;
}

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
}

export interface CoreChunk {
  bytes: Uint8Array<ArrayBuffer>;
  ended: boolean;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One cluster of the core. Calls must not overlap, and each result is a copy. */
export class Core {
  private constructor(
    private readonly wasm: Exports,
    private readonly cluster: Address,
  ) {}

  static async create(module: WebAssembly.Module, options: CoreOptions): Promise<Core> {
    let wasm: Exports;
    const view = (address: Address, size: number) => new Uint8Array(wasm.memory.buffer, address, size);
    const instance = await WebAssembly.instantiate(module, {
      host: { random: (address: Address, size: number) => fillWithRandomness(view(address, size)) },
      env: { emscripten_notify_memory_growth() {} },
      wasi_snapshot_preview1: {
        proc_exit(code: number) {
          throw new Error(`tabernetes: the core stopped with ${code}; this is a bug`);
        },
        fd_write: () => kNotSupported,
        fd_read: () => kNotSupported,
        fd_seek: () => kNotSupported,
        fd_close: () => kNotSupported,
        environ_sizes_get: () => kNotSupported,
        environ_get: () => kNotSupported,
      },
    });
    wasm = instance.exports as unknown as Exports;
    wasm._initialize();
    sendRecord(wasm, optionsRecord(options));
    return new Core(wasm, wasm.tab_create(options.now));
  }

  destroy(): void {
    this.wasm.tab_destroy(this.cluster);
  }

  /** Hands a request in; the result is the id that `ready` gives once it is answered. */
  request(request: CoreRequest): number {
    const { method, target, headers, body, peer } = request;
    const record: Record = [method, target, peer.localAddress, peer.remoteAddress, headers.length];
    for (const [name, value] of headers) record.push(name.toLowerCase(), value);
    record.push(body);
    sendRecord(this.wasm, record);
    return this.wasm.tab_request(this.cluster);
  }

  /** The next request that is answered or stream that woke; 0 if there is none. To be drained after every call. */
  ready(): number {
    return this.wasm.tab_ready(this.cluster);
  }

  takeAnswer(id: number): CoreAnswer {
    const output = this.read(this.wasm.tab_take_answer(this.cluster, id));
    const status = output.word();
    const stream = output.word();
    const headers: [string, string][] = [];
    for (let left = output.word(); left > 0; left--) headers.push([output.text(), output.text()]);
    return { status, stream, headers, body: output.rope() };
  }

  streamNext(id: number): CoreChunk {
    const output = this.read(this.wasm.tab_stream_next(this.cluster, id));
    const ended = output.word() !== 0;
    return { ended, bytes: output.rope() };
  }

  streamClose(id: number): void {
    this.wasm.tab_stream_close(this.cluster, id);
  }

  load(manifest: string): LoadFault[] {
    const text = encoder.encode(manifest);
    const address = this.wasm.tab_input(text.length); // may grow the memory, which replaces its buffer
    new Uint8Array(this.wasm.memory.buffer, address, text.length).set(text);
    const output = this.read(this.wasm.tab_load(this.cluster));
    const faults: LoadFault[] = [];
    for (let left = output.word(); left > 0; left--) faults.push({ document: output.word(), message: output.text() });
    return faults;
  }

  markInitialState(): void {
    this.wasm.tab_mark_initial_state(this.cluster);
  }

  /** Times are milliseconds since 1970. */
  advance(now: number): void {
    this.wasm.tab_advance(this.cluster, now);
  }

  /** Infinite if there is none. */
  nextDeadline(): number {
    return this.wasm.tab_next_deadline(this.cluster);
  }

  now(): number {
    return this.wasm.tab_now(this.cluster);
  }

  private read(address: Address): OutputReader {
    return new OutputReader(this.wasm.memory.buffer as ArrayBuffer, address);
  }
}

/** What goes in: words and strings in the order in which bindings.cc reads them. */
type Record = (number | string | Uint8Array)[];

function optionsRecord(options: CoreOptions): Record {
  const record: Record = [];
  if (options.seed === undefined) record.push(0);
  else record.push(1, Number(options.seed & 0xffffffffn), Number(options.seed >> 32n));
  record.push(options.nodes, options.serverAddress, options.admin ? 1 : 0);
  record.push(options.controllers.length, ...options.controllers);
  const gates = Object.entries(options.featureGates);
  record.push(gates.length);
  for (const [name, on] of gates) record.push(name, on ? 1 : 0);
  return record;
}

function sendRecord(wasm: Exports, record: Record): void {
  const parts = record.map((part) => (typeof part === 'string' ? encoder.encode(part) : part));
  const size = parts.reduce<number>((sum, part) => sum + 4 + (typeof part === 'number' ? 0 : part.length), 0);
  let at = wasm.tab_input(size);
  const words = new DataView(wasm.memory.buffer);
  const bytes = new Uint8Array(wasm.memory.buffer);
  for (const part of parts) {
    words.setUint32(at, typeof part === 'number' ? part : part.length, true);
    at += 4;
    if (typeof part === 'number') continue;
    bytes.set(part, at);
    at += part.length;
  }
}

/** Reads the words that an export gave, and copies the bytes they point to. */
class OutputReader {
  private readonly words: DataView;
  private at: Address;

  constructor(
    private readonly memory: ArrayBuffer,
    address: Address,
  ) {
    this.words = new DataView(memory);
    this.at = address;
  }

  word(): number {
    const value = this.words.getUint32(this.at, true);
    this.at += 4;
    return value;
  }

  text(): string {
    return decoder.decode(this.view());
  }

  /** The slices of a body, copied together. */
  rope(): Uint8Array<ArrayBuffer> {
    const slices: Uint8Array[] = [];
    for (let left = this.word(); left > 0; left--) slices.push(this.view());
    const whole = new Uint8Array(slices.reduce((sum, slice) => sum + slice.length, 0));
    let at = 0;
    for (const slice of slices) {
      whole.set(slice, at);
      at += slice.length;
    }
    return whole;
  }

  private view(): Uint8Array {
    const address = this.word();
    return new Uint8Array(this.memory, address, this.word());
  }
}

const kNotSupported = 58; // WASI's errno: there are no files

/** crypto.getRandomValues gives at most 64 KiB at a time. */
function fillWithRandomness(bytes: Uint8Array<ArrayBuffer>): void {
  for (let at = 0; at < bytes.length; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
}
