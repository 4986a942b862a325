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
import type { TLSSocket } from 'node:tls';
import { type RequestHeaders, showsToken } from '../cli/client-certificate.js';
import { Connections } from '../cli/connections.js';
import { breakOff, connectionOf, headersOf, methodOf, mostBody, peerOf, readBody, sendAnswer, targetOf } from '../cli/exchange.js';
import { kubeconfigText } from '../cli/kubeconfig.js';
import { authority, placeText } from '../cli/listen-address.js';
import { serverNames } from '../cli/tls-files.js';
import { TlsContexts, type TlsSettings } from '../cli/tls-server.js';
import type { Upgrade } from '../cli/websocket.js';
import { type Answering, type Asked, Wire } from '../cli/wire.js';
import type { Cluster } from '../cluster.js';
import { checkNames } from '../option-names.js';
import type { RawRequest } from '../raw.js';
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
  /** Listens on a Unix socket, a path, instead of a port. */
  socket?: string;
  /** Serves HTTPS; `true`: under a certificate of an authority that is made for it, and which the kubeconfig embeds. */
  tls?: true | ListenTls;
  /** The bearer token in the kubeconfig. */
  token?: string;
  /**
   * Origins whose pages may read answers: a list, or `*` for all. If left out, pages of other origins get no CORS headers.
   */
  allowedOrigins?: readonly string[] | '*';
}

/**
 * HTTPS, with HTTP/2 and HTTP/1.1. Keys, certificates and authorities are PEM.
 *
 * ```ts
 * const tls: ListenTls = { names: ['cluster.example'], minVersion: 'VersionTLS13' };
 * await listen(cluster, { tls });
 * ```
 */
export interface ListenTls {
  /** The key and the certificate, with those that sign it. If left out, they are made. */
  key?: string | Uint8Array;
  cert?: string | Uint8Array;
  /** More host names and addresses of a certificate that is made. */
  names?: readonly string[];
  /** Certificates for clients that ask for one of their names. */
  forNames?: readonly { key: string | Uint8Array; cert: string | Uint8Array }[];
  /** `VersionTLS12` if left out. */
  minVersion?: 'VersionTLS10' | 'VersionTLS11' | 'VersionTLS12' | 'VersionTLS13';
  /** Clients with a certificate of these authorities are users: CN the name, O the groups. */
  clientCa?: string;
  /** Proxies with a certificate of these authorities name the user in headers. */
  requestHeader?: {
    clientCa: string;
    /** Common names of such proxies; any if left out. */
    allowedNames?: readonly string[];
    /** Names of headers, such as `X-Remote-User`. */
    usernames: readonly string[];
    uids?: readonly string[];
    groups?: readonly string[];
    /** Such as `X-Remote-Extra-`. */
    extraPrefixes?: readonly string[];
  };
}

/**
 * A cluster that listens.
 *
 * ```ts
 * const server: Listener = await listen(cluster);
 * ```
 */
export interface Listener {
  /** `http://127.0.0.1:40123`, or `unix:///run/tabernetes.sock` */
  readonly url: string;
  /** 0 for a Unix socket. */
  readonly port: number;
  /** The text of a kubeconfig that reaches the cluster; every client takes it. Empty for a Unix socket, which none can name. */
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
  checkNames('listen', options, ['port', 'host', 'socket', 'tls', 'token', 'allowedOrigins']);
  const { port = 0, host = '127.0.0.1', socket, tls, token, allowedOrigins = [] } = options;
  const secure = tls && (await secureSettings(tls, host));
  const host_ = new Host(cluster, allowedOrigins, secure);
  const place = socket === undefined ? { host, port } : { path: socket };
  await host_.wire.listen(place);
  host_.wire.unref();
  const bound = host_.wire.port;
  const scheme = secure ? 'https' : 'http';
  const url = socket === undefined ? `${scheme}://${authority({ host: reachable(host), port: bound })}` : placeText(place);
  const kubeconfig = socket !== undefined ? '' : kubeconfigText({ serverUrl: url, authority: secure?.authority, token });
  return { url, port: bound, kubeconfig, close: () => host_.wire.abort() };
}

const kReachable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
const reachable = (host: string) => kReachable[host] ?? host;

