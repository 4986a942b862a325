// The rows of a table that a user wants to see, kept up to date as rows change: a change costs what it changes.
import { rowKey, type TableState } from './live-table';
import { comparison, containsAll, type Order, orderedRows, wordsOf } from './table-order';
import type { Column, Row } from './types';

/** From this share of all rows on, changes are not worth following one by one. */
const kMany = 0.1;

/** What has changed between two lists in the order of their keys. */
interface Difference {
  gone: ReadonlySet<Row>;
  come: readonly Row[];
}

export class OrderedRows {
  #rows: readonly Row[] = [];
  #columns: readonly Column[] = [];
  #filter = '';
  #order: Order | undefined;
  #shown: readonly Row[] = [];

  /** Returns what `orderedRows` returns. Rows that stay must be the same objects as the last time. */
  of(table: TableState, filter: string, order: Order | undefined): readonly Row[] {
    const same = table.columns === this.#columns && filter === this.#filter && order === this.#order;
    const difference = same ? differenceOf(this.#rows, table.rows) : undefined;
    this.#shown = difference ? this.#changed(table, difference) : orderedRows(table, filter, order);
    this.#rows = table.rows;
    this.#columns = table.columns;
    this.#filter = filter;
    this.#order = order;
    return this.#shown;
  }

  #changed({ rows, columns }: TableState, { gone, come }: Difference): readonly Row[] {
    const words = wordsOf(this.#filter);
    if (words.length === 0 && !this.#order) return rows;
    const wanted = come.filter((row) => containsAll(row, words));
    if (gone.size === 0 && wanted.length === 0) return this.#shown;
    const before = comparisonOf(columns, this.#order);
    return merged(gone.size === 0 ? this.#shown : this.#shown.filter((row) => !gone.has(row)), wanted.sort(before), before);
  }
}

/** Returns undefined if much has changed. */
function differenceOf(before: readonly Row[], after: readonly Row[]): Difference | undefined {
  const most = before.length * kMany;
  const gone = new Set<Row>();
  const come: Row[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, now] = [before[i], after[j]];
    if (old && old === now) {
      i++;
      j++;
      continue;
    }
    if (gone.size + come.length > most) return undefined;
    const order = !old ? 1 : !now ? -1 : compareKeys(old, now);
    if (order <= 0) gone.add(before[i++]!);
    if (order >= 0) come.push(after[j++]!);
  }
  return { gone, come };
}

function compareKeys(a: Row, b: Row): number {
  const [first, second] = [rowKey(a), rowKey(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Rows that are equal for the user stand as the server has them. */
function comparisonOf(columns: readonly Column[], order: Order | undefined): (a: Row, b: Row) => number {
  if (!order) return compareKeys;
  const compare = comparison(columns[order.index], order.index);
  return (a, b) => (order.descending ? compare(b, a) : compare(a, b)) || compareKeys(a, b);
}

/** Merges a few rows into many, both in order. */
function merged(many: readonly Row[], few: readonly Row[], compare: (a: Row, b: Row) => number): Row[] {
  const all: Row[] = [];
  let from = 0;
  for (const row of few) {
    let [low, high] = [from, many.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(many[middle]!, row) <= 0) low = middle + 1;
      else high = middle;
    }
    for (; from < low; from++) all.push(many[from]!);
    all.push(row);
  }
  for (; from < many.length; from++) all.push(many[from]!);
  return all;
}
