// A collection as it was at earlier versions, and what changed between two of them.
import { type Client, isGood } from './client';

export interface Item {
  metadata: { name: string; namespace?: string; uid?: string; resourceVersion?: string; managedFields?: unknown };
}

export interface PastList {
  version: number;
  items: Item[];
}

/** Returns the collection at exactly this version; undefined if the server no longer knows it (410). Rejects with what else the server says. */
export async function listAt(client: Client, path: string, version: number): Promise<PastList | undefined> {
  const target = `${path}?resourceVersion=${version}&resourceVersionMatch=Exact`;
  const answer = await client.send({ target, headers: { accept: 'application/json' } });
  if (answer.status === 410) return undefined;
  if (!isGood(answer)) throw new Error(answer.failure?.message ?? `the server answered ${answer.status}`);
  return { version, items: (JSON.parse(answer.text) as { items: Item[] }).items };
}

/** Returns the newest version, and the oldest that the server still knows. */
export async function knownVersions(client: Client, path: string): Promise<{ oldest: number; newest: number }> {
  const partial = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
  const { metadata } = await client.get<{ metadata: { resourceVersion: string } }>(`${path}?limit=1`, partial);
  const newest = Number(metadata.resourceVersion);
  let [gone, known] = [0, newest];
  while (known - gone > 1) {
    const middle = Math.floor((gone + known) / 2);
    const { status } = await client.send({ target: `${path}?limit=1&resourceVersion=${middle}&resourceVersionMatch=Exact`, headers: { accept: partial } });
    if (status === 200) known = middle;
    else gone = middle;
  }
  return { oldest: known, newest };
}

export interface Change {
  kind: 'created' | 'changed' | 'deleted';
  name: string;
  /** The lines that differ, each with `-` or `+` before it. */
  lines: string[];
}

/** Returns what happened between two states, in the order of names. */
export function changesBetween(before: PastList, after: PastList): Change[] {
  const idOf = ({ metadata }: Item) => metadata.uid ?? `${metadata.namespace}/${metadata.name}`;
  const nameOf = ({ metadata }: Item) => `${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`;
  const old = new Map(before.items.map((item) => [idOf(item), item]));
  const now = new Map(after.items.map((item) => [idOf(item), item]));
  const changes: Change[] = [];
  for (const [id, item] of now) {
    const was = old.get(id);
    if (!was) changes.push({ kind: 'created', name: nameOf(item), lines: [] });
    else if (was.metadata.resourceVersion !== item.metadata.resourceVersion) changes.push({ kind: 'changed', name: nameOf(item), lines: differingLines(was, item) });
  }
  for (const [id, item] of old) if (!now.has(id)) changes.push({ kind: 'deleted', name: nameOf(item), lines: [] });
  return changes.sort((a, b) => a.name.localeCompare(b.name));
}

/** Returns the fields that differ, `- spec.replicas: 1` and `+ spec.replicas: 3`. */
export function differingLines(before: Item, after: Item): string[] {
  const fields = (item: Item) => {
    const found = new Map<string, string>();
    const { managedFields: _, ...metadata } = item.metadata;
    collect({ ...item, metadata }, '', found);
    return found;
  };
  const [old, now] = [fields(before), fields(after)];
  const paths = [...new Set([...old.keys(), ...now.keys()])].filter((path) => old.get(path) !== now.get(path)).sort();
  return paths.flatMap((path) => [...(old.has(path) ? [`- ${path}: ${old.get(path)}`] : []), ...(now.has(path) ? [`+ ${path}: ${now.get(path)}`] : [])]);
}

function collect(value: unknown, path: string, found: Map<string, string>): void {
  if (Array.isArray(value)) value.forEach((each, index) => collect(each, `${path}[${index}]`, found));
  else if (typeof value === 'object' && value !== null) for (const [key, each] of Object.entries(value)) collect(each, path === '' ? key : `${path}.${key}`, found);
  else found.set(path, JSON.stringify(value));
}
