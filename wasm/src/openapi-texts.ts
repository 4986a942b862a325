// Loads the texts of OpenAPI documents: a separate file, read when the first such document is requested.
import { readAddress } from './module.js';
import type { BinarySource } from './options.js';

// Written in the form that Vite, webpack, Rollup and Parcel recognise, so that they copy the file.
const packagedAddress = () => new URL('./openapi-texts.gz', import.meta.url);

/** The texts for a cluster and its forks, whose cores share them. */
export class OpenApiTexts {
  #given: Promise<void> | undefined;
  /** Kept until a core has taken it. If the cluster that asked is disposed of meanwhile, a fork may take it. */
  #content: Promise<Uint8Array<ArrayBuffer>> | undefined;

  /** `source`: the caller's, or undefined for the package's own file. */
  constructor(private readonly source: BinarySource | undefined) {}

  /**
   * Loads the texts, once for all concurrent callers, and passes their bytes to `give`; no bytes if they cannot be
   * loaded. `give` returns an error, empty for success.
   */
  load(give: (content: Uint8Array<ArrayBuffer>) => string): Promise<void> {
    return (this.#given ??= this.#load(give).finally(() => (this.#given = undefined)));
  }

  async #load(give: (content: Uint8Array<ArrayBuffer>) => string): Promise<void> {
    this.#content ??= this.#read();
    const problem = await this.#content.then(give, (error: unknown) => (give(new Uint8Array()), String(error)));
    this.#content = undefined; // the core has it now
    if (problem !== '') console.warn(`tabernetes: OpenAPI documents have no descriptions: ${problem}`);
  }

  async #read(): Promise<Uint8Array<ArrayBuffer>> {
    const { source = packagedAddress() } = this;
    const bytes = await readSource(source);
    return isGzip(bytes) ? unpacked(bytes) : bytes; // a server may have decompressed them already
  }
}

async function readSource(source: BinarySource): Promise<Uint8Array<ArrayBuffer>> {
  const tag = Object.prototype.toString.call(source); // bytes may come from another realm
  if (tag === '[object ArrayBuffer]') return new Uint8Array(source as ArrayBuffer);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength);
  if (typeof source === 'string') return readAddress(new URL(source, globalThis.location?.href));
  if (tag === '[object URL]') return readAddress(source as URL);
  return new Uint8Array(await (await (source as Response | PromiseLike<Response>)).arrayBuffer());
}

const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b;

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
