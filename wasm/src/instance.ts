// An instance of the WebAssembly with its memory, and the transfer of bytes into and out of it.
import createGlue, { type Glue } from './glue.js';

export type Bytes = Uint8Array | string;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Instance {
  /** True after a trap. */
  broken = false;

  /** Functions that end the clusters of this instance: after a trap in one, none can be trusted. */
  readonly clusters = new Set<(error: Error) => void>();

  /** A view of the core's input buffer; empty if it must be fetched again. */
  #input = kNoBytes;
  #inputSize = 0;

  private constructor(readonly core: Glue) {}

  /** Creates an instance of a module that may still be compiling. */
  static async create(compiling: WebAssembly.Module | Promise<WebAssembly.Module>): Promise<Instance> {
    const start = startGlue();
    touchCrypto(); // while the engine compiles
    return new Instance(start.with(await WebAssembly.instantiate(await compiling, start.imports)));
  }

  /**
   * Creates an instance synchronously. That is allowed in Node, in workers, and for modules of this size on a page's
   * main thread.
   */
  static createNow(module: WebAssembly.Module): Instance {
    const start = startGlue();
    return new Instance(start.with(new WebAssembly.Instance(module, start.imports)));
  }

  /** Writes input for the next call at offset `at` of the buffer. Returns the number of bytes. */
  write(bytes: Bytes, at = 0): number {
    if (typeof bytes === 'string') return this.#writeText(bytes, at);
    this.#room(at + bytes.length).set(bytes, at);
    return bytes.length;
  }

  /** Writes numbers of 32 bits as the input for the next call. Returns how many. */
  writeNumbers(numbers: readonly number[]): number {
    const room = this.#room(4 * numbers.length);
    new Uint32Array(room.buffer, room.byteOffset, numbers.length).set(numbers);
    return numbers.length;
  }

  /** Frees the input buffer if it is large. */
  dropInput(): void {
    if (this.#inputSize <= kKeptInput) return;
    this.core.dropInput();
    this.#input = kNoBytes;
    this.#inputSize = 0;
  }

  /** Returns the output of the last call. */
  takeOutput(): Uint8Array<ArrayBuffer> {
    const bytes = this.core.output().slice();
    if (bytes.length > kKeptInput) this.core.dropOutput();
    return bytes;
  }

  /** Returns the output of the last call as a text. */
  takeOutputText(): string {
    const view = this.core.output();
    const text = decoder.decode(view);
    if (view.length > kKeptInput) this.core.dropOutput();
    return text;
  }

  /** Returns the text at index `place` of `places`, which has an address and a size for each. */
  textAt(places: Uint32Array, place: number): string {
    const begin = places[2 * place]!;
    return decoder.decode(this.core.HEAPU8.subarray(begin, begin + places[2 * place + 1]!));
  }

  /** Returns the bytes at index `place`. */
  bytesAt(places: Uint32Array, place: number): Uint8Array<ArrayBuffer> {
    const begin = places[2 * place]!;
    return this.core.HEAPU8.slice(begin, begin + places[2 * place + 1]!);
  }

  /** Returns the bytes from index `first` up to `end`, joined. */
  joinedBytes(places: Uint32Array, first: number, end: number): Uint8Array<ArrayBuffer> {
    const heap = this.core.HEAPU8;
    let size = 0;
    for (let i = 2 * first + 1; i < 2 * end; i += 2) size += places[i]!;
    const whole = new Uint8Array(size);
    let to = 0;
    for (let i = 2 * first; i < 2 * end; i += 2) {
      const begin = places[i]!;
      const length = places[i + 1]!;
      if (length <= kFew) for (let at = 0; at < length; at++) whole[to + at] = heap[begin + at]!;
      else whole.set(heap.subarray(begin, begin + length), to);
      to += length;
    }
    return whole;
  }

  #writeText(text: string, at: number): number {
    const { length } = text;
    let room = this.#room(at + length); // enough if every character takes one byte
    if (length <= kShort) {
      let i = 0;
      for (; i < length; i++) {
        const code = text.charCodeAt(i);
        if (code > 127) break;
        room[at + i] = code;
      }
      if (i === length) return length;
    }
    const { read, written } = encoder.encodeInto(text, room.subarray(at));
    if (read === length) return written;
    const rest = encoder.encode(text.slice(read));
    room = this.#room(at + written + rest.length);
    room.set(rest, at + written);
    return written + rest.length;
  }

  /**
   * Returns a view of the input buffer, its content kept, with at least `size` bytes. Views are lost when the memory
   * grows.
   */
  #room(size: number): Uint8Array<ArrayBuffer> {
    if (this.#input.length >= size && this.#input.length > 0) return this.#input;
    this.#input = this.core.input(Math.max(size, kLeastInput));
    this.#inputSize = this.#input.length;
    return this.#input;
  }
}

const kNoBytes = new Uint8Array(0);
const kLeastInput = 1 << 14;
/** A larger buffer is freed after use. */
const kKeptInput = 1 << 20;
/** Up to this length a loop is faster than a TextEncoder. */
const kShort = 96;
/** Up to this size a loop is faster than a view. */
const kFew = 24;

/** Node.js loads its `crypto` when it is first used, which the core does. */
function touchCrypto(): void {
  try {
    globalThis.crypto?.getRandomValues(new Uint8Array(1));
  } catch {
    // Edge workers have no randomness outside of a request.
  }
}

/** Runs Emscripten's JavaScript up to the point where it needs the instance, which the caller makes. */
function startGlue(): { imports: WebAssembly.Imports; with(instance: WebAssembly.Instance): Glue } {
  let asked: { imports: WebAssembly.Imports; received: (instance: WebAssembly.Instance) => void };
  const glue = {
    instantiateWasm(imports: WebAssembly.Imports, received: (instance: WebAssembly.Instance) => void) {
      asked = { imports, received };
      return {};
    },
  };
  void createGlue(glue);
  const { imports, received } = asked!;
  return {
    imports,
    with(instance) {
      received(instance);
      return glue as unknown as Glue;
    },
  };
}
