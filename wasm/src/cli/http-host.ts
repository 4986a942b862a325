// What `tabernetes serve` does with requests: guards, the playground, the cluster, the log.
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Cluster } from '../cluster.js';
import type { RawRequest } from '../raw.js';
import { callShared } from '../shared.js';
import { type Caller, type RequestHeaders, showsToken } from './client-certificate.js';
import { bodyBytes, breakOff, closeAfter, connectionOf, headersOf, mostBody, peerOf, readBody, sendAnswer, sendWhole, targetOf } from './exchange.js';
import type { ServeFlags } from './flags.js';
import { type HostPolicy, hostAllowed, isForeignWrite, originAllowed } from './host-check.js';
import { authority, type ListenPlace, placeText } from './listen-address.js';
import type { Log } from './log.js';
import { findUiFolder, staticAnswer } from './static-files.js';
import { TlsContexts, type TlsSettings } from './tls-server.js';
import { serveUpgraded } from './websocket.js';
import { type Answering, type Asked, Wire, type WireHandlers } from './wire.js';

/** A cluster, and one that answers callers who may not come in. */
export interface Clusters {
  cluster: Cluster;
  /** Refuses all that have no token that it knows; it knows none. */
  refusing: () => Promise<Cluster>;
}

const kPlainText = [['Content-Type', 'text/plain; charset=utf-8']] as const;

export class HttpHost {
  /** Of each listener, once it listens. */
  readonly places: ListenPlace[] = [];
  readonly #wires: Wire[] = [];
  readonly #policy: HostPolicy;
  readonly #ui: string;
  readonly #tls: TlsContexts | undefined;
  readonly #names: RequestHeaders;
  #closing = false;

  /** Throws an Error for certificates that cannot be used. `tls`: if it speaks HTTPS. */
  constructor(
    private readonly flags: ServeFlags,
    private readonly clusters: Promise<Clusters>,
    private readonly log: Log,
    tls?: TlsSettings,
  ) {
    this.#policy = { listening: flags.listen.flatMap((place) => ('host' in place ? [place.host] : [])), allowed: flags.allowedHosts };
    this.#ui = flags.ui ? findUiFolder() : '';
    this.#tls = tls && new TlsContexts(tls);
    this.#names = flags.requestHeaders;
  }

