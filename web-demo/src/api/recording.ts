// What was done in this page, to do it again: requests that write, with their times.
import type { Client } from './client';
import type { Exchange } from './exchange';

export interface RecordedStep {
  /** Milliseconds of the cluster's time since the recording began. */
  at: number;
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string;
  status: number;
}

export interface Recording {
  kind: 'TabernetesRecording';
  /** The cluster as it was when the recording began. */
  snapshot: string;
  steps: RecordedStep[];
}

/** Records what a client sends, from now on. */
export class Recorder {
  readonly steps: RecordedStep[] = [];
  readonly #begun: number;

  /** `onStep` is called after each recorded step. */
  constructor(
    private readonly client: Client,
    private readonly snapshot: string,
    private readonly onStep: () => void,
  ) {
    this.#begun = client.transport.now().getTime();
    client.listeners.add(this.#take);
  }

  /** Ends it. */
  stop(): Recording {
    this.client.listeners.delete(this.#take);
    return { kind: 'TabernetesRecording', snapshot: this.snapshot, steps: this.steps };
  }

  readonly #take = ({ method, target, requestHeaders, requestBody, status }: Exchange) => {
    if (!isRecorded(method, target) || !status) return;
    const at = Math.max(0, this.client.transport.now().getTime() - this.#begun);
    this.steps.push({ at, method, target, headers: Object.fromEntries(requestHeaders), body: requestBody, status });
    this.onStep();
  };
}

const isRecorded = (method: string, target: string) =>
  method !== 'GET' && method !== 'HEAD' && !target.startsWith('/-/') && !/\/(selfsubject\w+|subjectaccess\w+|localsubject\w+|tokenreviews)(\?|$)/.test(target);

/** What came of a step. */
export interface Replayed {
  step: RecordedStep;
  status: number;
  /** The reason of a refusal. */
  message?: string;
}

/**
 * Does the steps again, at the same distances of the cluster's time. `advance` moves the time on. Calls `onStep` after each.
 */
export async function replay(client: Client, steps: readonly RecordedStep[], advance: (milliseconds: number) => Promise<void>, onStep: (done: Replayed) => void): Promise<void> {
  const begun = client.transport.now().getTime();
  for (const step of steps) {
    const wait = begun + step.at - client.transport.now().getTime();
    if (wait > 0) await advance(wait);
    const { method, target, headers } = step;
    const answer = await client.send({ method, target, headers, body: withoutVersion(step) });
    onStep({ step, status: answer.status, message: answer.failure?.message });
  }
}

/** A replaced object has another version now: the body then goes without one. */
function withoutVersion({ method, body }: RecordedStep): string {
  return method === 'PUT' ? body.replace(/^(?: {2}resourceVersion: .*\n| {4}"resourceVersion": "[^"]*",?\n)/m, '').replace(/"resourceVersion":"[^"]*",?/, '') : body;
}

/** Reads a saved recording. Throws an Error if it is none. */
export function readRecording(text: string): Recording {
  const read = JSON.parse(text) as Partial<Recording>;
  if (read.kind !== 'TabernetesRecording' || !Array.isArray(read.steps) || typeof read.snapshot !== 'string') throw new Error('This file is not a recording.');
  return read as Recording;
}
