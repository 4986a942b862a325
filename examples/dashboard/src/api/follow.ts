import { ApiError, type KubeClient } from './client';
import type { KubernetesObject } from './types';

const kPause = 1000;
const kGone = 410;

export interface Follower<T> {
  /** Called with all objects, whenever they have changed. */
  show(items: T[]): void;
  /** Called when the server does not answer or refuses; `follow` tries again by itself. */
  fail(problem: string): void;
}

/** Keeps a follower informed about a collection until `signal` aborts: lists, watches from there, begins again. */
export async function follow<T extends KubernetesObject>(client: KubeClient, path: string, follower: Follower<T>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await listAndWatch(client, path, follower, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status.code === kGone) continue; // the history is gone; a new list helps
      follower.fail((error as Error).message);
    }
    await pause(signal);
  }
}

async function listAndWatch<T extends KubernetesObject>(client: KubeClient, path: string, follower: Follower<T>, signal: AbortSignal): Promise<void> {
  const { apiVersion, kind, metadata, items } = await client.list<T>(path, signal);
  const whole = items.map((item) => ({ apiVersion, kind: kind.replace(/List$/, ''), ...item }) as T);
  const known = new Map(whole.map((item) => [item.metadata.uid, item]));
  let version = metadata.resourceVersion;
  follower.show([...known.values()]);
  for (;;) {
    for await (const event of client.watch<T>(path, version, signal)) {
      if (event.type === 'ERROR') throw new ApiError(event.object);
      version = event.object.metadata.resourceVersion;
      if (event.type === 'BOOKMARK') continue;
      if (event.type === 'DELETED') known.delete(event.object.metadata.uid);
      else known.set(event.object.metadata.uid, event.object);
      follower.show([...known.values()]);
    }
    await pause(signal); // servers end watches after some minutes
  }
}

/** Resolves after a moment, or when `signal` aborts. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, kPause);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
