// Tasks of the tour, and whether one is solved.
import { parse } from 'yaml';
import type { Seen } from './answer';
import { judge } from './checks';
import type { Codec, HostRequest, ProofHost } from './host';
import { parseProof, type Step } from './language';
import { isGood, Run } from './run';
import type { Words } from './sections';
import { longMediaType, longTarget } from './short-forms';

export interface Exercise extends Words {
  id: string;
  /** The id of the section that it belongs to. */
  section: string;
  title: Words;
  hint: Words;
  setup?: string;
  did: string;
  then?: string;
  solution: string;
}

/** A request that the learner sent, with its answer. */
export interface Sent {
  request: HostRequest;
  seen: Seen;
}

export const readExercises = (text: string): Exercise[] => parse(text) as Exercise[];

/** A cluster on which someone works on an exercise. */
export class Attempt {
  readonly sent: Sent[] = [];
  readonly #run: Run;

  private constructor(
    readonly exercise: Exercise,
    host: ProofHost,
    codec: Codec,
  ) {
    this.#run = new Run(host, codec);
  }

  static async begin(exercise: Exercise, host: ProofHost, codec: Codec): Promise<Attempt> {
    const attempt = new Attempt(exercise, host, codec);
    for (const step of parseProof(exercise.setup ?? '')) {
      const done = await attempt.#run.step(step);
      if (!isGood(done)) throw new Error(`${step.line}: ${done.fault ?? done.verdicts.map(({ found }) => found).join()}`);
    }
    return attempt;
  }

  /** The version that the task speaks of; empty if it speaks of none. */
  get version(): string {
    return this.#run.keptVersion('v');
  }

  /** Sends a request in the language of proofs, without checks. */
  async send(line: string): Promise<Sent> {
    const [step] = parseProof(line);
    const done = await this.#run.step({ ...step!, checks: step!.action.do === 'send' && step!.action.request.method === 'WATCH' ? kAllEvents : [] });
    if (done.fault !== undefined) throw new Error(done.fault);
    const sent = { request: done.request!, seen: done.seen! };
    this.sent.push(sent);
    return sent;
  }

  /** Returns the first thing that is missing, in the language of proofs; empty if the task is solved. */
  async missing(): Promise<string> {
    let at = 0;
    for (const step of parseProof(this.exercise.did)) {
      const found = this.sent.findIndex((sent, index) => index >= at && matches(step, sent));
      if (found < 0) return step.line;
      at = found + 1;
    }
    for (const step of parseProof(this.exercise.then ?? '')) {
      if (!isGood(await this.#run.step(step))) return step.line;
    }
    return '';
  }

  end(): void {
    this.#run.end();
  }
}

// Waits for the end of the stream, or for the patience of a reader.
const kAllEvents = parseProof('GET x -> no events')[0]!.checks;

function matches({ action, checks }: Step, { request, seen }: Sent): boolean {
  if (action.do !== 'send') return false;
  const { method, target, contentType } = action.request;
  const wanted = new URL(longTarget(target), 'http://x');
  const sent = new URL(request.target, 'http://x');
  const watches = (sent.searchParams.get('watch') ?? 'false') !== 'false';
  if (method === 'WATCH' ? request.method !== 'GET' || !watches : request.method !== method || (method === 'GET' && watches)) return false;
  if (wanted.pathname !== sent.pathname) return false;
  for (const [name, value] of wanted.searchParams) {
    const found = sent.searchParams.get(name);
    if (found === null || (value !== '*' && value !== found)) return false;
  }
  const type = request.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  if (contentType !== '' && type !== longMediaType(contentType)) return false;
  return checks.every((check) => judge(check, seen, new Map()).good);
}
