// The cluster that is shown: the server's, or one inside this page.
import { type Answer, type Client, isGood } from '../api/client';
import type { Where } from '../route';
import type { ServerTransport } from './server-transport';

export interface Place {
  readonly where: Where;
  readonly client: Client;
  /** What it is called, `127.0.0.1:8001`; empty in this page. */
  readonly name: string;
  /** Why its clock and its state cannot be controlled, if so. */
  readonly locked?: string;
  /** Whether it takes more than a click to lose what others may have made. */
  readonly shared: boolean;
  /** Moves its time on; resolves with the refusal, if it is one. */
  advance(seconds: number): Promise<Answer | undefined>;
  /** Back to what it started with. */
  reset(): Promise<Answer | undefined>;
}

const kAdmin = '/-/tabernetes/';

/** The server that this page comes from. */
export function serverPlace(client: Client, transport: ServerTransport, admin: boolean): Place {
  const call = async (name: string, body = ''): Promise<Answer> => {
    return client.send({ method: 'POST', target: kAdmin + name, headers: body ? { 'content-type': 'application/json' } : {}, body });
  };
  return {
    where: 'server',
    client,
    name: transport.base.host,
    locked: admin ? undefined : 'This server was started with --admin=false',
    shared: true,
    async advance(seconds) {
      const answer = await call('clock', JSON.stringify({ advance: `${seconds}s` }));
      if (!isGood(answer)) return answer;
      transport.clock.follow((JSON.parse(answer.text) as { now: string }).now);
      return undefined;
    },
    async reset() {
      const answer = await call('reset');
      return isGood(answer) ? undefined : answer;
    },
  };
}