  /** Rejects with an Error that says which address cannot be had. */
  async listen(): Promise<void> {
    const handlers: WireHandlers = {
      answer: (request, response) => void this.#answer(request, response).catch(() => breakOff(response)), // peer left, or cluster disposed
      upgrade: (request, socket, head) => {
        const response = new ServerResponse(request);
        response.assignSocket(socket);
        response.shouldKeepAlive = false;
        this.#answer(request, response, { request, socket, head }).catch(() => socket.destroy());
      },
    };
    for (const place of this.flags.listen) {
      const wire = new Wire(handlers, this.#tls);
      await wire.listen(place);
      this.#wires.push(wire);
      this.places.push('host' in place ? { host: place.host, port: wire.port } : place);
    }
  }

  /** `HOST:PORT` under which clients reach it; empty if only Unix sockets do. */
  get address(): string {
    const place = this.places.find((each) => 'host' in each);
    return place ? placeText(place) : '';
  }

  /** Replaces the certificates. Throws an Error for those that cannot be used; the old ones then stay. */
  renewTls(settings: TlsSettings): void {
    this.#tls?.use(settings);
    for (const wire of this.#wires) wire.renewTls();
  }

  /** Accepts no more connections. Open connections end after the answer that is under way. */
  close(): void {
    this.#closing = true;
    for (const wire of this.#wires) wire.close();
  }

  /** `upgrade`: of a connection that may be upgraded. */
  async #answer(request: Asked, response: Answering, upgrade?: { request: IncomingMessage; socket: Socket; head: Buffer }): Promise<void> {
    const method = request.method ?? '';
    const { named, target } = targetOf(request);
    let auditId = '';
    if (this.log.requests) this.#logWhenDone(request, response, upgrade?.socket, () => auditId);
    const refusal = this.#refusalOf(request, named, upgrade !== undefined);
    if (refusal !== undefined) {
      closeAfter(response); // the request's body is not read
      return sendWhole(response, 403, kPlainText, refusal);
    }
    const pageHost = { admin: this.flags.admin, clockStandsStill: this.flags.clock !== undefined };
    const page = staticAnswer(this.#ui, pageHost, method, target, request.headers.accept ?? '');
    if (page) return sendWhole(response, page.status, page.headers, page.body);

    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const clusters = await this.clusters;
    const { cluster } = clusters;
    const body = upgrade ? '' : await readBody(request, mostBody(target));
    const raw: RawRequest = { method, target, headers: headersOf(request), body, signal: gone.signal, peer: peerOf(request) };
    const answer = await this.#ask(clusters, request, raw);
    auditId = answer.headers.find(([name]) => name === 'Audit-Id')?.[1] ?? '';
    if (upgrade && answer.status === 101) {
      response.statusCode = 101;
      (response as ServerResponse).detachSocket(upgrade.socket);
      return serveUpgraded(upgrade.request, upgrade.socket, upgrade.head, answer, () => (this.#closing ? 1001 : 1000));
    }
    answer.headers.push(['Date', cluster.now.toUTCString()]); // the cluster's time, as in the native server
    await sendAnswer(response, method, answer);
  }

  /** Returns why the request of a foreign page is not answered. */
  #refusalOf(request: Asked, named: string, opensWebSocket: boolean): string | undefined {
    const { method = '', headers } = request;
    const { origin } = headers;
    if (!hostAllowed(named, this.#policy)) return `403 Forbidden: this server does not answer for the host ${named} (see --allowed-hosts)\n`;
    if (opensWebSocket && origin !== undefined && !originAllowed(origin, named, this.#policy)) {
      return `403 Forbidden: pages of ${origin} may not open a WebSocket here (see --allowed-hosts)\n`;
    }
    if (isForeignWrite(method, headers, named, this.#policy, (page) => this.#mayReadAnswers(page))) {
      return `403 Forbidden: pages of ${origin ?? 'other sites'} may not write here (see --cors-allowed-origins)\n`;
    }
    return undefined;
  }

  /** Sends the request as the user that the connection's certificate names. */
  async #ask({ cluster, refusing }: Clusters, request: Asked, raw: RawRequest) {
    const socket = this.#tls && connectionOf(request);
    const { user, refused }: Caller = socket ? this.#tls!.trust.callerOf(socket, raw.headers as [string, string][], this.#names) : { refused: false };
    if (refused && !user && !showsToken(request.headers)) return (await refusing()).request(raw);
    return cluster.request({ ...raw, user });
  }

  /**
   * Returns true if --cors-allowed-origins lets pages of `origin` read answers. Pages of this machine, the default, may
   * write anyway, so the default list is empty here.
   */
  #mayReadAnswers(origin: string): boolean {
    const list = this.flags.corsAllowedOrigins ?? [];
    return callShared(({ core }) => core.corsAllows(list, origin));
  }

  /** `socket`: of a WebSocket, which is logged when its connection closes. */
  #logWhenDone(request: Asked, response: Answering, socket: Socket | undefined, auditId: () => string): void {
    const begun = performance.now();
    const { headers } = request;
    const connection = connectionOf(request);
    const before = connection?.bytesWritten ?? 0;
    const peer = authority({ host: connection?.remoteAddress ?? '', port: connection?.remotePort ?? 0 });
    (socket ?? response).on('close', () =>
      this.log.request({
        method: request.method ?? '',
        target: request.url ?? '',
        contentType: headers['content-type'] ?? '',
        userAgent: headers['user-agent'] ?? '',
        auditId: auditId(),
        peer,
        status: response.statusCode,
        bytes: 'stream' in response ? bodyBytes(response) : (connection?.bytesWritten ?? 0) - before,
        took: performance.now() - begun,
      }),
    );
  }
}
