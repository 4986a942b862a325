// Who the page asks as, what that user may do, and why something is refused.
import { type Client, isGood } from './client';
import type { Resource } from './types';

export interface User {
  username: string;
  groups: readonly string[];
}

export interface Rule {
  verbs: readonly string[];
  apiGroups?: readonly string[];
  resources?: readonly string[];
  resourceNames?: readonly string[];
  nonResourceURLs?: readonly string[];
}

/** A question: may the user do this? */
export interface Wish {
  verb: string;
  group: string;
  resource: string;
  namespace: string;
  name: string;
}

const kVersion = 'authorization.k8s.io/v1';

async function review<T>(client: Client, group: string, kind: string, spec?: object): Promise<T> {
  const body = JSON.stringify({ apiVersion: group, kind, ...(spec && { spec }) });
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const answer = await client.send({ method: 'POST', target: `/apis/${group}/${kind.toLowerCase()}s`, headers, body });
  if (!isGood(answer)) throw new Error(answer.failure?.message ?? `the server answered ${answer.status}`);
  return (JSON.parse(answer.text) as { status: T }).status;
}

export async function whoAmI(client: Client): Promise<User> {
  const { userInfo } = await review<{ userInfo: { username?: string; groups?: string[] } }>(client, 'authentication.k8s.io/v1', 'SelfSubjectReview');
  return { username: userInfo.username ?? '', groups: userInfo.groups ?? [] };
}

export async function myRules(client: Client, namespace: string): Promise<{ rules: Rule[]; incomplete: boolean }> {
  const status = await review<{ resourceRules?: Rule[]; nonResourceRules?: Rule[]; incomplete?: boolean }>(client, kVersion, 'SelfSubjectRulesReview', { namespace });
  return { rules: [...(status.resourceRules ?? []), ...(status.nonResourceRules ?? [])], incomplete: status.incomplete ?? false };
}

export async function mayI(client: Client, { verb, group, resource, namespace, name }: Wish): Promise<{ allowed: boolean; reason: string }> {
  const [plain, subresource = ''] = resource.split('/');
  const resourceAttributes = { verb, group, resource: plain, subresource, namespace, name };
  const { allowed = false, reason = '' } = await review<{ allowed?: boolean; reason?: string }>(client, kVersion, 'SelfSubjectAccessReview', { resourceAttributes });
  return { allowed, reason };
}

/** A binding that concerns the user, and what each rule of its role says to a wish. */
export interface Grant {
  binding: string;
  role: string;
  rules: { rule: Rule; obstacle: string }[];
}

interface Binding {
  kind: string;
  metadata: { name: string; namespace?: string };
  roleRef: { kind: string; name: string };
  subjects?: { kind: string; name: string; namespace?: string }[];
}

interface Role {
  metadata: { name: string; namespace?: string };
  rules?: Rule[] | null;
}

/** Returns the bindings of a user in a namespace, rule by rule. `client` must be allowed to read them. */
export async function grantsOf(client: Client, user: User, wish: Wish): Promise<Grant[]> {
  const list = async <T>(name: string) => (await client.get<{ items: T[] }>(`/apis/rbac.authorization.k8s.io/v1/${name}`, 'application/json')).items;
  const [bindings, clusterBindings, roles, clusterRoles] = await Promise.all([list<Binding>('rolebindings'), list<Binding>('clusterrolebindings'), list<Role>('roles'), list<Role>('clusterroles')]);
  const concerns = ({ metadata, subjects = [] }: Binding) => (metadata.namespace === undefined || metadata.namespace === wish.namespace) && subjects.some((each) => isUser(each, user));
  return [...bindings, ...clusterBindings].filter(concerns).map(({ metadata, roleRef }) => {
    const role =
      roleRef.kind === 'Role'
        ? roles.find((each) => each.metadata.name === roleRef.name && each.metadata.namespace === metadata.namespace)
        : clusterRoles.find((each) => each.metadata.name === roleRef.name);
    const rules = (role?.rules ?? []).map((rule) => ({ rule, obstacle: obstacleOf(rule, wish) }));
    return { binding: `${metadata.namespace ? `RoleBinding ${metadata.namespace}/` : 'ClusterRoleBinding '}${metadata.name}`, role: `${roleRef.kind} ${roleRef.name}${role ? '' : ' (not there)'}`, rules };
  });
}

function isUser({ kind, name, namespace }: { kind: string; name: string; namespace?: string }, { username, groups }: User): boolean {
  if (kind === 'Group') return groups.includes(name);
  return username === (kind === 'ServiceAccount' ? `system:serviceaccount:${namespace}:${name}` : name);
}

/** Returns what of a rule does not fit; empty if it allows the wish. */
function obstacleOf({ verbs, apiGroups = [], resources = [], resourceNames = [] }: Rule, { verb, group, resource, name }: Wish): string {
  const has = (list: readonly string[], value: string) => list.includes('*') || list.includes(value);
  if (resources.length === 0) return 'is about paths';
  if (!has(apiGroups, group)) return `is about the groups ${apiGroups.map((each) => each || '""').join(', ')}`;
  if (!has(resources, resource) && !resources.includes(`*/${resource.split('/')[1] ?? ''}`)) return `is about ${resources.join(', ')}`;
  if (!has(verbs, verb)) return `allows only ${verbs.join(', ')}`;
  if (resourceNames.length > 0 && !resourceNames.includes(name)) return `is about the names ${resourceNames.join(', ')}`;
  return '';
}

/** Returns `deployments.apps` of a resource. */
export const fullName = ({ group, name }: Resource) => (group === '' ? name : `${name}.${group}`);

/** Reads `deployments.apps` or `pods/log`. */
export function readResource(text: string): { group: string; resource: string } {
  const [first = '', subresource] = text.trim().split('/');
  const at = first.indexOf('.');
  const resource = at < 0 ? first : first.slice(0, at);
  return { group: at < 0 ? '' : first.slice(at + 1), resource: subresource ? `${resource}/${subresource}` : resource };
}
