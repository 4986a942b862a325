// Admission webhooks that are functions: a configuration in the cluster, as for any webhook, whose calls do not leave the realm.
import { checkNames } from './option-names.js';
import type { FetchWebhook } from './options.js';

/**
 * Adds admission webhooks that are functions.
 *
 * ```ts
 * const remove = cluster.admission.mutating('defaults', ({ request }) => {
 *   request.object.metadata.labels = { ...request.object.metadata.labels, team: 'a' };
 * });
 * ```
 */
export interface AdmissionControl {
  /**
   * Adds a mutating webhook, a MutatingWebhookConfiguration of that name, in place of an earlier one. What the function
   * changes in `request.object` becomes the patch. Returns a function that removes it. Throws an Error if the
   * configuration is not valid. Snapshots contain the configuration, not the function: a cluster made of one needs it anew.
   *
   * ```ts
   * cluster.admission.mutating('sidecar', (review) => void review.request.object.spec.containers.push({ name: 'sidecar', image: 'proxy' }), {
   *   rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
   * });
   * ```
   */
  mutating(name: string, review: AdmissionFunction, options?: AdmissionOptions): () => void;

  /**
   * The same for a validating webhook.
   *
   * ```ts
   * cluster.admission.validating('owners', ({ request }) => request.object.metadata.labels?.owner !== undefined || 'an owner is needed');
   * ```
   */
  validating(name: string, review: AdmissionFunction, options?: AdmissionOptions): () => void;
}

/**
 * Judges a review of admission.k8s.io/v1. An error that it throws is a failed call, which `failurePolicy` judges.
 *
 * ```ts
 * const review: AdmissionFunction = ({ request }) => request.namespace !== 'locked' || 'this namespace is locked';
 * ```
 */
export type AdmissionFunction = (review: AdmissionReview) => AdmissionAnswer | PromiseLike<AdmissionAnswer>;

/**
 * `true` or nothing allows, `false` refuses, a text refuses with this message, an object is the response of a review.
 *
 * ```ts
 * const answer: AdmissionAnswer = { allowed: true, warnings: ['this field is deprecated'] };
 * ```
 */
export type AdmissionAnswer = void | boolean | string | AdmissionResponse;

/**
 * What an admission webhook is asked.
 *
 * ```ts
 * const names = (review: AdmissionReview) => [review.request.operation, review.request.resource.resource, review.request.name];
 * ```
 */
export interface AdmissionReview {
  apiVersion: 'admission.k8s.io/v1';
  kind: 'AdmissionReview';
  request: {
    uid: string;
    kind: { group: string; version: string; kind: string };
    resource: { group: string; version: string; resource: string };
    subResource?: string;
    requestKind?: { group: string; version: string; kind: string };
    requestResource?: { group: string; version: string; resource: string };
    requestSubResource?: string;
    name?: string;
    namespace?: string;
    operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
    userInfo: { username?: string; uid?: string; groups?: string[]; extra?: Record<string, string[]> };
    object?: any;
    oldObject?: any;
    dryRun?: boolean;
    options?: any;
  };
}

/**
 * The response of a review.
 *
 * ```ts
 * const refusal: AdmissionResponse = { allowed: false, status: { code: 422, reason: 'Invalid', message: 'no' } };
 * ```
 */
export interface AdmissionResponse {
  allowed: boolean;
  status?: { code?: number; reason?: string; message?: string; [member: string]: unknown };
  warnings?: string[];
  auditAnnotations?: Record<string, string>;
  /** Operations of a JSON Patch, or those in base64, with `patchType`. */
  patch?: object[] | string;
  patchType?: 'JSONPatch';
}

/**
 * When a function is asked: members of a webhook of admissionregistration.k8s.io/v1.
 *
 * ```ts
 * const options: AdmissionOptions = { failurePolicy: 'Ignore', timeoutSeconds: 2 };
 * ```
 */
export interface AdmissionOptions {
  /** All creates and updates of all resources if left out. */
  rules?: object[];
  failurePolicy?: 'Fail' | 'Ignore';
  matchPolicy?: 'Exact' | 'Equivalent';
  namespaceSelector?: object;
  objectSelector?: object;
  matchConditions?: object[];
  timeoutSeconds?: number;
  /** `None` if left out. */
  sideEffects?: 'None' | 'NoneOnDryRun';
  /** Of mutating webhooks. */
  reinvocationPolicy?: 'Never' | 'IfNeeded';
}

