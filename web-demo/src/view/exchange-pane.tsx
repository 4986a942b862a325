import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { Exchange, ExchangeLog, StreamEvent } from '../api/exchange';
import type { Resource } from '../api/types';
import { LatePart } from './late-part';
import { TallButton } from './tall-button';
import { useWindow } from './use-window';

/** A line of the list: a request, or an event of its stream. */
interface Line {
  at: number;
  exchange: Exchange;
  event?: StreamEvent;
}

const kMostLines = 500;
/** Pixels of a line, as in the style sheet. */
const kLineHeight = 27;
/** Newest events of a stream that are shown at first. Each is an element that takes part in every frame. */
const kMostInDetail = 20;

interface Props {
  log: ExchangeLog;
  /** The address of the shown cluster, for code. */
  server: string;
  kinds: readonly Resource[];
  tall: boolean;
  onTall(tall: boolean): void;
  onCommandLine(): void;
}

/** Shows every request and answer as sent, and the events of watches; newest first. */
export function ExchangePane({ log, server, kinds, tall, onTall, onCommandLine }: Props) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => log.subscribe(() => redraw(undefined)), [log]);
  const [chosen, setChosen] = useState<number>();
  const [raw, setRaw] = useState(false);
  const [asCode, setAsCode] = useState(false);
  const lines = log.exchanges.flatMap(linesOf).sort((a, b) => b.at - a.at).slice(0, kMostLines);
  const list = useRef<HTMLOListElement>(null);
  const { first, end } = useWindow(list, lines.length, kLineHeight);
  // Without a choice, the latest is shown.
  const exchange = log.exchanges.find(({ id }) => id === chosen) ?? lines[0]?.exchange;

  return (
    <section class="pane exchange-pane" aria-label="Exchanges">
      <div class="pane-head">
        <h2>Exchanges</h2>
        <span class="muted">what this page asked and what came back</span>
        <span class="grow" />
        <button class="button quiet" onClick={onCommandLine} title="kubectl, on this cluster">
          Command line
        </button>
        <button class="button quiet" aria-pressed={chosen === undefined} onClick={() => setChosen(undefined)}>
          Follow newest
        </button>
        <button class="button quiet" aria-pressed={asCode} onClick={() => setAsCode(!asCode)} title="This exchange for curl, kubectl, fetch, client-node, client-go, or as a fixture">
          Code
        </button>
        <button class="button quiet" aria-pressed={raw} onClick={() => setRaw(!raw)}>
          Raw
        </button>
        <TallButton tall={tall} onTall={onTall} />
        <button class="button quiet" onClick={() => log.clear()}>
          Clear
        </button>
      </div>
      <div class="exchange-body">
        <ol class="exchange-list" ref={list} style={{ '--before': `${first * kLineHeight}px`, '--after': `${(lines.length - end) * kLineHeight}px` }}>
          {lines.slice(first, end).map((line) => (
            <li key={`${line.exchange.id} ${line.event?.number ?? ''}`}>
              <button
                aria-current={line.exchange === exchange ? 'true' : undefined}
                onClick={() => setChosen(line.exchange.id)}
              >
                {line.event ? <EventLine {...line} event={line.event} /> : <RequestLine {...line} />}
              </button>
            </li>
          ))}
        </ol>
        {exchange && !asCode && <Detail exchange={exchange} raw={raw} />}
        {exchange && asCode && (
          <LatePart load={() => import('./snippet-view')}>{({ SnippetView }) => <SnippetView exchange={exchange} server={server} kinds={kinds} />}</LatePart>
        )}
      </div>
    </section>
  );
}

function linesOf(exchange: Exchange): Line[] {
  const begun = exchange.startedAt.getTime();
  const events = exchange.events?.slice(-kMostLines).map((event) => ({ at: begun + event.at, exchange, event })) ?? [];
  return [{ at: begun, exchange }, ...events];
}

/** Streams that are no watches. */
const kStreams = /\/(log|exec|attach)(\?|$)/;

function RequestLine({ at, exchange }: Line) {
  const { method, target, events } = exchange;
  return (
    <>
      <Clock at={at} />
      <span class={`method ${method.toLowerCase()}`}>{events && !kStreams.test(target) ? 'WATCH' : method}</span>
      <span class="target mono" title={target}>
        {/* The end of a path is more informative, so the beginning is cut. */}
        <bdi>{events ? target.split('?')[0] : readable(target)}</bdi>
      </span>
      <Progress exchange={exchange} />
    </>
  );
}

function EventLine({ at, event }: Line & { event: StreamEvent }) {
  return (
    <>
      <Clock at={at} />
      <span class="event-line">
        <EventSummary event={event} />
      </span>
    </>
  );
}

function Clock({ at }: { at: number }) {
  const time = new Date(at);
  return <time dateTime={time.toISOString()}>{time.toISOString().slice(11, 23)}</time>;
}

