// Sends requests to a server: that from which this page comes, or another one.
import { bodyText } from '../api/bytes';
import { authorizationOf, type Credentials } from '../api/kubeconfig';
import { type Connection, kChannels, pause, type Reach, Refused, type Transport, type TransportAnswer, type TransportRequest } from '../api/transport';
import { webSocketChannels } from './web-socket-channels';
import { webSocketWatch } from './web-socket-watch';
import { KnownClock } from './known-clock';

/** Milliseconds between attempts to reach a lost server; the last one repeats. */
const kProbes = [500, 1000, 2000, 3000];
/** Returns true for the answer of a proxy whose server is gone. (The API itself answers 503 and 504 with a Status.) */
const isGone = ({ status, headers }: Response) =>
  status >= 502 && status <= 504 && !headers.get('content-type')?.startsWith('application/');

/**
 * Returns the URL of the API, the parent of this page's folder: `/` of a server, or a prefix that a proxy has added.
 */
export const apiBase = (page: string = location.href): URL => new URL('../', page);

export class ServerTransport implements Transport {
  /** Unknown: browsers do not tell pages their HTTP version. */
  readonly protocol = '';
  readonly fewConnections = true;
  #reach: Reach = { up: true, returns: 0 };
  #probing: Promise<void> | undefined;
  readonly #listeners = new Set<() => void>();
  readonly clock: KnownClock;

  constructor(
    readonly base: URL,
    clock: 'runs' | 'stands',
    /** Kept in memory only, so that they are gone with the page. */
    private readonly credentials: Credentials,
  ) {
    this.clock = new KnownClock(clock === 'stands');
  }

  get reach(): Reach {
    return this.#reach;
  }

  onReach(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  now(): Date {
    return this.clock.now();
  }

  async request({ method, target, headers, body, signal }: TransportRequest): Promise<TransportAnswer> {
    const answer = await this.#fetch(target, {
      method,
      headers: [...headers.map(([name, value]): [string, string] => [name, value]), ...this.#authorization()],
      body: body === '' ? undefined : body,
      signal,
    });
    const stream = answer.ok && isEndless(target) && !answer.headers.has('content-length') ? answer.body : undefined;
    const received = [...answer.headers];
    const text = stream ? '' : bodyText(new Uint8Array(await answer.arrayBuffer()), received);
    return { status: answer.status, headers: received, text, stream: stream ?? undefined };
  }

  /** Watches over a WebSocket: browsers keep few HTTP/1.1 connections per server, for all pages together. */
  async quietWatch(request: TransportRequest): Promise<TransportAnswer> {
    if (this.credentials.basic) return this.request(request);
    try {
      return await webSocketWatch(this.#address(request.target), this.credentials.token ?? '', request.signal);
    } catch (error) {
      if (request.signal?.aborted) throw error;
      return this.request(request); // its answer has the reason
    }
  }

  async connect(request: TransportRequest): Promise<Connection> {
    if (request.headers.length > 0) throw new Error('A browser sends no headers with a WebSocket, so connections to containers are your own.');
    if (this.credentials.basic) throw new Error('A browser sends no password with a WebSocket; use a token.');
    try {
      return await webSocketChannels(this.#address(request.target), this.credentials.token ?? '', kChannels, request.signal);
    } catch (error) {
      if (request.signal?.aborted) throw error;
      const answer = await this.request(request); // has the reason, unless it asks for a WebSocket
      throw answer.status >= 400 && !answer.text.includes('Upgrade request required') ? new Refused(answer) : error;
    }
  }

  whenBack(signal: AbortSignal): Promise<void> {
    const back = (this.#probing ??= this.#probe().finally(() => (this.#probing = undefined)));
    return Promise.race([back, new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))]);
  }

  #authorization(): [string, string][] {
    const authorization = authorizationOf(this.credentials);
    return authorization === '' ? [] : [['authorization', authorization]];
  }

  #address(target: string): URL {
    if (!target.startsWith('/')) throw new Error('A path begins with a slash.');
    return new URL(this.base.origin + this.base.pathname.replace(/\/$/, '') + target);
  }

  async #fetch(target: string, init: RequestInit): Promise<Response> {
    const address = this.#address(target);
    try {
      const answer = await fetch(address, { ...init, cache: 'no-store' });
      this.clock.follow(answer.headers.get('date'));
      this.#setUp(!isGone(answer));
      return answer;
    } catch (error) {
      if (!init.signal?.aborted) this.#setUp(false);
      throw error;
    }
  }

  /** Repeats a request until there is any answer. */
  async #probe(): Promise<void> {
    for (let i = 0; ; ++i) {
      await pause(kProbes[Math.min(i, kProbes.length - 1)]!, new AbortController().signal);
      const answer = await this.#fetch('/version', { headers: this.#authorization() }).catch(() => undefined);
      void answer?.body?.cancel();
      if (answer && !isGone(answer)) return;
    }
  }

  #setUp(up: boolean): void {
    if (up === this.#reach.up) return;
    this.#reach = { up, returns: this.#reach.returns + (up ? 1 : 0) };
    for (const listener of this.#listeners) listener();
  }
}

/** Returns true if the answer to this request is an endless stream: a watch, or a log that is followed. */
function isEndless(target: string): boolean {
  const { pathname, searchParams } = new URL(target, 'http://server');
  const isSet = (name: string) => !['false', '0'].includes(searchParams.get(name) ?? 'false');
  return isSet('watch') || (pathname.endsWith('/log') && isSet('follow')) || /^\/apis?\/(?:[^/]+\/){1,2}watch\//.test(pathname);
}