type Kind = 'mutating' | 'validating';

const kOrigin = 'https://admission.tabernetes.invalid';
const kMembers = ['rules', 'failurePolicy', 'matchPolicy', 'namespaceSelector', 'objectSelector', 'matchConditions', 'timeoutSeconds', 'sideEffects'];
const kEverything = { apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['*'], scope: '*' };

/** The functions of one cluster, by the path of their address. */
export class AdmissionFunctions {
  constructor(private readonly functions = new Map<string, AdmissionFunction>()) {}

  /** Those of a fork. */
  fork(): AdmissionFunctions {
    return new AdmissionFunctions(new Map(this.functions));
  }

  /** Returns what makes the calls of webhooks: those to functions here, all others with `others`. */
  before(others: FetchWebhook): FetchWebhook {
    return async (request, options) => {
      const { origin, pathname } = new URL((request as Request).url);
      if (origin !== kOrigin) return others(request, options);
      const review = this.functions.get(pathname);
      if (!review) throw new Error('the function of this webhook is not in this cluster');
      return Response.json(await answerOf(review, (await (request as Request).json()) as AdmissionReview, pathname.startsWith('/mutating/')));
    };
  }

  /** `load` stores the configuration or throws; `remove` deletes what is at a path. */
  control(load: (configuration: object) => void, remove: (path: string) => void): AdmissionControl {
    const add = (kind: Kind) => (name: string, review: AdmissionFunction, options: AdmissionOptions = {}) => {
      checkNames(`admission.${kind}`, options, kind === 'mutating' ? [...kMembers, 'reinvocationPolicy'] : kMembers);
      const path = `/${kind}/${encodeURIComponent(name)}`;
      load(configurationOf(kind, name, path, options));
      this.functions.set(path, review);
      return () => {
        if (this.functions.get(path) !== review) return; // another one has its place
        this.functions.delete(path);
        remove(`/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations/${encodeURIComponent(name)}`);
      };
    };
    return { mutating: add('mutating'), validating: add('validating') };
  }
}

function configurationOf(kind: Kind, name: string, path: string, options: AdmissionOptions): object {
  const qualified = name.split('.').length > 2 ? name : `${name}.functions.tabernetes.dev`;
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: kind === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [{ name: qualified, clientConfig: { url: kOrigin + path }, rules: [kEverything], admissionReviewVersions: ['v1'], sideEffects: 'None', ...options }],
  };
}

async function answerOf(review: AdmissionFunction, asked: AdmissionReview, mutates: boolean): Promise<object> {
  const { uid, object } = asked.request;
  const before = mutates && object ? (structuredClone(object) as unknown) : undefined;
  const given = await review(asked);
  const response = responseOf(given);
  if (response.allowed && response.patch === undefined && before) response.patch = patchBetween(before, asked.request.object, '');
  const { patch, ...rest } = response;
  const operations = Array.isArray(patch) ? btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(patch)))) : patch;
  const changes = operations === undefined || (Array.isArray(patch) && patch.length === 0) ? {} : { patch: operations, patchType: 'JSONPatch' };
  return { apiVersion: asked.apiVersion, kind: asked.kind, response: { ...rest, uid, ...changes } };
}

function responseOf(answer: AdmissionAnswer): AdmissionResponse {
  if (answer === undefined) return { allowed: true };
  if (typeof answer === 'boolean') return { allowed: answer };
  return typeof answer === 'string' ? { allowed: false, status: { message: answer } } : { ...answer };
}

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const pointerOf = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Returns the JSON Patch that leads from one value to the other; lists are replaced whole. */
function patchBetween(before: unknown, after: unknown, path: string): object[] {
  if (!isMap(before) || !isMap(after)) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ op: 'replace', path, value: after }];
  }
  const gone = Object.keys(before).filter((name) => after[name] === undefined);
  const there = Object.keys(after).filter((name) => after[name] !== undefined);
  return [
    ...gone.map((name) => ({ op: 'remove', path: `${path}/${pointerOf(name)}` })),
    ...there.flatMap((name) => {
      const place = `${path}/${pointerOf(name)}`;
      return name in before ? patchBetween(before[name], after[name], place) : [{ op: 'add', path: place, value: after[name] }];
    }),
  ];
}
