// Written by tools/cluster_options.mjs from flags/options.json and flags/serve.json: change those.
import type { Backend } from './backend.js';
import type { BinarySource, FetchWebhook, Manifest, SnapshotDocument, WasmSource } from './options.js';

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
   * versions and time. The objects of `load` are added. A function makes it, and is called only if it is needed: not
   * for a cluster that goes on from what is stored.
   */
  snapshot?: SnapshotDocument | (() => SnapshotDocument | Promise<SnapshotDocument>);
  /**
   * Where the cluster keeps what it stores. If something is stored there, the cluster goes on from that, without `load`
   * and `snapshot`. Its forks are in memory alone. If left out, the cluster is in memory.
   */
  backend?: Backend;
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
  /**
   * Binds pods to nodes, as kube-scheduler does. True if left out. It works in the cluster's time, as the control loops
   * do.
   */
  scheduler?: boolean;
  /** Number of simulated nodes. 1 if left out. */
  nodes?: number;
  /**
   * How simulated pods and nodes behave: rules, or KWOK Stages, as a list or a text of YAML or JSON; see
   * `cluster.behaviour`. If left out, pods run and get ready, and those of Jobs complete.
   */
  behaviour?: string | readonly object[];
  /**
   * What stands behind logs, shells and ports of simulated containers: rules, as a list, whose answers may be
   * functions, or a text of YAML or JSON; see `cluster.containers`. If left out, a small shell, and a line of log.
   */
  containers?: string | readonly object[];
  /**
   * What goes wrong with requests on purpose: rules, as a list or a text of YAML or JSON; see `cluster.faults`. If left
   * out, nothing does.
   */
  faults?: string | readonly object[];
  /**
   * Feature gates of kube-apiserver 1.36, by name. What a gate guards is kept, dropped or done as there; a gate that is
   * locked, or that needs another one that is off, is refused.
   */
  featureGates?: Readonly<Record<string, boolean>>;
  /** Admission plugins of kube-apiserver, by name, to run in addition to those that are on by default. */
  enableAdmissionPlugins?: readonly string[];
  /** Admission plugins not to run. */
  disableAdmissionPlugins?: readonly string[];
  /**
   * The configuration of admission plugins: the YAML or JSON of an `AdmissionConfiguration`, as in kube-apiserver's
   * `--admission-control-config-file`, with the plugins' own parts in `configuration`. The kubeconfig of
   * `ImagePolicyWebhook` is in `files`.
   */
  admissionConfiguration?: string;
  /** Allows privileged containers, as kube-apiserver's `--allow-privileged`. False if left out. */
  allowPrivileged?: boolean;
  /**
   * Milliseconds of the cluster's time that a request may take, unless it is a watch or a connection. 60 seconds if
   * left out.
   */
  requestTimeout?: number;
  /**
   * Divides requests in flight among the priority levels that are stored; what has no seat waits in a queue, or gets
   * 429. A request is in flight while it waits: for webhooks, versions and faults that delay. True if left out.
   */
  priorityAndFairness?: boolean;
  /**
   * Number of reads in flight. By priority and fairness, the sum with `maxMutatingRequestsInflight` is divided; without
   * it 0 is no limit. 400 if left out.
   */
  maxRequestsInflight?: number;
  /** The same for all other requests. 200 if left out. */
  maxMutatingRequestsInflight?: number;
  /**
   * Tokens of callers, one line `token,user,uid,"group1,group2"` each, as in kube-apiserver's `--token-auth-file`. If
   * set, all tokens other than these and the cluster's own are refused; if left out, tokens are ignored.
   */
  tokenFile?: string;
  /**
   * The authorization mode, as kube-apiserver's `--authorization-mode`: a list with commas of `AlwaysAllow`,
   * `AlwaysDeny`, `RBAC` (what roles and bindings grant), `ABAC` (what `authorizationPolicy` grants), `Node` (what
   * kubelets need for their pods) and `Webhook` (what `authorizationWebhook` decides), asked in turn until one allows.
   * With `RBAC` the cluster has Kubernetes' own roles, and `tokenFile` should have a token in the group
   * `system:masters`. `AlwaysAllow` if left out.
   */
  authorizationMode?: string;
  /**
   * Instead of `authorizationMode`: the YAML or JSON of an `AuthorizationConfiguration`, as in kube-apiserver's
   * `--authorization-config`. The kubeconfigs that it names are in `files`; their webhooks are called by
   * `fetchWebhook`.
   */
  authorizationConfiguration?: string;
  /**
   * For the authorization mode `Webhook`: the YAML or JSON of a kubeconfig, as in the file of kube-apiserver's
   * `--authorization-webhook-config-file`. Its server gets SubjectAccessReviews by `fetchWebhook`.
   */
  authorizationWebhook?: string;
  /** The version of the SubjectAccessReviews. `v1beta1` if left out. */
  authorizationWebhookVersion?: 'v1' | 'v1beta1';
  /** Milliseconds of the cluster's time for which permissions are kept; 0: not at all. 5 minutes if left out. */
  authorizationWebhookCacheAuthorizedTtl?: number;
  /** The same for all other decisions. 30 seconds if left out. */
  authorizationWebhookCacheUnauthorizedTtl?: number;
  /**
   * The YAML or JSON of an `AuthenticationConfiguration`, as in kube-apiserver's `--authentication-config`: issuers of
   * tokens (OpenID Connect), whose documents `fetchWebhook` gets unless an issuer has a `jwksFile`, and who may be
   * anonymous.
   */
  authenticationConfiguration?: string;
  /**
   * The YAML or JSON of a kubeconfig, as in the file of kube-apiserver's `--authentication-token-webhook-config-file`.
   * Its server gets TokenReviews, by `fetchWebhook`, for tokens that nobody else knows.
   */
  authenticationWebhook?: string;
  /** The version of the TokenReviews. `v1beta1` if left out. */
  authenticationWebhookVersion?: 'v1' | 'v1beta1';
  /** Milliseconds of the cluster's time for which its answers are kept; 0: not at all. 2 minutes if left out. */
  authenticationWebhookCacheTtl?: number;
  /**
   * The texts of the files that these configurations and `admissionConfiguration` name, by path: kubeconfigs, their
   * certificates, keys of issuers (`jwksFile`).
   */
  files?: Readonly<Record<string, string>>;
  /** Answers callers without a token, as `system:anonymous`. True if left out. */
  anonymousAuth?: boolean;
  /**
   * For the authorization mode `ABAC`, as kube-apiserver's `--authorization-policy-file`: a policy of JSON on each
   * line.
   */
  authorizationPolicy?: string;
  /**
   * Knows callers by the tokens of Secrets of type `bootstrap.kubernetes.io/token` in `kube-system`. False if left out.
   */
  enableBootstrapTokenAuth?: boolean;
  /** An RSA private key (PEM) that signs the tokens of service accounts. If left out, a publicly known key. */
  serviceAccountKey?: string;
  /**
   * Calls all webhooks, and gets the documents of issuers. If left out, the realm's own `fetch`, which supports neither
   * services nor `caBundle`.
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

/** The names of all options. */
export const kOptionNames: readonly string[] = [
  'load',
  'snapshot',
  'backend',
  'seed',
  'now',
  'watchHistory',
  'controllers',
  'scheduler',
  'nodes',
  'behaviour',
  'containers',
  'faults',
  'featureGates',
  'enableAdmissionPlugins',
  'disableAdmissionPlugins',
  'admissionConfiguration',
  'allowPrivileged',
  'requestTimeout',
  'priorityAndFairness',
  'maxRequestsInflight',
  'maxMutatingRequestsInflight',
  'tokenFile',
  'authorizationMode',
  'authorizationConfiguration',
  'authorizationWebhook',
  'authorizationWebhookVersion',
  'authorizationWebhookCacheAuthorizedTtl',
  'authorizationWebhookCacheUnauthorizedTtl',
  'authenticationConfiguration',
  'authenticationWebhook',
  'authenticationWebhookVersion',
  'authenticationWebhookCacheTtl',
  'files',
  'anonymousAuth',
  'authorizationPolicy',
  'enableBootstrapTokenAuth',
  'serviceAccountKey',
  'fetchWebhook',
  'wasm',
  'openapiTexts',
];

