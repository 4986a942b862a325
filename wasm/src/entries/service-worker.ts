/**
 * A cluster in a service worker: the pages of a site reach it with their own `fetch`, watches included.
 *
 * ```ts
 * // sw.js
 * import { createCluster } from 'tabernetes';
 * import { serve } from 'tabernetes/service-worker';
 * serve(createCluster({ load: manifests }), 'https://kubernetes.example');
 * ```
 *
 * @module tabernetes/service-worker
 */
import type { Cluster } from '../cluster.js';
import { provideKept } from '../index.js';
import * as kept from '../kept.js';
import type { KeptCluster } from '../options.js';
import type { PlatformWebSocket } from '../platform.js';
import { webSocketOf } from '../websocket.js';
import { forwardRequest } from './forward.js';
import type { RemoteCluster } from './remote.js';
import { type RouteOptions, Routes } from './routes.js';
import { connect, serve as serveMessages } from './worker.js';

provideKept(kept);

export type { RemoteCluster } from './remote.js';
export type { RouteOptions } from './routes.js';

/** What is used of a service worker's global object. */
interface Scope {
  addEventListener(type: any, listener: (event: any) => void): void;
  skipWaiting?(): Promise<void>;
  clients?: { claim(): Promise<void> };
}

/**
 * Serves every request to `origin` (or what `RouteOptions` choose) from `cluster`; the rest goes to the network. The
 * worker takes over open pages at once. Call it before the worker waits for anything.
 *
 * ```ts
 * serve(createCluster(), { origin: 'https://kubernetes.example', prefix: '/k8s' });
 * ```
 */
export function serve(cluster: Cluster | KeptCluster | Promise<Cluster | KeptCluster>, where: string | RouteOptions = {}, scope: Scope = globalThis as unknown as Scope): void {
  const routes = new Routes(typeof where === 'string' ? { origin: where } : where);
  scope.addEventListener('install', (event: Extendable) => event.waitUntil(Promise.all([cluster, scope.skipWaiting?.()])));
  scope.addEventListener('activate', (event: Extendable) => event.waitUntil(scope.clients?.claim() ?? Promise.resolve()));
  scope.addEventListener('fetch', (event: Extendable & { request: Request; respondWith(response: Promise<Response>): void }) => {
    if (!routes.matches(event.request.url)) return;
    event.respondWith(Promise.resolve(cluster).then((made) => forwardRequest(made, routes, event.request)));
  });
  serveMessages(cluster, scope);
}

interface Extendable {
  waitUntil(work: Promise<unknown>): void;
}

/**
 * Connects a page to the cluster of its service worker, when that controls the page. A service worker does not see
 * WebSockets; so the page gets its class for them from here.
 *
 * ```ts
 * const { cluster, WebSocket } = await connectToServiceWorker();
 * globalThis.WebSocket = WebSocket;
 * await cluster.apply(pod);
 * ```
 */
export async function connectToServiceWorker(): Promise<{ cluster: RemoteCluster; WebSocket: PlatformWebSocket }> {
  const { serviceWorker } = navigator;
  await serviceWorker.ready;
  if (!serviceWorker.controller) await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
  const cluster = await connect(serviceWorker.controller!);
  return { cluster, WebSocket: webSocketOf(cluster) };
}
