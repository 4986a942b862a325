// The instance that the package's plain functions run in. It holds no cluster.
import { Instance } from './instance.js';
import { compileCore, compiledCore } from './module.js';
import type { WasmSource } from './options.js';

/**
 * ```ts
 * await ready({ wasm: fetch('/assets/tabernetes.wasm') });
 * ```
 */
export interface ReadyOptions {
  /** As in `createCluster`. */
  wasm?: WasmSource;
  /** @deprecated Patches need nothing of their own: this does nothing. */
  patches?: boolean;
}

let shared: Instance | undefined;

/**
 * Loads the core, so that the functions that need no cluster (`encode`, `parseSelector`, `applyPatch` and the like)
 * can be called. Node.js loads it by itself at the first call, and a `createCluster` before does as well; in a browser
 * one of them goes first.
 *
 * ```ts
 * await ready();
 * compareResourceVersions('9', '10'); // -1
 * ```
 */
export async function ready(options: ReadyOptions = {}): Promise<void> {
  const module = await compileCore(options.wasm);
  shared ??= await Instance.create(module);
}

/** Calls a function of the core. */
export function callShared<T>(call: (instance: Instance) => T): T {
  shared ??= Instance.createNow(compiledCore());
  try {
    return call(shared);
  } catch (error) {
    shared = undefined; // a trap leaves it in the middle of something
    throw error;
  }
}

/** Throws what is wrong with the input of a function, if anything is. */
export function throwFault(fault: string): void {
  if (fault !== '') throw new Error(fault);
}
