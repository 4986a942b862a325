import { parseControllers } from './controllers.js';
import { checkFeatureGates } from './feature-gates.js';

/**
 * What `load` takes: a text of YAML or JSON (many documents, `kind: List`), an object, or a list of both.
 *
 * ```ts
 * const manifest: Manifest = [yamlText, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }];
 * ```
 */
export type Manifest = string | object | readonly (string | object)[];

/**
 * Where the WebAssembly comes from: a compiled module (needed where compiling is not allowed, such as in workerd), its
 * bytes, its address, or a response that carries it.
 *
 * ```ts
 * import module from 'tabernetes/tabernetes.wasm';
 * const wasm: WasmSource = module;
 * ```
 */
export type WasmSource = WebAssembly.Module | BinarySource;

/**
 * Where bytes come from: themselves, their address, or a response that carries them.
 *
 * ```ts
 * const openapiTexts: BinarySource = '/assets/openapi-texts.gz';
 * ```
 */
export type BinarySource = BufferSource | URL | string | Response | PromiseLike<Response>;

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
  /** `host:port` to which kube-apiserver would turn, by the Service's `externalName`; empty: it has nowhere to turn to. */
  address: string;
  /** Why not: `service "hook" not found`. */
  fault: string;
}

/**
 * Calls a conversion webhook: the request is a POST of a ConversionReview. A webhook that is a `service` has the address
 * `https://<name>.<namespace>.svc:<port>/<path>`. `caBundle` (PEM) says who may have signed its certificate; empty:
 * whom the system trusts. A rejection is an answer too: its message is in the Status that the client gets.
 *
 * ```ts
 * const fetchWebhook: FetchWebhook = async (request) => Response.json(convert(await request.json()));
 * ```
 */
export type FetchWebhook = (request: Request, options: { caBundle: string; service?: WebhookService }) => Promise<Response> | Response;

/**
 * How a cluster is made.
 *
 * ```ts
 * const options: ClusterOptions = { load: yamlText, seed: 1, now: '2026-01-01T00:00:00Z', controllers: 'none' };
 * ```
 */
export interface ClusterOptions {
  /** Objects that are there from the start. */
  load?: Manifest;
  /**
   * What `cluster.snapshot()` gave, here or in another place or time: its objects, versions and time. Those of `load`
   * are added.
   */
  snapshot?: SnapshotDocument;
  /** Fixes uids and generated names; a whole number. Random without it. */
  seed?: number | bigint;
  /** The cluster's time, which then stands still until `advance()`. The real time without it. */
  now?: Date | string | number;
  /**
   * How long old versions can be read and watched from, in milliseconds of the cluster's time; 5 minutes if left out.
   * However long, at most 100,000 changes of at most 256 MiB are kept.
   */
  watchHistory?: number;
  /**
   * The control loops that run: `all` or `none`, or a list as kube-controller-manager takes it, such as `*,-namespace`
   * or `gc,disruption`. `all` if left out. They work in the cluster's time, a millisecond after what they answer to: with
   * a clock that stands still (`now`), that is once `advance` moves it.
   */
  controllers?: string;
  /** Simulated nodes. 1 if left out. */
  nodes?: number;
  /** Kubernetes' feature gates, by name. */
  featureGates?: Readonly<Record<string, boolean>>;
  /** kube-apiserver's admission plugins to run beside those that are on by default, by name. */
  enableAdmissionPlugins?: readonly string[];
  /** Those not to run. */
  disableAdmissionPlugins?: readonly string[];
  /** Whether containers may be as powerful as their node, as kube-apiserver's `--allow-privileged`. No if left out. */
  allowPrivileged?: boolean;
  /**
   * Tokens that callers may show, `token,user,uid,"group1,group2"` a line, as in kube-apiserver's `--token-auth-file`.
   * With one, other tokens than these and the cluster's own are refused; without one they are ignored.
   */
  tokenFile?: string;
  /**
   * Who may do what, as kube-apiserver's `--authorization-mode`: everybody everything, or what roles and bindings say.
   * With `RBAC` the cluster has Kubernetes' own roles, and `tokenFile` should have a token in the group
   * `system:masters`. `AlwaysAllow` if left out.
   */
  authorizationMode?: 'AlwaysAllow' | 'RBAC';
  /** Whether callers without a token are answered, as `system:anonymous`. Yes if left out. */
  anonymousAuth?: boolean;
  /** An RSA private key (PEM) that signs the tokens of service accounts. Without one a key that everybody knows. */
  serviceAccountKey?: string;
  /** Calls conversion webhooks. The realm's own `fetch` if left out, which knows no services and no `caBundle`. */
  fetchWebhook?: FetchWebhook;
  /** The WebAssembly, `tabernetes.wasm`, if it is not to be found beside this package's JavaScript. */
  wasm?: WasmSource;
  /**
   * The texts of OpenAPI documents, `openapi-texts.gz`, if they are not to be found beside this package's JavaScript.
   * They are loaded when the first of these documents is asked for. Where they cannot be had, documents have no
   * descriptions, and a warning on the console says why.
   */
  openapiTexts?: BinarySource;
}

/** The options in the form that the core takes. */
export interface CoreOptions {
  seed: bigint | undefined;
  /** Milliseconds since 1970. */
  now: number;
  controllers: readonly string[];
  nodes: number;
  featureGates: Readonly<Record<string, boolean>>;
  enableAdmissionPlugins: readonly string[];
  disableAdmissionPlugins: readonly string[];
  allowPrivileged: boolean;
  tokenFile: string;
  authorizationMode: 'AlwaysAllow' | 'RBAC';
  anonymousAuth: boolean;
  serviceAccountKey: string;
  /** Milliseconds. */
  watchHistory: number;
  /** What resourceVersions begin at. */
  firstVersion: number;
  /** What the cluster says of itself. */
  serverAddress: string;
  /** Whether the endpoints under /-/tabernetes/ answer. */
  admin: boolean;
  /** Regular expressions, or the core's own for the pages of this machine. In a realm there is no other origin. */
  corsAllowedOrigins: readonly string[] | 'local';
}

/** Whether the caller set the time, so that it stands still. */
export function timeStandsStill(options: ClusterOptions): boolean {
  return options.now !== undefined;
}

function authorizationMode(mode: 'AlwaysAllow' | 'RBAC'): 'AlwaysAllow' | 'RBAC' {
  if (mode !== 'AlwaysAllow' && mode !== 'RBAC') throw new RangeError(`tabernetes: authorizationMode: AlwaysAllow or RBAC, not ${String(mode)}`);
  return mode;
}

/** Checks the options and fills in what was left out. Misuse throws a TypeError or RangeError. */
export function normalizeOptions(options: ClusterOptions): CoreOptions {
  checkFeatureGates(options.featureGates ?? {});
  return {
    seed: options.seed === undefined ? undefined : wholeNumber('seed', options.seed, (1n << 64n) - 1n),
    now: options.now === undefined ? Date.now() : timeOf(options.now),
    controllers: parseControllers(options.controllers ?? 'all'),
    nodes: Number(wholeNumber('nodes', options.nodes ?? 1, 10_000n)),
    featureGates: options.featureGates ?? {},
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
