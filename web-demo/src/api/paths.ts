import type { Resource } from './types';

/** `/api/v1` or `/apis/apps/v1`. */
export function groupVersionPath({ group, version }: Pick<Resource, 'group' | 'version'>): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** `v1` or `apps/v1`, as in `apiVersion`. */
export function apiVersion({ group, version }: Pick<Resource, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The path of a collection, in one namespace or (empty) in all; or of one object in it. */
export function resourcePath(resource: Resource, namespace = '', name = ''): string {
  const place = resource.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const object = name === '' ? '' : `/${encodeURIComponent(name)}`;
  return `${groupVersionPath(resource)}${place}/${resource.name}${object}`;
}

/** What tells one resource from the others in this page: `v1/pods`, `apps/v1/deployments`. */
export function resourceId(resource: Resource): string {
  return `${apiVersion(resource)}/${resource.name}`;
}
