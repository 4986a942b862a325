// Finds and compiles the WebAssembly, in Node, browsers, workers and through bundlers.
import type { WasmSource } from './options.js';

let packaged: Promise<WebAssembly.Module> | undefined;
let compiled: WebAssembly.Module | undefined;

/** The compiled core: the caller's, or the package's own, which is compiled once in this realm. */
export async function compileCore(source: WasmSource | undefined): Promise<WebAssembly.Module> {
  if (source !== undefined) return (compiled = await compile(source));
  packaged ??= compilePackaged().catch((error: unknown) => {
    packaged = undefined; // the next createCluster may have more luck
    throw error;
  });
  return (compiled = await packaged);
}

/** The core that was compiled last; where files can be read at once (Node, Deno, Bun), the package's own will do. */
export function compiledCore(): WebAssembly.Module {
  compiled ??= compilePackagedNow();
  if (compiled) return compiled;
  throw new Error('tabernetes: the core is not loaded yet; `await ready()` or `await createCluster()` comes first');
}

async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string') return compileAddress(new URL(source, globalThis.location?.href));
  if (source instanceof URL) return compileAddress(source);
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source as BufferSource);
  return compileResponse(await (source as Response | PromiseLike<Response>));
}

// Written so that Vite, webpack, Rollup and Parcel see the file and take it along.
const packagedAddress = () => new URL('./tabernetes.wasm', import.meta.url);

async function compilePackaged(): Promise<WebAssembly.Module> {
  try {
    return await compileAddress(packagedAddress());
  } catch {
    // A bundler that does not know the line above (esbuild; a development server that moves packages) left the file
    // behind. The same bytes are in a module, which every bundler takes along and nobody else loads.
    const { compressed } = await import('./embedded.js');
    const bytes = Uint8Array.from(atob(compressed), (byte) => byte.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
  }
}

/** Not an import, so that no bundler follows it; and none of node:fs/promises, which takes Node longer than the file. */
function builtInFiles(): typeof import('node:fs') | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  return process?.getBuiltinModule?.('node:fs') as typeof import('node:fs') | undefined;
}

function compilePackagedNow(): WebAssembly.Module | undefined {
  const fs = builtInFiles();
  const address = packagedAddress();
  if (!fs || address.protocol !== 'file:' || !fs.existsSync(address)) return undefined;
  return new WebAssembly.Module(new Uint8Array(fs.readFileSync(address)));
}

async function compileAddress(address: URL): Promise<WebAssembly.Module> {
  if (address.protocol === 'file:') return WebAssembly.compile(await readFile(address));
  return compileResponse(await fetch(address));
}

async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw new Error(`tabernetes: ${response.url || 'the WebAssembly'} answered ${response.status}`);
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/wasm') && 'compileStreaming' in WebAssembly) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

async function readFile(address: URL): Promise<Uint8Array<ArrayBuffer>> {
  const files = builtInFiles();
  if (files) return new Uint8Array(files.readFileSync(address));
  // The name is a variable and the comments are there so that no bundler for browsers follows it.
  const name = 'node:fs/promises';
  const fs = (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as typeof import('node:fs/promises');
  return new Uint8Array(await fs.readFile(address));
}
