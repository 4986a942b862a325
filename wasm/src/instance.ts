// One instance of the WebAssembly, its memory, and the records that cross the border; the other side is
// wasm/border.h.

export type Address = number;

export interface Exports {
  memory: WebAssembly.Memory;
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
}

/** What goes in: words and strings, in the order in which the core reads them. */
export type InputRecord = (number | string | Uint8Array)[];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Instance {
  /** The clusters in it, by what ends them: a trap in one leaves none that could be trusted. */
  readonly clusters = new Set<(error: Error) => void>();

  private constructor(readonly exports: Exports) {}

  static async create(module: WebAssembly.Module): Promise<Instance> {
    const memory: LateMemory = {};
    return Instance.#start(await WebAssembly.instantiate(module, imports(memory)), memory);
  }

  /** At once: allowed in Node, in workers, and for modules of this size on the main thread of a page. */
  static createNow(module: WebAssembly.Module): Instance {
    const memory: LateMemory = {};
    return Instance.#start(new WebAssembly.Instance(module, imports(memory)), memory);
  }

  static #start(instance: WebAssembly.Instance, memory: LateMemory): Instance {
    const exports = instance.exports as unknown as Exports;
    memory.is = exports.memory;
    exports._initialize();
    return new Instance(exports);
  }

  /** Puts a record where the next call reads it. */
  send(record: InputRecord): void {
    const parts = record.map((part) => (typeof part === 'string' ? encoder.encode(part) : part));
    const size = parts.reduce<number>((sum, part) => sum + 4 + (typeof part === 'number' ? 0 : part.length), 0);
    let at = this.exports.tab_input(size); // may grow the memory, which replaces its buffer
    const words = new DataView(this.exports.memory.buffer);
    const bytes = new Uint8Array(this.exports.memory.buffer);
    for (const part of parts) {
      words.setUint32(at, typeof part === 'number' ? part : part.length, true);
      at += 4;
      if (typeof part === 'number') continue;
      bytes.set(part, at);
      at += part.length;
    }
  }

  /** The same with bytes alone, without a length. */
  sendBytes(bytes: Uint8Array | string): void {
    const encoded = typeof bytes === 'string' ? encoder.encode(bytes) : bytes;
    const address = this.exports.tab_input(encoded.length);
    new Uint8Array(this.exports.memory.buffer, address, encoded.length).set(encoded);
  }

  /** Reads what a call gave. To be done before the next call. */
  read(address: Address): OutputReader {
    return new OutputReader(this.exports.memory.buffer as ArrayBuffer, address);
  }
}

/** Reads the words that an export gave, and copies the bytes they point to. */
export class OutputReader {
  readonly #words: DataView;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #at: Address;

  constructor(memory: ArrayBuffer, address: Address) {
    this.#words = new DataView(memory);
    this.#bytes = new Uint8Array(memory);
    this.#at = address;
  }

  word(): number {
    const value = this.#words.getUint32(this.#at, true);
    this.#at += 4;
    return value;
  }

  text(): string {
    const address = this.word();
    return decoder.decode(this.#bytes.subarray(address, address + this.word()));
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

/** What the imports work on is an export, which comes after them. */
interface LateMemory {
  is?: WebAssembly.Memory;
}

function imports(memory: LateMemory): WebAssembly.Imports {
  return {
    host: {
      random: (address: Address, size: number) =>
        fillWithRandomness(new Uint8Array(memory.is!.buffer as ArrayBuffer, address, size)),
    },
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
  };
}

const kNotSupported = 58; // WASI's errno: there are no files

/** crypto.getRandomValues gives at most 64 KiB at a time. */
function fillWithRandomness(bytes: Uint8Array<ArrayBuffer>): void {
  for (let at = 0; at < bytes.length; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
}
