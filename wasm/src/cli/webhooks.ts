// Calls webhooks on node:https, with the limits and messages of kube-apiserver's client.
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import type { Certificate } from '../certificates.js';
import type { Upgraded, UpgradingFetch } from '../forward-call.js';
import type { FetchWebhook } from '../options.js';
import { authority } from './listen-address.js';
import { bodyFault, certificateFault, connectionFault } from './network-fault.js';
import { findTarget, type KnownService, type WebhookTarget } from './webhook-target.js';

/** Slightly less than the core's own limit: only this side knows whether the headers or the body are late. */
const kPatience = 29_900;
const kHandshakeTime = 10_000;

export class WebhookCaller {
  /** Aborts all open calls when the server stops. */
  readonly #end = new AbortController();
  readonly #told = new Set<string>();

  constructor(
    private readonly services: readonly KnownService[],
    private readonly warn: (line: string) => void,
    /** What aggregated API servers see of this one. */
    private readonly frontProxy?: Certificate,
  ) {}

  readonly fetch: UpgradingFetch = Object.assign(
    async (...[request, options]: Parameters<FetchWebhook>): Promise<Response> => {
      const { caBundle, tls, api } = options;
      if (api) return (await this.#forward(request, options)) as Response;
      const own = tls && tls.certificate !== '' ? { pem: tls.certificate, key: tls.key } : undefined;
      const trust = { caBundle: caBundle.trim(), insecure: tls?.insecure, serverName: tls?.serverName, own };
      return call(this.#targetOf(request, options), trust, request, this.#end.signal);
    },
    { upgrade: (...call: Parameters<NonNullable<UpgradingFetch['upgrade']>>) => this.#forward(...call) },
  );

  #targetOf({ url }: Request, { service, api }: WebhookOptions): WebhookTarget {
    try {
      return findTarget(url, service, this.services);
    } catch (error) {
      if (service) this.#tellMissing(service.name, api !== undefined);
      throw error;
    }
  }

  close(): void {
    this.#end.abort(new Error('the server ends'));
  }

  /** Sends a request to an aggregated API server; the body of the answer comes as it does. `upgrade`: see `UpgradingFetch`. */
  async #forward(request: Request, options: WebhookOptions, upgrade: readonly [string, string][] = []): Promise<Response | Upgraded> {
    const target = this.#targetOf(request, options);
    const api = options.api!;
    const signal = AbortSignal.any([request.signal, this.#end.signal]);
    const body = Buffer.from(await request.arrayBuffer());
    const connection = await secured(target, { caBundle: options.caBundle.trim(), insecure: api.insecure, own: this.frontProxy }, signal);
    const { socket } = connection;
    try {
      const headers: Record<string, string | string[]> = { Host: target.authority, Connection: 'close' };
      for (const [name, value] of api.headers) headers[name] = name in headers ? [headers[name]!, value].flat() : value;
      const hasBody = body.length > 0 || !['GET', 'HEAD'].includes(request.method);
      const answer = await exchange(connection, target, { method: request.method, headers: { ...headers, ...Object.fromEntries(upgrade) }, ...(hasBody ? { body } : {}) }, signal);
      const status = answer.statusCode!;
      const lines = answer.rawHeaders.flatMap((name, i): [string, string][] => (i % 2 === 0 ? [[name, answer.rawHeaders[i + 1]!]] : []));
      if (status === 101) {
        signal.addEventListener('abort', () => socket.destroy(), { once: true });
        socket.on('error', () => {}); // its reader is told
        return { status, headers: new Headers(lines), body: streamOf(socket), send: (bytes) => void socket.write(bytes) };
      }
      const empty = [204, 205, 304].includes(status) || request.method === 'HEAD';
      answer.on('error', () => {}); // its reader is told
      signal.addEventListener('abort', () => answer.destroy(), { once: true });
      answer.once('close', () => socket.destroy());
      if (empty) answer.resume();
      return new Response(empty ? null : streamOf(answer), { status, headers: lines });
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** Warns once per service: a developer who runs a webhook locally wants to know. */
  #tellMissing(service: string, ofApi: boolean): void {
    if (this.#told.has(service)) return;
    this.#told.add(service);
    const name = service.split(':')[0];
    this.warn(`${ofApi ? `the service ${service} of an aggregated API` : `the webhook's service ${service}`} is nowhere: --webhook-service ${name}=HOST:PORT says where it is`);
  }
}

type WebhookOptions = Parameters<FetchWebhook>[1];

const streamOf = (readable: Readable) => Readable.toWeb(readable) as ReadableStream<Uint8Array<ArrayBuffer>>;

async function call(target: WebhookTarget, trust: Trust, request: Request, end: AbortSignal): Promise<Response> {
  const body = Buffer.from(await request.arrayBuffer());
  const deadline = new AbortController();
  const giveUp = (reason: unknown) => deadline.abort(reason);
  const late = 'context deadline exceeded (Client.Timeout ';
  const timer = setTimeout(giveUp, kPatience, new Error(`${late}exceeded while awaiting headers)`));
  const stop = () => giveUp(end.reason);
  end.addEventListener('abort', stop, { once: true });
  const { signal } = deadline;
  let socket: TLSSocket | undefined;
  try {
    const connection = await secured(target, trust, signal);
    socket = connection.socket;
    const answer = await answerOn(connection, target, request, body, signal);
    const status = answer.statusCode!;
    try {
      const text = await bodyOf(answer, signal);
      const headers = { 'content-type': answer.headers['content-type'] ?? '' };
      return new Response([204, 304].includes(status) ? null : text, { status, headers });
    } catch (error) {
      const fault = signal.aborted ? `${late}or context cancellation while reading body)` : bodyFault(error as Error);
      const broken = new ReadableStream({ start: (controller) => controller.error(new Error(fault)) });
      return new Response(broken, { status });
    }
  } finally {
    clearTimeout(timer);
    end.removeEventListener('abort', stop);
    socket?.destroy();
  }
}

interface Trust {
  /** PEM; empty: the system's. */
  caBundle: string;
  insecure?: boolean | undefined;
  /** The name in the certificate; empty: that of the target. */
  serverName?: string | undefined;
  /** What the server sees of this one. */
  own?: Certificate | undefined;
}

interface Connection {
  socket: TLSSocket;
  /** Local and remote address, as Go writes them. */
  ends: string;
}

/** Opens a TLS connection and resolves once the certificate is accepted. */
function secured({ address, serverName: usual }: WebhookTarget, { caBundle, insecure = false, serverName: given, own }: Trust, signal: AbortSignal): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const serverName = given || usual;
    const options: ConnectionOptions & { allowPartialTrustChain: boolean } = {
      ...address,
      ...(caBundle === '' ? {} : { ca: caBundle }),
      ...(own ? { cert: own.pem, key: own.key } : {}),
      ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
      allowPartialTrustChain: true,
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['http/1.1'],
      // certificateFault() verifies instead, before anything is sent.
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
    };
    const socket = connect(options);
    let handshake: NodeJS.Timeout | undefined;
    const abort = () => fail(signal.reason as Error);
    const settle = () => {
      clearTimeout(handshake);
      signal.removeEventListener('abort', abort);
    };
    const fail = (error: Error) => {
      settle();
      socket.destroy();
      reject(error);
    };
    signal.addEventListener('abort', abort, { once: true });
    // A socket that the server has reset no longer knows its remote address.
    let remote = authority(address);
    socket.on('connectionAttempt', (host: string, port: number) => (remote = authority({ host, port })));
    let ends = '';
    socket.once('connect', () => {
      ends = `${localEnd(socket)}->${remote}`;
      handshake = setTimeout(fail, kHandshakeTime, new Error('net/http: TLS handshake timeout'));
    });
    socket.once('error', (error) => fail(new Error(connectionFault(error, address, ends))));
    socket.once('secureConnect', () => {
      const fault = insecure ? undefined : certificateFault(socket, serverName);
      if (fault !== undefined) return fail(new Error(fault));
      settle();
      resolve({ socket, ends });
    });
  });
}

const localEnd = ({ localAddress: host = '', localPort: port = 0 }: TLSSocket) => authority({ host, port });

/** Sends the request and resolves with the head of the answer. */
function answerOn(connection: Connection, target: WebhookTarget, { method, headers: given }: Request, body: Buffer, signal: AbortSignal): Promise<IncomingMessage> {
  const headers = {
    Host: target.authority,
    'User-Agent': 'kube-apiserver-admission',
    Connection: 'close',
    ...Object.fromEntries(given),
  };
  return exchange(connection, target, { method, headers, ...(method === 'GET' ? {} : { body }) }, signal);
}

interface Sent {
  method: string;
  headers: Record<string, string | string[]>;
  body?: Buffer;
}

function exchange({ socket, ends }: Connection, target: WebhookTarget, { method, headers: given, body }: Sent, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = body ? { ...given, 'Content-Length': body.length } : given;
    const request = httpRequest({ method, path: target.path, headers, createConnection: () => socket });
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    let answer: IncomingMessage | undefined;
    request.on('error', (error) => {
      answer?.destroy(error);
      reject(new Error(connectionFault(error, target.address, ends)));
    });
    request.once('response', (begun) => resolve((answer = begun)));
    request.once('upgrade', (begun: IncomingMessage, _: Socket, head: Buffer) => {
      if (head.length > 0) socket.unshift(head);
      resolve(begun);
    });
    request.end(body);
  });
}

async function bodyOf(answer: IncomingMessage, signal: AbortSignal): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  const abort = () => answer.destroy(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  for await (const piece of answer as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}
