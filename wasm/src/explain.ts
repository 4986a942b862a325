// Why a request is, or would be, answered as it is.
import { checkNames } from './option-names.js';
import type { Identity } from './identity.js';
import type { LoggedRequest } from './request-log.js';
import type { RawRequest, RawResponse } from './raw.js';

/**
 * An action: may this user do it? `resource` is `PLURAL[.GROUP][/SUBRESOURCE]`; `path` stands for a path without a resource.
 *
 * ```ts
 * const question: AccessQuestion = { verb: 'create', resource: 'deployments.apps', namespace: 'shop', user: 'jane' };
 * ```
 */
export interface AccessQuestion {
  verb: string;
  resource?: string;
  namespace?: string;
  name?: string;
  path?: string;
  /** The anonymous user if left out. */
  user?: string | Identity;
}

/**
 * A whole request, as it would be sent; one that writes is tried as a dry run.
 *
 * ```ts
 * const question: RequestQuestion = { method: 'POST', target: '/api/v1/namespaces/default/pods', object: pod, user: 'jane' };
 * ```
 */
export interface RequestQuestion {
  method: string;
  /** Path and query. */
  target: string;
  /** Its body. */
  object?: object;
  /** `application/json` if left out. */
  contentType?: string;
  user?: string | Identity;
}

/**
 * How access was decided.
 *
 * ```ts
 * const { allowed, authorizers }: AccessExplanation = await cluster.explain({ verb: 'list', resource: 'pods', user: 'jane' });
 * ```
 */
export interface AccessExplanation {
  user: { username: string; uid?: string; groups: string[] };
  action: { verb: string; group?: string; version?: string; resource?: string; subresource?: string; namespace?: string; name?: string; path?: string };
  allowed: boolean;
  reason?: string;
  /** How long the decision took. Left out if the cluster's time stands still, as in all that follows. */
  microseconds?: number;
  /** Those that were asked, in their order. */
  authorizers: AuthorizerStep[];
}

/** What an authorizer said. */
export interface AuthorizerStep {
  /** The authorization mode, or `system:masters` for the group that may do everything. */
  authorizer: string;
  verdict: 'Allow' | 'Deny' | 'NoOpinion';
  reason?: string;
  error?: string;
  /** Of RBAC: all that name the user. */
  bindings?: BindingStep[];
}

/** A binding that names the user. */
export interface BindingStep {
  kind: 'ClusterRoleBinding' | 'RoleBinding';
  namespace?: string;
  name: string;
  subject: { kind: string; name: string; namespace?: string };
  roleRef: { kind: string; name: string };
  /** The role does not exist. */
  missing?: true;
  rules?: { rule: object; covers: boolean; differs?: ('verbs' | 'apiGroups' | 'resources' | 'resourceNames' | 'nonResourceURLs')[] }[];
}

/**
 * What led to the answer of a request.
 *
 * ```ts
 * const { admission, answer }: RequestExplanation = await cluster.explain({ method: 'POST', target: '/api/v1/namespaces/default/pods', object: pod });
 * for (const { plugin, patch } of admission) console.log(plugin, patch);
 * ```
 */
export interface RequestExplanation {
  /** Null if it did not come to that, as with 401. */
  access: AccessExplanation | null;
  /** The admission plugins that were asked, in their order. `patch`: the JSON Patch of what one changed. */
  admission: { phase: 'mutating' | 'validating'; plugin: string; resource: string; patch?: object[]; refusal?: string; microseconds?: number }[];
  /** Those that the audit log shows. */
  annotations: Record<string, string>;
  answer: { code: number; body: any };
  /** From the beginning to the answer, with all waiting for webhooks. */
  microseconds?: number;
}

const kPath = '/-/tabernetes/explain';
const kAccess = ['verb', 'resource', 'namespace', 'name', 'path', 'user'];
const kRequest = ['method', 'target', 'object', 'contentType', 'user'];

type Asking = (request: RawRequest) => Promise<RawResponse>;

/** Rejects with a TypeError for a question that makes no sense. */
export async function explain(asking: Asking, question: AccessQuestion | RequestQuestion | LoggedRequest): Promise<any> {
  const whole = 'target' in question;
  const logged = 'status' in question;
  if (!logged) checkNames('explain', question, whole ? kRequest : kAccess);
  const { user, uid, groups = [] } = identityOf(logged ? question.identity : question.user);
  const request: RawRequest = whole ? requestOf(question, { user, uid, groups }) : { target: `${kPath}?${queryOf(question, { user, uid, groups })}` };
  const { status, body } = await asking(request);
  const answer = JSON.parse(new TextDecoder().decode(body)) as { message?: string };
  if (status !== 200) throw new TypeError(`tabernetes: ${answer.message}`);
  return answer;
}

interface Asked {
  user: string | undefined;
  uid: string | undefined;
  groups: readonly string[];
}

const identityOf = (user: string | Identity | undefined): Partial<Identity> => (typeof user === 'string' ? { user } : (user ?? {}));

function queryOf({ verb, resource, namespace, name, path }: AccessQuestion, { user, uid, groups }: Asked): URLSearchParams {
  const given = Object.entries({ verb, resource, namespace, name, path, user, uid }).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return new URLSearchParams([...given, ...groups.map((group) => ['group', group])]);
}

function requestOf({ method, target, object, contentType }: RequestQuestion | LoggedRequest, asked: Asked): RawRequest {
  return { method: 'POST', target: kPath, body: JSON.stringify({ method, path: target, body: object, contentType, ...asked }) };
}
