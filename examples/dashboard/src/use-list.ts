import { useEffect, useState } from 'react';
import type { KubeClient } from './api/client';
import { follow } from './api/follow';
import type { KubernetesObject } from './api/types';

export interface Listed<T> {
  /** Undefined until the first list has come. */
  items: T[] | undefined;
  problem: string | undefined;
}

/** Returns what is in a collection now, while the component is mounted. */
export function useList<T extends KubernetesObject>(client: KubeClient, path: string): Listed<T> {
  const [listed, setListed] = useState<Listed<T>>({ items: undefined, problem: undefined });
  useEffect(() => {
    const left = new AbortController();
    const follower = {
      show: (items: T[]) => setListed({ items, problem: undefined }),
      fail: (problem: string) => setListed(({ items }) => ({ items, problem })),
    };
    void follow<T>(client, path, follower, left.signal);
    return () => left.abort();
  }, [client, path]);
  return listed;
}