interface Secure {
  settings: TlsSettings;
  /** Of a certificate that was made. */
  authority?: string;
  headers: RequestHeaders;
}

async function secureSettings(tls: true | ListenTls, host: string): Promise<Secure> {
  const given: ListenTls = tls === true ? {} : tls;
  checkNames('tls', given, ['key', 'cert', 'names', 'forNames', 'minVersion', 'clientCa', 'requestHeader']);
  const { key, cert, names = [], forNames = [], minVersion = 'VersionTLS12', clientCa = '', requestHeader } = given;
  if ((key === undefined) !== (cert === undefined)) throw new TypeError('tabernetes: tls has both key and cert, or neither');
  const made = key === undefined ? await madeFor(serverNames([host], names)) : undefined;
  const { usernames = [], uids = [], groups = [], extraPrefixes = [] } = requestHeader ?? {};
  return {
    settings: {
      own: made?.own ?? { pem: pemText(cert!), key: pemText(key!) },
      forNames: forNames.map((pair) => ({ pem: pemText(pair.cert), key: pemText(pair.key) })),
      minVersion,
      userAuthorities: clientCa,
      proxyAuthorities: requestHeader?.clientCa ?? '',
      proxies: [...(requestHeader?.allowedNames ?? [])],
    },
    authority: made?.authority,
    headers: { usernames: lower(usernames), uids: lower(uids), groups: lower(groups), extraPrefixes: lower(extraPrefixes) },
  };
}

const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase());

async function madeFor(names: readonly string[]) {
  const { issueCertificate, makeAuthority } = await import('../certificates.js');
  const authority = makeAuthority('tabernetes-ca');
  return { own: issueCertificate(authority, { commonName: 'kube-apiserver', names }), authority: authority.pem };
}

class Host {
  readonly wire: Wire;
  readonly #connections = new Connections();
  readonly #tls: TlsContexts | undefined;
  #refusing: Promise<Cluster> | undefined;

  constructor(
    private readonly cluster: ClusterSource<Cluster>,
    private readonly allowedOrigins: readonly string[] | '*',
    private readonly secure: Secure | undefined,
  ) {
    this.#tls = secure && new TlsContexts(secure.settings);
    this.wire = new Wire({ answer: (request, response, upgrade) => void this.#answer(request, response, upgrade).catch(() => breakOff(response)) }, this.#tls, this.#connections);
  }

  async #answer(request: Asked, response: Answering, upgrade?: Upgrade): Promise<void> {
    const method = methodOf(request);
    const { target } = targetOf(request);
    if (this.#allow(request, response)) return;
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const body = upgrade ? '' : await readBody(request, mostBody(target), this.#connections);
    const cluster = clusterOf(this.cluster);
    const raw = { method, target, headers: headersOf(request), body, signal: gone.signal, peer: peerOf(request) };
    const answer = await this.#ask(cluster, request, raw);
    const date = cluster.now.toUTCString();
    if (upgrade && answer.status === 101) return upgrade.serve(answer, date, () => 1000);
    answer.headers.push(['Date', date]);
    await sendAnswer(response, method, answer, this.#connections);
  }

  /** Sends the request as the user that the connection's certificate names. */
  async #ask(cluster: Cluster, request: Asked, raw: RawRequest & { headers: [string, string][] }) {
    const socket: TLSSocket | undefined = this.#tls && connectionOf(request);
    if (!socket) return cluster.request(raw);
    const { user, refused } = this.#tls!.trust.callerOf(socket, raw.headers, this.secure!.headers);
    if (refused && !user && !showsToken(request.headers)) return (await this.#whoRefuses()).request(raw);
    return cluster.request({ ...raw, user });
  }

  /** A cluster that knows nobody. */
  #whoRefuses(): Promise<Cluster> {
    const make = async () => (await import('../index.js')).createCluster({ anonymousAuth: false, controllers: 'none', scheduler: false, nodes: 0 });
    return (this.#refusing ??= make());
  }

  /** Sets CORS headers for an allowed origin. Returns true if that was all: the answer to a preflight. */
  #allow(request: Asked, response: Answering): boolean {
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
    response.writeHead(204);
    response.end();
    return true;
  }
}

const pemText = (pem: string | Uint8Array) => (typeof pem === 'string' ? pem : Buffer.from(pem).toString());
