// Sends requests to a cluster inside this page.
import type { Cluster } from 'tabernetes';
import { pause, type Transport, type TransportAnswer, type TransportRequest } from '../api/transport';

const kRetryAfter = 1000;

export class PageTransport implements Transport {
  readonly protocol = 'HTTP/1.1';
  readonly fewConnections = false;
  readonly reach = { up: true, returns: 0 };

  /** `onWrite` is called after each accepted request that may have changed the cluster. */
  constructor(
    private readonly cluster: Cluster,
    private readonly onWrite: () => void,
  ) {}

  async request({ method, target, headers, body, signal }: TransportRequest): Promise<TransportAnswer> {
    const answer = await this.cluster.request({ method, target, headers, body, signal });
    if (method !== 'GET' && method !== 'HEAD' && answer.status < 400) this.onWrite();
    return { status: answer.status, headers: answer.headers, text: new TextDecoder().decode(answer.body), stream: answer.stream };
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
    return this.cluster.now;
  }
}
