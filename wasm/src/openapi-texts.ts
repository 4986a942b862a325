// The texts of OpenAPI documents: a file of their own, loaded when the first such document is asked for.
import { readAddress } from './module.js';
import type { BinarySource } from './options.js';

// Written so that Vite, webpack, Rollup and Parcel see the file and take it along.
const packagedAddress = () => new URL('./openapi-texts.gz', import.meta.url);

/** Of a cluster and its forks, whose cores share what they are given. */
export class OpenApiTexts {
  #given: Promise<void> | undefined;
  /** Until a core has taken it: that of a fork may, if the cluster that asked goes meanwhile. */
  #content: Promise<Uint8Array<ArrayBuffer>> | undefined;

  /** `source`: the caller's, or the package's own file. */
  constructor(private readonly source: BinarySource | undefined) {}

  /**
   * Loads the texts and has `give` hand their bytes to the core, once for all who ask meanwhile; no bytes if they cannot
   * be had. `give` tells what is wrong with them.
   */
  load(give: (content: Uint8Array<ArrayBuffer>) => string): Promise<void> {
    return (this.#given ??= this.#load(give).finally(() => (this.#given = undefined)));
  }

  async #load(give: (content: Uint8Array<ArrayBuffer>) => string): Promise<void> {
    this.#content ??= this.#read();
    const problem = await this.#content.then(give, (error: unknown) => (give(new Uint8Array()), String(error)));
    this.#content = undefined; // the core has it
    if (problem !== '') console.warn(`tabernetes: OpenAPI documents have no descriptions: ${problem}`);
  }

  async #read(): Promise<Uint8Array<ArrayBuffer>> {
    const { source = packagedAddress() } = this;
    const bytes = await readSource(source);
    return isGzip(bytes) ? unpacked(bytes) : bytes; // a server may have unpacked them on the way
  }
}

async function readSource(source: BinarySource): Promise<Uint8Array<ArrayBuffer>> {
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength);
  if (typeof source === 'string') return readAddress(new URL(source, globalThis.location?.href));
  if (source instanceof URL) return readAddress(source);
  return new Uint8Array(await (await (source as Response | PromiseLike<Response>)).arrayBuffer());
}

const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b;

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
