// Rules of containers whose answers are functions: in the core, rules with addresses, whose calls do not leave the realm.
import type { FetchWebhook } from './options.js';
import type { PlatformRequest, PlatformResponse } from './platform.js';

/** Reads and sets the rules of what stands behind logs, shells and ports of simulated containers. */
export interface ContainerControl {
  /**
   * Replaces the rules. Takes a list, or a text of YAML or JSON; those of a list may have functions, which stay in this
   * realm: snapshots do not have them, and workers do not take them. Throws a TypeError that says which rule is wrong.
   *
   * ```ts
   * cluster.containers.set([
   *   {
   *     match: { labels: { app: 'web' } },
   *     log: [{ text: 'tick', every: '5s' }],
   *     commands: [{ command: 'date *', answer: ({ command }) => ({ stdout: `${command.length} words\n` }) }],
   *     ports: [{ port: 80, answer: (request) => Response.json({ asked: request.url }) }],
   *   },
   * ]);
   * ```
   */
  set(rules: readonly ContainerRule[] | string): void;

  /**
   * Returns the rules as they were set.
   *
   * ```ts
   * console.log(cluster.containers.get().length);
   * ```
   */
  get(): object[];

  /**
   * Goes back to the rules of the option `containers`.
   *
   * ```ts
   * cluster.containers.reset();
   * ```
   */
  reset(): void;
}

/**
 * What stands behind some containers.
 *
 * ```ts
 * const rule: ContainerRule = { match: { name: 'db-*', container: 'main' }, commands: [{ command: ['psql', '*'], out: '3 rows\n' }] };
 * ```
 */
export interface ContainerRule {
  /** Which; all if left out. Texts are patterns with `*`. */
  match?: { namespace?: string; name?: string; labels?: object; annotations?: object; owner?: string; image?: string; container?: string; node?: string };
  /** The lines of the log; a function gives those of each run of a container. */
  log?: readonly (string | LogLine)[] | LogFunction | AsyncIterable<string | LogLine>;
  commands?: readonly ContainerCommand[];
  ports?: readonly ContainerPort[];
}

/**
 * A line of a log. Times are since the start of the container.
 *
 * ```ts
 * const line: LogLine = { text: 'tick', after: '2s', every: '5s' };
 * ```
 */
export interface LogLine {
  text: string;
  after?: string;
  /** From then on, again and again. */
  every?: string;
}

/**
 * Returns the lines of a container's run. Those of an asynchronous iterable are written when they come.
 *
 * ```ts
 * const log: LogFunction = async function* ({ pod }) {
 *   for (let i = 0; ; ++i) {
 *     yield `${pod.metadata.name}: ${i}`;
 *     await new Promise((resolve) => setTimeout(resolve, 1000));
 *   }
 * };
 * ```
 */
export type LogFunction = (run: ContainerRun) => LogLines | PromiseLike<LogLines>;

/**
 * Lines that are there, or come.
 *
 * ```ts
 * const lines: LogLines = ['started', { text: 'ready', after: '2s' }];
 * ```
 */
export type LogLines = Iterable<string | LogLine> | AsyncIterable<string | LogLine>;

/**
 * A pod as it is.
 *
 * ```ts
 * const replica = (pod: ContainerPod) => pod.metadata.labels?.['apps.kubernetes.io/pod-index'] ?? pod.spec.nodeName;
 * ```
 */
export interface ContainerPod {
  metadata: { name: string; namespace: string; uid: string; labels?: Record<string, string>; annotations?: Record<string, string>; [member: string]: any };
  spec: any;
  status?: any;
}

/**
 * One run of a container.
 *
 * ```ts
 * const title = ({ pod, container, started }: ContainerRun) => `${pod.metadata.name}/${container} since ${started.toISOString()}`;
 * ```
 */
export interface ContainerRun {
  pod: ContainerPod;
  container: string;
  started: Date;
}

/**
 * The answer to a command, or the function that gives it.
 *
 * ```ts
 * const command: ContainerCommand = { command: 'wc *', stdin: true, answer: ({ stdin }) => ({ stdout: `${stdin.length}\n` }) };
 * ```
 */
export interface ContainerCommand {
  /** A pattern for all words, joined by spaces; or one for each word. */
  command: string | readonly string[];
  out?: string;
  err?: string;
  code?: number;
  /** How long it takes. */
  after?: string;
  /** Instead of the others. If it throws, the message is written to the error output, with exit code 126. */
  answer?: ExecFunction;
  /** The function is called once the input has ended, and gets it. */
  stdin?: boolean;
}