/** The options that the core takes as they are. */
export type PlainOptions = Required<
  Pick<
    ClusterOptions,
    | 'watchHistory'
    | 'controllers'
    | 'scheduler'
    | 'nodes'
    | 'enableAdmissionPlugins'
    | 'disableAdmissionPlugins'
    | 'admissionConfiguration'
    | 'allowPrivileged'
    | 'requestTimeout'
    | 'priorityAndFairness'
    | 'maxRequestsInflight'
    | 'maxMutatingRequestsInflight'
    | 'tokenFile'
    | 'authorizationMode'
    | 'authorizationConfiguration'
    | 'authorizationWebhookVersion'
    | 'authorizationWebhookCacheAuthorizedTtl'
    | 'authorizationWebhookCacheUnauthorizedTtl'
    | 'authenticationConfiguration'
    | 'authenticationWebhookVersion'
    | 'authenticationWebhookCacheTtl'
    | 'anonymousAuth'
    | 'authorizationPolicy'
    | 'enableBootstrapTokenAuth'
    | 'serviceAccountKey'
  >
>;

/** Their values where none is given. */
export const kDefaults: PlainOptions = {
  watchHistory: 300000,
  controllers: 'all',
  scheduler: true,
  nodes: 1,
  enableAdmissionPlugins: [],
  disableAdmissionPlugins: [],
  admissionConfiguration: '',
  allowPrivileged: false,
  requestTimeout: 60000,
  priorityAndFairness: true,
  maxRequestsInflight: 400,
  maxMutatingRequestsInflight: 200,
  tokenFile: '',
  authorizationMode: 'AlwaysAllow',
  authorizationConfiguration: '',
  authorizationWebhookVersion: 'v1beta1',
  authorizationWebhookCacheAuthorizedTtl: 300000,
  authorizationWebhookCacheUnauthorizedTtl: 30000,
  authenticationConfiguration: '',
  authenticationWebhookVersion: 'v1beta1',
  authenticationWebhookCacheTtl: 120000,
  anonymousAuth: true,
  authorizationPolicy: '',
  enableBootstrapTokenAuth: false,
  serviceAccountKey: '',
};

/** The greatest numbers that are accepted. */
export const kMost = {
  seed: 18446744073709551615n,
  nodes: 10000n,
  maxRequestsInflight: 1000000000n,
  maxMutatingRequestsInflight: 1000000000n,
};
