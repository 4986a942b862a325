import type { Resource } from './types';

/** Returns `/api/v1` or `/apis/apps/v1`. */
export function groupVersionPath({ group, version }: Pick<Resource, 'group' | 'version'>): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** Returns `v1` or `apps/v1`, as in `apiVersion`. */
export function apiVersion({ group, version }: Pick<Resource, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Returns the path of a collection in one namespace (empty: in all), or of one object in it. */
export function resourcePath(resource: Resource, namespace = '', name = ''): string {
  const place = resource.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const object = name === '' ? '' : `/${encodeURIComponent(name)}`;
  return `${groupVersionPath(resource)}${place}/${resource.name}${object}`;
}

/** Returns the id of a resource within this page: `v1/pods`, `apps/v1/deployments`. */
export function resourceId(resource: Resource): string {
  return `${apiVersion(resource)}/${resource.name}`;
}
