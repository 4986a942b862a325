// Tests the tools' foundation: versions compare, and a failing program gives one readable message.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, atLeast, run, Trouble } from '../lib/run.mjs';

const cases = [
  { have: '3.25.1', want: '3.23', is: true },
  { have: '3.23', want: '3.23', is: true },
  { have: '3.9', want: '3.23', is: false },
  { have: '14', want: '14.0', is: true },
  { have: '0', want: '1', is: false },
];

for (const { have, want, is } of cases)
  test(`version ${have} is ${is ? '' : 'not '}at least ${want}`, () => assert.equal(atLeast(have, want), is));

test('a program that fails is a Trouble that names it', async () => {
  await assert.rejects(run(process.execPath, ['-e', 'process.exit(3)']), (error) => error instanceof Trouble && /\(3\).*process\.exit/.test(error.message));
});

test('a program that is missing is a Trouble', async () => {
  await assert.rejects(run('no-such-program', []), Trouble);
});

test('a program that takes too long is ended', async () => {
  const { code, output } = await run(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { check: false, timeout: 1 });
  assert.notEqual(code, 0);
  assert.match(output, /ended after 1 s/);
});

test('asking a program that is missing gives nothing', () => {
  assert.equal(ask('no-such-program'), undefined);
});
