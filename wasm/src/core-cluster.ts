// A cluster in this realm: turns of the core, and what wakes it.
import { abortReason, throwIfAborted } from './abort.js';
import { type AdmissionControl, AdmissionFunctions } from './admission.js';
import { type AuditedCluster, type AuditEvent, type AuditLog, type AuditOptions, policyText } from './audit.js';
import type { Backend, Batch, Outcome } from './backend.js';
import { Alarm, Clock, type DeadlineAlarm } from './clock.js';
import type { BehaviourControl, Cluster, FaultControl, FaultCount, SettleOptions, Step } from './cluster.js';
import { gzip } from './compression.js';
import { type ContainerControl, ContainerFunctions } from './containers.js';
import { Core, type CoreAnswer, type CoreRequest, type ProxyCall, type WebhookCall, writeHead } from './core.js';
import type { KubernetesObject } from './encoding.js';
import { type AccessQuestion, explain, type RequestQuestion } from './explain.js';
import { clusterFetch } from './fetch.js';
import { forward, Forwarded } from './forward-call.js';
import { checkIdentity, type Identity, identityHeaders } from './identity.js';
import { Instance } from './instance.js';
import { LoadError, manifestText } from './load.js';
import { lostAnswer } from './lost-answer.js';
import { applyObject, type ApplyObjectOptions, setObjectStatus, waitFor } from './objects.js';
import { OpenStreams } from './open-streams.js';
import { OpenApiTexts } from './openapi-texts.js';
import { checkNames } from './option-names.js';
import type { FetchWebhook, Manifest, SnapshotDocument, WebhookTls } from './options.js';
import type { RawRequest, RawResponse } from './raw.js';
import { type LoggedRequest, type RequestLog, requestLog, type WaitOptions } from './request-log.js';

/** A cluster of the core, with its clock, its timer and its store. */
export class CoreCluster implements Cluster, AuditedCluster {
  readonly fetch = clusterFetch((request) => this.request(request));
  readonly requests: RequestLog;
  readonly admission: AdmissionControl;
  readonly containers: ContainerControl;
  readonly instance: Instance;

  readonly #callWebhookAt: FetchWebhook;

