import type { PlatformModule, PlatformRequest, PlatformResponse, PlatformUrl } from './platform.js';

/**
 * A manifest for `load`: a text of YAML or JSON (many documents, `kind: List`), an object, or a list of both.
 *
 * ```ts
 * const manifest: Manifest = [yamlText, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }];
 * ```
 */
export type Manifest = string | object | readonly (string | object)[];

/**
 * The WebAssembly: a compiled module (required where compiling is not allowed, such as in workerd), its bytes, its
 * address, or a response that carries it.
 *
 * ```ts
 * import module from 'tabernetes/tabernetes.wasm';
 * const wasm: WasmSource = module;
 * ```
 */
export type WasmSource = PlatformModule | BinarySource;

/**
 * A source of bytes: the bytes, their address, or a response that carries them.
 *
 * ```ts
 * const openapiTexts: BinarySource = '/assets/openapi-texts.gz';
 * ```
 */
export type BinarySource = ArrayBufferView | ArrayBuffer | PlatformUrl | string | PlatformResponse | PromiseLike<PlatformResponse>;

/**
 * A whole cluster as one JSON document, as bytes or as text: see `cluster.snapshot()`.
 *
 * ```ts
 * const document: SnapshotDocument = await (await fetch('shop.json')).arrayBuffer();
 * ```
 */
export type SnapshotDocument = Uint8Array | ArrayBuffer | string;

/** A webhook that is a service of the cluster. */
export interface WebhookService {
  /** `<name>.<namespace>:<port>` */
  name: string;
  /** `host:port` of the Service's `externalName`, where kube-apiserver would connect. Empty if there is none. */
  address: string;
  /** The reason if `address` is empty: `service "hook" not found`. */
  fault: string;
}

/**
 * Calls a conversion webhook: the request is a POST of a ConversionReview. A webhook that is a `service` has the URL
 * `https://<name>.<namespace>.svc:<port>/<path>`. `caBundle` (PEM) contains the certificate authorities to trust; if
 * empty, trust those of the system. A rejection counts as an answer: its message is in the Status that the client gets.
 *
 * ```ts
 * const fetchWebhook: FetchWebhook = async (request) => Response.json(convert(await request.json()));
 * ```
 */
export type FetchWebhook = (
  request: PlatformRequest,
  options: { caBundle: string; service?: WebhookService },
) => Promise<PlatformResponse> | PlatformResponse;

/**
 * Options of a new cluster.
 *
 * ```ts
 * const options: ClusterOptions = { load: yamlText, seed: 1, now: '2026-01-01T00:00:00Z', controllers: 'none' };
 * ```
 */
export interface ClusterOptions {
  /** Objects that exist from the start. */
  load?: Manifest;
  /**
   * A snapshot from `cluster.snapshot()`, possibly made elsewhere or earlier: the cluster starts with its objects,
   * versions and time. The objects of `load` are added.
   */
  snapshot?: SnapshotDocument;
  /** Fixes uids and generated names; a whole number. Random if left out. */
  seed?: number | bigint;
  /** The cluster's time, which then stands still until `advance()`. The real time if left out. */
  now?: Date | string | number;
  /**
   * Milliseconds of the cluster's time during which old versions can be read and watched from. 5 minutes if left out.
   * In any case at most 100,000 changes of at most 256 MiB are kept.
   */
  watchHistory?: number;
  /**
   * The control loops that run: `all`, `none`, or a list as kube-controller-manager takes it, such as `*,-namespace` or
   * `gc,disruption`. `all` if left out. They work in the cluster's time, a millisecond after the change that they react
   * to. With a fixed clock (`now`) that means: when `advance` moves it.
   */
  controllers?: string;
  /** Number of simulated nodes. 1 if left out. */
  nodes?: number;
  /**
   * Feature gates of kube-apiserver 1.36, by name. What a gate guards is kept, dropped or done as there; a gate that is
   * locked, or that needs another one that is off, is refused.
   */
  featureGates?: Readonly<Record<string, boolean>>;
  /** Admission plugins of kube-apiserver, by name, to run in addition to those that are on by default. */
  enableAdmissionPlugins?: readonly string[];
  /** Admission plugins not to run. */
  disableAdmissionPlugins?: readonly string[];
  /** Allows privileged containers, as kube-apiserver's `--allow-privileged`. False if left out. */
  allowPrivileged?: boolean;
  /**
   * Tokens of callers, one line `token,user,uid,"group1,group2"` each, as in kube-apiserver's `--token-auth-file`. If
   * set, all tokens other than these and the cluster's own are refused; if left out, tokens are ignored.
   */
  tokenFile?: string;
  /**
   * The authorization mode, as kube-apiserver's `--authorization-mode`: `AlwaysAllow` allows everything, `RBAC` what
   * roles and bindings grant. With `RBAC` the cluster has Kubernetes' own roles, and `tokenFile` should have a token in
   * the group `system:masters`. `AlwaysAllow` if left out.
   */
  authorizationMode?: 'AlwaysAllow' | 'RBAC';
  /** Answers callers without a token, as `system:anonymous`. True if left out. */
  anonymousAuth?: boolean;
  /** An RSA private key (PEM) that signs the tokens of service accounts. If left out, a publicly known key. */
  serviceAccountKey?: string;
  /**
   * Calls conversion webhooks. If left out, the realm's own `fetch`, which supports neither services nor `caBundle`.
   */
  fetchWebhook?: FetchWebhook;
  /** The WebAssembly, `tabernetes.wasm`, if it is not beside this package's JavaScript. */
  wasm?: WasmSource;
  /**
   * The texts of OpenAPI documents, `openapi-texts.gz`, if they are not beside this package's JavaScript. They are
   * loaded when the first such document is requested. If they cannot be loaded, documents have no descriptions, and a
   * warning on the console gives the reason.
   */
  openapiTexts?: BinarySource;
}

