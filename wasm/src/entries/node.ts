/**
 * A cluster behind a socket, for clients that speak HTTP or WebSocket themselves: kubectl, any client library, a browser.
 *
 * ```ts
 * import { listen } from 'tabernetes/node';
 *
 * const { url, kubeconfig, close } = await listen(cluster);
 * ```
 *
 * @module tabernetes/node
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { mostBody, pairs, peerOf, readBody, sendAnswer } from '../cli/exchange.js';
import { kubeconfigText } from '../cli/kubeconfig.js';
import { authority } from '../cli/listen-address.js';
import { goOnWithHttp, serveWebSocket, wantsWebSocket } from '../cli/websocket.js';
import type { Cluster } from '../cluster.js';
import { checkNames } from '../option-names.js';
import { clusterOf, type ClusterSource } from './routes.js';

export type { ClusterSource } from './routes.js';

/**
 * Options of `listen`.
 *
 * ```ts
 * const options: ListenOptions = { port: 8001 };
 * ```
 */
export interface ListenOptions {
  /** A free one if left out. */
  port?: number;
  /** `127.0.0.1` if left out. */
  host?: string;
  /** Serves HTTPS with this key and certificate, in PEM. */
  tls?: { key: string | Uint8Array; cert: string | Uint8Array };
  /** The bearer token in the kubeconfig. */
  token?: string;
  /**
   * Origins whose pages may read answers: a list, or `*` for all. If left out, pages of other origins get no CORS headers.
   */
  allowedOrigins?: readonly string[] | '*';
}

/**
 * A cluster that listens.
 *
 * ```ts
 * const server: Listener = await listen(cluster);
 * ```
 */
export interface Listener {
  /** `http://127.0.0.1:40123` */
  readonly url: string;
  readonly port: number;
  /** The text of a kubeconfig that reaches the cluster; every client takes it. */
  readonly kubeconfig: string;
  /** Closes all connections. The cluster goes on. */
  close(): Promise<void>;
}

/**
 * Serves `cluster` on a socket of this machine. A function in place of the cluster is called for each request. The
 * socket does not keep Node.js running.
 *
 * ```ts
 * const { url, close } = await listen(cluster, { port: 0 });
 * console.log((await fetch(`${url}/version`)).status); // 200
 * await close();
 * ```
 */
export async function listen(cluster: ClusterSource<Cluster>, options: ListenOptions = {}): Promise<Listener> {
  checkNames('listen', options, ['port', 'host', 'tls', 'token', 'allowedOrigins']);
  const { port = 0, host = '127.0.0.1', tls, token, allowedOrigins = [] } = options;
  const host_ = new Host(cluster, allowedOrigins);
  const server = host_.server(tls);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  server.unref();
  const bound = (server.address() as AddressInfo).port;
  const url = `${tls ? 'https' : 'http'}://${authority({ host: reachable(host), port: bound })}`;
  const close = () => host_.close(server);
  return { url, port: bound, kubeconfig: kubeconfigText(url, token), close };
}

const kReachable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
const reachable = (host: string) => kReachable[host] ?? host;

class Host {
  readonly #sockets = new Set<Socket>();

  constructor(
    private readonly cluster: ClusterSource<Cluster>,
    private readonly allowedOrigins: readonly string[] | '*',
  ) {}

  server(tls: ListenOptions['tls']): Server {
    const answer: RequestListener = (request, response) => void this.#answer(request, response).catch(() => response.destroy());
    const options = { keepAliveTimeout: 120_000, maxHeaderSize: 1024 * 1024 };
    const server = tls ? createTlsServer({ ...options, key: asKey(tls.key), cert: asKey(tls.cert) }, answer) : createServer(options, answer);
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.unref();
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      if (!wantsWebSocket(request)) return goOnWithHttp(server, request, socket, head);
      const response = new ServerResponse(request);
      response.assignSocket(socket);
      response.shouldKeepAlive = false;
      this.#answer(request, response, head).catch(() => socket.destroy());
    });
    return server;
  }

  close(server: Server): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    return closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse, head?: Buffer): Promise<void> {
    const { method = '', url: target = '/' } = request;
    if (this.#allow(request, response)) return;
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const headers = pairs(request.rawHeaders);
    const body = head ? '' : await readBody(request, mostBody(target));
    const cluster = clusterOf(this.cluster);
    const answer = await cluster.request({ method, target, headers, body, signal: gone.signal, peer: peerOf(request) });
    if (head && answer.status === 101) {
      response.statusCode = 101;
      response.detachSocket(request.socket);
      return serveWebSocket(request, request.socket, head, answer, () => 1000);
    }
    answer.headers.push(['Date', cluster.now.toUTCString()]);
    await sendAnswer(response, method, answer);
  }

  /** Sets CORS headers for an allowed origin. Returns true if that was all: the answer to a preflight. */
  #allow(request: IncomingMessage, response: ServerResponse): boolean {
    const { origin } = request.headers;
    if (origin === undefined || (this.allowedOrigins !== '*' && !this.allowedOrigins.includes(origin))) return false;
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Allow-Credentials', 'true');
    response.setHeader('Access-Control-Expose-Headers', 'Date, Warning, Audit-Id');
    response.setHeader('Vary', 'Origin');
    const asked = request.headers['access-control-request-method'];
    if (request.method !== 'OPTIONS' || asked === undefined) return false;
    response.setHeader('Access-Control-Allow-Methods', asked);
    response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '*');
    response.writeHead(204).end();
    return true;
  }
}

const asKey = (pem: string | Uint8Array) => (typeof pem === 'string' ? pem : Buffer.from(pem));
