// Where a cluster keeps what it stores, for stores that are written in JavaScript. The core's side is
// core/include/tabernetes/backend.h.

/**
 * A change of one key, as it is proposed.
 */
export interface Change {
  key: string;
  /** Of this change. */
  revision: bigint;
  /** The revision at which the key must be; 0: it must not exist. */
  replaces: bigint;
  /** Nanoseconds since 1970. */
  time: bigint;
  /** What to store, to be kept as it is; left out: the key is deleted. */
  value?: Uint8Array<ArrayBuffer>;
}

/** A change as it was stored. */
export type StoredChange = Omit<Change, 'replaces'>;

/**
 * Changes that become durable together or not at all.
 */
export interface Batch {
  /**
   * The changes are the whole state, in the order of their keys: what was stored before is no longer needed, history
   * included. `replaces` means nothing then.
   */
  whole: boolean;
  /** Otherwise by rising revision. May be empty. */
  changes: Change[];
  /** Of the cluster after them. */
  revision: bigint;
  /** States before this revision are no longer asked for: what is needed for those alone may go. */
  oldest: bigint;
  /** The cluster's time, in nanoseconds since 1970. */
  clock: bigint;
  /** The state of the random number generator, if the cluster has a `seed`. */
  random?: bigint;
}

/**
 * What became of a batch.
 *
 * - `durable`: all of it is stored, and survives whatever the backend promises to survive.
 * - `failed`: nothing of it is stored, or nobody can know. Requests that have written get 500 with the fault.
 * - `conflict`: nothing of it is stored, because others have changed the store. The cluster makes the changes of `others`,
 *   which are above all earlier ones and by rising revision, and does waiting requests again.
 */
export type Outcome = { kind: 'durable' } | { kind: 'failed'; fault: string } | { kind: 'conflict'; others: StoredChange[] };

/**
 * What a backend has of earlier runs: enough for the state at every revision from `oldest` on.
 */
export interface Stored extends Pick<Batch, 'revision' | 'oldest' | 'clock' | 'random'> {
  /** By rising revision: up to `oldest` what exists then, later every change. The others are those of the last batch. */
  changes: Iterable<StoredChange>;
}

/**
 * Keeps what a cluster stores. The cluster runs in memory as every other one, but its answers, views and watch events
 * show only what the backend has called durable: until then a request waits, and reads go on from the newest durable
 * state.
 *
 * One batch is under way at a time; what is written meanwhile makes the next one. So many small writes share one
 * commit. No revision is proposed twice: what was undone leaves a gap. A backend serves one cluster.
 *
 * ```ts
 * const forgetful: Backend = {
 *   takeStored: () => undefined,
 *   propose(batch: Batch, done: (outcome: Outcome) => void) {
 *     console.log(batch.changes.map(({ key, value }) => `${value ? 'write' : 'delete'} ${key}`));
 *     setTimeout(() => done({ kind: 'durable' }), 10);
 *   },
 * };
 * const cluster = await createCluster({ backend: forgetful });
 * ```
 */
export interface Backend {
  /** Returns what is stored, or undefined if nothing was ever proposed. Called once, before anything else. */
  takeStored(): Stored | undefined | Promise<Stored | undefined>;

  /**
   * Begins to store a batch. `done` gives every result, once, in the call or later; a second call is ignored. What is
   * thrown counts as a failure. The values are the backend's own.
   */
  propose(batch: Batch, done: (outcome: Outcome) => void): void;
}
