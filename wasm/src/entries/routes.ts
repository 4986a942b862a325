// Which requests of a page go to a cluster.
import { checkNames } from '../option-names.js';

/**
 * Options of the entries that intercept requests.
 *
 * ```ts
 * const options: RouteOptions = { origin: 'https://kubernetes.example', prefix: '/k8s/clusters/local' };
 * ```
 */
export interface RouteOptions {
  /**
   * The origin whose requests the cluster answers. If left out, the cluster answers what looks like Kubernetes on every
   * origin: `/api`, `/apis`, `/openapi`, `/version`, `/healthz`, `/livez`, `/readyz` and below.
   */
  origin?: string;
  /** The path under which the page reaches the API, such as a proxy's; removed from the request. */
  prefix?: string;
}

/** @internal The names of `RouteOptions`. */
export const kRouteOptions: readonly string[] = ['origin', 'prefix'];

/** @internal Says which URLs go to the cluster, and as which URL. */
export class Routes {
  /** Matches the URLs of HTTP and WebSocket requests that go to the cluster. */
  readonly pattern: RegExp;
  readonly #prefix: string;

  constructor(options: RouteOptions = {}) {
    checkNames('a route', options, kRouteOptions);
    const { origin, prefix = '' } = options;
    this.#prefix = prefix.replace(/\/+$/, '');
    const below = quoted(this.#prefix);
    const host = origin === undefined ? '[^/?#]+' : quoted(new URL(origin).host);
    const path = origin === undefined && this.#prefix === '' ? kKubernetes : '(?:[/?#].*)?$';
    this.pattern = new RegExp(`^(?:https?|wss?)://${host}${below}${path}`);
  }

  matches(url: string): boolean {
    return this.pattern.test(url);
  }

  /** Returns the URL for the cluster. */
  urlOf(url: string | URL): URL {
    const inside = new URL(url);
    if (this.#prefix !== '') inside.pathname = inside.pathname.slice(this.#prefix.length);
    return inside;
  }
}

const kKubernetes = '/(?:api|apis|openapi|version|healthz|livez|readyz)(?:[/?#].*)?$';
const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Either a cluster or a function that returns the present one, for tests that fork one each. */
export type ClusterSource<Cluster> = Cluster | (() => Cluster);

/** @internal */
export function clusterOf<Cluster extends object>(source: ClusterSource<Cluster>): Cluster {
  return typeof source === 'function' ? (source as () => Cluster)() : source;
}
