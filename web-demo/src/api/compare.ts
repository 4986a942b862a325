// Two clusters, object by object, from their snapshots.
import { type Change, differingLines, type Item } from './past';

interface SnapshotObject extends Item {
  kind: string;
  apiVersion: string;
}

export interface ComparedChange extends Change {
  objectKind: string;
}

/** Kinds that change all the time. */
const kBusy = new Set(['Event', 'Lease']);

/** Returns what differs from one cluster to the other, in the order of kinds and names. `busy`: with events and leases. */
export function compareSnapshots(before: string, after: string, busy: boolean): ComparedChange[] {
  const read = (text: string) => new Map((JSON.parse(text) as { objects: SnapshotObject[] }).objects.filter(({ kind }) => busy || !kBusy.has(kind)).map((each) => [keyOf(each), each]));
  const [old, now] = [read(before), read(after)];
  const changes: ComparedChange[] = [];
  const add = (kind: Change['kind'], object: SnapshotObject, lines: string[]) => {
    const { namespace, name } = object.metadata;
    changes.push({ kind, objectKind: object.kind, name: `${object.kind} ${namespace ? `${namespace}/` : ''}${name}`, lines });
  };
  for (const [key, object] of now) {
    const was = old.get(key);
    if (!was) add('created', object, []);
    else if (was.metadata.resourceVersion !== object.metadata.resourceVersion) add('changed', object, differingLines(was, object));
  }
  for (const [key, object] of old) if (!now.has(key)) add('deleted', object, []);
  return changes.sort((a, b) => a.name.localeCompare(b.name));
}

const keyOf = ({ apiVersion, kind, metadata }: SnapshotObject) => `${apiVersion} ${kind} ${metadata.namespace ?? ''}/${metadata.name} ${metadata.uid ?? ''}`;
