// Hands intercepted requests and sockets to a cluster.
import type { Cluster } from '../cluster.js';
import { webSocketOf } from '../websocket.js';
import type { Routes } from './routes.js';

type Fetching = Pick<Cluster, 'fetch'>;

/** Answers an intercepted Request. Aborting it ends its watch. */
export async function forwardRequest(cluster: Fetching, routes: Routes, request: Request): Promise<Response> {
  const { method, headers, signal } = request;
  const body = method === 'GET' || method === 'HEAD' || request.body === null ? null : await request.arrayBuffer();
  const response = await cluster.fetch(routes.urlOf(request.url), { method, headers, body, signal });
  // The page sees the address that it asked for.
  Object.defineProperty(response, 'url', { value: request.url, configurable: true });
  return response;
}

/** The intercepted end of a WebSocket, as MSW and Playwright have it. */
export interface InterceptedSocket {
  url: string | URL;
  protocols?: string | string[] | undefined;
  send(message: string | ArrayBuffer): void;
  close(code?: number, reason?: string): void;
  /** Calls back with each message of the page. */
  whenSent(sent: (message: string | ArrayBufferLike | ArrayBufferView | Blob) => void): void;
  /** Calls back when the page closes the socket. */
  whenClosed(closed: () => void): void;
}

/** Connects an intercepted WebSocket to the cluster. */
export function forwardSocket(cluster: Pick<Cluster, 'request'>, routes: Routes, page: InterceptedSocket): void {
  const Socket = webSocketOf(cluster);
  const protocols = [page.protocols ?? []].flat().filter((name) => name !== '');
  const socket = new Socket(routes.urlOf(page.url), protocols);
  socket.binaryType = 'arraybuffer';
  socket.onmessage = ({ data }: MessageEvent) => page.send(data as string | ArrayBuffer);
  const early: (() => void)[] = []; // a page may send as soon as it takes the socket for open
  socket.onopen = () => early.splice(0).forEach((send) => send());
  page.whenSent((message) => {
    const send = () => socket.send(message);
    if (socket.readyState === 0) early.push(send);
    else send();
  });
  // A page cannot be told 1006, which means that there was no close at all; 1011 is a server's failure.
  socket.onclose = ({ code, reason }: CloseEvent) => page.close(code === 1006 ? 1011 : code === 1005 ? 1000 : code, reason);
  page.whenClosed(() => socket.close());
}
