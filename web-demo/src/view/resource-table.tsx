import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { actionsOf } from '../api/actions';
import type { Client } from '../api/client';
import { rowKey, type TableState } from '../api/live-table';
import { resourceId } from '../api/paths';
import { OrderedRows } from '../api/ordered-rows';
import type { Order } from '../api/table-order';
import type { TableQuery } from '../api/table-query';
import type { Resource, Row } from '../api/types';
import { Icon } from './icon';
import { LatePart } from './late-part';
import { TableRows } from './table-rows';

interface Props {
  client: Client;
  resource: Resource;
  table: TableState;
  namespaces: readonly string[];
  /** Empty for all. */
  namespace: string;
  /** `rowKey` of the open object. */
  selected: string;
  now(): Date;
  /** Shown if the table is empty. */
  emptyNote?: ComponentChildren;
  query: TableQuery;
  onNamespace(namespace: string): void;
  onQuery(query: TableQuery): void;
  onOpen(row: Row): void;
  onNew(): void;
  onRequest(): void;
  /** Looks at earlier versions of the collection. */
  onPast(): void;
  /** Draws a watch of the collection. */
  onTimeline(): void;
}

export function ResourceTable(props: Props) {
  const { client, resource, table, namespaces, namespace, query, onNamespace, onQuery, onNew, onRequest, onPast, onTimeline } = props;
  const [wide, setWide] = useState(false);
  const [filter, setFilter] = useState('');
  const [order, setOrder] = useState<Order>();
  const [ordered] = useState(() => new OrderedRows());
  const rows = useMemo(() => ordered.of(table, filter, order), [table, filter, order]);
  const [picked, setPicked] = useState<ReadonlySet<string>>();
  const pickedRows = useMemo(() => (picked && picked.size > 0 ? table.rows.filter((row) => picked.has(rowKey(row))) : []), [table.rows, picked]);
  const onPick = (key: string, on: boolean) => {
    const keys = new Set(picked);
    if (on) keys.add(key);
    else keys.delete(key);
    setPicked(keys);
  };
  const scroller = useRef<HTMLDivElement>(null);
  const asked = Object.values(query).some((each) => each !== '');
  const selectors = [query.labelSelector, query.fieldSelector].filter(Boolean);
  const [asks, setAsks] = useState(asked);
  const hasWide = table.columns.some(({ priority }) => priority > 0);
  return (
    <section class="pane table-pane" aria-label={`${resource.kind} objects`}>
      <div class="pane-head">
        <h2>{resource.kind}</h2>
        <span class="muted mono">{resourceId(resource)}</span>
        <Phase table={table} shown={rows.length} />
        <span class="grow" />
        <input
          class="filter"
          type="search"
          placeholder="Filter"
          aria-label="Filter"
          title="Rows that contain every word"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        {resource.namespaced && (
          <select aria-label="Namespace" value={namespace} onChange={(event) => onNamespace(event.currentTarget.value)}>
            <option value="">All namespaces</option>
            {namespace !== '' && !namespaces.includes(namespace) && <option>{namespace}</option>}
            {namespaces.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
        {hasWide && (
          <button class="button quiet" aria-pressed={wide} onClick={() => setWide(!wide)} title="All columns">
            <Icon name="wide" /> Wide
          </button>
        )}
        <button
          class={`button quiet ${selectors.length > 0 ? 'asked' : ''}`}
          aria-pressed={asks}
          onClick={() => setAsks(!asks)}
          title={selectors.length > 0 ? `In force: ${selectors.join('; ')}` : 'Label and field selectors, and columns of your own'}
        >
          Selectors{selectors.length > 0 && <span class="unseen"> (in force)</span>}
        </button>
        {actionsOf(resource).length > 0 && (
          <button class="button quiet" aria-pressed={picked !== undefined} onClick={() => setPicked(picked ? undefined : new Set())} title="Select objects, to do something with them">
            Select
          </button>
        )}
        <button class="button quiet" onClick={onPast} title="As it was at earlier versions">
          Past
        </button>
        {resource.verbs.includes('watch') && (
          <button class="button quiet" onClick={onTimeline} title="A watch, drawn: versions, events, bookmarks, 410">
            Watch
          </button>
        )}
        <button class="button quiet" onClick={onRequest} title="Send any request">
          <Icon name="send" /> Request
        </button>
        {resource.verbs.includes('create') && (
          <button class="button" onClick={onNew}>
            <Icon name="plus" /> New
          </button>
        )}
      </div>
      {asks && <LatePart load={() => import('./table-query')}>{({ TableQueryBar }) => <TableQueryBar resource={resourceId(resource)} rows={table.rows} query={query} onQuery={onQuery} />}</LatePart>}
      {picked && (
        <LatePart load={() => import('./actions/action-bar')}>
          {({ ActionBar }) => (
            <ActionBar
              client={client}
              resource={resource}
              objects={pickedRows.flatMap(({ object }) => (object ? [object.metadata] : []))}
              onAll={(all) => setPicked(new Set(all ? rows.map(rowKey) : []))}
            />
          )}
        </LatePart>
      )}
      <div class="table-scroll" ref={scroller}>
        <Content {...props} wide={wide} rows={rows} order={order} scroller={scroller} onOrder={setOrder} picked={picked && { keys: picked, onPick }} />
      </div>
    </section>
  );
}

function Phase({ table: { phase, rows, problem }, shown }: { table: TableState; shown: number }) {
  const count = shown === rows.length ? shown : `${shown} of ${rows.length}`;
  const text = {
    loading: 'loading',
    live: `live, ${count}`,
    still: `${count}, not live`,
    waiting: 'not live, trying again',
    failed: 'not available',
  }[phase];
  return (
    <span class={`phase ${phase}`} role="status" title={problem}>
      {text}
    </span>
  );
}

type ContentProps = Props & Pick<Parameters<typeof TableRows>[0], 'wide' | 'rows' | 'order' | 'scroller' | 'onOrder' | 'picked'>;

/** Shows the rows, or why there are none. */
function Content(props: ContentProps) {
  const { resource, table, namespace, query, emptyNote, rows } = props;
  if (table.phase === 'failed') return <p class="empty">{table.problem}</p>;
  if (table.phase === 'waiting' && table.columns.length === 0) return <p class="empty">{table.problem}</p>;
  if (table.phase !== 'loading' && table.rows.length === 0) {
    return (
      <div class="empty">
        {query.labelSelector || query.fieldSelector ? 'No object is selected.' : 'No objects here yet.'}
        {emptyNote}
      </div>
    );
  }
  if (rows.length === 0 && table.rows.length > 0) return <p class="empty">No row contains that.</p>;
  return <TableRows {...props} withNamespace={resource.namespaced && namespace === ''} />;
}
