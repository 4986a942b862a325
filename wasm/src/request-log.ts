// The last requests to a cluster, and waiting for one.
import type { Identity } from './identity.js';
import type { PlatformSignal } from './platform.js';
import type { RawRequest } from './raw.js';
import { checkNames } from './option-names.js';
import { type RequestInfo, requestInfo } from './request-info.js';

/**
 * A request that a cluster has answered. `object` is its body if that is JSON.
 *
 * ```ts
 * const { status, object }: LoggedRequest = await cluster.requests.next({ verb: 'create', resource: 'pods' });
 * ```
 */
export interface LoggedRequest extends RequestInfo {
  readonly method: string;
  readonly target: string;
  /** The user of `cluster.as`; empty without one. */
  readonly user: string;
  /** All of that user; undefined without one. */
  readonly identity: Identity | undefined;
  readonly contentType: string;
  readonly status: number;
  readonly object: any;
}

/**
 * What to look for: every member given must be equal. `resource` may be `deployments`, `deployments.apps` or
 * `deployments/scale`.
 *
 * ```ts
 * const match: RequestMatch = { verb: 'patch', resource: 'deployments', namespace: 'shop' };
 * ```
 */
export interface RequestMatch {
  verb?: string;
  resource?: string;
  subresource?: string;
  group?: string;
  namespace?: string;
  name?: string;
  user?: string;
  status?: number;
  method?: string;
  target?: string;
}

/** The names of `RequestMatch` and `WaitOptions`. */
const kMatched = ['verb', 'resource', 'subresource', 'group', 'namespace', 'name', 'user', 'status', 'method', 'target'];
export const kWaitOptions = ['timeout', 'signal'];

/** Options of waiting. */
export interface WaitOptions {
  /** Milliseconds of real time after which it rejects; 4,000 if left out. */
  timeout?: number;
  signal?: PlatformSignal | null;
}

/**
 * The log of a cluster: the last thousand requests, oldest first.
 *
 * ```ts
 * button.click();
 * const { object } = await cluster.requests.next({ verb: 'patch', resource: 'deployments' });
 * console.log(cluster.requests({ verb: 'list' }).length, object.spec.replicas);
 * ```
 */
export interface RequestLog {
  (match?: RequestMatch): LoggedRequest[];
  /**
   * Resolves with the first such request that `next` has not returned yet: one that was answered already, or else the
   * next one. Rejects if none comes in time; the error lists what came.
   */
  next(match?: RequestMatch, options?: WaitOptions): Promise<LoggedRequest>;
  /** Forgets all requests. */
  clear(): void;
}

/** Returns an empty log and the function that writes to it. */
export function requestLog(): { log: RequestLog; write: (request: RawRequest, status: number) => void } {
  const entries = new Entries();
  const log = (match: RequestMatch = {}) => entries.find(match);
  log.next = (match: RequestMatch = {}, options: WaitOptions = {}) => entries.next(match, options);
  log.clear = () => entries.clear();
  return { log, write: (request, status) => entries.write(request, status) };
}

const kMost = 1000;
/** Bytes of all bodies that are kept. */
const kMostBytes = 16 << 20;
const kPatience = 4000;

class Entries {
  #all: Entry[] = [];
  #bytes = 0;
  readonly #waiting = new Set<() => void>();

  write(request: RawRequest, status: number): void {
    const entry = new Entry(request, status);
    this.#all.push(entry);
    this.#bytes += entry.size;
    if (this.#all.length > 2 * kMost) this.#drop(this.#all.length - kMost);
    while (this.#bytes > kMostBytes && this.#all.length > 1) this.#drop(Math.ceil(this.#all.length / 2));
    for (const look of this.#waiting) look();
  }

  find(match: RequestMatch): LoggedRequest[] {
    checkNames('a match of requests', match, kMatched);
    return this.#all.slice(-kMost).filter((entry) => entry.matches(match));
  }

  clear(): void {
    this.#drop(this.#all.length);
  }

  async next(match: RequestMatch, options: WaitOptions): Promise<LoggedRequest> {
    checkNames('a match of requests', match, kMatched);
    checkNames('requests.next', options, kWaitOptions);
    const { timeout = kPatience, signal } = options;
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#waiting.delete(look);
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const abort = () => (end(), reject(signal?.reason));
      const look = () => {
        const found = this.#all.find((entry) => !entry.taken && entry.matches(match));
        if (!found) return;
        found.taken = true;
        end();
        resolve(found);
      };
      const timer = setTimeout(() => (end(), reject(new Error(this.#missed(match, timeout)))), timeout);
      this.#waiting.add(look);
      signal?.addEventListener('abort', abort, { once: true });
      if (signal?.aborted) abort();
      else look();
    });
  }

  #missed(match: RequestMatch, timeout: number): string {
    const came = this.#all.slice(-10).map(({ method, target, status, taken }) => `\n  ${method} ${target} ${status}${taken ? ' (returned before)' : ''}`);
    return `tabernetes: no request ${JSON.stringify(match)} in ${timeout} ms; the last were:${came.join('') || ' none'}`;
  }

  #drop(count: number): void {
    for (const { size } of this.#all.splice(0, count)) this.#bytes -= size;
  }
}

class Entry implements LoggedRequest {
  taken = false;
  #info: RequestInfo | undefined;
  readonly #body: RawRequest['body'];
  readonly method: string;
  readonly target: string;
  readonly identity: Identity | undefined;
  readonly #headers: RawRequest['headers'];

  constructor({ method = 'GET', target, headers, body, user }: RawRequest, readonly status: number) {
    this.method = method;
    this.target = target;
    this.identity = user;
    this.#headers = headers;
    this.#body = body;
  }

  get user(): string {
    return this.identity?.user ?? '';
  }

  get contentType(): string {
    const headers = this.#headers ?? [];
    const pairs = Symbol.iterator in headers ? [...(headers as Iterable<readonly [string, string]>)] : Object.entries(headers);
    return pairs.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  }

  get size(): number {
    return typeof this.#body === 'string' ? this.#body.length : (this.#body?.byteLength ?? 0);
  }

  get object(): unknown {
    const body = this.#body;
    try {
      return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body ?? undefined)) as unknown;
    } catch {
      return undefined;
    }
  }

  get verb(): string { return this.#facts.verb; }
  get group(): string { return this.#facts.group; }
  get resource(): string { return this.#facts.resource; }
  get subresource(): string { return this.#facts.subresource; }
  get namespace(): string { return this.#facts.namespace; }
  get name(): string { return this.#facts.name; }

  matches({ resource, ...others }: RequestMatch): boolean {
    const given = Object.entries(others) as [Exclude<keyof RequestMatch, 'resource'>, unknown][];
    return given.every(([name, value]) => value === undefined || this[name] === value) && (resource === undefined || this.#isOf(resource));
  }

  #isOf(wanted: string): boolean {
    const { group, resource, subresource } = this.#facts;
    const end = subresource === '' ? '' : `/${subresource}`;
    return wanted === resource + end || wanted === `${resource}.${group}${end}`;
  }

  get #facts(): RequestInfo {
    return (this.#info ??= requestInfo(this.method, this.target));
  }
}
