/**
 * Handlers for MSW (Mock Service Worker) 2 and 3, in Node.js and in browsers.
 *
 * ```ts
 * import { setupServer } from 'msw/node';
 * import { handlers } from 'tabernetes/msw';
 *
 * const server = setupServer(...handlers(cluster, { origin: 'http://localhost' }));
 * ```
 *
 * @module tabernetes/msw
 */
import * as msw from 'msw';
import type { Cluster } from '../cluster.js';
import { forwardRequest, forwardSocket } from './forward.js';
import { clusterOf, type ClusterSource, type RouteOptions, Routes } from './routes.js';

export type { ClusterSource, RouteOptions } from './routes.js';

/**
 * Returns handlers that answer HTTP requests and WebSockets from `cluster`; watches stream, and end when the client
 * aborts. A function in place of the cluster is called for each request, so that each test can have a fork of its own.
 *
 * ```ts
 * let cluster: Cluster;
 * beforeEach(() => (cluster = filled.fork()));
 * const server = setupServer(...handlers(() => cluster, { origin: 'http://localhost' }));
 * ```
 */
export function handlers(cluster: ClusterSource<Pick<Cluster, 'fetch' | 'request'>>, options: RouteOptions = {}): any[] {
  const routes = new Routes(options);
  const { http } = msw;
  const ws = (msw as { ws?: typeof msw.ws }).ws; // MSW has it from 2.6 on
  const all: unknown[] = [
    http.all(routes.pattern, async ({ request }: { request: Request }) => withFirstChunk(await forwardRequest(clusterOf(cluster), routes, request))),
  ];
  if (ws) all.push(ws.link(routes.pattern).addEventListener('connection', (connection: Connection) => connect(clusterOf(cluster), routes, connection)));
  return all;
}

interface Connection {
  client: {
    url: URL;
    send(message: string | ArrayBuffer): void;
    close(code?: number, reason?: string): void;
    addEventListener(type: 'message', listener: (event: { data: string | ArrayBuffer | Blob }) => void): void;
    addEventListener(type: 'close', listener: () => void): void;
  };
  info?: { protocols?: string | string[] };
}

function connect(cluster: Pick<Cluster, 'request'>, routes: Routes, { client, info }: Connection): void {
  forwardSocket(cluster, routes, {
    url: client.url,
    protocols: info?.protocols,
    send: (message) => client.send(message),
    close: (code, reason) => client.close(code, reason),
    whenSent: (sent) => client.addEventListener('message', ({ data }) => sent(data)),
    whenClosed: (closed) => client.addEventListener('close', closed),
  });
}

/** In Node.js, MSW gives a client the headers with the first chunk, which a watch without events does not have. */
function withFirstChunk(response: Response): Response {
  const reader = response.body?.getReader();
  if (!reader) return response;
  let begun = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!begun) {
        begun = true;
        return controller.enqueue(new Uint8Array());
      }
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
  return new Response(body, { status: response.status, headers: response.headers });
}
