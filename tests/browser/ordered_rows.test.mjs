// Rows that are kept in order while a table changes are those that sorting all of them gives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageModule } from '../concepts/tour_code.mjs';

const { OrderedRows } = await pageModule('api/ordered-rows.ts');
const { orderedRows } = await pageModule('api/table-order.ts');

const kColumns = [{ name: 'Name', type: 'string', priority: 0 }, { name: 'Status', type: 'string', priority: 0 }, { name: 'Age', type: 'string', priority: 0 }];
const kStatuses = ['Running', 'Pending', 'Failed'];

/** Numbers that look random and are the same each time. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function rowOf(number, next) {
  const name = `pod-${String(number).padStart(4, '0')}`;
  const metadata = { name, namespace: `space-${number % 3}`, creationTimestamp: new Date(1e12 + next(5) * 1e5).toISOString() };
  return { cells: [name, kStatuses[next(3)], ''], object: { metadata } };
}

const keyOf = ({ object: { metadata } }) => `${metadata.namespace}/${metadata.name}`;
const sorted = (rows) => [...rows].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

const kOrders = [undefined, ...[-1, 0, 1, 2].flatMap((index) => [false, true].map((descending) => ({ index, descending })))];

for (const order of kOrders) {
  for (const filter of ['', 'running', 'pod-00 space-1']) {
    test(`${order ? `by column ${order.index}${order.descending ? ', descending' : ''}` : "in the server's order"}, ${filter ? `filtered by ${filter}` : 'all'}`, () => {
      const next = numbers(7);
      const ordered = new OrderedRows();
      let rows = sorted(Array.from({ length: 300 }, (_, i) => rowOf(i * 2, next)));
      for (let turn = 0; turn < 60; turn++) {
        const changed = new Map(rows.map((row) => [keyOf(row), row]));
        // Now and then much changes at once.
        for (let i = turn % 20 === 19 ? 200 : next(6); i > 0; i--) {
          const row = rowOf(next(600), next);
          if (next(3) === 0) changed.delete(keyOf(row));
          else changed.set(keyOf(row), row);
        }
        rows = sorted(changed.values());
        const table = { rows, columns: kColumns };
        assert.deepEqual(ordered.of(table, filter, order).map(keyOf), orderedRows(table, filter, order).map(keyOf), `turn ${turn}`);
      }
    });
  }
}
