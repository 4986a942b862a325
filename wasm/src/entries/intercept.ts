// Puts a cluster in the place of a window's own fetch and WebSocket.
import type { Cluster } from '../cluster.js';
import { webSocketOf } from '../websocket.js';
import { clusterOf, type ClusterSource, type Routes } from './routes.js';

/** A window, or any other realm. */
export interface Realm {
  fetch?: unknown;
  WebSocket?: unknown;
  location?: { href: string };
}

type Fetch = typeof globalThis.fetch;

/** Sends the requests and WebSockets of a realm that match to `cluster`. Returns a function that ends it. */
export function intercept(realm: Realm, cluster: ClusterSource<Pick<Cluster, 'fetch' | 'request'>>, routes: Routes): () => void {
  const names = ['fetch', 'WebSocket'] as const;
  const before = names.map((name) => Object.getOwnPropertyDescriptor(realm, name));
  const own = { fetch: realm.fetch as Fetch | undefined, WebSocket: realm.WebSocket as typeof WebSocket | undefined };
  const address = (url: string | URL) => new URL(url, baseOf(realm)).href;
  const fetch = (input: string | URL | Request, ...rest: [RequestInit?]): Promise<Response> => {
    const isRequest = typeof input === 'object' && 'url' in input;
    const url = address(isRequest ? input.url : input);
    if (routes.matches(url)) return fetchInside(clusterOf(cluster), routes, url, isRequest ? input : undefined, rest[0]);
    if (!own.fetch) return Promise.reject(new TypeError(`fetch failed: ${url} is not the cluster's, and there is no other fetch`));
    return own.fetch.call(realm, input, ...rest);
  };
  class RoutedSocket {
    static readonly CONNECTING = 0;
    static readonly OPEN = 1;
    static readonly CLOSING = 2;
    static readonly CLOSED = 3;

    constructor(url: string | URL, protocols?: string | string[]) {
      const full = address(url).replace(/^http/, 'ws');
      if (routes.matches(full)) return new (webSocketOf(clusterOf(cluster)))(routes.urlOf(full), protocols) as unknown as RoutedSocket;
      if (!own.WebSocket) throw new DOMException(`${full} is not the cluster's, and there is no other WebSocket`, 'NotSupportedError');
      return new own.WebSocket(url, protocols) as unknown as RoutedSocket;
    }
  }
  const replaced = { fetch, WebSocket: RoutedSocket };
  for (const name of names) Object.defineProperty(realm, name, { value: replaced[name], configurable: true, writable: true, enumerable: true });
  return () => {
    names.forEach((name, i) => {
      if (before[i]) Object.defineProperty(realm, name, before[i]);
      else Reflect.deleteProperty(realm, name);
    });
  };
}

async function fetchInside(cluster: Pick<Cluster, 'fetch'>, routes: Routes, url: string, request: Request | undefined, init: RequestInit = {}): Promise<Response> {
  const inside = routes.urlOf(url);
  const response = await (request ? cluster.fetch(inside, { ...(await parts(request, init)), ...init }) : cluster.fetch(inside, init));
  Object.defineProperty(response, 'url', { value: url, configurable: true });
  return response;
}

async function parts(request: Request, init: RequestInit): Promise<RequestInit> {
  const { method, headers, signal } = request;
  const unread = init.body !== undefined || method === 'GET' || method === 'HEAD' || request.body === null;
  return { method, headers, signal, ...(unread ? {} : { body: await request.arrayBuffer() }) };
}

function baseOf({ location }: Realm): string {
  return location !== undefined && /^https?:/.test(location.href) ? location.href : 'http://localhost/';
}
