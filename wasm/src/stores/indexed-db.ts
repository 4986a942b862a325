// A backend in a browser's IndexedDB: each change is a row, written once, and a batch is a transaction. What no state within
// the history needs any more is deleted with later batches.
//
//   versions  by revision: { key, time, value }; without a value: the key was deleted
//   replaced  "AT/REVISION": that version was replaced or deleted at that revision
//   state     one row: revision, oldest, clock, random, and `filling` until a new cluster has its initial objects
//
// Revisions are texts of equal length, which sort as the numbers do.
import type { Backend, Batch, Outcome, Stored, StoredChange } from '../backend.js';

const kVersions = 'versions';
const kReplaced = 'replaced';
const kState = 'state';
/** The key of the one row. */
const kOne = 'state';

/** At most so many versions of no use are deleted with a batch, so that no commit takes long. */
const kMostTrimmed = 2000;
/** How many rows are read at once. */
const kPage = 1000;

type Row = Pick<StoredChange, 'key' | 'time' | 'value'>;
type State = Pick<Batch, 'revision' | 'oldest' | 'clock' | 'random'> & { filling?: true };

const textOf = (revision: bigint) => String(revision).padStart(20, '0');

export class IndexedDbStore implements Backend {
  #database: IDBDatabase | undefined;
  /** Of the last batch; undefined: none was ever stored. */
  #revision: bigint | undefined;
  #filling = false;

  constructor(readonly name: string) {}

  /** Call it before a cluster starts: what it stores does not count until `endFilling`, so that no half of it is gone on with. */
  beginFilling(): void {
    this.#filling = true;
  }

  /** Call it when the cluster has its initial objects. */
  async endFilling(): Promise<void> {
    if (!this.#filling) return;
    this.#filling = false;
    const transaction = (this.#database ?? (await this.#openAgain())).transaction(kState, 'readwrite', { durability: 'strict' });
    const ended = endOf(transaction);
    const store = transaction.objectStore(kState);
    const reading = store.get(kOne) as IDBRequest<State | undefined>;
    reading.onsuccess = () => {
      if (!reading.result) return;
      const { filling: _, ...state } = reading.result;
      store.put(state, kOne);
    };
    await ended;
  }

  async takeStored(): Promise<Stored | undefined> {
    const database = await this.#open();
    const transaction = database.transaction([kVersions, kState]);
    const state = (await resultOf(transaction.objectStore(kState).get(kOne))) as State | undefined;
    if (!state) return undefined;
    if (state.filling) {
      await clear(database);
      return undefined;
    }
    this.#filling = false;
    const versions: (StoredChange & { until?: bigint })[] = [];
    const newest = new Map<string, (typeof versions)[number]>();
    const store = transaction.objectStore(kVersions);
    for (let range: IDBKeyRange | null = null; ; ) {
      const [keys, rows] = await Promise.all([resultOf(store.getAllKeys(range, kPage)), resultOf(store.getAll(range, kPage))]);
      for (const [i, row] of (rows as Row[]).entries()) {
        const version = { ...row, revision: BigInt(keys[i] as string) } as (typeof versions)[number];
        const before = newest.get(row.key);
        if (before) before.until ??= version.revision;
        if (!row.value) version.until = version.revision;
        newest.set(row.key, version);
        versions.push(version);
      }
      if (keys.length < kPage) break;
      range = IDBKeyRange.lowerBound(keys.at(-1)!, true);
    }
    this.#revision = state.revision;
    return { ...state, changes: versions.filter(({ until }) => until === undefined || until > state.oldest) };
  }

  propose(batch: Batch, done: (outcome: Outcome) => void): void {
    this.#store(batch).then(
      () => {
        this.#revision = batch.revision;
        done({ kind: 'durable' });
      },
      (error: unknown) => done({ kind: 'failed', fault: `IndexedDB ${this.name}: ${reasonOf(error)}` }),
    );
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  async #store(batch: Batch): Promise<void> {
    const database = this.#database ?? (await this.#openAgain());
    await write(database, batch, this.#filling);
  }

  /** The browser closes databases, for example when its user clears what a site has stored. */
  async #openAgain(): Promise<IDBDatabase> {
    const database = await this.#open();
    const state = (await resultOf(database.transaction(kState).objectStore(kState).get(kOne))) as State | undefined;
    if (state?.revision === this.#revision) return database;
    this.close();
    throw new Error('what was stored has been deleted or replaced');
  }

  async #open(): Promise<IDBDatabase> {
    const opening = indexedDB.open(this.name, 1);
    opening.onupgradeneeded = () => {
      for (const store of [kVersions, kReplaced, kState]) opening.result.createObjectStore(store);
    };
    const database = await resultOf(opening);
    const gone = () => {
      if (this.#database === database) this.#database = undefined;
    };
    database.onclose = gone;
    database.onversionchange = () => {
      database.close(); // someone deletes it
      gone();
    };
    return (this.#database = database);
  }
}

/** Stores a batch whole, or nothing of it if it rejects. */
function write(database: IDBDatabase, { whole, changes, revision, oldest, clock, random }: Batch, filling: boolean): Promise<void> {
  const transaction = database.transaction([kVersions, kReplaced, kState], 'readwrite', { durability: 'strict' });
  const ended = endOf(transaction);
  const [versions, replaced] = [transaction.objectStore(kVersions), transaction.objectStore(kReplaced)];
  if (whole) for (const store of [versions, replaced]) store.clear();
  for (const { key, time, value, replaces, ...change } of changes) {
    const at = textOf(change.revision);
    versions.put({ key, time, ...(value ? { value } : {}) } satisfies Row, at);
    if (!whole && replaces !== 0n) replaced.put(true, `${at}/${textOf(replaces)}`);
    if (!value) replaced.put(true, `${at}/${at}`);
  }
  const state: State = { revision, oldest, clock, ...(random === undefined ? {} : { random }), ...(filling ? { filling } : {}) };
  transaction.objectStore(kState).put(state, kOne);
  const useless = replaced.getAllKeys(IDBKeyRange.upperBound(`${textOf(oldest)}~`), kMostTrimmed);
  useless.onsuccess = () => {
    for (const key of useless.result as string[]) {
      replaced.delete(key);
      versions.delete(key.split('/')[1]!);
    }
  };
  return ended;
}

function clear(database: IDBDatabase): Promise<void> {
  const all = [kVersions, kReplaced, kState];
  const transaction = database.transaction(all, 'readwrite');
  for (const store of all) transaction.objectStore(store).clear();
  return endOf(transaction);
}

/** Resolves when the transaction is stored, and rejects if nothing of it is. */
function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'));
  });
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });
}

function reasonOf(error: unknown): string {
  const { name, message } = error as Error;
  if (name === 'QuotaExceededError') return 'the browser gives this site no more room';
  return message || name;
}
