// Rules of RBAC as kubectl shows them: taken apart, and put together by what they are about.

export interface Rule {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

/** Returns the rules with one resource or path each, and all verbs for it, in kubectl's order. */
export function compactRules(rules: readonly Rule[] = []): Rule[] {
  const found = new Map<string, Rule>();
  rules.flatMap(brokenDown).forEach((rule, index) => {
    const key = rule.nonResourceURLs ? `path ${index}` : JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const last = found.get(key);
    if (!last) found.set(key, rule);
    else last.verbs.push(...rule.verbs.filter((verb) => !last.verbs.includes(verb)));
  });
  return [...found.values()].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

function brokenDown({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: Rule): Rule[] {
  const names = resourceNames.length > 0 ? resourceNames.map((name) => [name]) : [[]];
  const about = apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.flatMap((verb) => names.map((resourceNames): Rule => ({ verbs: [verb], apiGroups: [group], resources: [resource], resourceNames })))));
  return [...about, ...nonResourceURLs.flatMap((url) => verbs.map((verb): Rule => ({ verbs: [verb], nonResourceURLs: [url] })))];
}

/** Go's text of a rule, by which kubectl sorts. */
function orderOf({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: Rule): string {
  const list = (all: readonly string[]) => `[${all.join(' ')}]`;
  return `Verbs:${list(verbs)},APIGroups:${list(apiGroups)},Resources:${list(resources)},ResourceNames:${list(resourceNames)},NonResourceURLs:${list(nonResourceURLs)}`;
}

/** The cells of a rule: resource, paths, names, verbs. */
export function ruleCells({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: Rule): string[] {
  const [resource = '', ...subresource] = (resources[0] ?? '').split('/');
  const full = `${resource}${apiGroups[0] ? `.${apiGroups[0]}` : ''}${subresource.length > 0 ? `/${subresource.join('/')}` : ''}`;
  const list = (all: readonly string[]) => `[${all.join(' ')}]`;
  return [full, list(nonResourceURLs), list(resourceNames), list(verbs)];
}
