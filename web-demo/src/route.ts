// What is being looked at, as the address tells it: #/apps/v1/deployments?namespace=shop&name=web&in=shop
import { useEffect, useState } from 'preact/hooks';

/** In place of a resource: the page where patches are tried. */
export const kBench = 'patch-bench';

export interface Route {
  /** As `resourceId` gives it. */
  resource: string;
  /** The chosen namespace; empty for all. */
  namespace: string;
  /** The open object, if any. */
  name: string;
  /** Where the open object is. */
  objectNamespace: string;
}

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const parameters = new URLSearchParams(query);
  const get = (name: string) => parameters.get(name) ?? '';
  return { resource: path, namespace: get('namespace'), name: get('name'), objectNamespace: get('in') };
}

export function writeRoute({ resource, namespace, name, objectNamespace }: Route): string {
  const parameters = new URLSearchParams();
  if (namespace) parameters.set('namespace', namespace);
  if (name) parameters.set('name', name);
  if (name && objectNamespace) parameters.set('in', objectNamespace);
  return `#/${resource}${parameters.size > 0 ? `?${parameters}` : ''}`;
}

/** The route, and a way to go elsewhere; back and forward work. */
export function useRoute(start: Route): [Route, (change: Partial<Route>) => void] {
  const current = () => (location.hash.length > 2 ? readRoute(location.hash) : start);
  const [route, setRoute] = useState<Route>(current);
  useEffect(() => {
    const follow = () =>
      setRoute((last) => {
        const now = current();
        return writeRoute(last) === writeRoute(now) ? last : now;
      });
    addEventListener('hashchange', follow);
    follow(); // a link may have been faster
    return () => removeEventListener('hashchange', follow);
  }, []);
  const go = (change: Partial<Route>) => {
    const next = { ...route, ...change };
    setRoute(next);
    location.hash = writeRoute(next);
  };
  return [route, go];
}
