// Sends requests to a cluster inside this page.
import { bodyText } from '../api/bytes';
import { type Connection, kChannels, pause, Refused, type Transport, type TransportAnswer, type TransportRequest } from '../api/transport';
import { KnownClock } from './known-clock';
import type { InPage } from './page-cluster';

const kRetryAfter = 1000;
/** Who asks; roles and bindings are for those as whom it asks. */
const kAdmin = { user: 'admin', groups: ['system:masters'] };

/** A page in this realm counts as a local one. */
const kHandshake: readonly (readonly [string, string])[] = [
  ['upgrade', 'websocket'],
  ['connection', 'Upgrade'],
  ['sec-websocket-version', '13'],
  ['sec-websocket-key', 'dGFiZXJuZXRlcyBzb2NrZQ=='],
  ['sec-websocket-protocol', kChannels],
  ['origin', 'http://localhost'],
];

export class PageTransport implements Transport {
  readonly protocol = 'HTTP/1.1';
  readonly fewConnections = false;
  readonly reach = { up: true, returns: 0 };
  readonly clock = new KnownClock(false);

  constructor(private readonly cluster: InPage) {}

  async request({ method, target, headers, body, signal }: TransportRequest): Promise<TransportAnswer> {
    const answer = await this.cluster.request({ method, target, headers, body, signal, user: kAdmin });
    return { status: answer.status, headers: answer.headers, text: bodyText(answer.body, answer.headers), stream: answer.stream };
  }

  quietWatch(request: TransportRequest): Promise<TransportAnswer> {
    return this.request(request);
  }

  async connect({ target, headers, signal }: TransportRequest): Promise<Connection> {
    const left = new AbortController();
    signal?.addEventListener('abort', () => left.abort(), { once: true });
    const answer = await this.cluster.request({ target, headers: [...headers, ...kHandshake], signal: left.signal, user: kAdmin });
    const { status, stream, send } = answer;
    if (status !== 101 || !stream || !send) throw new Refused({ status, headers: answer.headers, text: bodyText(answer.body, answer.headers) });
    return { messages: stream as ReadableStream<Uint8Array>, send, close: () => left.abort() };
  }

  whenBack(signal: AbortSignal): Promise<void> {
    return pause(kRetryAfter, signal);
  }

  /** Never calls the listener: the cluster is always reachable. */
  onReach(): () => void {
    return () => {};
  }

  now(): Date {
    return this.clock.now();
  }

  /** Asks the cluster for its time, which another tab may have moved. */
  async look(): Promise<void> {
    this.clock.set((await this.cluster.now()).getTime());
  }
}
