import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareHosts } from './parity.mjs';
import { judge } from './suite.mjs';

const result = (name, red, body = '') => ({
  name,
  failures: red ? [{ step: '0', request: '', differences: [{ path: '$', expected: '', got: '' }] }] : [],
  exchanges: [{ step: '0', request: 'GET /', status: 200, headers: [['a', 'b']], body }],
});

const names = (results) => results.map(({ name }) => name);

test('the list of what is not yet green is exact', () => {
  const results = [result('t/green', false), result('t/red', true), result('t/waits', true), result('t/late', false)];
  const verdicts = judge(results, { 't/waits': { issue: 3, why: '' }, 't/late': { issue: 3, why: '' } });
  assert.deepEqual(names(verdicts.passed), ['t/green']);
  assert.deepEqual(names(verdicts.failed), ['t/red']);
  assert.deepEqual(names(verdicts.waiting), ['t/waits']);
  assert.deepEqual(names(verdicts.nowGreen), ['t/late']);
});

test('a scenario that depends on chance may be green or not', () => {
  const list = { 't/lucky': { issue: 3, why: '', chance: true }, 't/unlucky': { issue: 3, why: '', chance: true } };
  const verdicts = judge([result('t/lucky', false), result('t/unlucky', true)], list);
  assert.deepEqual(names(verdicts.passed), ['t/lucky']);
  assert.deepEqual(names(verdicts.waiting), ['t/unlucky']);
  assert.deepEqual(names([...verdicts.failed, ...verdicts.nowGreen]), []);
});

test('hosts agree to the byte', () => {
  const first = { host: 'a', results: [result('t/x', false, 'same'), result('t/y', false, 'one')] };
  const second = { host: 'b', results: [result('t/x', false, 'same'), result('t/y', false, 'two')] };
  const { agreed, disagreements } = compareHosts([first, second], {});
  assert.equal(agreed, 1);
  assert.deepEqual(disagreements.map(({ name, difference }) => [name, difference.what]), [['t/y', 'body']]);
});

test('a host that lacks a scenario disagrees', () => {
  const { disagreements } = compareHosts([{ host: 'a', results: [result('t/x', false)] }, { host: 'b', results: [] }], {});
  assert.equal(disagreements[0].difference.what, 'exchange');
});

test("a server's own port is no difference", () => {
  const first = { host: 'a', port: '4711', results: [result('t/x', false, '"127.0.0.1:4711"')] };
  const second = { host: 'b', results: [result('t/x', false, '"127.0.0.1:8001"')] };
  assert.equal(compareHosts([first, second], {}).agreed, 1);
});
