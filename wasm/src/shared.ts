// The instance for the package's plain functions. It holds no cluster.
import { Instance } from './instance.js';
import { compileCore, compiledCore } from './module.js';
import type { WasmSource } from './options.js';

/**
 * Options of `ready`.
 *
 * ```ts
 * await ready({ wasm: fetch('/assets/tabernetes.wasm') });
 * ```
 */
export interface ReadyOptions {
  /** As in `createCluster`. */
  wasm?: WasmSource;
  /** @deprecated Does nothing: patches need no module of their own. */
  patches?: boolean;
}

let shared: Instance | undefined;

/**
 * Loads the core for the functions that need no cluster (`encode`, `parseSelector`, `applyPatch` and others). Node.js
 * loads it at the first call, and `createCluster` loads it too; in a browser, await one of the two first.
 *
 * ```ts
 * await ready();
 * compareResourceVersions('9', '10'); // -1
 * ```
 */
export async function ready(options: ReadyOptions = {}): Promise<void> {
  const compiling = compileCore(options.wasm);
  if (shared) await compiling;
  else shared = await Instance.create(compiling);
}

/** @internal Calls a function of the core. */
export function callShared<T>(call: (instance: Instance) => T): T {
  shared ??= Instance.createNow(compiledCore());
  try {
    return call(shared);
  } catch (error) {
    shared = undefined; // a trap leaves the instance in the middle of its work
    throw error;
  }
}

/** @internal Throws an Error with `fault` as its message, unless it is empty. */
export function throwFault(fault: string): void {
  if (fault !== '') throw new Error(fault);
}
