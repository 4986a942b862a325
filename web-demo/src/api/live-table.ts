// A table of a collection, kept up to date.
import type { Client } from './client';
import { follow } from './follow';
import { kWholeTable, parametersOf, type TableQuery, widening } from './table-query';
import type { Column, Row, Table, TableEvent } from './types';

export interface TableState {
  columns: readonly Column[];
  rows: readonly Row[];
  /** `still`: a list that cannot be watched; `waiting`: the last known rows, while it tries again by itself. */
  phase: 'loading' | 'live' | 'still' | 'waiting' | 'failed';
  /** The reason if the table is not live. */
  problem?: string;
  /** The rows that changed last, for highlighting. */
  touched: ReadonlySet<string>;
  /** Counts the states of changes. */
  turn: number;
}

export const kEmptyTable: TableState = { columns: [], rows: [], phase: 'loading', touched: new Set(), turn: 0 };

const kTable = 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json';

/** Returns a key that identifies a row. */
export function rowKey(row: Row): string {
  const { namespace = '', name = '' } = row.object?.metadata ?? {};
  return `${namespace}/${name}`;
}

/** Rows per request of the list. */
const kPage = 2000;

/** Milliseconds between two states, which a large table gets rarely, as every state is a new list of its rows. */
const betweenStates = (rows: number) => (rows > 2000 ? 250 : 16);

/** Follows a collection until `signal` aborts. Calls `onChange` with new states, each with all events since the last one. */
export async function followTable(
  client: Client,
  { path, canWatch, query = kWholeTable }: { path: string; canWatch: boolean; query?: TableQuery },
  signal: AbortSignal,
  onChange: (state: TableState) => void,
): Promise<void> {
  let state = kEmptyTable;
  let waiting: TableEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wide = widening(query.columns);
  const change = (changed: TableState) => onChange((state = changed));
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length > 0 && !signal.aborted) change(applyEvents(state, waiting, wide.row));
    waiting = [];
  };
  const collection = { path, canWatch, accept: kTable, parameters: parametersOf(query), pages: { limit: kPage, join: joinTables } };
  await follow<Table, TableEvent>(client, collection, signal, {
    onList: ({ columnDefinitions, rows, metadata }) => {
      waiting = [];
      const phase = metadata?.continue ? 'loading' : canWatch ? 'live' : 'still';
      change({ columns: wide.column(columnDefinitions ?? []), rows: (rows ?? []).map(wide.row), phase, touched: new Set(), turn: state.turn });
    },
    onEvent: (event) => {
      waiting.push(event);
      timer ??= setTimeout(flush, betweenStates(state.rows.length));
    },
    onTrouble: (trouble) => {
      flush();
      change(trouble.phase === 'failed' ? { ...kEmptyTable, ...trouble } : { ...state, ...trouble, touched: new Set() });
    },
  });
}

/** Adds a page to the table of those before. */
function joinTables(before: unknown, page: unknown): Table {
  const [first, next] = [before as Table, page as Table];
  return { ...first, metadata: { ...first.metadata, continue: next.metadata?.continue }, rows: [...(first.rows ?? []), ...(next.rows ?? [])] };
}

function applyEvents(state: TableState, events: readonly TableEvent[], widened: (row: Row) => Row): TableState {
  const rows = [...state.rows];
  const touched = new Set<string>();
  for (const { type, object } of events) {
    const [given] = object.rows ?? [];
    if (!given) continue;
    const key = rowKey(given);
    const { at, found } = placeOf(rows, key, type);
    if (type === 'DELETED') {
      if (found) rows.splice(at, 1);
      touched.delete(key);
    } else {
      rows.splice(at, found ? 1 : 0, widened(given));
      touched.add(key);
    }
  }
  return { ...state, rows, touched, turn: state.turn + 1 };
}

/** Returns the row with this key, if there is one. */
export function findRow(rows: readonly Row[], key: string): Row | undefined {
  const { at, found } = placeOf(rows, key, 'MODIFIED');
  return found ? rows[at] : undefined;
}

/** Returns the index of a row, or for a new one: lists are in the order of their keys, and so is the table. */
function placeOf(rows: readonly Row[], key: string, type: TableEvent['type']): { at: number; found: boolean } {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rowKey(rows[middle]!) < key) low = middle + 1;
    else high = middle;
  }
  if (low < rows.length && rowKey(rows[low]!) === key) return { at: low, found: true };
  // A list in another order.
  const at = type === 'ADDED' ? -1 : rows.findIndex((row) => rowKey(row) === key);
  return at < 0 ? { at: low, found: false } : { at, found: true };
}
