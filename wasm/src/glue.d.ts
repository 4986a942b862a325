/**
 * Types of Emscripten's JavaScript for the core, which the build generates. The classes and functions are described in
 * wasm/cluster.h and wasm/functions.cc.
 */
import type { ManifestFault } from './manifest-check.js';

export interface Glue {
  /** The whole memory. It is a new array after the memory has grown. */
  readonly HEAPU8: Uint8Array<ArrayBuffer>;
  readonly Cluster: new (options: object) => BoundCluster;

  input(size: number): Uint8Array<ArrayBuffer>;
  dropInput(): void;
  output(): Uint8Array<ArrayBuffer>;
  dropOutput(): void;
  giveChanges(size: number): void;

  // If `fault` or `failure` is not empty, the other members except `conflicts` are missing.
  compareResourceVersions(first: string, second: string): { fault: string; order: number };
  parseSelector(fields: boolean, text: string): { fault: string; canonical: string; terms: object[] };
  matchValues(fields: boolean, selector: string, pairs: string[]): { fault: string; matches: boolean };
  matchFieldsOf(selector: string, objectSize: number): { fault: string; matches: boolean };
  encode(size: number, mediaType: string, strict: boolean): string;
  decode(size: number, mediaType: string, strict: boolean): string;
  applyPatch(objectSize: number, patchSize: number, options: object): { failure: string; warnings: string[] };
  serverSideApply(liveSize: number, configSize: number, options: object): { failure: string; changed: boolean; conflicts: object[] };
  fieldOwners(size: number): { failure: string; fields: object[] };
  optionFault(option: string, text: string): string;
  /** `options`: CoreOptions. */
  accessFault(options: object): { option: string; fault: string };
  missingFiles(options: object): string[];
  corsAllows(patterns: readonly string[], origin: string): boolean;
  /** `files`: alternating names and texts. `now`: milliseconds since 1970. */
  checkManifests(files: readonly string[], now: number): { faults: ManifestFault[]; objects: number };
  summarizeRequest(method: string, target: string, contentType: string): { verb: string; resource: string };
}

export interface BoundCluster {
  /** Frees the cluster. */
  delete(): void;
  fork(): BoundCluster;
  state(): Float64Array;
  request(headSize: number, bodySize: number): number;
  giveOpenapiTexts(size: number): string;
  nextReady(): number;
  takeReady(): Uint32Array;
  takeAnswer(id: number): { status: number; stream: number; finite: boolean; messages: 'none' | 'text' | 'binary'; gzip: boolean; lost: boolean; places: number };
  readStreams(count: number): number;
  receive(id: number, size: number): void;
  closeStream(id: number): void;
  places(): Uint32Array;
  webhookCall(id: number): object | undefined;
  answerWebhook(id: number, status: number, error: string, contentType: string, bodySize: number): void;
  proxyCall(id: number): object | undefined;
  answerProxy(id: number, status: number, error: string, head: string, bodySize: number, more: boolean): void;
  continueProxyAnswer(id: number, size: number, state: string): void;
  takeProxiedInput(id: number): boolean;
  proposal(id: number): { changes: number; whole: boolean; revision: string; oldest: string; clock: string; random: string | undefined } | undefined;
  finishProposal(id: number, kind: string, fault: string): void;
  load(size: number): object[];
  markInitialState(): void;
  reset(): void;
  useTokenFile(size: number): string;
  snapshot(): void;
  restore(size: number): string;
  compact(resourceVersion: string): string;
  advance(now: number): void;
  wake(now: number): void;
  setAuditLog(policySize: number, legacy: boolean, mostBytes: number): { fault: string; warning: string };
  endAuditLog(): void;
  takeAuditEvents(): void;
  administer(method: string, call: string, size: number): number;
}

/** Settings that Emscripten reads when the caller instantiates the WebAssembly itself. */
interface Settings {
  instantiateWasm(imports: WebAssembly.Imports, received: (instance: WebAssembly.Instance) => void): object;
}

/** Adds the functions to `settings`, at once or when `received` is called. */
export default function createGlue<T extends Settings>(settings: T): Promise<T & Glue>;
