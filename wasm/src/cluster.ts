// What a cluster can do.
import type { AdmissionControl } from './admission.js';
import type { AuditEvent, AuditOptions } from './audit.js';
import type { ContainerControl } from './containers.js';
import type { KubernetesObject } from './encoding.js';
import type { AccessExplanation, AccessQuestion, RequestExplanation, RequestQuestion } from './explain.js';
import type { Identity } from './identity.js';
import type { ApplyObjectOptions } from './objects.js';
import type { Manifest, SnapshotDocument } from './options.js';
import type { PlatformFetch } from './platform.js';
import type { RawRequest, RawResponse } from './raw.js';
import type { LoggedRequest, RequestLog, WaitOptions } from './request-log.js';

/**
 * A Kubernetes API server inside this realm.
 *
 * ```ts
 * const cluster = await createCluster();
 * const watch = await cluster.fetch('/api/v1/pods?watch=true');
 * for await (const events of watch.body!.pipeThrough(new TextDecoderStream())) console.log(events);
 * ```
 */
export interface Cluster {
  /**
   * A drop-in `fetch` for any origin or none; watches stream. API errors are Responses; only misuse and aborts reject.
   * The function is bound, so a client library can take it as its transport.
   *
   * ```ts
   * await cluster.fetch('/api/v1/namespaces/default/pods', { method: 'POST', body: JSON.stringify(pod) });
   * ```
   */
  readonly fetch: PlatformFetch;

  /**
   * Sends a raw request. Unlike `fetch`, it normalises nothing and forbids no header.
   *
   * ```ts
   * const { status, body } = await cluster.request({ target: '/version' });
   * ```
   */
  request(request: RawRequest): Promise<RawResponse>;

  /**
   * Creates objects, namespaces and CustomResourceDefinitions first, and replaces those that exist, even what an update
   * may not change: `spec`, `status` and the rest become those of the manifest. Only a status that it does not give
   * stays. Rejects with a `LoadError` that lists the documents that failed and why; all others are loaded.
   *
   * ```ts
   * await cluster.load([yamlText, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }]);
   * ```
   */
  load(manifest: Manifest): Promise<void>;

  /**
   * Returns the same cluster as another user sees it: `fetch`, `request` and everything made of them are sent as that
   * user, without a token and without being asked for permission to impersonate. With `authorizationMode: 'RBAC'` roles
   * and bindings decide what the user may do.
   *
   * ```ts
   * const viewer = cluster.as({ user: 'jane', groups: ['viewers'] });
   * console.log((await viewer.fetch('/api/v1/secrets')).status); // 403
   * ```
   */
  as(identity: Identity): Cluster;

  /**
   * The last requests, and waiting for one. What `apply`, `setStatus` and `wait` send for the test itself is left out.
   *
   * ```ts
   * const { object } = await cluster.requests.next({ verb: 'patch', resource: 'deployments' });
   * ```
   */
  readonly requests: RequestLog;

  /**
   * Resolves with the object or list at a path as soon as the predicate accepts it; the predicate gets undefined while
   * there is none. Rejects after 4 seconds, or `timeout` milliseconds; the error shows what was there last.
   *
   * ```ts
   * const web = await cluster.wait('/apis/apps/v1/namespaces/default/deployments/web', (it) => it?.spec.replicas === 3);
   * await cluster.wait('/api/v1/namespaces/default/pods/web', (it) => it === undefined); // until it is gone
   * ```
   */
  wait<T = any>(path: string, predicate?: (value: T | undefined) => unknown, options?: WaitOptions): Promise<T>;

  /**
   * Applies an object (server-side apply), and returns what is stored. Throws a `StatusError` if the server refuses it.
   *
   * ```ts
   * await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { theme: 'dark' } });
   * ```
   */
  apply(object: object, options?: ApplyObjectOptions): Promise<KubernetesObject>;

  /**
   * Sets the status of an object, given by `apiVersion`, `kind` and `metadata`, and returns what is stored.
   *
   * ```ts
   * await cluster.setStatus({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } }, { phase: 'Running' });
   * ```
   */
  setStatus(object: object, status: object): Promise<KubernetesObject>;

  /**
   * Moves the cluster's time on and does all work that becomes due: timeouts, bookmarks, control loops, delayed
   * answers.
   *
   * ```ts
   * cluster.advance(30_000);
   * ```
   */
  advance(milliseconds: number): void;

  /** The cluster's time. */
  readonly now: Date;

