// Holds the checker of histories against some that are known to be right or wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLinearizable } from './linearizability.mjs';

const read = (begin, end, value) => ({ begin, end, kind: 'read', value });
const write = (begin, end, value) => ({ begin, end, kind: 'write', value });
const swap = (begin, end, from, value, done) => ({ begin, end, kind: 'swap', from, value, done });

test('histories that one order explains', () => {
  assert.ok(isLinearizable([]));
  assert.ok(isLinearizable([write(1, 2, 'a'), read(3, 4, 'a')]));
  assert.ok(isLinearizable([write(1, 5, 'a'), read(2, 3, null), read(4, 6, 'a')]));
  assert.ok(isLinearizable([write(1, 5, 'a'), read(2, 3, 'a')]));
  assert.ok(isLinearizable([swap(1, 4, null, 'a', true), swap(2, 3, null, 'b', false)]));
  assert.ok(isLinearizable([write(1, Infinity, 'a'), read(2, 3, null), read(9, 10, 'a')]), 'an unanswered write may come late');
  assert.ok(isLinearizable([write(1, Infinity, 'a'), read(9, 10, null)]), 'or never');
});

test('histories that no order explains', () => {
  assert.ok(!isLinearizable([write(1, 2, 'a'), read(3, 4, null)]), 'a stale read');
  assert.ok(!isLinearizable([write(1, 2, 'a'), write(3, 4, 'b'), read(5, 6, 'a')]), 'a lost write');
  assert.ok(!isLinearizable([write(1, 9, 'a'), read(2, 3, 'a'), read(4, 5, null)]), 'back in time');
  assert.ok(!isLinearizable([swap(1, 4, null, 'a', true), swap(2, 3, null, 'b', true)]), 'two winners');
  assert.ok(!isLinearizable([read(1, 2, 'ghost')]), 'a value that nobody wrote');
  assert.ok(!isLinearizable([write(1, 2, 'a'), swap(3, 4, 'a', 'b', false)]), 'a refusal without a reason');
  assert.ok(!isLinearizable([write(1, Infinity, 'a'), read(2, 3, 'a'), read(4, 5, null)]), 'an unanswered write taken back');
});
