// `tabernetes serve` on node:http.
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Cluster, type HostOptions, startCluster } from '../cluster.js';
import type { ClusterOptions } from '../options.js';
import { callShared } from '../shared.js';
import { type DataStore, openDataDirectory } from './data-directory.js';
import { mostBody, pairs, peerOf, readBody, sendAnswer, sendWhole } from './exchange.js';
import { firstToken, readCheckedFile } from './checked-files.js';
import type { ServeFlags } from './flags.js';
import { type HostPolicy, hostAllowed, isForeignWrite, originAllowed } from './host-check.js';
import { writeKubeconfig } from './kubeconfig.js';
import { authority } from './listen-address.js';
import { Log } from './log.js';
import { loadManifests, readManifests, systemMessage } from './manifests.js';
import { findUiFolder, staticAnswer } from './static-files.js';
import { WebhookCaller } from './webhooks.js';
import { goOnWithHttp, serveWebSocket, wantsWebSocket } from './websocket.js';

/** Serves until SIGINT or SIGTERM. If it cannot start, writes the reasons to stderr and sets the exit code 1. */
export async function serve(flags: ServeFlags): Promise<void> {
  const problems: string[] = [];
  const manifests = readManifests(flags.load, problems);
  const tokenFile = readCheckedFile(flags.tokenAuthFile, 'tokenFile', problems);
  const serviceAccountKey = readCheckedFile(flags.serviceAccountSigningKeyFile, 'serviceAccountKey', problems);
  const behaviour = readCheckedFile(flags.behaviour, 'behaviour', problems);
  const containers = readCheckedFile(flags.containers, 'containers', problems);
  const faults = readCheckedFile(flags.faults, 'faults', problems);
  const admissionConfiguration = readCheckedFile(flags.admissionControlConfigFile, 'admissionConfiguration', problems);
  if (problems.length > 0) return fail(problems);

  const { promise: started, resolve: start } = withResolvers<Cluster>();
  const log = new Log(flags.log, flags.logFormat);
  const host = new HttpHost(flags, started, log);
  try {
    await host.listen();
  } catch (error) {
    host.close();
    return fail([(error as Error).message]);
  }
  let data: DataStore | undefined;
  let cluster: Cluster;
  const webhooks = new WebhookCaller(flags.webhookServices, (line) => log.warn(line));
  try {
    if (flags.dataDir !== '') data = await openDataDirectory(flags.dataDir, (line) => log.warn(line));
    const options = { ...clusterOptions(flags, { tokenFile, serviceAccountKey, behaviour, containers, faults, admissionConfiguration }), fetchWebhook: webhooks.fetch, backend: data?.backend };
    const fill = async (empty: Cluster) => void problems.push(...(await loadManifests(empty, manifests)));
    cluster = await startCluster(options, { ...hostOptions(flags, host.addresses[0]!), fill });
  } catch (error) {
    host.close();
    return fail([(error as Error).message]);
  }
  if (problems.length === 0 && flags.kubeconfig !== '') {
    try {
      writeKubeconfig(flags.kubeconfig, urlOf(host.addresses[0]!), firstToken(tokenFile));
    } catch (error) {
      problems.push(`cannot write the kubeconfig ${flags.kubeconfig}: ${systemMessage(error)}`);
    }
  }
  if (problems.length > 0) {
    host.close();
    return fail(problems);
  }
  start(cluster);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void (async () => {
        await cluster.stored().catch(() => {}); // its fault is in the answers
        cluster.dispose(); // ends the watches; their connections then close
        data?.close();
        webhooks.close();
        host.close();
      })();
    });
  }
  for (const address of host.addresses) process.stdout.write(`tabernetes ready ${urlOf(address)}\n`);
}

/** `texts`: those of files that flags name. */
function clusterOptions(flags: ServeFlags, texts: Pick<ClusterOptions, 'tokenFile' | 'serviceAccountKey' | 'behaviour' | 'containers' | 'faults' | 'admissionConfiguration'>): ClusterOptions {
  const { seed, clock: now, controllers, scheduler, nodes, enableAdmissionPlugins, disableAdmissionPlugins, allowPrivileged, authorizationMode, anonymousAuth, enableBootstrapTokenAuth, watchHistory } = flags;
  return { seed, now, controllers, scheduler, nodes, enableAdmissionPlugins, disableAdmissionPlugins, allowPrivileged, authorizationMode, anonymousAuth, enableBootstrapTokenAuth, watchHistory, ...texts };
}

function hostOptions(flags: ServeFlags, serverAddress: string): HostOptions {
  return {
    serverAddress,
    admin: flags.admin,
    featureGates: flags.featureGates,
    corsAllowedOrigins: flags.corsAllowedOrigins ?? 'local',
    // A restarted server must not take the versions of its earlier life for future ones. No server writes once a
    // microsecond.
    firstVersion: flags.seed === undefined ? 1000 * Date.now() : 1,
  };
}

/** Returns the URL under which this machine reaches the server. */
function urlOf(address: string): string {
  return `http://${address.replace(/^0\.0\.0\.0:/, '127.0.0.1:').replace(/^\[::\]:/, '[::1]:')}`;
}

function fail(problems: readonly string[]): void {
  for (const problem of problems) process.stderr.write(`tabernetes: ${problem}\n`);
  process.exitCode = 1;
}

class HttpHost {
  /** `HOST:PORT` of each listener, once it listens. */
  readonly addresses: string[] = [];
  readonly #servers: Server[] = [];
  readonly #policy: HostPolicy;
  readonly #ui: string;
  #closing = false;

