// What `tabernetes serve` does with requests: guards, the playground, the cluster, the log.
import type { Cluster } from '../cluster.js';
import type { RawRequest } from '../raw.js';
import { callShared } from '../shared.js';
import { type Caller, type RequestHeaders, showsToken } from './client-certificate.js';
import { Connections, kUsualLimits, mostConnections } from './connections.js';
import { bodyBytes, breakOff, closeAfter, connectionOf, headersOf, methodOf, mostBody, peerOf, readBody, sendAnswer, sendWhole, targetOf, unknownProtocol } from './exchange.js';
import type { ServeFlags } from './flags.js';
import { type HostPolicy, hostAllowed, isForeignWrite, originAllowed } from './host-check.js';
import { inheritedSockets } from './inherited.js';
import { authority, type ListenPlace, placeText } from './listen-address.js';
import type { Log } from './log.js';
import { findUiFolder, staticAnswer } from './static-files.js';
import { TlsContexts, type TlsSettings } from './tls-server.js';
import type { Upgrade } from './websocket.js';
import { type Answering, type Asked, Wire } from './wire.js';

/** A cluster, and one that answers callers who may not come in. */
export interface Clusters {
  cluster: Cluster;
  /** Refuses all that have no token that it knows; it knows none. */
  refusing: () => Promise<Cluster>;
}

const kPlainText = [['Content-Type', 'text/plain; charset=utf-8']] as const;

const isUnix = (place: ListenPlace) => 'path' in place;

export class HttpHost {
  /** Of each listener, once it listens. */
  readonly places: ListenPlace[] = [];
  readonly #wires: Wire[] = [];
  readonly #connections: Connections;
  readonly #policy: { listening: string[] } & HostPolicy;
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
    this.#connections = new Connections({ ...kUsualLimits, connections: flags.maxConnections || mostConnections() }, (line) => log.warn(line));
    this.#policy = { listening: [], allowed: [...flags.allowedHosts, ...flags.tls.names] };
    this.#ui = flags.ui ? findUiFolder() : '';
    this.#tls = tls && new TlsContexts(tls);
    this.#names = flags.requestHeaders;
  }

  /**
   * Listens where the flags say, and on sockets that another program has opened, in whose presence there is no default address.
   * Rejects with an Error that says which cannot be had.
   */
  async listen(): Promise<void> {
    const inherited = inheritedSockets();
    const { listen, listenGiven } = this.flags;
    for (const each of [...inherited, ...(inherited.length === 0 || listenGiven ? listen : [])]) {
      const wire = new Wire({ answer: (request, response, upgrade) => void this.#answer(request, response, isUnix(place), upgrade).catch(() => breakOff(response)) }, this.#tls, this.#connections); // peer left, or cluster disposed
      let place: ListenPlace = typeof each === 'number' ? { path: '' } : each;
      this.#wires.push(wire);
      if (typeof each === 'number') place = await wire.listenOn(each);
      else await wire.listen(each);
      if ('host' in place) this.#policy.listening.push(place.host);
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

  /** `unix`: it came through a Unix socket. */
  async #answer(request: Asked, response: Answering, unix: boolean, upgrade?: Upgrade): Promise<void> {
    const method = methodOf(request);
    const { named, target } = targetOf(request);
    let auditId = '';
    if (this.log.requests) this.#logWhenDone(request, response, upgrade, () => auditId);
    const protocol = unknownProtocol(request);
    if (protocol !== undefined) return sendWhole(response, 501, kPlainText, `501 Not Implemented: the protocol ${protocol}`);
    const refusal = this.#refusalOf(request, named, unix, upgrade !== undefined);
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
    const body = upgrade ? '' : await readBody(request, mostBody(target), this.#connections);
    const forMetrics = method === 'GET' && /^\/metrics(\?|$)/.test(target);
    const headers = headersOf(request).filter(([name]) => !forMetrics || name.toLowerCase() !== 'accept-encoding'); // more is added to the body
    const raw: RawRequest = { method, target, headers, body, signal: gone.signal, peer: peerOf(request) };
    const answer = await this.#ask(clusters, request, raw);
    auditId = answer.headers.find(([name]) => name === 'Audit-Id')?.[1] ?? '';
    const date = cluster.now.toUTCString(); // the cluster's time, as in the native server
    if (upgrade && answer.status === 101) return upgrade.serve(answer, date, () => (this.#closing ? 1001 : 1000));
    answer.headers.push(['Date', date]);
    if (forMetrics && answer.status === 200) answer.body = Buffer.concat([answer.body, Buffer.from(this.#connections.metrics())]);
    await sendAnswer(response, method, answer, this.#connections);
  }

  /** Returns why the request of a foreign page is not answered. */
  #refusalOf(request: Asked, named: string, unix: boolean, opensWebSocket: boolean): string | undefined {
    const { method = '', headers } = request;
    const { origin } = headers;
    // Without any host it does not come from a browser, and no page reaches a Unix socket, whose clients name any host.
    if (!unix && named !== '' && !hostAllowed(named, this.#policy)) return `403 Forbidden: this server does not answer for the host ${named} (see --allowed-hosts)\n`;
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

  /** `upgrade`: of a WebSocket, which is logged when its connection closes. */
  #logWhenDone(request: Asked, response: Answering, upgrade: Upgrade | undefined, auditId: () => string): void {
    const begun = performance.now();
    const { headers } = request;
    const connection = connectionOf(request);
    const before = connection?.bytesWritten ?? 0;
    const peer = authority({ host: connection?.remoteAddress ?? '', port: connection?.remotePort ?? 0 });
    (upgrade?.channel ?? response).on('close', () =>
      this.log.request({
        method: methodOf(request),
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
