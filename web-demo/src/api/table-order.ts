// The rows of a table that a user wants to see, in the wanted order.
import type { TableState } from './live-table';
import type { Column, Row } from './types';

/** `index`: of the column; -1 for the namespace. */
export interface Order {
  index: number;
  descending: boolean;
}

/** Returns the order after a click on the heading of a column: ascending, descending, then the server's. */
export function nextOrder(order: Order | undefined, index: number): Order | undefined {
  if (order?.index !== index) return { index, descending: false };
  return order.descending ? undefined : { index, descending: true };
}

/** Returns the rows that contain every word of `filter`, in this order; without one, in the server's. */
export function orderedRows({ rows, columns }: TableState, filter: string, order: Order | undefined): readonly Row[] {
  const words = wordsOf(filter);
  const kept = words.length === 0 ? rows : rows.filter((row) => containsAll(row, words));
  if (!order) return kept;
  const compare = comparison(columns[order.index], order.index);
  return [...kept].sort((a, b) => (order.descending ? compare(b, a) : compare(a, b)));
}

export const wordsOf = (filter: string): string[] => filter.toLowerCase().split(/\s+/).filter(Boolean);

export function containsAll({ cells, object }: Row, words: readonly string[]): boolean {
  const { namespace = '', name = '' } = object?.metadata ?? {};
  const text = [namespace, name, ...cells].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

const kCollator = new Intl.Collator('en', { numeric: true });

export function comparison(column: Column | undefined, index: number): (a: Row, b: Row) => number {
  const created = ({ object }: Row) => object?.metadata.creationTimestamp ?? '';
  if (!column) return (a, b) => kCollator.compare(a.object?.metadata.namespace ?? '', b.object?.metadata.namespace ?? '');
  if (column.name === 'Age') return (a, b) => kCollator.compare(created(b), created(a)); // the youngest first
  const textAt = ({ cells }: Row) => String(cells[index] ?? '');
  return (a, b) => kCollator.compare(textAt(a), textAt(b));
}
