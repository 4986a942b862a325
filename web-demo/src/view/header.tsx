import { useEffect, useState } from 'preact/hooks';
import type { Reach } from '../api/transport';
import { moveTime, type Place } from '../cluster/place';
import { kBench, kTour, type Page, pageAddress, type Where } from '../route';
import { Icon } from './icon';
import { type Outcome, outcomeOf } from './outcome';

interface Props {
  /** The shown cluster. */
  where: Where;
  /** The cluster shown by default. */
  home: Where;
  /** Undefined while the cluster starts. */
  place: Place | undefined;
  reach: Reach;
  /** Of the API; empty if unknown. */
  version: string;
  /** The shown page. */
  page: Page;
  onWhere(where: Where): void;
  /** The user as whom the page asks, if not as itself. */
  persona?: string;
  /** Opens what the user may do. */
  onRights?(): void;
  /** Opens files, links and examples. */
  onFiles?(): void;
  /** True if there is a fork to show. */
  hasFork?: boolean;
  /** True while the bar for time is open. */
  timeOpen?: boolean;
  onTime?(): void;
  /** For a server: opens and closes the field for a token. */
  onToken?(): void;
  /** For a server at another address: goes back to where another can be given. */
  onLeave?(): void;
  /** Called with the result of a click in the header; undefined if it succeeded. */
  onOutcome(outcome: Outcome | undefined): void;
}

const kTitles: Readonly<Record<Page, string>> = { cluster: 'A Kubernetes cluster', bench: 'Patch bench', tour: 'Kubernetes API Concepts' };

export function Header(props: Props) {
  const { where, home, place, reach, version, page, persona, onRights, onFiles, hasFork = false, timeOpen = false, onWhere, onTime, onToken, onLeave, onOutcome } = props;
  const wheres = kWheres.filter((each) => each.where !== 'server' || home === 'server').filter((each) => each.where !== 'fork' || hasFork);
  return (
    <header class="header">
      <h1 class="unseen">{kTitles[page]}</h1>
      <a class="brand" href={pageAddress(where, home)} aria-label="tabernetes playground">
        <Icon name="logo" />
        <span>tabernetes</span>
      </a>
      <nav class="pages" aria-label="Pages">
        <a href={pageAddress(where, home)} aria-current={page === 'cluster' ? 'page' : undefined}>
          Cluster
        </a>
        <a href={pageAddress(where, home, kBench)} aria-current={page === 'bench' ? 'page' : undefined}>
          Patch bench
        </a>
        <a href={pageAddress(where, home, kTour)} aria-current={page === 'tour' ? 'page' : undefined}>
          API Concepts
        </a>
      </nav>
      {wheres.length > 1 && <WhereSwitch wheres={wheres} where={where} onWhere={onWhere} />}
      <PlaceTag where={where} place={place} reach={reach} version={version} />
      {where === 'page' ? <PageNote note={place?.note} /> : where === 'fork' ? <span class="header-note">A fork, in memory: it is gone with this page.</span> : <span class="header-note" />}
      {place && <Controls key={place.where} place={place} timeOpen={timeOpen} onTime={onTime} onOutcome={onOutcome} />}
      {onFiles && page === 'cluster' && (
        <button class="button quiet" onClick={onFiles} title="Files, links and examples">
          Files
        </button>
      )}
      {onRights && page === 'cluster' && (
        <button class={`button quiet ${persona ? 'persona' : ''}`} onClick={onRights} title="Who am I, and what may I do?">
          {persona ? `As ${persona}` : 'Rights'}
        </button>
      )}
      {onLeave && (
        <button class="button quiet" onClick={onLeave} title="Give another address or other credentials">
          <Icon name="key" /> Leave
        </button>
      )}
      {onToken && (
        <button class="button quiet" onClick={onToken} title="Who this page asks as">
          <Icon name="key" /> Token
        </button>
      )}
    </header>
  );
}

const kWheres: readonly { where: Where; text: string }[] = [
  { where: 'server', text: 'This server' },
  { where: 'page', text: 'In this page' },
  { where: 'fork', text: 'Fork' },
  { where: 'other', text: 'Another' },
];

function WhereSwitch({ wheres, where, onWhere }: Pick<Props, 'where' | 'onWhere'> & { wheres: typeof kWheres }) {
  return (
    <span class="switch" role="group" aria-label="Cluster">
      {wheres.map((each) => (
        <button key={each.where} aria-pressed={each.where === where} onClick={() => each.where !== where && onWhere(each.where)}>
          {each.text}
        </button>
      ))}
    </span>
  );
}

function PlaceTag({ where, place, reach, version }: Pick<Props, 'where' | 'place' | 'reach' | 'version'>) {
  if (where === 'other' && !place) return null;
  if (where === 'page' || where === 'fork') {
    if (!version && !reach.up) return null;
    return (
      <span class="tag" title="The API that this page's cluster serves">
        {version ? `Kubernetes ${version}` : 'starting'}
      </span>
    );
  }
  return (
    <span class={`tag ${reach.up ? '' : 'lost'}`} role="status" title={reach.up ? 'The API that is shown' : 'It is asked again until it answers'}>
      {`Server ${place?.name}${reach.up ? version && ` · ${version}` : ' · connection lost'}`}
    </span>
  );
}

function PageNote({ note }: { note: string | undefined }) {
  const kept = 'This cluster lives in this page, without a server. This browser keeps its objects and its time; its tabs share it. Exchanges are not kept.';
  return (
    <span class="header-note" title={note ?? kept}>
      {note ?? 'Nothing leaves this browser.'}
    </span>
  );
}

function Controls({ place, timeOpen, onTime, onOutcome }: { place: Place; timeOpen: boolean } & Pick<Props, 'onTime' | 'onOutcome'>) {
  const now = useNow(place);
  const [sure, setSure] = useState(false);
  useEffect(() => {
    const timer = sure ? setTimeout(() => setSure(false), 4000) : undefined;
    return () => clearTimeout(timer);
  }, [sure]);
  const run = async (work: Promise<Parameters<typeof outcomeOf>[0] | undefined>) => {
    const refusal = await work;
    onOutcome(refusal && outcomeOf(refusal, ''));
  };
  const reset = () => {
    if (place.shared && !sure) return setSure(true);
    setSure(false);
    void run(place.reset());
  };
  return (
    <>
      <span class="clock">
        <time dateTime={now.toISOString()} title="The cluster's time (UTC)" class={place.clock.paused ? 'paused' : ''}>
          {now.toISOString().slice(11, 19)}
        </time>
        <button
          class="button quiet"
          onClick={() => void run(moveTime(place, { advance: '60s' }).then((moved) => ('refusal' in moved ? moved.refusal : undefined)))}
          disabled={place.locked !== undefined}
          title={place.locked ?? "Move the cluster's time on by a minute"}
        >
          +1 min
        </button>
        {onTime && (
          <button class="button quiet" aria-pressed={timeOpen} onClick={onTime} title="Pause, step, fork, record">
            Time
          </button>
        )}
      </span>
      <button
        class={`button ${sure ? 'danger' : 'quiet'}`}
        onClick={reset}
        disabled={place.locked !== undefined}
        title={place.locked ?? (place.shared ? 'Back to what the server started with' : place.where === 'fork' ? 'Back to what it was forked from' : 'Throw all of it away, and start again with the sample')}
      >
        <Icon name="reset" /> {sure ? 'Reset the server?' : 'Reset'}
      </button>
    </>
  );
}

function useNow({ client }: Place): Date {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 500);
    return () => clearInterval(timer);
  }, []);
  return client.transport.now();
}
