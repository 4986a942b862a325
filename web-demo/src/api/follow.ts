// Follows one collection: list, then watch from there, again and again, over lost connections and versions that are gone.
import { untilSeen, whileSeen } from './attention';
import { ApiFailure, type Client } from './client';
import { pause } from './transport';
import type { ObjectMeta, Status } from './types';

export interface Collection {
  path: string;
  canWatch: boolean;
  /** The form of the list, and of its events unless `acceptEvents` says that. */
  accept: string;
  acceptEvents?: string;
  /** One of several that stay open beside the one that is looked at (`Transport.quietWatch`); its events may come in any form. */
  quiet?: boolean;
}

/** `waiting`: it asks again by itself; `failed`: that would not help. */
export type Trouble = { phase: 'waiting' | 'failed'; problem: string };

export interface Follower<List, Event> {
  /** A list that takes the place of all that was told before. */
  onList(list: List): void;
  /** No bookmarks and no errors. */
  onEvent(event: Event): void;
  onTrouble(trouble: Trouble): void;
}

interface Versioned {
  metadata?: { resourceVersion?: string };
  /** Of a Table. */
  rows?: { object?: { metadata: ObjectMeta } }[] | null;
}

export interface FollowedEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: object;
}

/** What asking again does not change: who asks, and what for. */
const kForGood = new Set([400, 401, 403, 404, 405, 406]);
const kGone = 410;

/** Follows until `signal` aborts, or until what is asked for is refused for good. */
export async function follow<List extends Versioned, Event extends FollowedEvent>(
  client: Client,
  collection: Collection,
  signal: AbortSignal,
  follower: Follower<List, Event>,
): Promise<void> {
  while (!signal.aborted) {
    let lived = false;
    try {
      const list = await client.get<List>(collection.path, collection.accept, signal);
      if (signal.aborted) return;
      tell(() => follower.onList(list));
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
      if (code === kGone && lived) continue; // a new list is all it takes
      follower.onTrouble({ phase: 'waiting', problem });
      await client.transport.whenBack(signal);
    }
  }
}

/** What a follower does wrong is no trouble of the connection. */
function tell(work: () => void): void {
  try {
    work();
  } catch (error) {
    reportError(error);
  }
}

/** A watch that ends sooner is not begun again at once. */
const kShortWatch = 1000;

/** One watch after another from `version` on; `onEvent` is also told of each end, by no event. */
async function watchOn<Event extends FollowedEvent>(
  client: Client,
  { path, accept, acceptEvents = accept, quiet }: Collection,
  version: string,
  signal: AbortSignal,
  onEvent: (event?: Event) => void,
): Promise<void> {
  while (!signal.aborted) {
    const begun = performance.now();
    const query = new URLSearchParams({ watch: 'true', allowWatchBookmarks: 'true', resourceVersion: version });
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