/**
 * Runs a command.
 *
 * ```ts
 * const answer: ExecFunction = async ({ command, pod }) => ({ stdout: `${command.join(' ')} in ${pod.metadata.name}\n`, code: 0 });
 * ```
 */
export type ExecFunction = (exec: ContainerExec) => ExecAnswer | PromiseLike<ExecAnswer>;

/**
 * A command in a container.
 *
 * ```ts
 * const line = ({ command }: ContainerExec) => command.join(' ');
 * ```
 */
export interface ContainerExec {
  pod: ContainerPod;
  container: string;
  command: string[];
  /** What a pipe or a file gives it; what is typed only if the rule says `stdin`. */
  stdin: string;
}

/**
 * What a command has written, and its exit code, 0 if left out. A text is output; nothing is none.
 *
 * ```ts
 * const failed: ExecAnswer = { stderr: 'no such table\n', code: 1 };
 * ```
 */
export type ExecAnswer = void | string | { stdout?: string; stderr?: string; code?: number };

/**
 * What answers at a port, over HTTP.
 *
 * ```ts
 * const port: ContainerPort = { port: 8080, path: '/healthz', body: 'ok' };
 * ```
 */
export interface ContainerPort {
  /** All ports if left out. */
  port?: number;
  method?: string;
  /** A pattern. */
  path?: string;
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Nothing listens there. */
  refuse?: boolean;
  /** Instead of the others. If it throws, the client gets 502 with the message. */
  answer?: PortFunction;
}

/**
 * Answers a request to a port. The host of its URL is the pod's address.
 *
 * ```ts
 * const answer: PortFunction = async (request, { pod }) => new Response(`${pod.metadata.name} got ${await request.text()}`);
 * ```
 */
export type PortFunction = (request: PlatformRequest, place: { pod: ContainerPod; container: string; port: number }) => PortAnswer | PromiseLike<PortAnswer>;

/**
 * A `Response`, its parts, or a text.
 *
 * ```ts
 * const answer: PortAnswer = { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not here</h1>' };
 * ```
 */
export type PortAnswer = PlatformResponse | string | { status?: number; headers?: Record<string, string>; body?: string };

type Answer = (asked: any) => Promise<object>;

const kOrigin = 'https://containers.tabernetes.invalid';
const kMostLines = 10_000;

/** The functions of one cluster's rules, by the path of their address. */
export class ContainerFunctions {
  readonly #answers = new Map<string, Answer>();
  /** The rules of the option, and those that were set since; undefined if they were a text. */
  #initial: object[] | undefined;
  #given: object[] | undefined;
  /** Lets go of logs. */
  #ends: (() => void)[] = [];
  #last = 0;

  constructor(initial?: readonly object[] | string) {
    this.#initial = this.#given = listOf(initial);
  }

