// A table of one collection that keeps itself up to date: list, then watch from there, again and again.
import { ApiFailure, type Client } from './client';
import type { Column, Row, Status, Table, WatchEvent } from './types';

export interface TableState {
  columns: readonly Column[];
  rows: readonly Row[];
  /** `still`: a list that cannot be watched. */
  phase: 'loading' | 'live' | 'still' | 'failed';
  /** Why it is not live. */
  problem?: string;
  /** What changed last, so that a row can show it. */
  touched: ReadonlyMap<string, 'added' | 'modified'>;
}

export const kEmptyTable: TableState = { columns: [], rows: [], phase: 'loading', touched: new Map() };

const kTable = 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json';
const kRetryAfter = 1000;

/** What tells a row from the others. */
export function rowKey(row: Row): string {
  const { namespace = '', name = '' } = row.object?.metadata ?? {};
  return `${namespace}/${name}`;
}

export interface Collection {
  path: string;
  canWatch: boolean;
}

/** Follows a collection until `signal` aborts; `onChange` gets every new state. */
export async function followTable(
  client: Client,
  { path, canWatch }: Collection,
  signal: AbortSignal,
  onChange: (state: TableState) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const table = await client.get<Table>(path, kTable, signal);
      if (canWatch) await watchOn(client, path, table, signal, onChange);
      else return onChange(stateOf(table, 'still'));
    } catch (error) {
      if (signal.aborted) return;
      onChange({ ...kEmptyTable, phase: 'failed', problem: (error as Error).message });
      if (error instanceof ApiFailure && error.code !== 410) return; // asking again would not help
      await new Promise((resolve) => setTimeout(resolve, kRetryAfter));
    }
  }
}

/** `rows` of an empty table may be null. */
function stateOf({ columnDefinitions, rows }: Table, phase: TableState['phase']): TableState {
  return { columns: columnDefinitions ?? [], rows: rows ?? [], phase, touched: new Map() };
}

/** Goes on from `table` with one watch after another. */
async function watchOn(
  client: Client,
  path: string,
  table: Table,
  signal: AbortSignal,
  onChange: (state: TableState) => void,
): Promise<void> {
  let version = table.metadata?.resourceVersion ?? '';
  let state = stateOf(table, 'live');
  onChange(state);

  while (!signal.aborted) {
    const query = new URLSearchParams({ watch: 'true', allowWatchBookmarks: 'true', resourceVersion: version });
    await client.watch({ target: `${path}?${query}`, headers: { accept: kTable }, signal }, (line) => {
      const event = JSON.parse(line) as WatchEvent;
      if (event.type === 'ERROR') throw new ApiFailure((event.object as Status).code ?? 500, event.object as Status);
      const table = event.object as Table;
      const [row] = table.rows ?? [];
      version = row?.object?.metadata.resourceVersion ?? table.metadata?.resourceVersion ?? version;
      if (!row || event.type === 'BOOKMARK') return;
      state = applyEvent(state, event.type, row);
      onChange(state);
    });
  }
}

function applyEvent(state: TableState, type: WatchEvent['type'], row: Row): TableState {
  const key = rowKey(row);
  const at = state.rows.findIndex((other) => rowKey(other) === key);
  const rows = [...state.rows];
  if (type === 'DELETED') {
    if (at >= 0) rows.splice(at, 1);
    return { ...state, rows, touched: new Map() };
  }
  if (at >= 0) rows[at] = row;
  else rows.splice(placeOf(rows, key), 0, row);
  return { ...state, rows, touched: new Map([[key, at >= 0 ? 'modified' : 'added']]) };
}

/** Lists come in the order of their keys, so a new row goes where the list would have it. */
function placeOf(rows: readonly Row[], key: string): number {
  const at = rows.findIndex((row) => rowKey(row) > key);
  return at < 0 ? rows.length : at;
}
