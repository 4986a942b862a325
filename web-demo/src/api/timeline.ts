// The events of a watch as a table: a column for each event, a row for each object.

export interface TimelineEvent {
  number: number;
  type: string;
  /** The row: the object's name, `bookmark` or `error`. */
  row: string;
  version: string;
  /** What an error says; that a bookmark ends the initial events. */
  note: string;
}

interface WatchLine {
  type: string;
  object: { metadata?: { name?: string; namespace?: string; resourceVersion?: string; annotations?: Record<string, string> }; message?: string; code?: number };
}

export const kBookmarks = 'bookmarks';
export const kErrors = 'errors';
const kInitialEnd = 'k8s.io/initial-events-end';

export function timelineEvent(number: number, line: string): TimelineEvent {
  const { type, object } = JSON.parse(line) as WatchLine;
  const { name = '', namespace, resourceVersion = '', annotations } = object.metadata ?? {};
  const event = { number, type, version: resourceVersion, row: `${namespace ? `${namespace}/` : ''}${name}`, note: '' };
  if (type === 'BOOKMARK') return { ...event, row: kBookmarks, note: annotations?.[kInitialEnd] === 'true' ? 'the initial events end here' : '' };
  if (type === 'ERROR') return { ...event, row: kErrors, version: `${object.code ?? ''}`, note: object.message ?? '' };
  return event;
}

/** Returns the rows in the order of their first event, bookmarks and errors last. */
export function rowsOf(events: readonly TimelineEvent[]): string[] {
  const names = [...new Set(events.map(({ row }) => row))];
  const last = [kBookmarks, kErrors].filter((each) => names.includes(each));
  return [...names.filter((each) => !last.includes(each)), ...last];
}
