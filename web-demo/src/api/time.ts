// The cluster's time, as POST /-/tabernetes/clock moves it.
import { type Answer, type Client, isGood } from './client';

/** What happened to an object. */
export interface StepChange {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  apiVersion: string;
  kind: string;
  namespace?: string;
  name: string;
  resourceVersion: string;
}

/** What a control loop, the scheduler or a simulated kubelet did. */
export interface Step {
  time: string;
  loop: string;
  changes: StepChange[];
}

export interface ClockState {
  now: string;
  paused?: boolean;
  settled?: boolean;
  /** Null if nobody does anything within an hour. */
  step?: Step | null;
}

export type ClockMove = { advance: string } | { pause: boolean } | { step: true } | { settle: true };

/** Moves the time. Resolves with the new state, or with the refusal. */
export async function moveClock(client: Client, move: ClockMove): Promise<{ state: ClockState } | { refusal: Answer }> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const answer = await client.send({ method: 'POST', target: '/-/tabernetes/clock', headers, body: JSON.stringify(move) });
  return isGood(answer) ? { state: JSON.parse(answer.text) as ClockState } : { refusal: answer };
}

const kVerbs = { ADDED: 'created', MODIFIED: 'changed', DELETED: 'deleted' } as const;

/** Returns `created Pod shop/web-1`. */
export function tellChange({ type, kind, namespace, name }: StepChange): string {
  return `${kVerbs[type]} ${kind} ${namespace ? `${namespace}/` : ''}${name}`;
}
