// kubectl create role, clusterrole, rolebinding, clusterrolebinding
import type { Flags } from '../flags';
import { allResources, findResource } from '../resources';
import type { Rule } from '../rules';
import { type Caller, CommandError, type KubeObject } from '../session';
import { listOf, mapOf } from './words';

const kGroup = 'rbac.authorization.k8s.io';
const kVersion = `${kGroup}/v1`;
const kVerbs = ['*', 'get', 'delete', 'list', 'create', 'update', 'patch', 'watch', 'proxy', 'deletecollection', 'use', 'bind', 'approve', 'sign', 'escalate', 'impersonate'];

export async function role(flags: Flags, name: string, caller: Caller): Promise<KubeObject> {
  const verbs = verbsOf(flags);
  if (verbs.length === 0) throw new CommandError('error: at least one verb must be specified');
  warnOfVerbs(caller, verbs);
  if (listOf(flags, 'resource').length === 0) throw new CommandError('error: at least one resource must be specified');
  return { apiVersion: kVersion, kind: 'Role', metadata: { name }, rules: await resourceRules(flags, verbs, caller) };
}

export async function clusterRole(flags: Flags, name: string, caller: Caller): Promise<KubeObject> {
  const verbs = verbsOf(flags);
  const urls = listOf(flags, 'non-resource-url');
  const resources = listOf(flags, 'resource');
  const made = { apiVersion: kVersion, kind: 'ClusterRole', metadata: { name } };
  if (flags.has('aggregation-rule')) {
    if (verbs.length + urls.length + resources.length > 0) throw new CommandError('error: aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames');
    const matchLabels = mapOf(flags.get('aggregation-rule'), (part) => `invalid argument ${part}`);
    return { ...made, aggregationRule: { clusterRoleSelectors: [{ matchLabels }] } };
  }
  if (verbs.length === 0) throw new CommandError('error: at least one verb must be specified');
  if (resources.length + urls.length === 0) throw new CommandError('error: one of resource or nonResourceURL must be specified');
  if (resources.length > 0) warnOfVerbs(caller, verbs);
  const bad = urls.find((url) => url !== '*' && !url.startsWith('/'));
  if (bad !== undefined) throw new CommandError('error: nonResourceURL should start with /');
  const rules = resources.length > 0 ? await resourceRules(flags, verbs, caller) : [];
  return { ...made, rules: urls.length > 0 ? [...rules, { verbs, nonResourceURLs: urls }] : rules };
}

function verbsOf(flags: Flags): string[] {
  const verbs = listOf(flags, 'verb');
  return verbs.includes('*') ? ['*'] : verbs;
}

function warnOfVerbs(caller: Caller, verbs: readonly string[]): void {
  for (const verb of verbs) if (!kVerbs.includes(verb)) caller.warn(`'${verb}' is not a standard resource verb`);
}

/** One rule for each API group. */
async function resourceRules(flags: Flags, verbs: readonly string[], caller: Caller): Promise<Rule[]> {
  const all = await allResources(caller);
  const groups = new Map<string, string[]>();
  for (const text of listOf(flags, 'resource')) {
    const [type = '', ...part] = text.split('/');
    const { group, name } = type === '*' ? { group: '', name: '*' } : found(() => findResource(all, type));
    groups.set(group, [...(groups.get(group) ?? []), [name, ...part].join('/')]);
  }
  const resourceNames = listOf(flags, 'resource-name');
  return [...groups.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, resources]) => ({ verbs: [...verbs], apiGroups: [group], resources, ...(resourceNames.length > 0 ? { resourceNames } : {}) }));
}

/** The mapper's own fault is printed without "error: ". */
function found<T>(find: () => T): T {
  try {
    return find();
  } catch (fault) {
    throw new CommandError((fault as Error).message.replace(/^error: /, ''));
  }
}

export function roleBinding(flags: Flags, name: string): KubeObject {
  const [role, clusterRole] = [flags.get('role'), flags.get('clusterrole')];
  if ((role === '') === (clusterRole === '')) throw new CommandError('error: exactly one of clusterrole or role must be specified');
  return { apiVersion: kVersion, kind: 'RoleBinding', metadata: { name }, ...bound(flags, role === '' ? 'ClusterRole' : 'Role', role || clusterRole) };
}

export function clusterRoleBinding(flags: Flags, name: string): KubeObject {
  const role = flags.get('clusterrole');
  if (role === '') throw new CommandError('error: required flag(s) "clusterrole" not set');
  return { apiVersion: kVersion, kind: 'ClusterRoleBinding', metadata: { name }, ...bound(flags, 'ClusterRole', role) };
}

function bound(flags: Flags, kind: string, name: string) {
  const named = (subject: string, flag: string) => listOf(flags, flag).map((each) => ({ apiGroup: kGroup, kind: subject, name: each }));
  const accounts = listOf(flags, 'serviceaccount').map((each) => {
    const [namespace = '', account = '', ...more] = each.split(':');
    if (namespace === '' || account === '' || more.length > 0) throw new CommandError('error: serviceaccount must be <namespace>:<name>');
    return { kind: 'ServiceAccount', name: account, namespace };
  });
  const subjects = [...named('User', 'user'), ...named('Group', 'group'), ...accounts];
  return { roleRef: { apiGroup: kGroup, kind, name }, ...(subjects.length > 0 ? { subjects } : {}) };
}
