// What an object belongs to, what belongs to it, its conditions and its events.
import { type Client, isGood } from './client';
import { resourcePath } from './paths';
import type { Resource } from './types';

interface Owner {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
}

interface Partial {
  metadata: { name: string; namespace?: string; uid: string; ownerReferences?: Owner[] };
}

/** An object in the tree of owners. */
export interface Related {
  resource: Resource;
  name: string;
  namespace: string;
  uid: string;
  dependents: Related[];
}

export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
}

export interface EventOf {
  type?: string;
  reason?: string;
  message?: string;
  count?: number;
  lastTimestamp?: string | null;
  eventTime?: string | null;
  metadata: { uid: string; creationTimestamp?: string };
}

export interface Relations {
  /** The top of the tree in which the object is. */
  top: Related;
  conditions: Condition[];
  events: EventOf[];
}

const kPartial = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
/** The groups in which objects own each other. */
const kOwning = ['', 'apps', 'batch', 'discovery.k8s.io'];

/** Returns what is around an object. Resources that cannot be listed are left out. */
export async function relationsOf(client: Client, kinds: readonly Resource[], resource: Resource, namespace: string, name: string): Promise<Relations> {
  interface Whole extends Partial { status?: { conditions?: Condition[] } }
  const self = await client.get<Whole>(resourcePath(resource, namespace, name), 'application/json');
  const [all, events] = await Promise.all([around(client, kinds, resource, namespace), eventsOf(client, resource, self)]);
  const own = all.find(({ uid }) => uid === self.metadata.uid) ?? nodeOf(resource, self);
  return { top: topOf(own, all), conditions: self.status?.conditions ?? [], events };
}

interface Listed extends Related {
  owners: readonly Owner[];
}

const nodeOf = (resource: Resource, { metadata }: Partial): Listed => ({
  resource,
  name: metadata.name,
  namespace: metadata.namespace ?? '',
  uid: metadata.uid,
  dependents: [],
  owners: metadata.ownerReferences ?? [],
});

/** Lists the metadata of everything beside the object, and links it by its owner references. */
async function around(client: Client, kinds: readonly Resource[], own: Resource, namespace: string): Promise<Listed[]> {
  const asked = kinds.filter((each) => each === own || (each.namespaced === own.namespaced && each.kind !== 'Event' && (kOwning.includes(each.group) || each.group.includes('.example'))));
  const lists = await Promise.all(
    asked.map(async (resource) => {
      const answer = await client.send({ target: resourcePath(resource, namespace), headers: { accept: kPartial } });
      const { items } = isGood(answer) ? (JSON.parse(answer.text) as { items: Partial[] | null }) : { items: null };
      return (items ?? []).map((item) => nodeOf(resource, item));
    }),
  );
  const all = lists.flat();
  const byUid = new Map(all.map((each) => [each.uid, each]));
  for (const each of all) for (const { uid } of each.owners) byUid.get(uid)?.dependents.push(each);
  return all;
}

function topOf(own: Listed, all: readonly Listed[]): Listed {
  const seen = new Set<string>();
  for (let at = own; ; ) {
    seen.add(at.uid);
    const owner = all.find(({ uid }) => at.owners.some((each) => each.uid === uid) && !seen.has(uid));
    if (!owner) return at;
    at = owner;
  }
}

async function eventsOf(client: Client, { kind }: Resource, { metadata }: Partial): Promise<EventOf[]> {
  const selector = `involvedObject.kind=${kind},involvedObject.name=${metadata.name},involvedObject.uid=${metadata.uid}`;
  const place = metadata.namespace ? `/namespaces/${metadata.namespace}` : '';
  const answer = await client.send({ target: `/api/v1${place}/events?fieldSelector=${encodeURIComponent(selector)}`, headers: { accept: 'application/json' } });
  return isGood(answer) ? (JSON.parse(answer.text) as { items: EventOf[] }).items : [];
}
