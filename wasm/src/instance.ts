// One instance of the WebAssembly, its memory, and the records that cross the border; the other side is
// wasm/border.h.
import type { CoreModules, LateModule } from './module.js';

export type Address = number;

export interface Exports {
  memory: WebAssembly.Memory;
  __indirect_function_table: WebAssembly.Table;
  _initialize(): void;
  tab_input(size: number): Address;
  tab_create(now: number): Address;
  tab_destroy(cluster: Address): void;
  tab_fork(cluster: Address): Address;
  tab_request(cluster: Address): number;
  tab_ready(cluster: Address): number;
  tab_take_answer(cluster: Address, id: number): Address;
  tab_stream_next(cluster: Address, id: number): Address;
  tab_stream_close(cluster: Address, id: number): void;
  tab_take_webhook_calls(cluster: Address): Address;
  tab_answer_webhook(cluster: Address): void;
  tab_load(cluster: Address): Address;
  tab_mark_initial_state(cluster: Address): void;
  tab_reset(cluster: Address): void;
  tab_snapshot(cluster: Address): Address;
  tab_release(): void;
  tab_restore(cluster: Address): Address;
  tab_compact(cluster: Address): Address;
  tab_advance(cluster: Address, now: number): void;
  tab_next_deadline(cluster: Address): number;
  tab_now(cluster: Address): number;
  tab_compare_resource_versions(): Address;
  tab_parse_selector(): Address;
  tab_match_values(): Address;
  tab_match_fields_of(): Address;
  tab_encode(): Address;
  tab_decode(): Address;
  tab_apply_patch(now: number): Address;
  tab_server_side_apply(now: number): Address;
  tab_field_owners(): Address;
  tab_check_cors_origin(): Address;
  tab_check_option(): Address;
  tab_cors_allows(): Address;
}

/** What goes in: words and strings, in the order in which the core reads them. */
export type InputRecord = (number | string | Uint8Array)[];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Instance {
  /** The clusters in it, by what ends them: a trap in one leaves none that could be trusted. */
  readonly clusters = new Set<(error: Error) => void>();

  #latest: Views;

  private constructor(
    readonly exports: Exports,
    private readonly extensions: Extensions,
  ) {
    this.#latest = viewsOf(exports.memory);
  }

  static async create({ core, extensions }: CoreModules): Promise<Instance> {
    const late = new Extensions(extensions);
    return Instance.#start(await WebAssembly.instantiate(core, imports(late)), late);
  }

  /** At once: allowed in Node, in workers, and for modules of this size on the main thread of a page. */
  static createNow({ core, extensions }: CoreModules): Instance {
    const late = new Extensions(extensions);
    return Instance.#start(new WebAssembly.Instance(core, imports(late)), late);
  }

  static #start(instance: WebAssembly.Instance, extensions: Extensions): Instance {
    const exports = (extensions.core = instance.exports as unknown as Exports);
    exports._initialize();
    return new Instance(exports, extensions);
  }

  /** Whether all of the core is here. Without its extensions it must not be given what needs them (extensions.ts). */
  get complete(): boolean {
    return this.extensions.there;
  }

  /** Brings the extensions, if they are not here yet. */
  extend(): Promise<void> {
    return this.extensions.load();
  }

  /** Puts a record where the next call reads it. */
  send(record: InputRecord): void {
    // The room that texts may need; the size of each stands before it.
    let most = 0;
    for (const part of record) most += 4 + (typeof part === 'number' ? 0 : typeof part === 'string' ? 3 * part.length : part.length);
    let at = this.exports.tab_input(most);
    const { words, bytes } = this.#views();
    for (const part of record) {
      if (typeof part === 'number') {
        words.setUint32(at, part, true);
        at += 4;
        continue;
      }
      const size = typeof part === 'string' ? writeText(bytes, at + 4, part) : (bytes.set(part, at + 4), part.length);
      words.setUint32(at, size, true);
      at += 4 + size;
    }
  }

  /** The same with bytes alone, without a length. They may be many. */
  sendBytes(bytes: Uint8Array | string): void {
    let address = this.exports.tab_input(bytes.length);
    const room = new Uint8Array(this.exports.memory.buffer, address, bytes.length);
    if (typeof bytes !== 'string') return room.set(bytes);
    const { read, written } = encoder.encodeInto(bytes, room); // all of it, if every character is a byte
    if (read === bytes.length) return;
    const rest = encoder.encode(bytes.slice(read));
    address = this.exports.tab_input(written + rest.length); // keeps what is there
    new Uint8Array(this.exports.memory.buffer, address + written, rest.length).set(rest);
  }

  /** Reads what a call gave. To be done before the next call. */
  read(address: Address): OutputReader {
    return new OutputReader(this.#views(), address);
  }

  /** To be asked for after each call, which may have grown the memory and so replaced its buffer. */
  #views(): Views {
    if (this.#latest.words.buffer !== this.exports.memory.buffer) this.#latest = viewsOf(this.exports.memory);
    return this.#latest;
  }
}