  /**
   * Makes time stand still: it moves on only by `advance`, `step` and `settle`. With the option `now` it stands still
   * anyway.
   *
   * ```ts
   * cluster.pause();
   * ```
   */
  pause(): void;

  /**
   * Lets time go on after `pause`, from where it stands.
   *
   * ```ts
   * cluster.resume();
   * ```
   */
  resume(): void;

  /**
   * Moves time on to the next thing that a control loop or a simulated kubelet does, and returns what it was. Returns
   * undefined if nobody does anything within an hour.
   *
   * ```ts
   * const step = cluster.step();
   * console.log(step?.loop, step?.changes[0]?.kind);
   * ```
   */
  step(): Step | undefined;

  /**
   * Moves time on until nobody has anything to do but periodic work (heartbeats, schedules, retries after a back-off),
   * by an hour at most, or `within` milliseconds. Resolves with false if somebody still has work then.
   *
   * ```ts
   * await cluster.apply(deployment);
   * await cluster.settle(); // its pods run
   * ```
   */
  settle(options?: SettleOptions): Promise<boolean>;

  /**
   * How simulated pods and nodes behave: rules, of which the first that matches counts, or KWOK Stages.
   *
   * ```ts
   * cluster.behaviour.set([{ match: { image: 'broken:*' }, pull: { error: true } }]);
   * ```
   */
  readonly behaviour: BehaviourControl;

  /**
   * What stands behind logs, shells and ports of simulated containers: rules, of which the first that says something of
   * it counts. Answers may be functions.
   *
   * ```ts
   * cluster.containers.set([{ match: { name: 'web-*' }, log: ['ready'], commands: [{ command: 'psql *', out: '3 rows\n' }] }]);
   * ```
   */
  readonly containers: ContainerControl;

  /**
   * What goes wrong with requests on purpose: rules, of which the first that fits a request counts.
   *
   * ```ts
   * cluster.faults.set([{ match: { verb: 'list', resource: 'pods' }, nth: 2, status: { code: 429, retryAfter: 1 } }]);
   * ```
   */
  readonly faults: FaultControl;

  /**
   * Says why somebody may or may not do something: what each authorizer said, and of RBAC every binding that names the user
   * and what each rule lacks. Rejects with a TypeError for a question that makes no sense.
   *
   * ```ts
   * const { allowed, authorizers } = await cluster.explain({ verb: 'create', resource: 'pods', user: 'jane' });
   * ```
   */
  explain(question: AccessQuestion): Promise<AccessExplanation>;

  /**
   * Says why a request would be answered as it would, and what each admission plugin changes or refuses. A write is tried
   * as a dry run. A request of the log can be asked for as it is.
   *
   * ```ts
   * const { admission, answer } = await cluster.explain(await cluster.requests.next({ verb: 'create', resource: 'pods' }));
   * ```
   */
  explain(question: RequestQuestion | LoggedRequest): Promise<RequestExplanation>;

  /**
   * Admission webhooks that are functions.
   *
   * ```ts
   * cluster.admission.validating('no-latest', ({ request }) => !JSON.stringify(request.object).includes(':latest') || 'name a version');
   * ```
   */
  readonly admission: AdmissionControl;

  /**
   * Calls `listener` with each event of the audit log from now on, before the answer arrives, and returns a function that
   * ends it. Throws an Error that says what is wrong with the policy. A cluster has one audit log: a second call ends the
   * first. Forks are not logged.
   *
   * ```ts
   * const end = cluster.audit((event) => console.log(event.user.username, event.verb, event.objectRef?.resource));
   * ```
   */
  audit(listener: (event: AuditEvent) => void, options?: AuditOptions): () => void;

  /**
   * Returns an independent cluster with the same objects, versions, history and time. This is immediate at any size:
   * data is copied only when one of the two changes it. Open watches and pending answers stay with this cluster. If the
   * cluster was made with `seed` and `now`, two forks that get the same requests give the same bytes. Dispose of each
   * fork.
   *
   * ```ts
   * beforeEach(() => (cluster = filled.fork()));
   * afterEach(() => cluster.dispose());
   * ```
   */
  fork(): Cluster;

  /**
   * Resolves when everything that was done so far is stored, if the cluster has a `backend`; rejects if it could not be.
   * Answers come only then anyway: this is for `restore`, `reset` and `advance`, which return before.
   *
   * ```ts
   * cluster.reset();
   * await cluster.stored();
   * ```
   */
  stored(): Promise<void>;

