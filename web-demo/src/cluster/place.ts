// The shown cluster: the server's, or one inside this page.
import { type Answer, type Client, isGood } from '../api/client';
import type { Where } from '../route';
import type { ServerTransport } from './server-transport';

export interface Place {
  readonly where: Where;
  readonly client: Client;
  /** Its name, `127.0.0.1:8001`; empty for the cluster in this page. */
  readonly name: string;
  /** For the cluster in this page: why it is not kept, if so. */
  readonly note?: string;
  /** The reason if its clock and state cannot be controlled. */
  readonly locked?: string;
  /** True if losing objects, which others may have made, needs more than one click. */
  readonly shared: boolean;
  /** Moves its time on. Resolves with the answer if it is a refusal. */
  advance(seconds: number): Promise<Answer | undefined>;
  /** Goes back to its initial state. Resolves with the answer if it is a refusal. */
  reset(): Promise<Answer | undefined>;
}

const kAdmin = '/-/tabernetes/';

/** Returns the cluster of the server that this page comes from. */
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
