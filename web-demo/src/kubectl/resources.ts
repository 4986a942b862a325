// Finds resources by what users write: `po`, `deployments`, `deploy/web`, `widgets.example.com`.
import { type DiscoveryList, kDiscoveryAccept } from '../api/discovery';
import { groupVersionPath, resourcePath } from '../api/paths';
import type { Resource } from '../api/types';
import { type Caller, CommandError, type KubeObject } from './session';

export interface Known extends Resource {
  singular: string;
  categories: readonly string[];
}

/** Returns all resources, in the order of discovery: each group's preferred version first. */
export async function allResources(caller: Caller): Promise<Known[]> {
  const lists = await Promise.all(['/api', '/apis'].map((path) => caller.json<DiscoveryList>('GET', path, undefined, undefined, kDiscoveryAccept)));
  return lists.flatMap(({ items = [] }) =>
    items.flatMap(({ metadata, versions = [] }) =>
      versions.flatMap(({ version, resources = [] }) =>
        resources.map((each) => ({
          group: metadata?.name ?? '',
          version,
          name: each.resource,
          kind: each.responseKind?.kind ?? '',
          namespaced: each.scope === 'Namespaced',
          verbs: each.verbs ?? [],
          shortNames: each.shortNames ?? [],
          singular: each.singularResource ?? '',
          categories: each.categories ?? [],
        })),
      ),
    ),
  );
}

/** Returns the resource of a name, a short name, a kind, `name.group` or `name.version.group`. Throws a CommandError. */
export function findResource(all: readonly Known[], text: string, onWarning?: (text: string) => void): Known {
  const lower = text.toLowerCase();
  const named = (each: Known, name: string) => each.name === name || each.singular === name || each.kind.toLowerCase() === name || each.shortNames.includes(name);
  const plain = all.find((each) => each.name === lower || each.singular === lower) ?? all.find((each) => named(each, lower));
  if (plain) {
    const other = plain.shortNames.includes(lower) ? all.find((each) => each.shortNames.includes(lower) && each.group !== plain.group) : undefined;
    if (other) onWarning?.(`short name "${text}" could also match lower priority resource ${other.name}.${other.group}`);
    return plain;
  }
  const [name = '', ...rest] = lower.split('.');
  const group = rest.join('.');
  const found = all.find((each) => named(each, name) && (each.group === group || `${each.version}.${each.group}` === group || `${each.version}` === group));
  if (found) return found;
  throw new CommandError(`error: the server doesn't have a resource type "${text}"`);
}

/** Returns the resources of a list of names; `all` is a category. */
export function findResources(all: readonly Known[], text: string, onWarning?: (text: string) => void): Known[] {
  return text.split(',').flatMap((each) => {
    const members = all.filter(({ categories }) => categories.includes(each));
    const first = members.filter((one, index) => members.findIndex(({ group, name }) => group === one.group && name === one.name) === index);
    return first.length > 0 ? first : [findResource(all, each, onWarning)];
  });
}

export function resourceOfKind(all: readonly Known[], { apiVersion, kind, metadata }: Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>): Known {
  const found = all.find((each) => each.kind === kind && (each.group === '' ? each.version : `${each.group}/${each.version}`) === apiVersion);
  if (!found) throw new CommandError(`error: resource mapping not found for name: "${metadata.name ?? ''}" namespace: "${metadata.namespace ?? ''}" from "STDIN": no matches for kind "${kind}" in version "${apiVersion}"\nensure CRDs are installed first`);
  return found;
}

/** What a command names: resources, and names if it gives any. */
export interface Target {
  resource: Known;
  /** Empty: all. */
  name: string;
}

const kNothing = `error: You must provide one or more resources by argument or filename.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'
   '<resource> <name>'
   '<resource>'`;

/** Reads `TYPE NAME…`, `TYPE/NAME…` or `TYPE,TYPE`. */
export function targetsOf(all: readonly Known[], words: readonly string[], onWarning?: (text: string) => void): Target[] {
  if (words.some((word) => word.includes('/'))) {
    return words.map((word) => {
      const [type = '', name = '', ...more] = word.split('/');
      if (name === '' || more.length > 0) throw new CommandError(`error: there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'`);
      return { resource: findResource(all, type), name };
    });
  }
  const [types = '', ...names] = words;
  if (types === '') throw new CommandError(kNothing);
  const resources = findResources(all, types, onWarning);
  return names.length === 0 ? resources.map((resource) => ({ resource, name: '' })) : resources.flatMap((resource) => names.map((name) => ({ resource, name })));
}

/** `pod`, `deployment.apps`: as kubectl says what it did to what. */
export const typeName = ({ singular, name, kind, group }: Known) => `${singular || kind.toLowerCase() || name}${group === '' ? '' : `.${group}`}`;

export const pathOf = (resource: Known, namespace: string, name = '') => resourcePath(resource, resource.namespaced ? namespace : '', name);
export { groupVersionPath };
