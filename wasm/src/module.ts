// Finds and compiles the WebAssembly, in Node, browsers, workers and through bundlers.
import type { WasmSource } from './options.js';

/** The compiled core. */
export interface CoreModules {
  core: WebAssembly.Module;
  /** The rest of it; none if `core` is all. */
  extensions: LateModule | undefined;
}

/** A module that is compiled when it is asked for, once. */
export class LateModule {
  #compiled: WebAssembly.Module | undefined;
  #compiling: Promise<WebAssembly.Module> | undefined;

  constructor(private readonly source: WasmSource) {}

  load(): Promise<WebAssembly.Module> {
    this.#compiling ??= compile(this.source).then(
      (compiled) => (this.#compiled = compiled),
      (error: unknown) => {
        this.#compiling = undefined; // the next time may have more luck
        throw error;
      },
    );
    return this.#compiling;
  }

  /** At once, while everything waits. */
  loadNow(): WebAssembly.Module {
    const { source } = this;
    if (source instanceof WebAssembly.Module) return source;
    return (this.#compiled ??= new WebAssembly.Module(bytesNow(source)));
  }
}

let packaged: Promise<CoreModules> | undefined;
let compiled: CoreModules | undefined;
let late: LateModule | undefined;
const packagedExtensions = () => (late ??= new LateModule(extensionsAddress()));

/** The compiled core: the caller's, or the package's own, which is compiled once in this realm. */
export async function compileCore(source: WasmSource | undefined, extensions: WasmSource | undefined): Promise<CoreModules> {
  if (source !== undefined) return (compiled = withExtensions(await compile(source), extensions));
  packaged ??= compilePackaged().catch((error: unknown) => {
    packaged = undefined; // the next createCluster may have more luck
    throw error;
  });
  return (compiled = await packaged);
}

/** The core that was compiled last; where files can be read at once (Node, Deno, Bun), the package's own will do. */
export function compiledCore(): CoreModules {
  compiled ??= compilePackagedNow();
  if (compiled) return compiled;
  throw new Error('tabernetes: the core is not loaded yet; `await ready()` or `await createCluster()` comes first');
}

function withExtensions(core: WebAssembly.Module, source: WasmSource | undefined): CoreModules {
  const apart = WebAssembly.Module.imports(core).some(({ module }) => module === 'extensions');
  return { core, extensions: apart ? (source === undefined ? packagedExtensions() : new LateModule(source)) : undefined };
}

async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string') return compileAddress(new URL(source, globalThis.location?.href));
  if (source instanceof URL) return compileAddress(source);
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source as BufferSource);
  return compileResponse(await (source as Response | PromiseLike<Response>));
}

// Written so that Vite, webpack, Rollup and Parcel see the files and take them along.
const wholeAddress = () => new URL('./tabernetes.wasm', import.meta.url);
const coreAddress = () => new URL('./core.wasm', import.meta.url);
const extensionsAddress = () => new URL('./extensions.wasm', import.meta.url);

/** The whole core where it is a file; over a network that part of it which everybody needs. */
async function compilePackaged(): Promise<CoreModules> {
  const whole = wholeAddress();
  try {
    return withExtensions(await compileAddress(whole.protocol === 'file:' ? whole : coreAddress()), undefined);
  } catch {
    // A bundler that does not know the lines above (esbuild; a development server that moves packages) left the files
    // behind. The same bytes are in a module, which every bundler takes along and nobody else loads.
    const { compressed } = await import('./embedded.js');
    const bytes = Uint8Array.from(atob(compressed), (byte) => byte.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return withExtensions(await WebAssembly.compile(await new Response(stream).arrayBuffer()), undefined);
  }
}

/** Not an import, so that no bundler follows it; and none of node:fs/promises, which takes Node longer than the file. */
function builtInFiles(): typeof import('node:fs') | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  return process?.getBuiltinModule?.('node:fs') as typeof import('node:fs') | undefined;
}

function compilePackagedNow(): CoreModules | undefined {
  const fs = builtInFiles();
  const address = wholeAddress();
  if (!fs || address.protocol !== 'file:' || !fs.existsSync(address)) return undefined;
  return withExtensions(new WebAssembly.Module(new Uint8Array(fs.readFileSync(address))), undefined);
}

/** The bytes behind an address, by the one call of browsers that waits for a network. */
function bytesNow(source: WasmSource): BufferSource {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source as BufferSource;
  if (typeof source !== 'string' && !(source instanceof URL)) throw new Error('tabernetes: the extensions of the core are not loaded yet');
  const fs = builtInFiles();
  const address = new URL(source, globalThis.location?.href);
  if (fs && address.protocol === 'file:') return new Uint8Array(fs.readFileSync(address));
  const request = new XMLHttpRequest();
  request.open('GET', address, false);
  request.overrideMimeType('text/plain; charset=x-user-defined'); // a byte a character
  request.send();
  if (request.status !== 200) throw notThere(address.href, request.status);
  return Uint8Array.from(request.responseText, (character) => character.charCodeAt(0));
}

async function compileAddress(address: URL): Promise<WebAssembly.Module> {
  if (address.protocol === 'file:') return WebAssembly.compile(await readFile(address));
  return compileResponse(await fetch(address));
}

async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw notThere(response.url, response.status);
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/wasm') && 'compileStreaming' in WebAssembly) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

function notThere(address: string, status: number): Error {
  return new Error(`tabernetes: ${address || 'the WebAssembly'} answered ${status}`);
}

async function readFile(address: URL): Promise<Uint8Array<ArrayBuffer>> {
  const files = builtInFiles();
  if (files) return new Uint8Array(files.readFileSync(address));
  // The name is a variable and the comments are there so that no bundler for browsers follows it.
  const name = 'node:fs/promises';
  const fs = (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as typeof import('node:fs/promises');
  return new Uint8Array(await fs.readFile(address));
}
