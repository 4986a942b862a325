import type { RefObject } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { humanAge } from '../api/age';
import { rowKey, type TableState } from '../api/live-table';
import { nextOrder, type Order } from '../api/table-order';
import type { Column, Row } from '../api/types';
import { useNarrow, useWindow } from './use-window';

interface Props {
  table: TableState;
  /** The rows to show, in their order. */
  rows: readonly Row[];
  wide: boolean;
  withNamespace: boolean;
  order: Order | undefined;
  /** `rowKey` of the open object. */
  selected: string;
  /** The element in which the table scrolls. */
  scroller: RefObject<HTMLElement | null>;
  now(): Date;
  onOrder(order: Order | undefined): void;
  onOpen(row: Row): void;
  /** Set while rows are selected: the keys of those that are, and a change of one. */
  picked?: { keys: ReadonlySet<string>; onPick(key: string, on: boolean): void };
}

/** A shown column. */
interface Shown {
  column: Column;
  /** Its cell in a row; -1 for the namespace. */
  index: number;
}

const kNamespace: Shown = { index: -1, column: { name: 'Namespace', type: 'string', priority: 0 } };

/** Pixels, as in the style sheet. */
const kRowHeight = 35;
const kCardLine = 22;
const kCardPadding = 17;

/** From this many changed rows on, none fades. */
const kBusy = 8;

/** Shows a table with sortable columns. Only the rows in sight are in the document; on a phone, rows are cards. */
export function TableRows(props: Props) {
  const { table, rows, wide, withNamespace, order, selected, scroller, now, onOrder, onOpen, picked } = props;
  useTick(5000);
  const columns = useMemo(() => shownColumns(table.columns, wide, withNamespace), [table.columns, wide, withNamespace]);
  const height = useNarrow() ? cardHeight(columns.length) : kRowHeight;
  const { first, end } = useWindow(scroller, rows.length, height);
  const widths = useWidths(columns, rows, end - first < rows.length);
  return (
    <table class={`table ${table.touched.size > kBusy ? 'busy' : ''}`} role="table" aria-rowcount={rows.length + 1} ref={(element) => element?.style.setProperty('--row', `${height}px`)}>
      <thead role="rowgroup">
        <tr role="row" aria-rowindex={1}>
          {picked && (
            <th role="columnheader" scope="col" class="pick">
              <span class="unseen">Selected</span>
            </th>
          )}
          {columns.map((shown, i) => (
            <Heading key={shown.column.name} shown={shown} order={order} width={widths?.[i]} onOrder={onOrder} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" onKeyDown={walkRows}>
        <Gap height={first * height} columns={columns.length + (picked ? 1 : 0)} />
        {rows.slice(first, end).map((row, i) => {
          const key = rowKey(row);
          return (
            <tr
              key={key}
              role="row"
              class={table.touched.has(key) ? `touched-${table.turn % 2}` : undefined}
              tabIndex={0}
              aria-rowindex={first + i + 2}
              aria-current={key === selected ? 'true' : undefined}
              onClick={() => onOpen(row)}
              onKeyDown={(event) => event.key === 'Enter' && onOpen(row)}
            >
              {picked && (
                <td role="cell" class="pick" onClick={(event) => event.stopPropagation()}>
                  <input
                    type="checkbox"
                    aria-label={`Select ${row.object?.metadata.name}`}
                    checked={picked.keys.has(key)}
                    onChange={(event) => picked.onPick(key, event.currentTarget.checked)}
                  />
                </td>
              )}
              {columns.map((shown) => (
                <Cell key={shown.column.name} {...shown} row={row} now={now} />
              ))}
            </tr>
          );
        })}
        <Gap height={(rows.length - end) * height} columns={columns.length + (picked ? 1 : 0)} />
      </tbody>
    </table>
  );
}

function shownColumns(columns: readonly Column[], wide: boolean, withNamespace: boolean): Shown[] {
  const shown = columns.map((column, index) => ({ column, index })).filter(({ column }) => wide || !column.priority);
  return withNamespace && columns.length > 0 ? [kNamespace, ...shown] : shown;
}

/** The name has a line of its own; two other cells share one. */
const cardHeight = (columns: number) => kCardPadding + kCardLine * (1 + Math.ceil((columns - 1) / 2));

function Heading({ shown: { column, index }, order, width, onOrder }: { shown: Shown; order: Order | undefined; width?: number; onOrder: Props['onOrder'] }) {
  const sorted = order?.index === index ? (order.descending ? 'descending' : 'ascending') : undefined;
  return (
    <th role="columnheader" scope="col" title={column.description} class={alignment(column)} aria-sort={sorted} style={width ? { minWidth: `${width}ch` } : {}}>
      <button onClick={() => onOrder(nextOrder(order, index))}>
        {column.name}
        {sorted && <span aria-hidden="true">{sorted === 'ascending' ? ' ↑' : ' ↓'}</span>}
      </button>
    </th>
  );
}

function Cell({ column, index, row, now }: Shown & { row: Row; now(): Date }) {
  const text = index < 0 ? (row.object?.metadata.namespace ?? '') : cellText(column, row, index, now);
  const kind = index < 0 ? 'muted' : column.name === 'Name' ? 'name' : alignment(column);
  return (
    <td role="cell" class={kind} data-label={column.name} data-state={stateOf(column, row.cells[index])} title={text.length > kLong ? text : undefined}>
      {text}
    </td>
  );
}

/** Characters; a longer text may be cut. */
const kLong = 16;

/** Stands for rows that are out of sight. */
function Gap({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr class="gap" aria-hidden="true" style={{ height: `${height}px` }}>
      <td colSpan={columns} />
    </tr>
  );
}

/** Characters of the widest column. */
const kWidest = 48;

/** Rows whose texts decide about the widths. */
const kMeasured = 2000;

/** Returns the width of each column in characters, so that columns keep their places while rows come and go. */
function useWidths(columns: readonly Shown[], rows: readonly Row[], windowed: boolean): number[] | undefined {
  const size = Math.round(Math.log2(rows.length + 1)); // measured again when the table has grown
  return useMemo(() => {
    if (!windowed) return undefined;
    const step = Math.max(1, Math.floor(rows.length / kMeasured));
    const measured = rows.filter((_, i) => i % step === 0);
    return columns.map(({ column, index }) => {
      if (column.name === 'Age') return 8;
      const lengths = measured.map(({ cells, object }) => String((index < 0 ? object?.metadata.namespace : cells[index]) ?? '').length);
      return Math.min(kWidest, lengths.reduce((a, b) => Math.max(a, b), column.name.length) + 4);
    });
  }, [columns, size, windowed]);
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
  if (!(next instanceof HTMLElement) || next.tabIndex < 0) return;
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
