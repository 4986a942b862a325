// The shown cluster: the server's, one inside this page, a fork, or another server's.
import { type Answer, type Client, isGood } from '../api/client';
import { type ClockMove, type ClockState, moveClock } from '../api/time';
import type { Where } from '../route';
import type { KnownClock } from './known-clock';
import type { ServerTransport } from './server-transport';

export interface Place {
  readonly where: Where;
  readonly client: Client;
  /** Its name, `127.0.0.1:8001`; empty for a cluster in this page. */
  readonly name: string;
  /** Its URL without a slash at its end; empty for a cluster in this page. */
  readonly address: string;
  /** For the cluster in this page: why it is not kept, if so. */
  readonly note?: string;
  /** The reason if its clock and state cannot be controlled. */
  readonly locked?: string;
  /** True if losing objects, which others may have made, needs more than one click. */
  readonly shared: boolean;
  /** What the page knows of its time. */
  readonly clock: KnownClock;
  /** True if its time moves only by requests anyway. */
  readonly stands: boolean;
  /** Goes back to its initial state. Resolves with the answer if it is a refusal. */
  reset(): Promise<Answer | undefined>;
}

/** Moves the time of a place, and what the page knows of it. */
export async function moveTime({ client, clock }: Place, move: ClockMove): Promise<{ state: ClockState } | { refusal: Answer }> {
  const moved = await moveClock(client, move);
  if ('state' in moved) clock.set(Date.parse(moved.state.now), moved.state.paused);
  return moved;
}

/** Returns the cluster of a server. */
export function serverPlace(client: Client, transport: ServerTransport, { admin, stands }: { admin: boolean; stands: boolean }): Place {
  return {
    where: 'server',
    client,
    name: transport.base.host,
    address: transport.base.href.replace(/\/$/, ''),
    locked: admin ? undefined : 'This server was started with --admin=false',
    shared: true,
    clock: transport.clock,
    stands,
    async reset() {
      const answer = await client.send({ method: 'POST', target: '/-/tabernetes/reset' });
      return isGood(answer) ? undefined : answer;
    },
  };
}
