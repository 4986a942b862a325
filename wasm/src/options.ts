import { type ClusterOptions, kDefaults, kMost, type PlainOptions } from './cluster-options.js';
import type { RemoteCluster } from './entries/remote.js';
import type { Identity } from './identity.js';
import type { PlatformModule, PlatformRequest, PlatformResponse, PlatformUrl } from './platform.js';

export type { ClusterOptions };

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

/**
 * Options of a cluster that the browser keeps.
 *
 * ```ts
 * const options: KeptClusterOptions = { persist: { indexedDB: 'shop' }, load: yamlText };
 * ```
 */
export interface KeptClusterOptions extends ClusterOptions {
  /** The name of the IndexedDB database that has the cluster. */
  persist: { indexedDB: string };
}

/**
 * A cluster that the browser keeps, shared by all pages and workers of a site that ask for it. One of them holds it; the
 * others take over when that one goes. Watches end then, as when a server restarts, and a write that had reached the
 * holder and is not answered rejects, since nobody knows whether it was done.
 *
 * ```ts
 * const cluster: KeptCluster = await createCluster({ persist: { indexedDB: 'shop' } });
 * const pods = await (await cluster.fetch('/api/v1/pods')).json();
 * ```
 */
export interface KeptCluster extends Omit<RemoteCluster, 'as' | 'dispose' | 'disconnect'> {
  as(identity: Identity): KeptCluster;
  /** Lets go of the cluster in this page or worker. The others go on, and what is stored stays. */
  dispose(): Promise<void>;
}

/** A webhook that is a service of the cluster. */
export interface WebhookService {
  /** `<name>.<namespace>:<port>` */
  name: string;
  /** `host:port` of the Service's `externalName`, where kube-apiserver would connect. Empty if there is none. */
  address: string;
  /** The reason if `address` is empty: `service "hook" not found`. */
  fault: string;
}

/** What a kubeconfig says about the connection to its webhook. */
export interface WebhookTls {
  /** PEM: how the cluster makes itself known; may be empty. */
  certificate: string;
  key: string;
  /** The name in the server's certificate; empty: the host of the URL. */
  serverName: string;
  /** True if any certificate of the server will do. */
  insecure: boolean;
}

/** A request to an aggregated API server, whose APIService names a service. */
export interface AggregatedCall {
  /** True if any certificate of the server will do. */
  insecure: boolean;
  /** All header lines, one by one: a `Request` joins those of the same name, and each group of a user is one. */
  headers: readonly (readonly [string, string])[];
}

/**
 * Calls a webhook: the request is a POST of a review, or a GET of a document of an issuer of tokens. A webhook that is a `service`
 * has the URL `https://<name>.<namespace>.svc:<port>/<path>`. `caBundle` (PEM) contains the certificate authorities to trust; if
 * empty, trust those of the system. `tls` is there if the webhook's kubeconfig says more. With `api` it is a request to an aggregated API server, and the answer is passed on as it
 * is. A rejection counts as an answer: its message is in the Status that the client gets.
 *
 * ```ts
 * const fetchWebhook: FetchWebhook = async (request) => Response.json(convert(await request.json()));
 * ```
 */
export type FetchWebhook = (
  request: PlatformRequest,
  options: { caBundle: string; service?: WebhookService; tls?: WebhookTls; api?: AggregatedCall },
) => Promise<PlatformResponse> | PlatformResponse;

/** A request that the cluster's authority is to sign. */
export interface CertificateOrder {
  /** PKCS #10, as PEM. */
  request: string;
  /** Names of RFC 5280. */
  keyUsages: string[];
  /** Object identifiers. */
  extendedKeyUsages: string[];
  /** Milliseconds. */
  life: number;
}

/** The certificate as PEM, or else why there is none. */
export interface SignedOrder {
  certificate: string;
  fault: string;
}

/** An issuer of tokens as kube-apiserver's flags `--oidc-*` describe it. */
export interface OidcIssuer {
  issuerUrl: string;
  clientId: string;
  /** PEM. */
  certificateAuthority: string;
  /** A path in `files`; empty: the keys are fetched. */
  keysFile: string;
  usernameClaim: string;
  usernamePrefix: string;
  groupsClaim: string;
  groupsPrefix: string;
  requiredClaims: Record<string, string>;
  signingAlgorithms: string[];
}

