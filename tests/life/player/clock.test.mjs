// The clock of a server is advanced in small steps, and the player's own timers run at their times.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServerClock } from './clock.mjs';

const kStart = '2026-01-01T00:00:00Z';

/** A server that only counts its steps, and a feed that reports a change at the given times. */
function clockWith(changes = []) {
  const steps = [];
  const api = {
    request: async (method, path, { body }) => {
      steps.push(Number.parseInt(body.advance, 10));
      return { code: 200 };
    },
  };
  let clock;
  const feed = { catchUp: async () => changes.includes(clock.now() - Date.parse(kStart)) };
  clock = new ServerClock(api, kStart, feed);
  return { clock, steps };
}

const elapsed = (clock) => clock.now() - Date.parse(kStart);

test('sleeping takes exactly as long as it should', async () => {
  const { clock, steps } = clockWith();
  await clock.sleep(12.345);
  assert.equal(elapsed(clock), 12_345);
  assert.equal(steps.reduce((a, b) => a + b), 12_345);
});

test('steps are short after a change and grow while all is quiet', async () => {
  const { clock, steps } = clockWith([4000]);
  await clock.sleep(4);
  assert.deepEqual([...new Set(steps)], [10, 50, 100]);
  await clock.sleep(0.1);
  assert.equal(steps.at(-1), 10);
});

test('timers run in the order of their times, also those that timers start', async () => {
  const { clock } = clockWith();
  const ran = [];
  const note = (name) => ran.push(`${name} ${elapsed(clock)}`);
  clock.after(2, () => note('second'));
  clock.after(1, () => {
    note('first');
    clock.after(0, () => note('at once'));
  });
  const cancel = clock.after(1.5, () => note('called off'));
  cancel();
  await clock.sleep(3);
  assert.deepEqual(ran, ['first 1000', 'at once 1010', 'second 2000']);
});

test('until() returns as soon as it is true, or when time is over', async () => {
  const { clock } = clockWith();
  assert.equal(await clock.until(5, () => elapsed(clock) >= 1000), true);
  assert.ok(elapsed(clock) < 1100);
  assert.equal(await clock.until(1, () => false), false);
});