  /** Those of a fork, which share what logs have written. */
  fork(): ContainerFunctions {
    const copy = new ContainerFunctions();
    for (const [path, answer] of this.#answers) copy.#answers.set(path, answer);
    copy.#initial = this.#initial;
    copy.#given = this.#given;
    copy.#last = this.#last;
    return copy;
  }

  /** Returns rules for the core, with addresses in the places of functions. */
  translated<Rules extends readonly object[] | string>(rules: Rules, now: () => number): Rules {
    if (!Array.isArray(rules)) return rules;
    const at = (answer: Answer) => {
      const path = `/${++this.#last}`;
      this.#answers.set(path, answer);
      return kOrigin + path;
    };
    return rules.map((rule: ContainerRule) => this.#ruleWith(rule, at, now)) as unknown as Rules;
  }

  /** Returns what makes the calls of webhooks: those to functions here, all others with `others`. */
  before(others: FetchWebhook): FetchWebhook {
    return async (request, options) => {
      const { origin, pathname } = new URL((request as Request).url);
      if (origin !== kOrigin) return others(request, options);
      const answer = this.#answers.get(pathname);
      if (!answer) throw new Error('the function of this rule is not in this cluster');
      return Response.json(await answer(await (request as Request).json()));
    };
  }

  /** `set`, `get` and `reset` are those of the core. */
  control(core: { set(rules: readonly object[] | string): void; get(): object[]; reset(): void }, now: () => number): ContainerControl {
    return {
      set: (rules) => {
        core.set(this.translated(rules, now));
        this.end();
        this.#given = listOf(rules);
      },
      get: () => this.#given?.slice() ?? core.get(),
      reset: () => {
        core.reset();
        this.#given = this.#initial;
      },
    };
  }

  /** Ends the logs that still come. */
  end(): void {
    for (const end of this.#ends.splice(0)) end();
  }

  #ruleWith(rule: ContainerRule, at: (answer: Answer) => string, now: () => number): object {
    if (rule === null || typeof rule !== 'object') return rule;
    const { log, commands, ports } = rule;
    const changed: Record<string, unknown> = { ...rule };
    if (typeof log === 'function' || isComing(log)) {
      const lines = typeof log === 'function' ? log : () => log;
      changed.log = { url: at(this.#logOf(lines, typeof log === 'function', now)) };
    }
    if (Array.isArray(commands)) changed.commands = commands.map((each: ContainerCommand) => (typeof each?.answer === 'function' ? withUrl(each, at(commandOf(each.answer))) : each));
    if (Array.isArray(ports)) changed.ports = ports.map((each: ContainerPort) => (typeof each?.answer === 'function' ? withUrl(each, at(portOf(each.answer))) : each));
    return changed;
  }

  /** `apart`: each run of a container has lines of its own. */
  #logOf(lines: LogFunction, apart: boolean, now: () => number): Answer {
    const logs = new Map<string, Promise<LogLine[]>>();
    return async ({ pod, container, started }: { pod: ContainerPod; container: string; started: string }) => {
      const key = apart ? `${pod.metadata.uid} ${container} ${started}` : '';
      let log = logs.get(key);
      if (!log) {
        const run = { pod, container, started: new Date(started) };
        log = this.#collected(lines, run, now);
        logs.set(key, log);
      }
      return { log: (await log).map(({ text, after, every }) => ({ text, after, every })) };
    };
  }

  /** Resolves with a list to which is added what comes. */
  async #collected(lines: LogFunction, run: ContainerRun, now: () => number): Promise<LogLine[]> {
    const log: LogLine[] = [];
    const source = await lines(run);
    if (!isComing(source)) return [...source].map(lineOf);
    const iterator = source[Symbol.asyncIterator]();
    this.#ends.push(() => void Promise.resolve(iterator.return?.()).catch(() => {}));
    const add = (line: LogLine) => {
      log.push({ after: `${Math.max(0, now() - run.started.getTime())}ms`, ...line });
      if (log.length > kMostLines) log.shift();
    };
    const read = async () => {
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) add(lineOf(next.value));
    };
    void read().catch((error: Error) => add({ text: `error: ${error.message}` }));
    await null; // what comes at once is there for who has asked
    return log;
  }
}

const listOf = (rules: readonly object[] | string | undefined) => (Array.isArray(rules) ? [...(rules as object[])] : undefined);
const lineOf = (line: string | LogLine): LogLine => (typeof line === 'string' ? { text: line } : line);
const isComing = (lines: unknown): lines is AsyncIterable<string | LogLine> => typeof (lines as Partial<AsyncIterable<string>> | undefined)?.[Symbol.asyncIterator] === 'function';

function withUrl({ answer: _, ...rest }: ContainerCommand | ContainerPort, url: string): object {
  return { ...rest, url };
}

function commandOf(run: ExecFunction): Answer {
  return async ({ pod, container, command, in: stdin }: { pod: ContainerPod; container: string; command: string[]; in: string }) => {
    const given = await run({ pod, container, command, stdin });
    const { stdout, stderr, code } = typeof given === 'string' ? { stdout: given, stderr: undefined, code: undefined } : { stdout: undefined, stderr: undefined, code: undefined, ...given };
    return { out: stdout, err: stderr, code };
  };
}

interface AskedPort {
  pod: ContainerPod;
  container: string;
  port: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

function portOf(answer: PortFunction): Answer {
  return async ({ pod, container, port, method, path, headers, body }: AskedPort) => {
    const host: string = pod.status?.podIP ?? '127.0.0.1';
    const { host: _, 'content-length': __, ...sent } = headers;
    const request = new Request(`http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`, { method, headers: sent, ...(body !== '' && method !== 'GET' && method !== 'HEAD' ? { body } : {}) });
    const given = await answer(request, { pod, container, port });
    if (typeof given === 'string') return { body: given };
    if (typeof (given as Response).arrayBuffer !== 'function') return given;
    const response = given as Response;
    const bytes = new Uint8Array(await response.arrayBuffer());
    let text = '';
    for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    return { status: response.status, headers: Object.fromEntries(response.headers), base64: btoa(text) };
  };
}
