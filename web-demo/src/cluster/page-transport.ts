// Sends requests to a cluster inside this page.
import { bodyText } from '../api/bytes';
import { pause, type Transport, type TransportAnswer, type TransportRequest } from '../api/transport';
import { KnownClock } from './known-clock';
import type { InPage } from './page-cluster';

const kRetryAfter = 1000;
/** Who asks; roles and bindings are for those as whom it asks. */
const kAdmin = { user: 'admin', groups: ['system:masters'] };

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
