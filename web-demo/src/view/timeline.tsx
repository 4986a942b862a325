import '../style/composer.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiFailure, type Client } from '../api/client';
import { rowsOf, type TimelineEvent, timelineEvent } from '../api/timeline';
import { Icon } from './icon';
import { type Outcome, OutcomeNote } from './outcome';

interface Props {
  client: Client;
  /** Of the collection. */
  path: string;
  /** The reason if the history cannot be dropped. */
  locked: string | undefined;
  onClose(): void;
}

const kMostEvents = 60;

/** A watch, drawn: versions from left to right, an object in each row, bookmarks and errors below. */
export function Timeline({ client, path, locked, onClose }: Props) {
  const [from, setFrom] = useState('');
  const [bookmarks, setBookmarks] = useState(true);
  const [initial, setInitial] = useState(false);
  const { events, running, outcome, setOutcome, start, stop } = useWatch(client);
  const begin = (version: string) => {
    const query = new URLSearchParams({ watch: 'true', ...(bookmarks && { allowWatchBookmarks: 'true' }) });
    if (version) query.set('resourceVersion', version);
    if (initial) {
      query.set('sendInitialEvents', 'true');
      query.set('resourceVersionMatch', 'NotOlderThan');
    }
    void start(`${path}?${query}`);
  };
  const last = [...events].reverse().find(({ type }) => type !== 'ERROR')?.version ?? '';
  const drop = () => void client.send({ method: 'POST', target: '/-/tabernetes/compact' });
  return (
    <section class="pane object-pane" aria-label="Watch timeline">
      <div class="pane-head">
        <h2>Watch timeline</h2>
        <span class="muted mono">{path}</span>
        <span class="grow" />
        <button class="button quiet icon-only" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div class="timeline-form">
        <label>
          <span class="muted">From version </span>
          <input class="mono" value={from} placeholder="the newest" onInput={(event) => setFrom(event.currentTarget.value)} />
        </label>
        <Check text="Bookmarks" checked={bookmarks} onChange={setBookmarks} />
        <Check text="Initial events" checked={initial} onChange={setInitial} />
        {running ? (
          <button class="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <button class="button primary" onClick={() => begin(from)}>
            Watch
          </button>
        )}
        {!running && last && (
          <button class="button" onClick={() => begin(last)} title="As a client does that was away for a while">
            Resume from {last}
          </button>
        )}
        <button class="button" disabled={locked !== undefined} title={locked ?? 'A watch from an older version then answers 410'} onClick={drop}>
          Drop history
        </button>
      </div>
      <OutcomeNote outcome={outcome} onClose={() => setOutcome(undefined)} />
      <Drawing events={events} running={running} />
    </section>
  );
}

function Check({ text, checked, onChange }: { text: string; checked: boolean; onChange(checked: boolean): void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{text}</span>
    </label>
  );
}

function Drawing({ events, running }: { events: readonly TimelineEvent[]; running: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (box.current) box.current.scrollLeft = box.current.scrollWidth;
  }, [events]);
  if (events.length === 0) return <p class="empty">{running ? 'The watch is open. Events are drawn as they come.' : 'Start a watch, and change something.'}</p>;
  return (
    <div class="timeline" ref={box} role="region" aria-label="Events" tabIndex={0}>
      <table>
        <caption>
          <span>{running ? 'open' : 'ended'}; events come in on the right</span>
        </caption>
        <thead>
          <tr>
            <th scope="col">object</th>
            {events.map(({ number, version }) => (
              <th key={number} scope="col" class="mono">
                {version}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(events).map((row) => (
            <tr key={row}>
              <th scope="row" title={row}>
                {row}
              </th>
              {events.map((event) => (
                <td key={event.number} title={event.note || undefined}>
                  {event.row === row && <b class={`event-type ${event.type.toLowerCase()}`}>{event.type === 'ERROR' ? `${event.version} ${event.note}` : event.type}</b>}
                  {event.row === row && event.type === 'BOOKMARK' && event.note && <span class="muted"> {event.note}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function useWatch(client: Client) {
  const [events, setEvents] = useState<readonly TimelineEvent[]>([]);
  const [running, setRunning] = useState<AbortController>();
  const [outcome, setOutcome] = useState<Outcome>();
  const count = useRef(0);
  useEffect(() => () => running?.abort(), [running]);
  const start = async (target: string) => {
    const abort = new AbortController();
    setRunning(abort);
    setOutcome(undefined);
    try {
      const take = (line: string) => setEvents((last) => [...last, timelineEvent(count.current++, line)].slice(-kMostEvents));
      await client.watch({ target, headers: { accept: 'application/json' }, signal: abort.signal }, take);
    } catch (fault) {
      const code = fault instanceof ApiFailure ? `${fault.code} ${fault.status?.reason ?? ''}` : 'No answer';
      if (!abort.signal.aborted) setOutcome({ tone: 'bad', title: code.trim(), text: (fault as Error).message });
    }
    setRunning((now) => (now === abort ? undefined : now));
  };
  return { events, running: running !== undefined, outcome, setOutcome, start, stop: () => running?.abort() };
}
