// A table of a collection, kept up to date.
import type { Client } from './client';
import { follow } from './follow';
import type { Column, Row, Table, TableEvent } from './types';

export interface TableState {
  columns: readonly Column[];
  rows: readonly Row[];
  /** `still`: a list that cannot be watched; `waiting`: the last known rows, while it tries again by itself. */
  phase: 'loading' | 'live' | 'still' | 'waiting' | 'failed';
  /** The reason if the table is not live. */
  problem?: string;
  /** The rows that changed last, for highlighting. */
  touched: ReadonlyMap<string, 'added' | 'modified'>;
}

export const kEmptyTable: TableState = { columns: [], rows: [], phase: 'loading', touched: new Map() };

const kTable = 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json';

/** Returns a key that identifies a row. */
export function rowKey(row: Row): string {
  const { namespace = '', name = '' } = row.object?.metadata ?? {};
  return `${namespace}/${name}`;
}

/** Follows a collection until `signal` aborts. Calls `onChange` with every new state. */
export async function followTable(
  client: Client,
  { path, canWatch }: { path: string; canWatch: boolean },
  signal: AbortSignal,
  onChange: (state: TableState) => void,
): Promise<void> {
  let state = kEmptyTable;
  const change = (changed: TableState) => onChange((state = changed));
  await follow<Table, TableEvent>(client, { path, canWatch, accept: kTable }, signal, {
    onList: (table) => change(stateOf(table, canWatch ? 'live' : 'still')),
    onEvent: ({ type, object }) => {
      const [row] = object.rows ?? [];
      if (row) change(applyEvent(state, type, row));
    },
    onTrouble: (trouble) => change(trouble.phase === 'failed' ? { ...kEmptyTable, ...trouble } : { ...state, ...trouble, touched: new Map() }),
  });
}

/** `rows` may be null in an empty table. */
function stateOf({ columnDefinitions, rows }: Table, phase: TableState['phase']): TableState {
  return { columns: columnDefinitions ?? [], rows: rows ?? [], phase, touched: new Map() };
}

function applyEvent(state: TableState, type: TableEvent['type'], row: Row): TableState {
  const key = rowKey(row);
  const { at, found } = placeOf(state.rows, key, type);
  const rows = [...state.rows];
  if (type === 'DELETED') {
    if (found) rows.splice(at, 1);
    return { ...state, rows, touched: new Map() };
  }
  rows.splice(at, found ? 1 : 0, row);
  return { ...state, rows, touched: new Map([[key, found ? 'modified' : 'added']]) };
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