/** The options in the form that the core takes. */
export interface CoreOptions extends PlainOptions {
  seed: bigint | undefined;
  /** Milliseconds since 1970. */
  now: number;
  /** `Name=true,Other=false` */
  featureGates: string;
  /** Rules as a text. */
  behaviour: string;
  containers: string;
  faults: string;
  files: Readonly<Record<string, string>>;
  /** Paths in `files`; empty: none. */
  authenticationWebhookFile: string;
  authorizationWebhookFile: string;
  oidc?: OidcIssuer;
  /** The first resourceVersion. */
  firstVersion: number;
  /** The address that the cluster gives for itself. */
  serverAddress: string;
  /** PEM: of the certificate that aggregated API servers see, and of users' certificates; empty: not published. */
  frontProxyAuthority: string;
  userAuthority: string;
  /** PEM: what clients verify the server with; empty: a placeholder is published. */
  rootCertificate: string;
  /** Signs for the cluster's authority, at once. Undefined: nothing is signed. */
  signCertificate?: (order: CertificateOrder) => SignedOrder;
  /** True if explanations tell how long steps took. */
  measures: boolean;
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

/** Validates the options and fills in defaults. Throws a TypeError or RangeError for invalid options. */
export function normalizeOptions(options: ClusterOptions): CoreOptions {
  const plain = plainOptions(options);
  return {
    ...plain,
    seed: options.seed === undefined ? undefined : wholeNumber('seed', options.seed),
    now: options.now === undefined ? Date.now() : timeOf(options.now),
    nodes: Number(wholeNumber('nodes', plain.nodes)),
    behaviour: rulesText(options.behaviour),
    containers: rulesText(options.containers),
    faults: rulesText(options.faults),
    featureGates: Object.entries(options.featureGates ?? {}).map(([name, on]) => `${name}=${String(on)}`).join(','),
    requestTimeout: span('requestTimeout', plain.requestTimeout),
    ...limits(plain),
    ...webhookFiles(options),
    authorizationWebhookCacheAuthorizedTtl: span('authorizationWebhookCacheAuthorizedTtl', plain.authorizationWebhookCacheAuthorizedTtl),
    authorizationWebhookCacheUnauthorizedTtl: span('authorizationWebhookCacheUnauthorizedTtl', plain.authorizationWebhookCacheUnauthorizedTtl),
    authenticationWebhookCacheTtl: span('authenticationWebhookCacheTtl', plain.authenticationWebhookCacheTtl),
    watchHistory: span('watchHistory', plain.watchHistory),
    measures: !timeStandsStill(options), // else answers are the same each time
    firstVersion: 1,
    serverAddress: '127.0.0.1:8001',
    rootCertificate: '',
    frontProxyAuthority: '',
    userAuthority: '',
    admin: true,
    corsAllowedOrigins: [],
  };
}

/** Webhooks whose kubeconfigs are texts get paths of their own; these name files relative to `/`. */
function webhookFiles({ files = {}, authenticationWebhook = '', authorizationWebhook = '' }: ClusterOptions) {
  const given = { '/authentication-webhook': authenticationWebhook, '/authorization-webhook': authorizationWebhook };
  return {
    files: { ...files, ...Object.fromEntries(Object.entries(given).filter(([, text]) => text !== '')) },
    authenticationWebhookFile: authenticationWebhook === '' ? '' : '/authentication-webhook',
    authorizationWebhookFile: authorizationWebhook === '' ? '' : '/authorization-webhook',
  };
}

function limits({ priorityAndFairness, maxRequestsInflight, maxMutatingRequestsInflight }: PlainOptions) {
  const numbers = {
    maxRequestsInflight: Number(wholeNumber('maxRequestsInflight', maxRequestsInflight)),
    maxMutatingRequestsInflight: Number(wholeNumber('maxMutatingRequestsInflight', maxMutatingRequestsInflight)),
  };
  if (priorityAndFairness && numbers.maxRequestsInflight + numbers.maxMutatingRequestsInflight === 0) {
    throw new RangeError('tabernetes: maxRequestsInflight and maxMutatingRequestsInflight must add up to something positive');
  }
  return numbers;
}

function plainOptions(options: ClusterOptions): PlainOptions {
  const names = Object.keys(kDefaults) as (keyof PlainOptions)[];
  return Object.fromEntries(names.map((name) => [name, options[name] ?? kDefaults[name]])) as unknown as PlainOptions;
}

function wholeNumber(name: keyof typeof kMost, value: number | bigint): bigint {
  const most = kMost[name];
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

/** Returns rules as the core reads them. */
const rulesText = (rules: string | readonly object[] | undefined): string => (typeof rules === 'string' ? rules : rules ? JSON.stringify(rules) : '');
