// Prints tables as kubectl does: columns of the server, three spaces apart.
import type { Column, Row, Table } from '../api/types';
import type { Meta } from './session';

export interface TableForm {
  wide: boolean;
  headers: boolean;
  namespaces: boolean;
  labels: boolean;
  labelColumns: readonly string[];
  /** `pod/` before each name. */
  prefix: string;
}

/** Returns the lines of a table, aligned over all of them. */
export function tableText({ columnDefinitions = [], rows }: Pick<Table, 'columnDefinitions' | 'rows'>, form: TableForm): string {
  const lines = (rows ?? []).map((row) => cellsOf(columnDefinitions, row, form));
  return aligned(form.headers ? [headerOf(columnDefinitions, form), ...lines] : lines);
}

export function headerOf(columns: readonly Column[], { wide, namespaces, labels, labelColumns }: TableForm): string[] {
  const own = columns.filter(({ priority }) => wide || priority === 0).map(({ name }) => name.toUpperCase());
  const more = labelColumns.map((label) => label.split('/').at(-1)!.toUpperCase());
  return [...(namespaces ? ['NAMESPACE'] : []), ...own, ...more, ...(labels ? ['LABELS'] : [])];
}

export function cellsOf(columns: readonly Column[], { cells, object }: Row, form: TableForm): string[] {
  const meta = object?.metadata as Meta | undefined;
  const own = columns.flatMap(({ priority, name }, index) => {
    if (!form.wide && priority !== 0) return [];
    const value = cells[index];
    const text = value === null || value === undefined ? '<none>' : String(value);
    return [form.prefix !== '' && index === 0 && name === 'Name' ? form.prefix + text : text];
  });
  const labels = Object.entries(meta?.labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const more = form.labelColumns.map((label) => meta?.labels?.[label] ?? '');
  const all = form.labels ? [labels.length === 0 ? '<none>' : labels.map(([key, value]) => `${key}=${value}`).join(',')] : [];
  return [...(form.namespaces ? [meta?.namespace ?? ''] : []), ...own, ...more, ...all];
}

const kPadding = 3;
const kLeast = 6;

/** As Go's tabwriter: every column but the last is as wide as its widest cell and the padding. */
export function aligned(lines: readonly (readonly string[])[], widths: number[] = []): string {
  for (const line of lines) {
    line.slice(0, -1).forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? kLeast, [...cell].length + kPadding);
    });
  }
  return lines.map((line) => `${line.map((cell, index) => (index === line.length - 1 ? cell : cell + ' '.repeat(widths[index]! - [...cell].length))).join('')}\n`).join('');
}