function readable(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

function Progress({ exchange: { status, open, took, failure } }: { exchange: Exchange }) {
  if (failure !== undefined) return <span class="code bad">stopped</span>;
  if (status === undefined) return <span class="code waiting">…</span>;
  return (
    <>
      <span class="muted">{open ? 'open' : `${took?.toFixed(1)} ms`}</span>
      <span class={`code ${status < 300 ? 'good' : 'bad'}`}>
        {open && <i class="dot" />}
        {status}
      </span>
    </>
  );
}

function Detail({ exchange, raw }: { exchange: Exchange; raw: boolean }) {
  const { protocol, method, target, requestHeaders, requestBody, status, responseHeaders, responseBody, events, failure } = exchange;
  return (
    <div class="exchange-detail mono">
      <div class="message" role="region" aria-label="Request" tabIndex={0}>
        <p class="start-line">
          {method} {target} {protocol}
        </p>
        <Headers headers={requestHeaders} />
        {!protocol && <p class="muted">(and what the browser adds)</p>}
        <Body text={requestBody} raw={raw} />
      </div>
      <div class="message" role="region" aria-label="Response" tabIndex={0}>
        <p class="start-line">
          {failure ?? (status === undefined ? 'waiting for the answer…' : `${protocol} ${status} ${kReasons[status] ?? ''}`.trim())}
        </p>
        <Headers headers={responseHeaders} />
        {events ? <Events key={exchange.id} events={events} open={exchange.open} raw={raw} /> : <Body text={responseBody} raw={raw} />}
      </div>
    </div>
  );
}

function Headers({ headers }: { headers: readonly (readonly [string, string])[] }) {
  return (
    <>
      {headers.map(([name, value], index) => (
        <p key={index} class="header-line">
          <span>{name}:</span> {value}
        </p>
      ))}
    </>
  );
}

const kMostShown = 40_000;

function Body({ text, raw }: { text: string; raw: boolean }) {
  const [whole, setWhole] = useState(false);
  if (text === '') return null;
  const shown = raw ? text : pretty(text);
  const cut = !whole && shown.length > kMostShown;
  return (
    <>
      <pre>{cut ? shown.slice(0, kMostShown) : shown}</pre>
      {cut && (
        <button class="link" onClick={() => setWhole(true)}>
          Show all {Math.round(shown.length / 1024)} KiB
        </button>
      )}
    </>
  );
}

/** Shows the events of a stream with the seconds after its request. The newest stays in view. */
function Events({ events, open, raw }: { events: readonly StreamEvent[]; open: boolean; raw: boolean }) {
  const [most, setMost] = useState(kMostInDetail);
  const end = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const box = end.current?.closest('.message');
    if (box) box.scrollTop = box.scrollHeight;
  }, [events.length]);
  return (
    <>
      {events.length > most && (
        <button class="link" onClick={() => setMost(Infinity)}>
          Show the {events.length - most} before
        </button>
      )}
      {events.slice(-most).map((event) => (
        <EventItem key={event.number} event={event} raw={raw} />
      ))}
      <p ref={end} class="muted">
        {open ? 'open; events appear here as they come' : 'ended'}
      </p>
    </>
  );
}

/** An event, whose text is in the document only while it is open: there can be hundreds. */
function EventItem({ event, raw }: { event: StreamEvent; raw: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="event" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <time>+{(event.at / 1000).toFixed(3)}s</time> <EventSummary event={event} />
      </summary>
      {open && <pre>{raw ? event.text : pretty(event.text)}</pre>}
    </details>
  );
}

interface Named {
  metadata?: { name?: string; namespace?: string; resourceVersion?: string };
}

function EventSummary({ event }: { event: StreamEvent }) {
  const { type, object, text } = summaryOf(event);
  if (!object) return <>{text}</>;
  const { name, namespace, resourceVersion } = object;
  return (
    <>
      <b class={`event-type ${type.toLowerCase()}`}>{type}</b> {namespace ? `${namespace}/` : ''}
      {name} <span class="muted">{resourceVersion ? `version ${resourceVersion}` : ''}</span>
    </>
  );
}

interface Summary {
  type: string;
  object?: { name: string; namespace?: string; resourceVersion?: string };
  /** Set if it is no event. */
  text?: string;
}

const summaries = new WeakMap<StreamEvent, Summary>();

/** Reads an event, once. */
function summaryOf(event: StreamEvent): Summary {
  let summary = summaries.get(event);
  if (!summary) summaries.set(event, (summary = readSummary(event.text)));
  return summary;
}

function readSummary(text: string): Summary {
  try {
    const { type, object } = JSON.parse(text) as { type: string; object: Named & { rows?: { object?: Named }[]; message?: string } };
    const { name, namespace, resourceVersion } = (object.rows?.[0]?.object ?? object).metadata ?? {};
    return { type, object: { name: name ?? object.message ?? '', namespace, resourceVersion } };
  } catch {
    return { type: '', text: text.slice(0, 120) };
  }
}

function pretty(text: string): string {
  if (!text.startsWith('{') && !text.startsWith('[')) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const kReasons: Readonly<Record<number, string>> = {
  101: 'Switching Protocols',
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};
