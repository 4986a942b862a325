// Sockets that speak HTTP/1.1 and HTTP/2: agreed on by ALPN with TLS, known beforehand without.
import { existsSync, lstatSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { constants, createSecureServer, createServer as createHttp2Server, type Http2SecureServer, type Http2ServerRequest, type Http2ServerResponse, type Http2Session, type ServerOptions } from 'node:http2';
import { type AddressInfo, connect, type Server as NetServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { Connections, type Slow } from './connections.js';
import { pathOfSocket } from './inherited.js';
import { type ListenPlace, placeText } from './listen-address.js';
import { systemMessage } from './manifests.js';
import type { TlsContexts } from './tls-server.js';
import { goOnWithHttp, SocketUpgrade, StreamUpgrade, type Upgrade, wantsUpgrade } from './websocket.js';

export type Asked = IncomingMessage | Http2ServerRequest;
export type Answering = ServerResponse | Http2ServerResponse;

export interface WireHandlers {
  /** `upgrade`: the connection, or the stream of HTTP/2, may become a WebSocket or another protocol's. */
  answer(request: Asked, response: Answering, upgrade?: Upgrade): void;
}

/** Time that a stop leaves slow peers to read their answers. */
const kGracePeriod = 1000;
const kMostHead = 1024 * 1024;
/** Megabytes of answers that may wait for the client of one HTTP/2 connection. */
const kMostWaiting = 1024;
/** How often heads that do not come are looked for. */
const kLooks = 5000;

/** The first bytes of a TLS connection, and of HTTP/2 without TLS. */
const kHandshake = 0x16;
const kPreface = 'PRI * HTTP/2.0';

const kPlainHttpRefusal = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

const refusalOf = (words: string) =>
  `HTTP/1.1 ${words}\r\nContent-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${words.length}\r\nConnection: close\r\n\r\n${words}`;

/** What HTTP/2 says of errors that nghttp2 numbers so; Node.js would say INTERNAL_ERROR to all. */
const kHttp2Errors: Readonly<Record<number, number>> = {
  [-903]: constants.NGHTTP2_PROTOCOL_ERROR, // another preface
  [-505]: constants.NGHTTP2_PROTOCOL_ERROR,
  [-510]: constants.NGHTTP2_STREAM_CLOSED,
  [-522]: constants.NGHTTP2_FRAME_SIZE_ERROR,
  [-523]: constants.NGHTTP2_COMPRESSION_ERROR,
  [-524]: constants.NGHTTP2_FLOW_CONTROL_ERROR,
};

/** One listener. */
export class Wire {
  readonly #server: Server | Http2SecureServer;
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<Http2Session>();

  constructor(
    private readonly handlers: WireHandlers,
    private readonly tls?: TlsContexts,
    private readonly connections = new Connections(),
  ) {
    const settings = { maxHeaderListSize: kMostHead, maxConcurrentStreams: 250, enableConnectProtocol: true };
    const http2: ServerOptions = { settings, maxHeaderListPairs: 4096, maxSessionMemory: kMostWaiting };
    const { head, idle, wholeBody } = connections.limits;
    const http1 = { keepAliveTimeout: idle, headersTimeout: head, requestTimeout: head + wholeBody, connectionsCheckingInterval: Math.min(kLooks, head), maxHeaderSize: kMostHead };
    this.#server = tls ? this.#secureServer(http2, http1, tls) : this.#plainServer(http2, http1);
    this.#server.on('timeout', (socket: Socket) => this.#drop(socket, 'idle'));
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => this.#refuse(error, socket));
    this.#server.on('error', () => {}); // of a connection that could not be accepted; a fault of `listen` is told there
  }

  #secureServer(http2: ServerOptions, http1: object, tls: TlsContexts): Http2SecureServer {
    const { limits } = this.connections;
    const server = createSecureServer({ ...http2, ...tls.options, allowHTTP1: true, handshakeTimeout: limits.head }, (request, response) => this.handlers.answer(request, response));
    Object.assign(server, http1);
    this.#serveHttp2(server);
    server.on('tlsClientError', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ERR_TLS_HANDSHAKE_TIMEOUT') this.connections.drop('handshake');
      else this.connections.failedHandshakes++;
    });
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
      this.#upgrade(request, socket, head, () => void server.emit('secureConnection', socket)),
    );
    this.#intercept(server, (bytes, socket, goOn) => {
      if (bytes[0] === kHandshake) return goOn;
      this.connections.failedHandshakes++;
      return () => void socket.end(/^[A-Z]+ /.test(bytes.toString('latin1')) ? kPlainHttpRefusal : '', () => socket.destroy());
    });
    return server;
  }

  #plainServer(http2: ServerOptions, http1: object): Server {
    const server = createServer(http1, (request, response) => this.handlers.answer(request, response));
    const second = createHttp2Server(http2, (request, response) => this.handlers.answer(request, response));
    this.#serveHttp2(second);
    this.#intercept(server, (bytes, socket, goOn) => {
      const begin = bytes.toString('latin1', 0, kPreface.length);
      if (begin === kPreface) return () => void second.emit('connection', socket);
      return kPreface.startsWith(begin) ? undefined : goOn;
    });
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
      this.#upgrade(request, socket, head, () => void server.emit('connection', socket)),
    );
    return server;
  }

  #serveHttp2(server: NetServer): void {
    server.on('session', (session: Http2Session) => this.#keep(session));
    // A CONNECT; that of HTTP/1.1 comes with its socket, and asks for a proxy.
    server.on('connect', (request: Asked, response: Http2ServerResponse | Socket) => {
      if (!('stream' in response)) return void response.destroy();
      this.handlers.answer(request, response, request.headers[':protocol'] === 'websocket' ? new StreamUpgrade(response) : undefined);
    });
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer, goOn: () => void): void {
    socket.on('error', () => socket.destroy());
    if (!wantsUpgrade(request)) return goOnWithHttp(goOn, request, socket, head);
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    this.handlers.answer(request, response, new SocketUpgrade(request, response, socket, head));
  }

  #keep(session: Http2Session): void {
    this.#sessions.add(session);
    const end = session.destroy.bind(session) as (error?: Error & { errno?: number }, code?: number) => void;
    session.destroy = (error?: Error & { errno?: number }, code?: number) => end(error, code ?? kHttp2Errors[error?.errno ?? 0]);
    let open = 0;
    const idle = setTimeout(() => {
      if (open > 0) return;
      this.connections.drop('idle');
      session.close();
    }, this.connections.limits.idle).unref();
    session.on('stream', (stream: Http2ServerRequest['stream']) => {
      open++;
      stream.once('close', () => --open === 0 && idle.refresh());
    });
    session.once('close', () => (clearTimeout(idle), this.#sessions.delete(session)));
    session.on('error', () => session.destroy());
  }

  /** Puts `choose` before what the server itself does with a connection. */
  #intercept(server: NetServer, choose: (bytes: Buffer, socket: Socket, goOn: () => void) => (() => void) | undefined): void {
    const own = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      const goOn = () => own.forEach((each) => each.call(server, socket));
      const begin = () => whenKnown(socket, this.connections.limits.head, (bytes) => choose(bytes, socket, goOn), () => this.#drop(socket, this.tls ? 'handshake' : 'head'));
      if (this.#sockets.has(socket)) return begin(); // it comes again, without its upgrade
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      this.connections.enter(socket, begin);
    });
  }

  #drop(socket: Socket, slow: Slow): void {
    this.connections.drop(slow);
    socket.destroy();
  }

  /** Answers what is not HTTP, and drops whose head does not come. */
  #refuse({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return this.#drop(socket, 'head');
    if (!socket.writable || code === 'ECONNRESET') return void socket.destroy();
    socket.end(refusalOf(code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'), () => socket.destroy());
  }

  /** Rejects with an Error that says why the place cannot be had. */
  async listen(place: ListenPlace): Promise<void> {
    try {
      await this.#bind(place);
    } catch (error) {
      throw new Error(`cannot listen on ${placeText(place)}: ${listenMessage(error as NodeJS.ErrnoException, place)}`);
    }
  }

  async #bind(place: ListenPlace): Promise<void> {
    const once = (): Promise<void> =>
      new Promise((resolve, reject) => {
        this.#server.once('error', reject);
        const bound = () => (this.#server.off('error', reject), resolve());
        if ('path' in place) this.#server.listen(place.path, bound);
        else this.#server.listen(place.port, place.host, bound);
      });
    if ('path' in place) checkSocketPath(place.path);
    try {
      await once();
    } catch (error) {
      if (!('path' in place) || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || !(await isAbandoned(place.path))) throw error;
      rmSync(place.path);
      await once();
    }
  }

  /** Listens on a socket that another program has opened, and resolves with its place. Rejects with an Error for what is none. */
  async listenOn(descriptor: number): Promise<ListenPlace> {
    try {
      await new Promise<void>((resolve, reject) => this.#server.once('error', reject).listen({ fd: descriptor }, resolve));
    } catch {
      throw new Error(`descriptor ${descriptor} of LISTEN_FDS is no socket that listens for connections`);
    }
    const address = this.#server.address() as AddressInfo | string | null;
    return typeof address === 'object' && address ? { host: address.address, port: address.port } : { path: pathOfSocket(descriptor) };
  }

  /** The port, 0 for a Unix socket. */
  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Lets new connections use the certificates that `tls` has got. */
  renewTls(): void {
    this.tls?.applyTo(this.#server as Http2SecureServer);
  }

  /** The socket does not keep Node.js running, nor do its connections. */
  unref(): void {
    this.#server.unref();
    this.#server.on('connection', (socket: Socket) => socket.unref());
  }

  /** Accepts no more connections. Open connections end after the answers that are under way. */
  close(): void {
    this.#server.close();
    (this.#server as Server).closeIdleConnections();
    for (const session of this.#sessions) {
      if (session.destroyed) continue; // its `close` is yet to come
      session.goaway(constants.NGHTTP2_NO_ERROR);
      session.close();
    }
    setTimeout(() => this.#destroyAll(), kGracePeriod).unref();
  }

  /** Closes all connections at once. Resolves when they are gone. */
  abort(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#destroyAll();
    return closed;
  }

  #destroyAll(): void {
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/**
 * Asks `choose`, until it knows, what to do with a connection that begins with these bytes; then does that. The bytes are
 * there to be read again. Calls `late` if they do not come in time.
 */
function whenKnown(socket: Socket, time: number, choose: (bytes: Buffer) => (() => void) | undefined, late: () => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  const drop = () => (clearTimeout(timer), void socket.destroy());
  const read = () => {
    const more = socket.read() as Buffer | null;
    if (more === null) return;
    bytes = bytes.length === 0 ? more : Buffer.concat([bytes, more]);
    const goOn = choose(bytes);
    if (!goOn) return;
    clearTimeout(timer);
    socket.off('readable', read).off('end', drop).off('error', drop).off('close', drop);
    socket.unshift(bytes);
    goOn();
  };
  const timer = setTimeout(late, time).unref();
  socket.on('readable', read).on('end', drop).on('error', drop).on('close', drop);
}

/** Bytes of a Unix socket's path; Node.js cuts a longer one off. */
const kLongestPath = process.platform === 'linux' ? 107 : 103;

function checkSocketPath(path: string): void {
  if (process.platform === 'win32') throw new Error('Node.js has no Unix sockets on Windows');
  if (Buffer.byteLength(path) > kLongestPath) throw new Error(`a Unix socket's path has at most ${kLongestPath} bytes`);
}

/** Resolves with true for the socket of a server that was killed. */
const isAbandoned = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSocket()) return resolve(false);
    const probe = connect(path, () => (probe.destroy(), resolve(false)));
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });

function listenMessage(error: NodeJS.ErrnoException, place: ListenPlace): string {
  if (error.code === 'EADDRINUSE') return 'Address already in use';
  if (error.code === 'EACCES' && 'path' in place) return existsSync(dirname(place.path)) ? 'Permission denied' : 'No such file or directory'; // Node.js has one code for both
  return systemMessage(error);
}
