// Follows a collection: lists it and watches from there, again and again, through lost connections and expired
// versions.
import { untilSeen, whileSeen } from './attention';
import { ApiFailure, type Client } from './client';
import { pause } from './transport';
import type { ObjectMeta, Status } from './types';

export interface Collection {
  path: string;
  canWatch: boolean;
  /** Parameters of the list and of the watch. */
  parameters?: Readonly<Record<string, string>>;
  /** Objects per request of the list; without it, one request lists all. `join`: adds a page to those before. */
  pages?: { limit: number; join(before: unknown, page: unknown): unknown };
  /** Media type of the list, and of the events unless `acceptEvents` is set. */
  accept: string;
  acceptEvents?: string;
  /** Watch by `Transport.quietWatch`, beside the visible collection. The events may come in any form. */
  quiet?: boolean;
}

/** `waiting`: it tries again by itself; `failed`: trying again would not help. */
export type Trouble = { phase: 'waiting' | 'failed'; problem: string };

export interface Follower<List, Event> {
  /** Called with a list that replaces everything reported before. */
  onList(list: List): void;
  /** Called with each event, except bookmarks and errors. */
  onEvent(event: Event): void;
  onTrouble(trouble: Trouble): void;
}

interface Versioned {
  metadata?: { resourceVersion?: string; continue?: string };
  /** Present in a Table. */
  rows?: { object?: { metadata: ObjectMeta } }[] | null;
}

export interface FollowedEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: object;
}

/** Failures that a repetition does not change, as they depend on the caller or the request. */
const kForGood = new Set([400, 401, 403, 404, 405, 406]);
const kGone = 410;

/** Follows until `signal` aborts or a request fails for good. */
export async function follow<List extends Versioned, Event extends FollowedEvent>(
  client: Client,
  collection: Collection,
  signal: AbortSignal,
  follower: Follower<List, Event>,
): Promise<void> {
  while (!signal.aborted) {
    let lived = false;
    try {
      const list = await listAll<List>(client, collection, signal, (known) => tell(() => follower.onList(known)));
      if (signal.aborted) return;
      if (!collection.canWatch) return;
      await watchOn<Event>(client, collection, list.metadata?.resourceVersion ?? '', signal, (event) => {
        lived = true;
        if (event) tell(() => follower.onEvent(event));
      });
    } catch (error) {
      if (signal.aborted) return;
      const code = error instanceof ApiFailure ? error.code : 0;
      const problem = (error as Error).message;
      if (kForGood.has(code)) return follower.onTrouble({ phase: 'failed', problem });
      if (code === kGone && lived) continue; // a new list is enough
      follower.onTrouble({ phase: 'waiting', problem });
      await client.transport.whenBack(signal);
    }
  }
}

/** Lists a collection. Calls `onKnown` with what is known after each page. Resolves with all of it. */
async function listAll<List extends Versioned>(client: Client, { path, parameters, pages, accept }: Collection, signal: AbortSignal, onKnown: (list: List) => void): Promise<List> {
  let list: List | undefined;
  for (let next = ''; ; ) {
    const query = new URLSearchParams({ ...parameters, ...(pages && { limit: `${pages.limit}` }), ...(next && { continue: next }) });
    const page = await client.get<List>(query.size > 0 ? `${path}?${query}` : path, accept, signal);
    list = list && pages ? (pages.join(list, page) as List) : page;
    if (signal.aborted) return list;
    onKnown(list);
    next = page.metadata?.continue ?? '';
    if (!pages || next === '') return list;
  }
}

/** Reports an exception of a follower, so that it is not taken for a failure of the connection. */
function tell(work: () => void): void {
  try {
    work();
  } catch (error) {
    reportError(error);
  }
}

/** Milliseconds. A watch that ends sooner is not repeated at once. */
const kShortWatch = 1000;

/** Watches again and again from `version` on. Also calls `onEvent`, without an event, when a watch ends. */
async function watchOn<Event extends FollowedEvent>(
  client: Client,
  { path, parameters, accept, acceptEvents = accept, quiet }: Collection,
  version: string,
  signal: AbortSignal,
  onEvent: (event?: Event) => void,
): Promise<void> {
  while (!signal.aborted) {
    const begun = performance.now();
    const query = new URLSearchParams({ ...parameters, watch: 'true', allowWatchBookmarks: 'true', resourceVersion: version });
    const take = (line: string) => {
      const event = JSON.parse(line) as Event;
      if (event.type === 'ERROR') throw new ApiFailure((event.object as Status).code ?? 500, event.object as Status);
      version = versionOf(event.object as Versioned) ?? version;
      if (event.type !== 'BOOKMARK') onEvent(event);
    };
    const watch = (until: AbortSignal) => client.watch({ target: `${path}?${query}`, headers: { accept: acceptEvents }, signal: until }, take, quiet);
    if (client.transport.fewConnections && !quiet) {
      await untilSeen(signal);
      if (!signal.aborted) await whileSeen(signal, watch);
    } else {
      await watch(signal);
    }
    onEvent();
    if (performance.now() - begun < kShortWatch) await pause(kShortWatch, signal);
  }
}

function versionOf({ rows, metadata }: Versioned): string | undefined {
  return rows?.[0]?.object?.metadata.resourceVersion ?? metadata?.resourceVersion;
}
