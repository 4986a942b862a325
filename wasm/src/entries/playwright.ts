/**
 * Playwright: the requests of a page to the API go to a cluster in the test's process. They pass a listener on this
 * machine, so that watches stream, which `route.fulfill` cannot.
 *
 * ```ts
 * import { test as base } from '@playwright/test';
 * import type { Cluster } from 'tabernetes';
 * import { fixtures } from 'tabernetes/playwright';
 *
 * export const test = base.extend<{ cluster: Cluster }>(fixtures({ load: manifests, origin: 'https://kubernetes.example' }));
 * ```
 *
 * @module tabernetes/playwright
 */
import { createCluster, type Cluster } from '../index.js';
import { checkOptionNames } from '../option-names.js';
import type { ClusterOptions } from '../options.js';
import { forwardSocket } from './forward.js';
import { listen } from './node.js';
import { clusterOf, type ClusterSource, kRouteOptions, type RouteOptions, Routes } from './routes.js';

export type { ClusterSource, RouteOptions } from './routes.js';

/** What is used of a Page or BrowserContext of Playwright. */
interface Routable {
  route(url: RegExp, handler: (route: any) => Promise<void>): Promise<unknown>;
  unroute(url: RegExp, handler: (route: any) => Promise<void>): Promise<unknown>;
  context?(): Routable;
  grantPermissions?(permissions: string[]): Promise<void>;
  routeWebSocket?(url: RegExp, handler: (socket: any) => void): Promise<unknown>;
}

interface Route {
  request(): { url(): string; method(): string; headers(): Record<string, string>; postDataBuffer(): Uint8Array | null };
  continue(options: { url: string }): Promise<void>;
  fulfill(options: { status: number; headers: Record<string, string>; body?: Uint8Array }): Promise<void>;
}

interface SocketRoute {
  url(): string;
  protocols?(): string[];
  send(message: string | Buffer): void;
  close(options?: { code?: number; reason?: string }): Promise<void>;
  onClose(handler: () => void): void;
  onMessage(handler: (message: string | Buffer) => void): void;
}

/**
 * Sends the requests and WebSockets of a page or context to `cluster`. Resolves with a function that ends it. Chromium
 * lets an `http` page of another machine than this one open no watch over HTTP; `https` and `localhost` may.
 *
 * ```ts
 * const stop = await route(page, cluster, { origin: 'https://kubernetes.example' });
 * await page.goto('/');
 * ```
 */
export async function route(page: Routable, cluster: ClusterSource<Cluster>, options: RouteOptions = {}): Promise<() => Promise<void>> {
  const routes = new Routes(options);
  const listener = await listen(cluster, { allowedOrigins: '*' });
  const handler = async (intercepted: Route) => {
    const inside = routes.urlOf(intercepted.request().url());
    const url = new URL(inside.pathname + inside.search, listener.url).href;
    // Playwright lets a request go to another host, but not from https to http; and Chromium lets only pages of this
    // machine, or secure ones, reach it.
    if (inside.protocol === 'http:' && kThisMachine.test(inside.hostname)) return intercepted.continue({ url });
    if (kStreams.test(inside.search)) return intercepted.fulfill({ status: 307, headers: { location: url, ...anyOrigin(intercepted) } });
    return fulfill(intercepted, clusterOf(cluster), inside);
  };
  // Other browsers than Chromium do not ask for it.
  await (page.grantPermissions ? page : page.context!()).grantPermissions!(['local-network-access']).catch(() => {});
  await page.route(routes.pattern, handler);
  await page.routeWebSocket?.(routes.pattern, (socket: SocketRoute) => {
    forwardSocket(clusterOf(cluster), routes, {
      url: socket.url(),
      protocols: socket.protocols?.(),
      send: (message) => socket.send(typeof message === 'string' ? message : Buffer.from(message)),
      close: (code, reason) => void socket.close({ ...(code === undefined ? {} : { code }), ...(reason ? { reason } : {}) }).catch(() => {}),
      whenSent: (sent) => socket.onMessage(sent), // also tells Playwright not to connect to the real server
      whenClosed: (closed) => socket.onClose(closed),
    });
  });
  return async () => {
    await page.unroute(routes.pattern, handler).catch(() => {}); // the page may be closed
    await listener.close();
  };
}

const kThisMachine = /^(?:.*\.)?localhost$|^127\.|^\[::1\]$/;
const kStreams = /[?&](?:watch|follow)=(?!0|false)/;

async function fulfill(intercepted: Route, cluster: Cluster, { pathname, search }: URL): Promise<void> {
  const request = intercepted.request();
  // The browser gets the body as it is, without the encoding of a wire.
  const headers = Object.entries(request.headers()).filter(([name]) => name !== 'accept-encoding' && !name.startsWith(':'));
  const answer = await cluster.request({ method: request.method(), target: pathname + search, headers, body: request.postDataBuffer() });
  const joined: Record<string, string> = { ...anyOrigin(intercepted) };
  for (const [name, value] of answer.headers) joined[name] = name in joined ? `${joined[name]}, ${value}` : value;
  return intercepted.fulfill({ status: answer.status, headers: joined, body: Buffer.from(answer.body) as Uint8Array });
}

/** Returns the headers that let the page read an answer of another origin. */
function anyOrigin(intercepted: Route): Record<string, string> {
  const { origin } = intercepted.request().headers();
  return origin === undefined ? {} : { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' };
}

/**
 * Options of `fixtures`: where requests come from, and those of the cluster.
 *
 * ```ts
 * const options: FixtureOptions = { origin: 'http://localhost:5173', load: manifests };
 * ```
 */
export type FixtureOptions = RouteOptions & ClusterOptions;

/**
 * Returns fixtures for `test.extend`: `cluster` is a fork for each test of a cluster that each worker fills once, and
 * the pages of the test's `context` reach it. In TypeScript, `extend` wants the type of the fixture.
 *
 * ```ts
 * const test = base.extend<{ cluster: Cluster }>(fixtures({ load: manifests, origin: 'https://kubernetes.example' }));
 * test('shows a new pod', async ({ page, cluster }) => {
 *   await page.goto('/pods');
 *   await cluster.apply(pod);
 *   await expect(page.getByText('web')).toBeVisible();
 * });
 * ```
 */
export function fixtures({ origin, prefix, ...options }: FixtureOptions = {}): any {
  checkOptionNames(options, kRouteOptions);
  const routes: RouteOptions = { ...(origin === undefined ? {} : { origin }), ...(prefix === undefined ? {} : { prefix }) };
  return {
    filledCluster: [
      async ({}: object, use: Use<Cluster>) => {
        const filled = await createCluster(options);
        await use(filled);
        filled.dispose();
      },
      { scope: 'worker' },
    ],
    cluster: async ({ filledCluster }: { filledCluster: Cluster }, use: Use<Cluster>) => {
      const cluster = filledCluster.fork();
      await use(cluster);
      cluster.dispose();
    },
    context: async ({ context, cluster }: { context: Routable; cluster: Cluster }, use: Use<Routable>) => {
      const stop = await route(context, cluster, routes);
      await use(context);
      await stop();
    },
  };
}

type Use<T> = (value: T) => Promise<void>;
