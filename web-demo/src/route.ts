// What is being looked at, as the address tells it: #/apps/v1/deployments?namespace=shop&name=web&in=shop
import { useEffect, useState } from 'preact/hooks';

/** In place of a resource: the page where patches are tried. */
export const kBench = 'patch-bench';

/** Whose objects are shown: those of the server that serves the page, or of a cluster inside the page. */
export type Where = 'server' | 'page';

export interface Route {
  where: Where;
  /** As `resourceId` gives it. */
  resource: string;
  /** The chosen namespace; empty for all. */
  namespace: string;
  /** The open object, if any. */
  name: string;
  /** Where the open object is. */
  objectNamespace: string;
}

/** What an address without a resource shows: all pods of a server; of the sample in the page, its main namespace. */
export const startRoute = (where: Where): Route => ({
  where,
  resource: 'v1/pods',
  namespace: where === 'page' ? 'shop' : '',
  name: '',
  objectNamespace: '',
});

/** `home`: what the page shows unless the address says `on=page`. */
export function readRoute(hash: string, home: Where): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const parameters = new URLSearchParams(query);
  const get = (name: string) => parameters.get(name) ?? '';
  const where = get('on') === 'page' ? 'page' : home;
  if (path === '') return startRoute(where);
  return { where, resource: path, namespace: get('namespace'), name: get('name'), objectNamespace: get('in') };
}

export function writeRoute({ where, resource, namespace, name, objectNamespace }: Route, home: Where): string {
  const parameters = new URLSearchParams();
  if (where !== home) parameters.set('on', where);
  if (namespace) parameters.set('namespace', namespace);
  if (name) parameters.set('name', name);
  if (name && objectNamespace) parameters.set('in', objectNamespace);
  return `#/${resource}${parameters.size > 0 ? `?${parameters}` : ''}`;
}

/** The address of a page of the same place, without anything open. */
export const pageAddress = (where: Where, home: Where, resource = ''): string =>
  writeRoute({ where, resource, namespace: '', name: '', objectNamespace: '' }, home);

/** The route, and a way to go elsewhere; back and forward work. */
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
    follow(); // a link may have been faster
    return () => removeEventListener('hashchange', follow);
  }, []);
  const go = (change: Partial<Route>) => {
    const next = { ...route, ...change };
    setRoute(next);
    location.hash = writeRoute(next, home);
  };
  return [route, go];
}
