// The first start of the page's own cluster, cut short: the next visit has the sample all the same.
import { test } from 'node:test';
import { kTimeout, playground } from './page.mjs';

const shown = playground();

/** Leaves a new visitor's page as soon as its cluster is at `point` (a function in the page; it calls `reached`), and comes back. */
async function leaveAt(point) {
  const context = await shown.page.context().browser().newContext();
  const page = await context.newPage();
  await page.addInitScript(`if (!sessionStorage.visited) {
    sessionStorage.visited = 'yes';
    const reached = () => document.documentElement.dataset.reached = 'yes';
    (${point})(reached);
  }`);
  await page.goto(shown.files.url);
  await page.locator('html[data-reached]').waitFor({ state: 'attached', ...kTimeout });
  await page.reload();
  await page.getByRole('cell', { name: 'database-0', exact: true }).waitFor(kTimeout);
  await context.close();
}

test('left when its database is empty', () =>
  leaveAt((reached) => {
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...given) {
      const request = open.apply(this, given);
      request.addEventListener('success', (event) => (event.stopImmediatePropagation(), reached()));
      return request;
    };
  }));

test('left when its database has some of the first objects', () =>
  leaveAt((reached) => {
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function (...given) {
      const made = transaction.apply(this, given);
      if (given[1] === 'readwrite') made.addEventListener('complete', (event) => (event.stopImmediatePropagation(), reached()));
      return made;
    };
  }));
