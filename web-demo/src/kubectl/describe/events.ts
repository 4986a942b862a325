// The events of an object, as kubectl describe ends with them.
import type { Caller, KubeObject } from '../session';
import type { Sheet } from './sheet';

interface Event {
  type?: string;
  reason?: string;
  message?: string;
  count?: number;
  firstTimestamp?: string | null;
  lastTimestamp?: string | null;
  eventTime?: string | null;
  series?: { count: number; lastObservedTime: string };
  source?: { component?: string };
  reportingComponent?: string;
}

/** Resolves with the events about an object; `kind` and `uid` narrow them. None if they may not be read. */
export async function eventsOf(caller: Caller, { metadata, kind, uid }: { metadata: KubeObject['metadata']; kind?: string; uid?: string }): Promise<Event[]> {
  const terms = [`involvedObject.name=${metadata.name}`];
  if (metadata.namespace) terms.push(`involvedObject.namespace=${metadata.namespace}`);
  if (kind) terms.push(`involvedObject.kind=${kind}`);
  if (uid) terms.push(`involvedObject.uid=${uid}`);
  const path = metadata.namespace ? `/api/v1/namespaces/${metadata.namespace}/events` : '/api/v1/events';
  const answer = await caller.json<{ items: Event[] | null }>('GET', `${path}?fieldSelector=${encodeURIComponent(terms.join(','))}&limit=500`).catch(() => undefined);
  return answer?.items ?? [];
}

export function writeEvents(sheet: Sheet, events: readonly Event[]): void {
  if (events.length === 0) return sheet.line(0, 'Events:', '<none>');
  sheet.flush();
  sheet.line(0, 'Events:');
  sheet.line(1, 'Type', 'Reason', 'Age', 'From', 'Message');
  sheet.line(1, '----', '------', '----', '----', '-------');
  const time = ({ lastTimestamp }: Event) => (lastTimestamp ? Date.parse(lastTimestamp) : 0);
  for (const event of [...events].sort((a, b) => time(a) - time(b))) {
    sheet.line(1, event.type ?? '', event.reason ?? '', intervalOf(sheet, event), event.source?.component || event.reportingComponent || '', (event.message ?? '').trim());
  }
}

function intervalOf(sheet: Sheet, { eventTime, firstTimestamp, lastTimestamp, count = 0, series }: Event): string {
  const first = sheet.age(eventTime ?? firstTimestamp);
  if (series) return `${sheet.age(series.lastObservedTime)} (x${series.count} over ${first})`;
  return count > 1 ? `${sheet.age(lastTimestamp)} (x${count} over ${first})` : first;
}
