// Runs a proof on a cluster, step by step.
import { Seen, type Watched } from './answer';
import { awaitedEvents, judge, type Verdict } from './checks';
import type { Codec, HostAnswer, HostRequest, ProofHost } from './host';
import { type Action, type RequestText, type Step } from './language';
import { type Json, longMediaType, longTarget, objectFor } from './short-forms';
import { bodyOf, filledText, type Kept } from './values';

/** What a step did, to show it. */
export interface Done {
  step: Step;
  /** The request in full; undefined for steps of another kind. */
  request?: HostRequest;
  /** The answer so far. */
  seen?: Seen;
  verdicts: Verdict[];
  /** Set if the step could not be done. */
  fault?: string;
}

export const isGood = ({ fault, verdicts }: Done) => fault === undefined && verdicts.every(({ good }) => good);

const kPatience = 8000;
/** How long a pending answer may take before the proof goes on beside it. */
const kHeadStart = 150;

/** Runs the steps; calls `onDone` after each, and stops after the first that is not right. Resolves with all that were done. */
export async function runProof(steps: readonly Step[], host: ProofHost, codec: Codec, onDone: (done: Done) => void = () => {}): Promise<Done[]> {
  const run = new Run(host, codec);
  const all: Done[] = [];
  try {
    for (const step of steps) {
      const done = await run.step(step);
      all.push(done);
      onDone(done);
      if (!isGood(done)) break;
    }
  } finally {
    run.end();
  }
  return all;
}

/** A request under way. */
interface Pending {
  request: HostRequest;
  seen: Seen;
  /** Resolves when there is a whole answer, or a stream began. */
  answered: Promise<void>;
}

/** Runs steps one after the other, and remembers what they keep. */
export class Run {
  readonly #kept: Kept = new Map();
  readonly #pending = new Map<string, Pending>();
  readonly #abort = new AbortController();

  constructor(
    private readonly host: ProofHost,
    private readonly codec: Codec,
  ) {}

  /** Cuts off what is still open. */
  end(): void {
    this.#abort.abort();
  }

  /** Returns the resourceVersion in the answer of that name; empty if there is none. */
  keptVersion(name: string): string {
    const seen = this.#kept.get(name);
    return seen instanceof Seen ? String(seen.at('rv') ?? '') : '';
  }

  async step(step: Step): Promise<Done> {
    const done: Done = { step, verdicts: [] };
    try {
      await this.#act(step, step.action, done);
      if (step.name !== '' && done.seen) this.#kept.set(step.name, done.seen);
    } catch (fault) {
      done.fault = (fault as Error).message;
    }
    return done;
  }