/** The options in the form that the core takes. */
export interface CoreOptions {
  seed: bigint | undefined;
  /** Milliseconds since 1970. */
  now: number;
  /** As in `ClusterOptions`. */
  controllers: string;
  nodes: number;
  /** `Name=true,Other=false` */
  featureGates: string;
  enableAdmissionPlugins: readonly string[];
  disableAdmissionPlugins: readonly string[];
  allowPrivileged: boolean;
  tokenFile: string;
  authorizationMode: 'AlwaysAllow' | 'RBAC';
  anonymousAuth: boolean;
  serviceAccountKey: string;
  /** Milliseconds. */
  watchHistory: number;
  /** The first resourceVersion. */
  firstVersion: number;
  /** The address that the cluster gives for itself. */
  serverAddress: string;
  /** True if the endpoints under /-/tabernetes/ answer. */
  admin: boolean;
  /**
   * Regular expressions, or `local` for the core's own list of pages of this machine. In a realm there is no other
   * origin.
   */
  corsAllowedOrigins: readonly string[] | 'local';
}

/** Returns true if the caller set the time, so that it stands still. */
export function timeStandsStill(options: ClusterOptions): boolean {
  return options.now !== undefined;
}

function authorizationMode(mode: 'AlwaysAllow' | 'RBAC'): 'AlwaysAllow' | 'RBAC' {
  if (mode !== 'AlwaysAllow' && mode !== 'RBAC') throw new RangeError(`tabernetes: authorizationMode: AlwaysAllow or RBAC, not ${String(mode)}`);
  return mode;
}

/** Validates the options and fills in defaults. Throws a TypeError or RangeError for invalid options. */
export function normalizeOptions(options: ClusterOptions): CoreOptions {
  return {
    seed: options.seed === undefined ? undefined : wholeNumber('seed', options.seed, (1n << 64n) - 1n),
    now: options.now === undefined ? Date.now() : timeOf(options.now),
    controllers: options.controllers ?? 'all',
    nodes: Number(wholeNumber('nodes', options.nodes ?? 1, 10_000n)),
    featureGates: Object.entries(options.featureGates ?? {}).map(([name, on]) => `${name}=${String(on)}`).join(','),
    enableAdmissionPlugins: options.enableAdmissionPlugins ?? [],
    disableAdmissionPlugins: options.disableAdmissionPlugins ?? [],
    allowPrivileged: options.allowPrivileged ?? false,
    tokenFile: options.tokenFile ?? '',
    authorizationMode: authorizationMode(options.authorizationMode ?? 'AlwaysAllow'),
    anonymousAuth: options.anonymousAuth ?? true,
    serviceAccountKey: options.serviceAccountKey ?? '',
    watchHistory: span('watchHistory', options.watchHistory ?? 300_000),
    firstVersion: 1,
    serverAddress: '127.0.0.1:8001',
    admin: true,
    corsAllowedOrigins: [],
  };
}

function wholeNumber(name: string, value: number | bigint, most: bigint): bigint {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) {
    throw new TypeError(`tabernetes: ${name} must be a whole number, not ${String(value)}`);
  }
  const whole = BigInt(value);
  if (whole < 0n || whole > most) throw new RangeError(`tabernetes: ${name} must be between 0 and ${most}, not ${whole}`);
  return whole;
}

function span(name: string, milliseconds: number): number {
  if (!(milliseconds >= 0)) throw new RangeError(`tabernetes: ${name} must be milliseconds, not ${String(milliseconds)}`);
  return Math.min(Math.round(milliseconds), kLongest);
}

/** A hundred years. */
const kLongest = 100 * 365 * 24 * 3_600_000;

export function timeOf(value: Date | string | number): number {
  const milliseconds = new Date(value).getTime();
  if (Number.isNaN(milliseconds)) throw new TypeError(`tabernetes: now is not a time: ${String(value)}`);
  return milliseconds;
}
