// The address as a route: #/apps/v1/deployments?namespace=shop&name=web&in=shop
import { useEffect, useState } from 'preact/hooks';
import { kWholeTable, type TableQuery } from './api/table-query';

/** Stands in the place of a resource for the patch bench. */
export const kBench = 'patch-bench';
/** Stands there for the tour. */
export const kTour = 'api-concepts';

/** What the page shows: a cluster, or something beside all clusters. */
export type Page = 'cluster' | 'bench' | 'tour';

export const pageOf = ({ resource }: Route): Page => (resource === kBench ? 'bench' : resource === kTour ? 'tour' : 'cluster');

/** The shown cluster: that of the server, one inside the page, a fork of either, or one at another address. */
export type Where = 'server' | 'page' | 'fork' | 'other';

export interface Route {
  where: Where;
  /** The result of `resourceId`. */
  resource: string;
  /** The chosen namespace; empty for all. */
  namespace: string;
  /** Selectors and own columns of the table. */
  query: TableQuery;
  /** Name of the open object; empty if none. */
  name: string;
  /** Namespace of the open object. */
  objectNamespace: string;
}

/**
 * Returns the route of an address without a resource: all pods of a server, or the main namespace of the sample in the
 * page.
 */
export const startRoute = (where: Where): Route => ({
  where,
  resource: 'v1/pods',
  namespace: where === 'server' || where === 'other' ? '' : 'shop',
  query: kWholeTable,
  name: '',
  objectNamespace: '',
});

/** `home`: the cluster to show unless the address says another. */
export function readRoute(hash: string, home: Where): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const parameters = new URLSearchParams(query);
  const get = (name: string) => parameters.get(name) ?? '';
  const on = get('on');
  const where = on === 'page' || on === 'fork' || on === 'other' ? on : home;
  if (path === '') return startRoute(where);
  return { where, resource: path, namespace: get('namespace'), query: { labelSelector: get('labels'), fieldSelector: get('fields'), columns: get('columns') }, name: get('name'), objectNamespace: get('in') };
}

export function writeRoute({ where, resource, namespace, query, name, objectNamespace }: Route, home: Where): string {
  const parameters = new URLSearchParams();
  if (where !== home) parameters.set('on', where);
  if (namespace) parameters.set('namespace', namespace);
  if (query.labelSelector) parameters.set('labels', query.labelSelector);
  if (query.fieldSelector) parameters.set('fields', query.fieldSelector);
  if (query.columns) parameters.set('columns', query.columns);
  if (name) parameters.set('name', name);
  if (name && objectNamespace) parameters.set('in', objectNamespace);
  return `#/${resource}${parameters.size > 0 ? `?${parameters}` : ''}`;
}

/** Returns an address in the same cluster, without an open object. */
export const pageAddress = (where: Where, home: Where, resource = ''): string =>
  writeRoute({ where, resource, namespace: '', query: kWholeTable, name: '', objectNamespace: '' }, home);

/** Returns the route and a function that changes it. Back and forward work. */
export function useRoute(home: Where): [Route, (change: Partial<Route>) => void] {
  const current = () => readRoute(location.hash, home);
  const [route, setRoute] = useState<Route>(current);
  useEffect(() => {
    const follow = () =>
      setRoute((last) => {
        const now = current();
        return writeRoute(last, home) === writeRoute(now, home) ? last : now;
      });
    addEventListener('hashchange', follow);
    follow(); // the hash may have changed before the listener was added
    return () => removeEventListener('hashchange', follow);
  }, []);
  const go = (change: Partial<Route>) => {
    const next = { ...route, ...change };
    setRoute(next);
    location.hash = writeRoute(next, home);
  };
  return [route, go];
}