  async #act(step: Step, action: Action, done: Done): Promise<void> {
    switch (action.do) {
      case 'send':
        return this.#finish(this.#begin(action.request), step, done);
      case 'open': {
        const pending = this.#begin(action.request);
        this.#pending.set(step.name, pending);
        await Promise.race([pending.answered, pause(kHeadStart)]);
        done.request = pending.request;
        done.seen = pending.seen;
        return undefined;
      }
      case 'read':
        return this.#finish(this.#pending.get(action.of)!, step, done);
      case 'soon':
        for (const end = Date.now() + kPatience; ; await pause(50)) {
          await this.#finish(this.#begin(action.request), step, done);
          if (done.verdicts.every(({ good }) => good) || Date.now() > end) return undefined;
        }
      case 'every':
        return this.#every(step, action.request, done);
      case 'compare': {
        const [a, b] = action.versions;
        done.seen = this.#plain({ result: this.codec.compareResourceVersions(a, b) });
        return this.#judge(step, done);
      }
      default:
        return this.#prepare(action);
    }
  }

  /** Does what no request of a client does. */
  async #prepare(action: Action): Promise<void> {
    if (action.do === 'clock') await this.host.advance(action.milliseconds);
    else if (action.do === 'compact') await this.host.compact();
    else if (action.do === 'corrupt') await this.host.corrupt(longTarget(action.target));
    else if (action.do === 'role') await this.#grant(action);
    else if (action.do === 'make') {
      for (const name of action.names) {
        const object = objectFor(action.target, name) as { metadata: Json };
        const [key = '', value = ''] = action.labels.split('=');
        if (action.labels !== '') object.metadata.labels = { [key]: value };
        await this.#must(longTarget(action.target), action.size > 0 ? { ...object, data: { k: 'text '.repeat(action.size / 5) } } : object);
      }
    }
  }

  /** Gives bob exactly these rights in t. */
  async #grant({ verbs, resources, group }: Action & { do: 'role' }): Promise<void> {
    const base = '/apis/rbac.authorization.k8s.io/v1/namespaces/t';
    const metadata = { name: 'bob' };
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    await this.#must(`${base}/roles/bob`, { apiVersion, kind: 'Role', metadata, rules: [{ apiGroups: [group], resources, verbs }] }, 'PUT');
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'bob' };
    await this.#must(`${base}/rolebindings/bob`, { apiVersion, kind: 'RoleBinding', metadata, subjects, roleRef }, 'PUT');
  }

  async #must(target: string, object: object, method = 'POST'): Promise<void> {
    const answer = await this.host.request({ method, target, headers: [['content-type', 'application/json']], body: JSON.stringify(object) });
    if (answer.status >= 300) throw new Error(`${method} ${target}: ${answer.status} ${new TextDecoder().decode(answer.body)}`);
  }

  #begin(text: RequestText): Pending {
    const request = this.#requestOf(text);
    const seen = new Seen(this.codec);
    const pending: Pending = { request, seen, answered: Promise.resolve() };
    const begun = Date.now();
    pending.answered = this.host.request(request).then(async (answer) => {
      await seen.take(answer);
      seen.took = Date.now() - begun;
      if (answer.stream) void this.#follow(seen, answer);
    });
    pending.answered.catch(() => {}); // told to who reads it
    return pending;
  }

  #requestOf({ method, target, as, accept, contentType, headers, body }: RequestText): HostRequest {
    const kept = this.#kept;
    const isWatch = method === 'WATCH';
    let path = filledText(kept, longTarget(target), true);
    if (isWatch) path += `${path.includes('?') ? '&' : '?'}watch=1&timeoutSeconds=2`;
    const all: [string, string][] = [];
    if (as !== '') all.push(['Impersonate-User', as]);
    if (accept !== '') all.push(['Accept', longMediaType(accept)]);
    if (body !== '') all.push(['Content-Type', longMediaType(contentType === '' ? 'json' : contentType)]);
    all.push(...headers);
    const bytes = body === '' ? undefined : bodyOf(kept, body, this.codec);
    return { method: isWatch ? 'GET' : method, target: path, headers: all, body: bytes, signal: this.#abort.signal };
  }

  /** Reads events until the stream or the proof ends. */
  async #follow(seen: Seen, { stream }: HostAnswer): Promise<void> {
    seen.events = [];
    let line = '';
    const decoder = new TextDecoder();
    const isText = seen.type.startsWith('application/json') || seen.type.startsWith('application/yaml');
    try {
      const reader = stream!.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        if (isText) {
          const lines = (line + decoder.decode(value, { stream: true })).split('\n');
          line = lines.pop() ?? '';
          seen.events.push(...lines.filter((each) => each !== '').map((each) => JSON.parse(each) as Watched));
        } else seen.events.push(...(this.codec.decode(value, seen.type) as Watched[]));
      }
    } catch {
      // Cut off; what came has come.
    }
    seen.ended = true;
  }

  async #finish(pending: Pending, step: Step, done: Done): Promise<void> {
    done.request = pending.request;
    await pending.answered;
    done.seen = pending.seen;
    if (pending.seen.events) await this.#awaitEvents(pending, awaitedEvents(step.checks));
    this.#judge(step, done);
  }

  async #awaitEvents(pending: Pending, count: number): Promise<void> {
    const { seen } = pending;
    const end = Date.now() + kPatience;
    while (!seen.ended && seen.events!.length < count && Date.now() < end) await pause(10);
  }

  #judge({ checks }: Step, done: Done): void {
    done.verdicts = checks.map((check) => judge(check, done.seen!, this.#kept));
  }

  /** Sends the request to each collection that discovery knows. `<each.kind>` is the kind of its resource. */
  async #every(step: Step, text: RequestText, done: Done): Promise<void> {
    for (const { path, kind } of await this.#collections()) {
      this.#kept.set('each', { kind, path });
      await this.#finish(this.#begin({ ...text, target: path }), step, done);
      if (!done.verdicts.every(({ good }) => good)) return;
    }
  }

  async #collections(): Promise<{ path: string; kind: string }[]> {
    const get = async (target: string) => JSON.parse(new TextDecoder().decode((await this.host.request({ method: 'GET', target, headers: [] })).body));
    const { groups } = (await get('/apis')) as { groups: { versions: { groupVersion: string }[] }[] };
    const versions = ['/api/v1', ...groups.flatMap((group) => group.versions.map(({ groupVersion }) => `/apis/${groupVersion}`))];
    const lists = await Promise.all(versions.map(async (path) => ({ path, list: (await get(path)) as { resources: { name: string; kind: string; verbs: string[] }[] } })));
    return lists.flatMap(({ path, list }) => list.resources.filter(({ verbs }) => verbs.includes('list')).map(({ name, kind }) => ({ path: `${path}/${name}`, kind })));
  }

  #plain(body: Json): Seen {
    const seen = new Seen(this.codec);
    seen.headers = [['content-type', 'application/json']];
    seen.bytes = new TextEncoder().encode(JSON.stringify(body));
    return seen;
  }
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => void setTimeout(resolve, milliseconds));