  readonly #writeLog: (request: RawRequest, status: number) => void;
  #core: Core | undefined;
  /** The reason why there is no core any more. */
  #stopped: Error | undefined;
  readonly #clock: Clock;
  readonly #alarm: DeadlineAlarm;
  /** Called when a request is answered, by the core's id. */
  readonly #waiting = new Map<number, () => void>();
  readonly #unanswered = new Set<(error: Error) => void>();
  readonly #streams = new OpenStreams({
    read: (ids, noted) =>
      this.#core &&
      this.#guard((core) => {
        const chunks = core.readStreams(ids);
        noted(chunks);
        this.#wakeReady(core);
        return chunks;
      }),
    close: (id) => {
      if (!this.#core) return;
      this.#core.streamClose(id);
      this.#wakeReady(this.#core); // its last audit event; a request to another server that is given up
    },
  });
  /** How many batches were proposed, and whether the last one has no outcome yet. */
  #batches = 0;
  #storing = false;
  /** Why the last batch that has an outcome was not stored. */
  #notStored: Error | undefined;
  readonly #unstored = new Set<Unstored>();
  #auditSink: ((line: string) => void) | undefined;
  /** Requests to other servers that are under way. */
  readonly #forwarded = new Map<number, Forwarded>();

  constructor(
    core: Core,
    clock: Clock,
    private readonly fetchWebhook: FetchWebhook,
    private readonly texts: OpenApiTexts,
    alarm: (ring: () => void) => DeadlineAlarm = (ring) => new Alarm(ring),
    private readonly backend?: Backend,
    private readonly functions = new AdmissionFunctions(),
    private readonly containerFunctions = new ContainerFunctions(),
  ) {
    this.#callWebhookAt = functions.before(containerFunctions.before(fetchWebhook));
    this.containers = containerFunctions.control(
      {
        set: (rules) => void this.#administer('PUT', 'containers', rules),
        get: () => (this.#administer('GET', 'containers', '') as { rules: object[] }).rules,
        reset: () => void this.#administer('DELETE', 'containers', ''),
      },
      () => this.#clock.now(),
    );
    this.admission = functions.control(
      (configuration) => this.#loadNow(configuration),
      (target) => void this.request({ method: 'DELETE', target, user: kOwner, unlogged: true }).catch(() => {}),
    );
    const { log, write } = requestLog();
    this.requests = log;
    this.#writeLog = write;
    this.#core = core;
    this.#clock = clock;
    this.#alarm = alarm(() => this.#turn(() => {}));
    this.instance = core.instance;
    core.instance.clusters.add(this.#stop);
    this.#clock.follow(core.now(), core.paused()); // a stored cluster may be ahead
    this.#wakeReady(core);
    this.#arm(core);
  }

  markInitialState(): void {
    this.#turn((core) => core.markInitialState());
  }

  async request(request: RawRequest): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      const { signal } = request;
      throwIfAborted(signal);
      const giveUp = (error: unknown) => {
        this.#unanswered.delete(giveUp);
        signal?.removeEventListener('abort', abort);
        if (this.#core) this.#arm(this.#core);
        reject(error as Error);
      };
      const abort = () => giveUp(abortReason(signal));
      const coreRequest = toCoreRequest(request);
      this.#unanswered.add(giveUp);
      signal?.addEventListener('abort', abort, { once: true });
      const ask = (core: Core) => {
        const id = core.request(coreRequest);
        if (id === 0) {
          const again = () => this.#unanswered.has(giveUp) && this.#turn(ask);
          this.#loadTexts().then(again, again).catch(giveUp);
          return;
        }
        this.#waiting.set(id, () => {
          const answer = core.takeAnswer(id);
          if (!request.unlogged) this.#writeLog(request, answer.status);
          if (answer.lost) return giveUp(lostAnswer());
          signal?.removeEventListener('abort', abort);
          if (request.method === 'HEAD') leaveOutBody(answer);
          if (this.#unanswered.delete(giveUp)) {
            const response = this.#toResponse(answer, signal);
            resolve(answer.gzip && answer.body.length > 0 ? compressed(response) : response);
          } else if (answer.stream !== 0) core.streamClose(answer.stream);
        });
      };
      this.#turn(ask);
    });
  }

  #loadTexts(): Promise<void> {
    return this.texts.load((content) => this.#turn((core) => core.giveOpenApiTexts(content)));
  }

  async load(manifest: Manifest): Promise<void> {
    try {
      this.#loadNow(manifest);
    } finally {
      await this.stored();
    }
  }

  #loadNow(manifest: Manifest): void {
    const text = manifestText(manifest);
    const faults = this.#turn((core) => core.load(text));
    if (faults.length > 0) throw new LoadError(faults);
  }

  stored(): Promise<void> {
    if (!this.#storing) return this.#notStored ? Promise.reject(this.#notStored) : Promise.resolve();
    // What was written while a batch is under way is in the next one.
    return new Promise((resolve, reject) => this.#unstored.add({ upTo: this.#batches + 1, resolve, reject }));
  }

  advance(milliseconds: number): void {
    if (!(milliseconds >= 0)) throw new RangeError(`tabernetes: time cannot move on by ${milliseconds}`);
    this.#clock.advance(milliseconds);
    this.#guard((core) => core.advance(this.#clock.now()));
    this.#turn(() => {});
  }

  get now(): Date {
    return new Date(this.#clock.now());
  }

  pause(): void {
    this.#administer('POST', 'clock', { pause: true });
  }

  resume(): void {
    this.#administer('POST', 'clock', { pause: false });
  }

  step(): Step | undefined {
    const { step } = this.#administer('POST', 'clock', { step: true }) as { step: (Omit<Step, 'time'> & { time: string }) | null };
    return step === null ? undefined : { ...step, time: new Date(step.time) };
  }

  async settle(options: SettleOptions = {}): Promise<boolean> {
    checkNames('settle', options, ['within']);
    const { within } = options;
    const limit = within === undefined ? true : `${within}ms`;
    return (this.#administer('POST', 'clock', { settle: limit }) as { settled: boolean }).settled;
  }

  readonly behaviour: BehaviourControl = {
    set: (rules) => (this.#administer('PUT', 'behaviour', rules) as { warnings: string[] }).warnings,
    get: () => (this.#administer('GET', 'behaviour', '') as { rules: object[] }).rules,
    reset: () => void this.#administer('DELETE', 'behaviour', ''),
  };

  readonly faults: FaultControl = {
    set: (rules) => void this.#administer('PUT', 'faults', rules),
    get: () => (this.#administer('GET', 'faults', '') as { rules: object[] }).rules,
    counts: () => (this.#administer('GET', 'faults', '') as { counts: FaultCount[] }).counts,
    reset: () => void this.#administer('DELETE', 'faults', ''),
  };

  #administer(method: string, call: string, body: unknown): unknown {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = this.#turn((core) => core.administer(method, call, text));
    const value = JSON.parse(answer.body) as { message?: string };
    if (answer.status !== 200) throw new TypeError(`tabernetes: ${value.message}`);
    return value;
  }

  as(identity: Identity): Cluster {
    checkIdentity(identity);
    return asUser(this, identity);
  }

  wait<T>(path: string, predicate: (value: T | undefined) => unknown = (value) => value !== undefined, options: WaitOptions = {}): Promise<T> {
    return waitFor((request) => this.request(request), path, predicate, options);
  }

  apply(object: object, options: ApplyObjectOptions = {}): Promise<KubernetesObject> {
    return applyObject((request) => this.request(request), object, options);
  }

  setStatus(object: object, status: object): Promise<KubernetesObject> {
    return setObjectStatus((request) => this.request(request), object, status);
  }

  explain(question: AccessQuestion | RequestQuestion | LoggedRequest): Promise<any> {
    return explain((request) => this.request({ ...request, user: kOwner, unlogged: true }), question);
  }

  audit(listener: (event: AuditEvent) => void, options: AuditOptions = {}): () => void {
    checkNames('audit', options, ['policy']);
    const sink = (line: string) => queueMicrotask(() => listener(JSON.parse(line) as AuditEvent)); // not within a turn
    this.auditLines({ policy: policyText(options.policy), format: 'json', mostBytes: 0 }, sink);
    return () => {
      if (this.#auditSink !== sink) return;
      this.#auditSink = undefined;
      if (this.#core) this.#turn((core) => core.setAuditLog(undefined));
    };
  }

  auditLines(log: AuditLog, sink: (line: string) => void): string {
    const { fault, warning } = this.#turn((core) => core.setAuditLog(log));
    if (fault !== '') throw new Error(`tabernetes: ${fault}`);
    this.#auditSink = sink;
    return warning;
  }

  fork(): Cluster {
    return this.#turn((core) => new CoreCluster(core.fork(), this.#clock.fork(), this.fetchWebhook, this.texts, undefined, undefined, this.functions.fork(), this.containerFunctions.fork()));
  }

  snapshot(): Uint8Array<ArrayBuffer> {
    return this.#turn((core) => core.snapshot());
  }

  restore(snapshot: SnapshotDocument): void {
    const document = snapshotBytes(snapshot);
    this.#turnOrThrow((core) => core.restore(document));
  }

  compact(resourceVersion = ''): void {
    const version = String(resourceVersion);
    this.#turnOrThrow((core) => core.compact(version));
  }

  async corrupt(path: string): Promise<void> {
    const body = new TextEncoder().encode(JSON.stringify({ object: path }));
    const answer = await this.request({ method: 'POST', target: '/-/tabernetes/corrupt', body, user: kOwner, unlogged: true });
    if (answer.status !== 200) throw new RangeError(`tabernetes: there is no object at ${path}`);
  }

  reset(): void {
    this.#turn((core) => core.reset());
  }

  /** Replaces the tokens that callers may show. Throws an Error for a bad file. */
  useTokenFile(text: string): void {
    this.#turnOrThrow((core) => core.useTokenFile(text));
  }

  dispose(): void {
    const core = this.#core;
    if (!core) return;
    this.#streams.end();
    this.#stop(new Error('tabernetes: this cluster has been disposed of'));
    core.destroy();
  }

  /** Makes every later call throw `error`. */
  readonly #stop = (error: Error): void => {
    this.#core?.instance.clusters.delete(this.#stop);
    this.#core = undefined;
    this.#stopped = error;
    this.#alarm.clear();
    this.containerFunctions.end();
    this.#streams.end(error);
    for (const giveUp of this.#unanswered) giveUp(error);
    for (const { reject } of this.#unstored) reject(error);
  };

  /** Runs a turn of work that returns an error, and throws that error unless it is empty. */
  #turnOrThrow(work: (core: Core) => string): void {
    const fault = this.#turn(work);
    if (fault !== '') throw new Error(fault);
  }

  /**
   * Runs one turn of the core: sets the time, does the work, wakes what became ready, and sets the timer for the next
   * turn.
   */
  #turn<T>(work: (core: Core) => T): T {
    return this.#guard((core) => {
      this.#goOn(core);
      const result = work(core);
      this.#clock.follow(core.now(), core.paused());
      this.#wakeReady(core);
      this.#arm(core);
      return result;
    });
  }

  #goOn(core: Core): void {
    const now = this.#clock.now();
    if (this.#clock.runs && now - core.nextDeadline() > kSleep) core.wake(now);
    else core.advance(now);
  }

  #guard<T>(work: (core: Core) => T): T {
    const core = this.#core;
    if (!core) throw this.#stopped;
    try {
      return work(core);
    } catch (error) {
      // A trap leaves the core in the middle of its work, so none of its state can be trusted.
      core.instance.broken = true;
      for (const stop of core.instance.clusters) stop(error as Error);
      throw error;
    }
  }

  #arm(core: Core): void {
    const deadline = core.nextDeadline();
    // A pending answer keeps the program alive, as with any fetch; a watch does not.
    this.#alarm.set(deadline, this.#clock.until(deadline), this.#unanswered.size > 0);
  }

  #wakeReady(core: Core): void {
    this.#tellAudit(core); // before the answers
    for (let ids = core.takeReady(); ids.length > 0; ids = core.takeReady()) {
      for (let i = 0; i < ids.length; i++) {
        if (!this.#streams.wake(ids[i]!)) this.#wake(core, ids[i]!);
      }
      this.#tellAudit(core);
    }
    if (!this.#storing && this.#unstored.size > 0) this.#tellStored(Infinity); // nothing was left for a next batch
  }

  #tellAudit(core: Core): void {
    for (const line of core.takeAuditLines()) this.#auditSink?.(line);
  }

  #wake(core: Core, id: number): void {
    const wake = this.#waiting.get(id);
    if (wake) {
      this.#waiting.delete(id);
      return wake();
    }
    const call = core.webhookCall(id);
    if (call) return void this.#callWebhook(call);
    const proxied = core.proxyCall(id);
    if (proxied) return void this.#forward(proxied);
    const flowing = this.#forwarded.get(id);
    if (flowing) return flowing.goOn(core.proxiedInput(id));
    const batch = this.backend && core.proposal(id);
    if (batch) this.#propose(core, id, batch);
  }

  /** Has the backend store a batch. What it says in the call is taken in here, so that turns do not nest. */
  #propose(core: Core, id: number, batch: Batch): void {
    this.#batches++;
    this.#storing = true;
    let inCall = true;
    let given: Outcome | undefined;
    const done = (outcome: Outcome) => {
      if (given) return;
      given = checkedOutcome(outcome);
      if (!inCall && this.#core) this.#turn((core) => this.#finish(core, id, given!));
    };
    try {
      this.backend!.propose(batch, done);
    } catch (error) {
      done({ kind: 'failed', fault: faultOf(error) });
    }
    inCall = false;
    if (given) this.#finish(core, id, given);
  }

  #finish(core: Core, id: number, outcome: Outcome): void {
    this.#storing = false;
    this.#notStored = outcome.kind === 'failed' ? new Error(outcome.fault) : undefined;
    this.#tellStored(outcome.kind === 'durable' ? this.#batches : 0);
    core.finishProposal(id, outcome);
  }

  /** Tells those who wait for batches up to this one; all, if a batch was not stored. */
  #tellStored(upTo: number): void {
    for (const each of this.#unstored) {
      if (this.#notStored) each.reject(this.#notStored);
      else if (each.upTo <= upTo) each.resolve();
      else continue;
      this.#unstored.delete(each);
    }
  }

  async #callWebhook({ id, url, caBundle, body, service, method, headers, ...tls }: WebhookCall): Promise<void> {
    let status = 0;
    let fault = '';
    let contentType = '';
    let answer: Uint8Array = new Uint8Array();
    await null; // fetchWebhook may use the cluster, so let this turn end first
    try {
      const head = new Headers([['accept', 'application/json, */*'], ...headers]);
      if (method === 'POST') head.set('content-type', 'application/json');
      const signal = AbortSignal.timeout(kWebhookTimeout);
      const options = { caBundle, ...(service.name === '' ? {} : { service }), ...(hasIdentity(tls) ? { tls } : {}) };
      const response = await this.#callWebhookAt(new Request(url, { method, headers: head, signal, ...(method === 'POST' ? { body } : {}) }), options);
      status = response.status;
      contentType = response.headers.get('content-type') ?? '';
      answer = new Uint8Array(await response.arrayBuffer());
    } catch (error) {
      const { message, cause } = error as Error;
      fault = (cause as Error | undefined)?.message || message || 'no answer';
    }
    if (this.#core) this.#turn((core) => core.answerWebhook(id, status, fault, contentType, answer));
  }

  /** Has another server answer. */
  async #forward(call: ProxyCall): Promise<void> {
    const { id } = call;
    const forwarded = new Forwarded();
    this.#forwarded.set(id, forwarded);
    await null; // fetchWebhook may use the cluster, so let this turn end first
    const inTurn = (work: (core: Core) => void) => {
      if (this.#core) this.#turn(work);
    };
    await forward(call, this.fetchWebhook, forwarded, {
      answer: (answer) => inTurn((core) => core.answerProxy(id, answer)),
      goOn: (bytes, state) => inTurn((core) => core.continueProxyAnswer(id, bytes, state)),
    });
    this.#forwarded.delete(id);
  }

  #toResponse(answer: CoreAnswer, signal: AbortSignal | null | undefined): RawResponse {
    const { status, headers, body, stream: id, messages } = answer;
    if (id === 0) return { status, headers, body };
    const { stream } = this.#streams.open(id, signal);
    if (status !== 101) return { status, headers, body, stream };
    const send = (message: string | Uint8Array) => {
      if (this.#streams.has(id)) this.#turn((core) => core.streamReceive(id, message));
    };
    return { status, headers, body, stream, ...(messages === 'none' ? {} : { messages }), send };
  }
}

/** Who may do everything. */
const kOwner: Identity = { user: 'system:admin', groups: ['system:masters'] };

/** Somebody who waits until the backend has stored a batch. */
interface Unstored {
  upTo: number;
  resolve(): void;
  reject(error: Error): void;
}

const faultOf = (error: unknown) => (error instanceof Error && error.message) || String(error);

/** What is not an outcome is a failure. */
function checkedOutcome(outcome: Outcome): Outcome {
  const { kind } = (outcome ?? {}) as { kind?: string };
  if (kind === 'durable' || kind === 'conflict') return outcome;
  return { kind: 'failed', fault: (kind === 'failed' && (outcome as { fault?: string }).fault) || 'the backend gave no outcome' };
}

/** Work that is so late was missed while this realm slept. Timers are a minute late at most, in hidden tabs. */
const kSleep = 120_000;

/** The core has given the call up by then. */
const kWebhookTimeout = 30_000;

/** Compresses the body, as the headers already say. */
async function compressed(response: RawResponse): Promise<RawResponse> {
  return { ...response, body: await gzip(response.body) };
}

function snapshotBytes(snapshot: SnapshotDocument): Uint8Array | string {
  if (typeof snapshot === 'string') return snapshot;
  // Not `instanceof`, so that bytes of another realm do as well.
  if (ArrayBuffer.isView(snapshot)) return new Uint8Array(snapshot.buffer, snapshot.byteOffset, snapshot.byteLength);
  if (Object.prototype.toString.call(snapshot) === '[object ArrayBuffer]') return new Uint8Array(snapshot);
  throw new TypeError('tabernetes: a snapshot is a Uint8Array, an ArrayBuffer or a text');
}

function toCoreRequest({ method = 'GET', target, headers = [], body, peer, user }: RawRequest): CoreRequest {
  if (target === undefined) throw new TypeError('tabernetes: a request has a target, such as /version');
  const pairs = Symbol.iterator in headers ? (headers as Iterable<[string, string]>) : Object.entries(headers);
  return {
    head: writeHead(String(method), String(target), peer, pairs, user ? identityHeaders(user) : []),
    body: typeof body === 'string' || ArrayBuffer.isView(body) ? body : body ? new Uint8Array(body) : '',
  };
}

/** Returns `cluster` with all requests sent by that user. */
function asUser(cluster: Cluster, identity: Identity): Cluster {
  const request = (raw: RawRequest) => cluster.request({ user: identity, ...raw });
  const own: Partial<Cluster> = {
    request,
    fetch: clusterFetch(request),
    as: (other) => cluster.as(other),
    fork: () => cluster.fork().as(identity),
    wait: (path, predicate = (value) => value !== undefined, options = {}) => waitFor(request, path, predicate, options),
    apply: (object, options = {}) => applyObject(request, object, options),
    setStatus: (object, status) => setObjectStatus(request, object, status),
  };
  return new Proxy(cluster, {
    get(target, name) {
      if (name in own) return own[name as keyof Cluster];
      const value = target[name as keyof Cluster] as unknown; // private fields need the cluster itself as `this`
      return typeof value === 'function' && name !== 'requests' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Answers a HEAD, which the core leaves to its hosts. */
function leaveOutBody(answer: CoreAnswer): void {
  const { headers, stream, gzip, body } = answer;
  if (stream === 0 && !gzip) headers.push(['Content-Length', String(body.length)]);
  answer.body = new Uint8Array();
}

/** Returns true if a call shows itself, or knows the server, otherwise than by its URL. */
const hasIdentity = ({ certificate, serverName, insecure }: WebhookTls) => certificate !== '' || serverName !== '' || insecure;
