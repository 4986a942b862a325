// kubectl events
import { humanAge } from '../api/age';
import type { Flags } from './flags';
import { outputText } from './output';
import { allResources, resourceOfKind, targetsOf } from './resources';
import { type Caller, CommandError, type KubeObject } from './session';
import { aligned } from './table';

/** Lists the events of a namespace, the oldest first. `--for`: about one object; `--types`: of these only. */
export async function events(caller: Caller, flags: Flags, namespace: string): Promise<number> {
  const types = flags.all('types').flatMap((each) => each.split(','));
  const bad = types.find((type) => !/^(normal|warning)$/i.test(type));
  if (bad !== undefined) throw new CommandError('error: valid --types are Normal or Warning');
  const everywhere = flags.is('all-namespaces');
  const terms = flags.has('for') ? await about(caller, flags.get('for')) : '';
  const path = `${everywhere ? '/api/v1/events' : `/api/v1/namespaces/${namespace}/events`}?limit=500${terms === '' ? '' : `&fieldSelector=${encodeURIComponent(terms)}`}`;
  const { items } = await caller.json<{ items: KubeObject[] | null }>('GET', path);
  const list = (items ?? []).filter(({ type }) => types.length === 0 || types.some((each) => each.toLowerCase() === String(type).toLowerCase())).sort((a, b) => timeOf(a) - timeOf(b));
  if (list.length === 0) {
    caller.terminal.err(everywhere ? 'No events found.\n' : `No events found in ${namespace} namespace.\n`);
    return 0;
  }
  const format = flags.get('output');
  if (format !== '') {
    const full = list.map((event) => ({ ...event, apiVersion: 'v1', kind: 'Event' }));
    const resource = resourceOfKind(await allResources(caller), full[0]!);
    caller.terminal.out(outputText(format, full.map((object) => ({ resource, object })), false, flags.is('show-managed-fields')));
    return 0;
  }
  const head = [...(everywhere ? ['NAMESPACE'] : []), 'LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'];
  const rows = list.map((event) => [
    ...(everywhere ? [event.metadata.namespace ?? ''] : []),
    ageOf(event, caller.session.now()),
    event.type as string,
    event.reason as string,
    `${event.involvedObject.kind}/${event.involvedObject.name}`,
    String(event.message ?? '').trim(),
  ]);
  caller.terminal.out(aligned(flags.is('no-headers') ? rows : [head, ...rows]));
  return 0;
}

async function about(caller: Caller, text: string): Promise<string> {
  if (!/^[^/]+\/[^/]+$/.test(text)) throw new CommandError('error: --for must be in resource/name form');
  const [{ resource, name }] = targetsOf(await allResources(caller), [text]) as [ReturnType<typeof targetsOf>[number]];
  const { group, version, kind } = resource;
  return `involvedObject.kind=${kind},involvedObject.apiVersion=${group === '' ? version : `${group}/${version}`},involvedObject.name=${name}`;
}

const timeOf = ({ series, lastTimestamp, eventTime, metadata }: KubeObject) => Date.parse(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '') || 0;

function ageOf({ eventTime, firstTimestamp, lastTimestamp, count = 0, series }: KubeObject, now: Date): string {
  const age = (time?: string | null) => (time ? humanAge(now.getTime() - Date.parse(time)) : '<unknown>');
  const first = age(eventTime ?? firstTimestamp);
  if (series) return `${age(series.lastObservedTime)} (x${series.count} over ${first})`;
  return count > 1 ? `${age(lastTimestamp)} (x${count} over ${first})` : first;
}
