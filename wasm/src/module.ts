// Finds and compiles the WebAssembly, in Node, browsers, workers and through bundlers.
/// <reference path="./embedded-package.d.ts" />
import type { WasmSource } from './options.js';

let packaged: Promise<WebAssembly.Module> | undefined;
let compiled: WebAssembly.Module | undefined;

/** Returns the compiled core: the caller's, or the package's own, which is compiled once in this realm. */
export async function compileCore(source: WasmSource | undefined): Promise<WebAssembly.Module> {
  if (source !== undefined) return (compiled = await compile(source));
  packaged ??= compilePackaged().catch((error: unknown) => {
    packaged = undefined; // lets the next createCluster try again
    throw error;
  });
  return (compiled = await packaged);
}

/**
 * Returns the core that was compiled last. Where files can be read synchronously (Node, Deno, Bun), compiles the
 * package's own. Throws an Error if there is none.
 */
export function compiledCore(): WebAssembly.Module {
  compiled ??= compilePackagedNow();
  if (compiled) return compiled;
  throw new Error('tabernetes: the core is not loaded yet; `await ready()` or `await createCluster()` comes first');
}

// Test runners with a realm of their own (Jest, happy-dom) hand in objects of other realms, so `instanceof` does not do.
async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  const tag = Object.prototype.toString.call(source);
  if (tag === '[object WebAssembly.Module]') return source as WebAssembly.Module;
  if (typeof source === 'string') return compileAddress(new URL(source, globalThis.location?.href));
  if (tag === '[object URL]') return compileAddress(source as URL);
  if (tag === '[object ArrayBuffer]' || ArrayBuffer.isView(source)) return WebAssembly.compile(source as BufferSource);
  return compileResponse(await (source as Response | PromiseLike<Response>));
}

// Written in the form that Vite, webpack, Rollup and Parcel recognise, so that they copy the file.
const packagedAddress = () => new URL('./tabernetes.wasm', import.meta.url);

/**
 * Yields the places where the file may be: beside this code, or elsewhere. Vite's development server moves this code to
 * node_modules/.vite/deps and leaves the file in the package; esbuild, bundling for Node, leaves it too. Each place is a
 * function, which throws an Error where it makes no sense, and is computed only if it is needed.
 */
function* addresses(): Generator<() => URL> {
  yield packagedAddress;
  const moved = '../../tabernetes/dist/tabernetes.wasm'; // a variable, so that bundlers do not resolve it
  const here = import.meta.url as string | undefined; // undefined in CommonJS
  if (here !== undefined && here.includes('/node_modules/.vite/')) yield () => new URL(moved, here);
  const installed = installedAddress(here);
  if (installed) yield () => installed;
}

/** Returns the package's file as Node resolves it from here or from the working directory, or undefined. */
function installedAddress(here: string | undefined): URL | undefined {
  const modules = builtIn<typeof import('node:module')>('node:module');
  const urls = builtIn<typeof import('node:url')>('node:url');
  if (!modules || !urls) return undefined;
  try {
    const from = here?.startsWith('file:') ? here : urls.pathToFileURL('index.js');
    return urls.pathToFileURL(modules.createRequire(from).resolve('tabernetes/tabernetes.wasm'));
  } catch {
    return undefined; // not installed here
  }
}

async function compilePackaged(): Promise<WebAssembly.Module> {
  let fault: unknown;
  for (const address of addresses()) {
    try {
      return await compileAddress(address());
    } catch (error) {
      fault ??= error;
    }
  }
  return compileEmbedded(fault);
}

/**
 * Compiles the copy in the package tabernetes-embedded, which a bundler that copies no files (esbuild) includes if it
 * is installed. Otherwise throws an Error with `fault` as its cause and the remedies.
 */
async function compileEmbedded(fault: unknown): Promise<WebAssembly.Module> {
  let text: string;
  try {
    ({ compressed: text } = await import(/* webpackIgnore: true */ 'tabernetes-embedded'));
  } catch {
    const remedies = 'copy it there, pass it as createCluster({ wasm }), or install tabernetes-embedded';
    throw new Error(`tabernetes: tabernetes.wasm is not beside this code: ${remedies}`, { cause: fault });
  }
  const bytes = Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

/**
 * Returns a built-in module of Node, or undefined. Not an import, so that no bundler follows it; importing
 * node:fs/promises would also take Node longer than reading the file.
 */
function builtIn<Module>(name: string): Module | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  return process?.getBuiltinModule?.(name) as Module | undefined;
}

const builtInFiles = () => builtIn<typeof import('node:fs')>('node:fs');

function compilePackagedNow(): WebAssembly.Module | undefined {
  const fs = builtInFiles();
  if (!fs || !import.meta.url?.startsWith('file:')) return undefined;
  for (const address of addresses()) {
    if (fs.existsSync(address())) return new WebAssembly.Module(fs.readFileSync(address()) as Uint8Array<ArrayBuffer>);
  }
  return undefined;
}

/** Returns the bytes at an address: a file where there are files, else the body of an answer. */
export async function readAddress(address: URL): Promise<Uint8Array<ArrayBuffer>> {
  if (address.protocol === 'file:') return readFile(address);
  const response = await fetch(address);
  if (!response.ok) throw notThere(address.href, response.status);
  return new Uint8Array(await response.arrayBuffer());
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
  if (files) return files.readFileSync(address) as Uint8Array<ArrayBuffer>; // not copied: it is large
  // The name is a variable, and the comments are there, so that no bundler for browsers follows it.
  const name = 'node:fs/promises';
  const fs = (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as typeof import('node:fs/promises');
  return new Uint8Array(await fs.readFile(address));
}
