/**
 * Cypress: the page under test reaches a cluster in the spec's own window. `fetch` and `WebSocket` of the page go to it,
 * watches included, which `cy.intercept` cannot stream; XMLHttpRequest goes by `cy.intercept`.
 *
 * ```ts
 * import { useCluster } from 'tabernetes/cypress';
 *
 * const cluster = useCluster({ load: manifests, origin: 'http://localhost:5173', prefix: '/k8s' });
 * it('shows a new pod', () => {
 *   cy.visit('/pods');
 *   cy.then(() => cluster.apply(pod));
 *   cy.contains('web');
 * });
 * ```
 *
 * @module tabernetes/cypress
 */
import { type Cluster, createCluster } from '../index.js';
import type { ClusterOptions, WasmSource } from '../options.js';
import { intercept, type Realm } from './intercept.js';
import { clusterOf, type ClusterSource, type RouteOptions, Routes } from './routes.js';
import { type Hooks, type UseClusterOptions, useClusterWith } from './test-cluster.js';

export type { ClusterSource, RouteOptions } from './routes.js';
export type { UseClusterOptions } from './test-cluster.js';

/** What is used of Cypress. */
interface CypressGlobals {
  Cypress: { on(event: string, listener: (realm: Realm) => void): void; off(event: string, listener: (realm: Realm) => void): void };
  cy: {
    intercept(url: RegExp, handler: (request: Intercepted) => Promise<void>): void;
    readFile(path: string, encoding: null, options: { log: boolean; timeout: number }): { then(use: (bytes: Uint8Array) => void): void };
  };
  before(hook: () => unknown): void;
  after: Hooks['afterAll'];
  beforeEach: Hooks['beforeEach'];
  afterEach: Hooks['afterEach'];
}

interface Intercepted {
  url: string;
  method: string;
  headers: Record<string, string | string[]>;
  body: unknown;
  reply(answer: { statusCode: number; headers: Record<string, string>; body: string }): void;
}

/**
 * Makes a cluster for this spec and a fork of it for each test, which the page under test reaches. Returns the present
 * test's fork.
 *
 * ```ts
 * const cluster = useCluster({ load: manifests, origin: 'http://localhost:5173' });
 * ```
 */
export function useCluster({ origin, prefix, ...options }: UseClusterOptions = {}): Cluster {
  const { before, beforeEach, afterEach, after, cy } = globalThis as unknown as CypressGlobals;
  let wasm: WasmSource | undefined;
  const path = options.wasm === undefined ? unservedWasm() : undefined;
  if (path !== undefined) before(() => cy.readFile(path, null, { log: false, timeout: 30_000 }).then((bytes) => void (wasm = bytes)));
  const make = (options: ClusterOptions) => createCluster(wasm === undefined ? options : { ...options, wasm });
  const cluster = useClusterWith({ beforeAll: before, beforeEach, afterEach, afterAll: after }, options, make);
  let stop: (() => void) | undefined;
  beforeEach(() => {
    stop = route(cluster, { ...(origin === undefined ? {} : { origin }), ...(prefix === undefined ? {} : { prefix }) });
  });
  afterEach(() => stop?.());
  return cluster;
}

/**
 * Sends the requests and WebSockets of the pages of this test to `cluster`. Returns a function that ends it.
 *
 * ```ts
 * beforeEach(() => route(cluster, { origin: 'http://localhost:5173', prefix: '/k8s' }));
 * ```
 */
export function route(cluster: ClusterSource<Pick<Cluster, 'fetch' | 'request'>>, options: RouteOptions = {}): () => void {
  const { Cypress, cy } = globalThis as unknown as CypressGlobals;
  const routes = new Routes(options);
  const patch = (page: Realm) => void intercept(page, cluster, routes);
  Cypress.on('window:before:load', patch);
  cy.intercept(routes.pattern, (request) => reply(clusterOf(cluster), routes, request));
  return () => Cypress.off('window:before:load', patch);
}

/**
 * Returns the path of the WebAssembly if nobody serves it, so that Cypress must read it: its preprocessors bundle a spec
 * and serve that alone. Returns undefined where this code came from a server, as in component tests with Vite.
 */
function unservedWasm(): string | undefined {
  const here = import.meta.url as string | undefined; // webpack leaves the file's address, esbuild nothing
  if (here === undefined) return 'node_modules/tabernetes/dist/tabernetes.wasm';
  const address = new URL(here);
  if (address.protocol !== 'file:') return undefined;
  return decodeURIComponent(address.pathname.replace(/[^/]*$/, 'tabernetes.wasm')).replace(/^\/([A-Za-z]:)/, '$1');
}

async function reply(cluster: Pick<Cluster, 'fetch'>, routes: Routes, request: Intercepted): Promise<void> {
  const { url, method, headers, body } = request;
  const sent = method === 'GET' || method === 'HEAD' ? null : typeof body === 'object' ? JSON.stringify(body) : String(body);
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, [value].flat().join(', ')]);
  const answer = await cluster.fetch(routes.urlOf(url), { method, headers: pairs, body: sent === '' ? null : sent });
  request.reply({ statusCode: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() });
}
