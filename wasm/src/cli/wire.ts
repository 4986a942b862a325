// Sockets that speak HTTP/1.1 and HTTP/2: agreed on by ALPN with TLS, known beforehand without.
import { existsSync, lstatSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { constants, createSecureServer, createServer as createHttp2Server, type Http2SecureServer, type Http2ServerRequest, type Http2ServerResponse, type Http2Session, type ServerOptions } from 'node:http2';
import { connect, type Server as NetServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { type ListenPlace, placeText } from './listen-address.js';
import { systemMessage } from './manifests.js';
import type { TlsContexts } from './tls-server.js';
import { goOnWithHttp, wantsUpgrade } from './websocket.js';

export type Asked = IncomingMessage | Http2ServerRequest;
export type Answering = ServerResponse | Http2ServerResponse;

export interface WireHandlers {
  answer(request: Asked, response: Answering): void;
  /** The connection may become a WebSocket, or one of SPDY; `head`: the bytes that followed its request. */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
}

/** Time that a stop leaves slow peers to read their answers. */
const kGracePeriod = 1000;
const kMostHead = 1024 * 1024;
/** Megabytes of answers that may wait for the client of one HTTP/2 connection. */
const kMostWaiting = 1024;
/** A client that sends nothing is dropped. */
const kPatience = 60_000;

/** The first bytes of a TLS connection, and of HTTP/2 without TLS. */
const kHandshake = 0x16;
const kPreface = 'PRI * HTTP/2.0';

const kPlainHttpRefusal = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/** One listener. */
export class Wire {
  readonly #server: Server | Http2SecureServer;
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<Http2Session>();

  constructor(
    private readonly handlers: WireHandlers,
    private readonly tls?: TlsContexts,
  ) {
    const http2: ServerOptions = { settings: { maxHeaderListSize: kMostHead, maxConcurrentStreams: 250 }, maxHeaderListPairs: 4096, maxSessionMemory: kMostWaiting };
    this.#server = tls ? this.#secureServer(http2, tls) : this.#plainServer(http2);
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  #secureServer(http2: ServerOptions, tls: TlsContexts): Http2SecureServer {
    const server = createSecureServer({ ...http2, ...tls.options, allowHTTP1: true }, this.handlers.answer);
    Object.assign(server, { keepAliveTimeout: 120_000, maxHeaderSize: kMostHead });
    server.on('session', (session) => this.#keep(session));
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
      this.#upgrade(request, socket, head, () => void server.emit('secureConnection', socket)),
    );
    intercept(server, (socket, goOn) =>
      whenKnown(socket, (bytes) => {
        if (bytes[0] === kHandshake) return goOn;
        return () => void socket.end(/^[A-Z]+ /.test(bytes.toString('latin1')) ? kPlainHttpRefusal : '', () => socket.destroy());
      }),
    );
    return server;
  }

  #plainServer(http2: ServerOptions): Server {
    const server = createServer({ keepAliveTimeout: 120_000, maxHeaderSize: kMostHead }, this.handlers.answer);
    const second = createHttp2Server(http2, this.handlers.answer);
    second.on('session', (session) => this.#keep(session));
    intercept(server, (socket, goOn) =>
      whenKnown(socket, (bytes) => {
        const begin = bytes.toString('latin1', 0, kPreface.length);
        if (begin === kPreface) return () => void second.emit('connection', socket);
        return kPreface.startsWith(begin) ? undefined : goOn;
      }),
    );
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
      this.#upgrade(request, socket, head, () => void server.emit('connection', socket)),
    );
    return server;
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer, goOn: () => void): void {
    socket.on('error', () => socket.destroy());
    if (wantsUpgrade(request)) this.handlers.upgrade(request, socket, head);
    else goOnWithHttp(goOn, request, socket, head);
  }

  #keep(session: Http2Session): void {
    this.#sessions.add(session);
    session.once('close', () => this.#sessions.delete(session));
    session.on('error', () => session.destroy());
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

/** Puts `first` before what the server itself does with a connection. */
function intercept(server: NetServer, first: (socket: Socket, goOn: () => void) => void): void {
  const own = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => first(socket, () => own.forEach((each) => each.call(server, socket))));
}

/**
 * Asks `choose`, until it knows, what to do with a connection that begins with these bytes; then does that. The bytes are
 * there to be read again.
 */
function whenKnown(socket: Socket, choose: (bytes: Buffer) => (() => void) | undefined): void {
  let bytes: Buffer = Buffer.alloc(0);
  const drop = () => void socket.destroy();
  const read = () => {
    const more = socket.read() as Buffer | null;
    if (more === null) return;
    bytes = bytes.length === 0 ? more : Buffer.concat([bytes, more]);
    const goOn = choose(bytes);
    if (!goOn) return;
    socket.off('readable', read).off('end', drop).off('error', drop).off('timeout', drop).setTimeout(0);
    socket.unshift(bytes);
    goOn();
  };
  socket.setTimeout(kPatience).on('readable', read).on('end', drop).on('error', drop).on('timeout', drop);
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
