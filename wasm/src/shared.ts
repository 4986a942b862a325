// The instance that the package's plain functions run in. It holds no cluster.
import { type Address, type Exports, type InputRecord, Instance, type OutputReader } from './instance.js';
import { compileCore, compiledCore } from './module.js';
import type { WasmSource } from './options.js';

/**
 * ```ts
 * await ready({ patches: true });
 * ```
 */
export interface ReadyOptions {
  /** As in `createCluster`. */
  wasm?: WasmSource;
  /** As in `createCluster`. */
  extensions?: WasmSource;
  /**
   * Whether `applyPatch` and `serverSideApply` will be called, which need `extensions.wasm`. Without it they load that
   * while everything waits.
   */
  patches?: boolean;
}

let shared: Instance | undefined;

/**
 * Loads the core, so that the functions that need no cluster (`encode`, `parseSelector` and the like)
 * can be called. Node.js loads it by itself at the first call, and a `createCluster` before does as well; in a browser
 * one of them goes first.
 *
 * ```ts
 * await ready();
 * compareResourceVersions('9', '10'); // -1
 * ```
 */
export async function ready(options: ReadyOptions = {}): Promise<void> {
  const modules = await compileCore(options.wasm, options.extensions);
  shared ??= await Instance.create(modules);
  if (options.patches) await shared.extend();
}

/** Calls a function of the core. What is wrong with its input, which it gives first, is thrown as an Error. */
export function callShared<T>(
  input: InputRecord,
  call: (exports: Exports) => Address,
  read: (output: OutputReader) => T,
): T {
  shared ??= Instance.createNow(compiledCore());
  let fault: string;
  let result: T;
  try {
    shared.send(input);
    const output = shared.read(call(shared.exports));
    fault = output.text();
    result = read(output);
  } catch (error) {
    shared = undefined; // a trap leaves it in the middle of something
    throw error;
  }
  if (fault !== '') throw new Error(fault);
  return result;
}
