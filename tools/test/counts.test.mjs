// Tests the counts that `npm test` reads from its suites.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catch2, failures, nodeTest, skipped, summary } from '../lib/counts.mjs';

const cases = [
  { name: 'summary: the last line counts', count: summary, text: '1 passed, 0 failed\nmore\n12 passed, 3 failed\n', want: [12, 3] },
  { name: 'summary: silence is nothing', count: summary, text: 'hello 3 passed, 1 failed of it\n', want: [0, 0] },
  { name: 'catch2: several binaries', count: catch2, text: '1: All tests passed (7 assertions in 2 test cases)\n2: All tests passed (1 assertion in 1 test case)\n', want: [3, 0] },
  { name: 'catch2: some failed', count: catch2, text: '1: test cases:  5 |  3 passed | 2 failed\n1: assertions: 50 | 48 passed | 2 failed\n', want: [3, 2] },
  { name: 'catch2: all failed', count: catch2, text: '1: test cases: 1 | 1 failed\n', want: [0, 1] },
  { name: 'catch2: a crash', count: catch2, text: '1/2 Test #1: test_json ......***Exception: SegFault  0.03 sec\n', want: [0, 1] },
  { name: 'node: tap', count: nodeTest, text: '# tests 3\n# pass 2\n# fail 1\n# cancelled 0\n', want: [2, 1] },
  { name: 'node: spec', count: nodeTest, text: 'ℹ tests 3\nℹ pass 2\nℹ fail 0\nℹ cancelled 1\n', want: [2, 1] },
];

for (const { name, count, text, want } of cases)
  test(name, () => assert.deepEqual(count(text), { passed: want[0], failed: want[1] }));

test('what failed is picked out of a long output', () => {
  const good = Array.from({ length: 50 }, (_, i) => `ok ${i + 1} - fine`);
  const output = [...good, '    not ok 51 - a part', '  error: 1 != 2', ...good, 'tests/json_test.cc:7: FAILED:', 'FAILED one/case'].join('\n');
  assert.deepEqual(failures(output, 1), ['    not ok 51 - a part', '  error: 1 != 2', 'tests/json_test.cc:7: FAILED:', 'FAILED one/case']);
  assert.deepEqual(failures(output, 0, 1), ['    not ok 51 - a part', '… 2 lines more']);
  assert.deepEqual(failures(good.join('\n')), []);
});

test('tests that were left out are counted', () => {
  assert.equal(skipped('# pass 2\n# skipped 3\nℹ skipped 1\n'), 4);
  assert.equal(skipped('# pass 2\n# skipped 0\n'), 0);
});