interface Views {
  words: DataView;
  bytes: Uint8Array<ArrayBuffer>;
}

function viewsOf(memory: WebAssembly.Memory): Views {
  return { words: new DataView(memory.buffer), bytes: new Uint8Array(memory.buffer as ArrayBuffer) };
}

/** Reads the words that an export gave, and copies the bytes they point to. */
export class OutputReader {
  readonly #words: DataView;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #at: Address;

  constructor({ words, bytes }: Views, address: Address) {
    this.#words = words;
    this.#bytes = bytes;
    this.#at = address;
  }

  word(): number {
    const value = this.#words.getUint32(this.#at, true);
    this.#at += 4;
    return value;
  }

  text(): string {
    const address = this.word();
    return readText(this.#bytes, address, address + this.word());
  }

  /** A text that stays bytes. */
  bytes(): Uint8Array<ArrayBuffer> {
    const address = this.word();
    return this.#bytes.slice(address, address + this.word());
  }

  /** The slices of a body, copied together. */
  rope(): Uint8Array<ArrayBuffer> {
    const count = this.word();
    const first = this.#at;
    let size = 0;
    for (let i = 0; i < count; i++) size += this.#words.getUint32(first + 8 * i + 4, true);
    const whole = new Uint8Array(size);
    let to = 0;
    for (let i = 0; i < count; i++) {
      const address = this.word();
      const end = address + this.word();
      whole.set(this.#bytes.subarray(address, end), to);
      to += end - address;
    }
    return whole;
  }

  /** The slices of a stream, each in an array of its own, so that a reader may keep or transfer one. */
  slices(): Uint8Array<ArrayBuffer>[] {
    const slices: Uint8Array<ArrayBuffer>[] = [];
    for (let left = this.word(); left > 0; left--) slices.push(this.bytes());
    return slices;
  }
}

/** Up to this size a loop is faster than the calls of a TextEncoder and TextDecoder. */
const kShort = 96;

/** Gives the size in bytes. */
function writeText(bytes: Uint8Array, at: Address, text: string): number {
  const { length } = text;
  if (length <= kShort) {
    let i = 0;
    for (; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) break;
      bytes[at + i] = code;
    }
    if (i === length) return length;
  }
  return encoder.encodeInto(text, bytes.subarray(at, at + 3 * length)).written;
}

function readText(bytes: Uint8Array, begin: Address, end: Address): string {
  if (end - begin <= kShort) {
    let text = '';
    let at = begin;
    for (; at < end && bytes[at]! < 128; at++) text += String.fromCharCode(bytes[at]!);
    if (at === end) return text;
  }
  return decoder.decode(bytes.subarray(begin, end));
}

/** The second module, which shares the memory and the table of the first (docs/architecture.md, "Two modules"). */
class Extensions {
  /** The exports of the first module, which come after its imports. */
  core!: Exports;
  #loading: Promise<void> | undefined;

  constructor(private module: LateModule | undefined) {}

  get there(): boolean {
    return this.module === undefined;
  }

  load(): Promise<void> {
    const { module } = this;
    if (!module) return Promise.resolve();
    this.#loading ??= module
      .load()
      .then((compiled) => this.module && WebAssembly.instantiate(compiled, this.#imports)) // at() may have been quicker
      .then(() => void (this.module = undefined))
      .finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  /** What stands at a place of the table that is the extensions'; loads them while everything waits. */
  at(place: number): (...values: unknown[]) => unknown {
    if (this.module) {
      console.warn(`tabernetes: the extensions of the core are loaded late, for ${place}`); // slow, not wrong
      new WebAssembly.Instance(this.module.loadNow(), this.#imports);
      this.module = undefined;
    }
    return this.core.__indirect_function_table.get(place) as (...values: unknown[]) => unknown;
  }

  get #imports(): WebAssembly.Imports {
    return { ...imports(this), core: this.core as unknown as WebAssembly.ModuleImports };
  }
}

function imports(extensions: Extensions): WebAssembly.Imports {
  return {
    host: {
      random: (address: Address, size: number) =>
        fillWithRandomness(new Uint8Array(extensions.core.memory.buffer as ArrayBuffer, address, size)),
    },
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
    // Until they are there, their places in the table lead here.
    extensions: new Proxy({}, { get: (_, place) => (...values: unknown[]) => extensions.at(Number(place))(...values) }),
  };
}

const kNotSupported = 58; // WASI's errno: there are no files

/** crypto.getRandomValues gives at most 64 KiB at a time. */
function fillWithRandomness(bytes: Uint8Array<ArrayBuffer>): void {
  for (let at = 0; at < bytes.length; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
}
