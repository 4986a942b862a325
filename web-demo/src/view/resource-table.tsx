import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { humanAge } from '../api/age';
import { rowKey, type TableState } from '../api/live-table';
import { resourceId } from '../api/paths';
import type { Column, Resource, Row } from '../api/types';
import { Icon } from './icon';

interface Props {
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
  onNamespace(namespace: string): void;
  onOpen(row: Row): void;
  onNew(): void;
  onRequest(): void;
}

export function ResourceTable(props: Props) {
  const { resource, table, namespaces, namespace, onNamespace, onNew, onRequest } = props;
  const [wide, setWide] = useState(false);
  const hasWide = table.columns.some(({ priority }) => priority > 0);
  return (
    <section class="pane table-pane" aria-label={`${resource.kind} objects`}>
      <div class="pane-head">
        <h1>{resource.kind}</h1>
        <span class="muted mono">{resourceId(resource)}</span>
        <Phase table={table} />
        <span class="grow" />
        {resource.namespaced && (
          <select aria-label="Namespace" value={namespace} onChange={(event) => onNamespace(event.currentTarget.value)}>
            <option value="">All namespaces</option>
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
        <button class="button quiet" onClick={onRequest} title="Send any request">
          <Icon name="send" /> Request
        </button>
        {resource.verbs.includes('create') && (
          <button class="button" onClick={onNew}>
            <Icon name="plus" /> New
          </button>
        )}
      </div>
      <div class="table-scroll">
        <Rows {...props} wide={wide} />
      </div>
    </section>
  );
}

function Phase({ table: { phase, rows, problem } }: { table: TableState }) {
  const text = {
    loading: 'loading',
    live: `live, ${rows.length}`,
    still: `${rows.length}, not live`,
    waiting: 'not live, trying again',
    failed: 'not available',
  }[phase];
  return (
    <span class={`phase ${phase}`} role="status" title={problem}>
      {text}
    </span>
  );
}

function Rows({ resource, table, namespace, selected, now, emptyNote, onOpen, wide }: Props & { wide: boolean }) {
  useTick(5000);
  const shown = table.columns.map((column, index) => ({ column, index })).filter(({ column }) => wide || !column.priority);
  const withNamespace = resource.namespaced && namespace === '';
  if (table.phase === 'failed') return <p class="empty">{table.problem}</p>;
  if (table.phase === 'waiting' && table.columns.length === 0) return <p class="empty">{table.problem}</p>;
  if (table.phase !== 'loading' && table.rows.length === 0) {
    return (
      <div class="empty">
        No objects here yet.
        {emptyNote}
      </div>
    );
  }
  return (
    <table class="table">
      <thead>
        <tr>
          {withNamespace && <th scope="col">Namespace</th>}
          {shown.map(({ column }) => (
            <th key={column.name} scope="col" title={column.description} class={alignment(column)}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody onKeyDown={walkRows}>
        {table.rows.map((row) => {
          const key = rowKey(row);
          return (
            <tr
              // The key changes with the row, so that a changed row is drawn anew and its highlight runs again.
              key={`${key} ${table.touched.has(key) ? row.object?.metadata.resourceVersion : ''}`}
              class={table.touched.get(key)}
              tabIndex={0}
              aria-selected={key === selected}
              onClick={() => onOpen(row)}
              onKeyDown={(event) => event.key === 'Enter' && onOpen(row)}
            >
              {withNamespace && <td class="muted">{row.object?.metadata.namespace}</td>}
              {shown.map(({ column, index }) => (
                <td key={column.name} class={alignment(column)} data-state={stateOf(column, row.cells[index])}>
                  {cellText(column, row, index, now)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function alignment({ type }: Column): string {
  return type === 'integer' || type === 'number' ? 'number' : '';
}

/** Returns the server's text, except for ages, which keep running. */
function cellText(column: Column, row: Row, index: number, now: () => Date): string {
  const created = row.object?.metadata.creationTimestamp;
  if (column.name === 'Age' && created) return humanAge(now().getTime() - Date.parse(created));
  const cell = row.cells[index];
  return cell === null || cell === undefined ? '' : String(cell);
}

/** Classifies a status as good, bad or in progress, for its colour. */
function stateOf(column: Column, cell: unknown): string | undefined {
  if (column.name !== 'Status') return undefined;
  if (/^(Running|Ready|Active|Bound|Complete[d]?|Succeeded)$/.test(String(cell))) return 'good';
  if (/^(Pending|Terminating|ContainerCreating|Unknown|NotReady)$/.test(String(cell))) return 'waiting';
  return /Err|Fail|BackOff|Evicted|Lost/.test(String(cell)) ? 'bad' : undefined;
}

function walkRows(event: KeyboardEvent): void {
  const row = (event.target as HTMLElement).closest('tr');
  const next = { ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling }[event.key];
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}

function useTick(milliseconds: number): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
}
