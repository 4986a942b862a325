// What the answer to a DELETE means: the object is gone, or it stays for a while.
import type { Answer } from './client';

interface Deleted {
  metadata?: { deletionTimestamp?: string; deletionGracePeriodSeconds?: number; finalizers?: string[] };
  spec?: { finalizers?: string[] };
}

/** Returns what the object waits for; undefined if it is gone. `text`: the JSON of a successful answer. */
export function awaitedOf({ text }: Answer): string | undefined {
  const { metadata = {}, spec } = JSON.parse(text) as Deleted;
  if (!metadata.deletionTimestamp) return undefined; // a Status
  const seconds = metadata.deletionGracePeriodSeconds ?? 0;
  const finalizers = [...(metadata.finalizers ?? []), ...(spec?.finalizers ?? [])];
  const awaited = [
    ...(seconds > 0 ? [`its node says that it has stopped (grace period: ${seconds} s)`] : []),
    ...(finalizers.length > 0 ? [`its finalizers are removed (${finalizers.join(', ')})`] : []),
  ];
  return awaited.length > 0 ? awaited.join(' and ') : undefined;
}