  constructor(
    private readonly flags: ServeFlags,
    private readonly cluster: Promise<Cluster>,
    private readonly log: Log,
  ) {
    this.#policy = { listening: flags.listen.map(({ host }) => host), allowed: flags.allowedHosts };
    this.#ui = flags.ui ? findUiFolder() : '';
  }

  async listen(): Promise<void> {
    for (const address of this.flags.listen) {
      const server = createServer({ keepAliveTimeout: 120_000, maxHeaderSize: 1024 * 1024 }, (request, response) => {
        this.#answer(request, response).catch(() => response.destroy()); // peer left, or cluster disposed
      });
      server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
        socket.on('error', () => socket.destroy());
        if (!wantsWebSocket(request)) return goOnWithHttp(server, request, socket, head);
        const response = new ServerResponse(request);
        response.assignSocket(socket);
        response.shouldKeepAlive = false;
        this.#answer(request, response, head).catch(() => socket.destroy());
      });
      await new Promise<void>((resolve, reject) => {
        server.once('error', (error) => {
          reject(new Error(`cannot listen on ${authority(address)}: ${listenMessage(error)}`));
        });
        server.listen(address.port, address.host, resolve);
      });
      this.#servers.push(server);
      this.addresses.push(authority({ host: address.host, port: (server.address() as AddressInfo).port }));
    }
  }

  /** Accepts no more connections. Open connections end after the answer that is under way. */
  close(): void {
    this.#closing = true;
    for (const server of this.#servers) {
      server.close();
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 1000).unref();
    }
  }

  /** `head`: for a connection that may become a WebSocket, the bytes that followed its request. */
  async #answer(request: IncomingMessage, response: ServerResponse, head?: Buffer): Promise<void> {
    const { method = '', headers } = request;
    const [, named, target = '/'] = request.url?.match(kAbsoluteForm) ?? [null, headers.host ?? '', request.url];
    let auditId = '';
    // A WebSocket is logged when its connection closes.
    if (this.log.requests) this.#logWhenDone(request, response, head ? request.socket : response, () => auditId);
    if (!hostAllowed(named!, this.#policy)) {
      const refusal = `403 Forbidden: this server does not answer for the host ${named} (see --allowed-hosts)\n`;
      response.shouldKeepAlive = false; // the request's body is not read
      return sendWhole(response, 403, [['Content-Type', 'text/plain; charset=utf-8']], refusal);
    }
    const { origin } = headers;
    if (head && origin !== undefined && !originAllowed(origin, named!, this.#policy)) {
      const refusal = `403 Forbidden: pages of ${origin} may not open a WebSocket here (see --allowed-hosts)\n`;
      return sendWhole(response, 403, [['Content-Type', 'text/plain; charset=utf-8']], refusal);
    }
    if (isForeignWrite(method, headers, named!, this.#policy, (page) => this.#mayReadAnswers(page))) {
      const refusal = `403 Forbidden: pages of ${origin ?? 'other sites'} may not write here (see --cors-allowed-origins)\n`;
      response.shouldKeepAlive = false; // the request's body is not read
      return sendWhole(response, 403, [['Content-Type', 'text/plain; charset=utf-8']], refusal);
    }
    const pageHost = { admin: this.flags.admin, clockStandsStill: this.flags.clock !== undefined };
    const page = staticAnswer(this.#ui, pageHost, method, target, headers.accept ?? '');
    if (page) return sendWhole(response, page.status, page.headers, page.body);

    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const cluster = await this.cluster;
    const answer = await cluster.request({
      method,
      target,
      headers: pairs(request.rawHeaders),
      body: head ? '' : await readBody(request, mostBody(target)),
      signal: gone.signal,
      peer: peerOf(request),
    });
    auditId = answer.headers.find(([name]) => name === 'Audit-Id')?.[1] ?? '';
    if (head && answer.status === 101) {
      response.statusCode = 101;
      response.detachSocket(request.socket);
      return serveWebSocket(request, request.socket, head, answer, () => (this.#closing ? 1001 : 1000));
    }
    answer.headers.push(['Date', cluster.now.toUTCString()]); // the cluster's time, as in the native server
    await sendAnswer(response, method, answer);
  }

  /**
   * Returns true if --cors-allowed-origins lets pages of `origin` read answers. Pages of this machine, the default, may
   * write anyway, so the default list is empty here.
   */
  #mayReadAnswers(origin: string): boolean {
    const list = this.flags.corsAllowedOrigins ?? [];
    return callShared(({ core }) => core.corsAllows(list, origin));
  }

  #logWhenDone(request: IncomingMessage, response: ServerResponse, ends: Socket | ServerResponse, auditId: () => string): void {
    const begun = performance.now();
    const { socket, headers } = request;
    const before = socket.bytesWritten;
    const peer = authority({ host: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 });
    ends.on('close', () =>
      this.log.request({
        method: request.method ?? '',
        target: request.url ?? '',
        contentType: headers['content-type'] ?? '',
        userAgent: headers['user-agent'] ?? '',
        auditId: auditId(),
        peer,
        status: response.statusCode,
        bytes: socket.bytesWritten - before,
        took: performance.now() - begun,
      }),
    );
  }
}

/** A request line as sent to a proxy: `GET http://host/path`. */
const kAbsoluteForm = /^http:\/\/([^/?]*)(.*)$/s;

function listenMessage(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE') return 'Address already in use';
  return systemMessage(error);
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