  /**
   * Returns the whole cluster as one JSON document, in bytes, to store, send or make another cluster from.
   *
   * ```ts
   * const again = await createCluster({ snapshot: cluster.snapshot() });
   * ```
   */
  snapshot(): Uint8Array<ArrayBuffer>;

  /**
   * Replaces all objects with those of a snapshot. Watches end and older versions are gone; no version is used twice.
   * Time moves on to the snapshot's time, never back. Throws an Error with the reason if the document is not valid; the
   * cluster is then unchanged.
   *
   * ```ts
   * cluster.restore(before);
   * ```
   */
  restore(snapshot: SnapshotDocument): void;

  /**
   * Drops the history before a version, by default the present one: lists and watches from older versions answer 410.
   * Throws an Error if the version is not reached yet or already gone.
   *
   * ```ts
   * cluster.compact();
   * await cluster.fetch('/api/v1/pods?watch=true&resourceVersion=1'); // its one event is the 410
   * ```
   */
  compact(resourceVersion?: string): void;

  /**
   * Makes an object unreadable in the store, as a lost encryption key does. The API then answers requests for it as a
   * real server does. With the feature gate `AllowUnsafeMalformedObjectDeletion` the object can be deleted by
   * `ignoreStoreReadErrorWithClusterBreakingPotential`.
   *
   * ```ts
   * await cluster.corrupt('/api/v1/namespaces/default/configmaps/settings');
   * ```
   */
  corrupt(path: string): Promise<void>;

  /**
   * Goes back to the objects that were there when `createCluster` finished. Watches end.
   *
   * ```ts
   * afterEach(() => cluster.reset());
   * ```
   */
  reset(): void;

  /**
   * Ends open watches and frees the memory. Calling it again does nothing; every other later call throws.
   *
   * ```ts
   * afterEach(() => cluster.dispose());
   * ```
   */
  dispose(): void;
}

/** What a control loop or a simulated kubelet did. */
export interface Step {
  time: Date;
  /** kube-controller-manager's name of the loop, or `kubelet`. */
  loop: string;
  changes: StepChange[];
}

/** What happened to an object. */
export interface StepChange {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  apiVersion: string;
  kind: string;
  namespace?: string;
  name: string;
  resourceVersion: string;
}

/** Limits of `settle`. */
export interface SettleOptions {
  /** Milliseconds of the cluster's time. */
  within?: number;
}

/** Reads and sets the rules by which simulated pods and nodes behave. */
export interface BehaviourControl {
  /**
   * Replaces the rules; what runs follows the new ones at once. Takes a list, or a text of YAML or JSON. Throws a
   * TypeError that says which rule is wrong. Returns warnings about what of KWOK's Stages has no effect.
   *
   * ```ts
   * cluster.behaviour.set([{ match: { labels: { app: 'web' } }, exit: { after: '5s', code: 1 } }]);
   * ```
   */
  set(rules: readonly object[] | string): string[];

  /**
   * Returns the rules as they were set.
   *
   * ```ts
   * console.log(cluster.behaviour.get().length);
   * ```
   */
  get(): object[];

  /**
   * Goes back to the rules of the option `behaviour`.
   *
   * ```ts
   * cluster.behaviour.reset();
   * ```
   */
  reset(): void;
}

/** Reads and sets the rules of what goes wrong with requests. */
export interface FaultControl {
  /**
   * Replaces the rules; counts begin anew. Takes a list, or a text of YAML or JSON. Throws a TypeError that says which
   * rule is wrong.
   *
   * ```ts
   * cluster.faults.set([{ match: { verb: 'watch' }, watch: { events: 3, then: 'gone' } }]);
   * ```
   */
  set(rules: readonly object[] | string): void;

  /**
   * Returns the rules as they were set.
   *
   * ```ts
   * console.log(cluster.faults.get().length);
   * ```
   */
  get(): object[];

  /**
   * Returns for each rule how many requests fitted it, and how many it hit.
   *
   * ```ts
   * console.log(cluster.faults.counts()[0]?.hit);
   * ```
   */
  counts(): FaultCount[];

  /**
   * Goes back to the rules of the option `faults`.
   *
   * ```ts
   * cluster.faults.reset();
   * ```
   */
  reset(): void;
}

/** What a rule of faults has met. */
export interface FaultCount {
  fitting: number;
  hit: number;
}
