// The names of the objects of a collection, kept up to date.
import type { Client } from './client';
import { follow, type FollowedEvent, type Trouble } from './follow';
import type { ObjectMeta } from './types';

interface MetadataList {
  metadata?: { resourceVersion?: string };
  /** May be null in an empty list. */
  items?: { metadata: ObjectMeta }[] | null;
}

interface NamedEvent extends FollowedEvent {
  object: { metadata: ObjectMeta };
}

const metadataOnly = (kind: string) => `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;
const kAccept = { accept: metadataOnly('PartialObjectMetadataList'), acceptEvents: metadataOnly('PartialObjectMetadata') };

/** Follows until `signal` aborts. Calls `onChange` with the names after every change of any object. */
export async function followNames(
  client: Client,
  path: string,
  signal: AbortSignal,
  onChange: (names: readonly string[]) => void,
  onTrouble: (trouble: Trouble) => void = () => {},
): Promise<void> {
  let names = new Set<string>();
  const tell = () => onChange([...names].sort());
  await follow<MetadataList, NamedEvent>(client, { path, canWatch: true, ...kAccept, quiet: true }, signal, {
    onList: ({ items }) => {
      names = new Set((items ?? []).map(({ metadata }) => metadata.name));
      tell();
    },
    onEvent: ({ type, object }) => {
      if (type === 'DELETED') names.delete(object.metadata.name);
      else names.add(object.metadata.name);
      tell();
    },
    onTrouble,
  });
}
