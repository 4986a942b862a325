// Reads { passed, failed } from the output of test runners.

const add = (matches, key) => [...matches].reduce((sum, m) => sum + Number(m.groups[key] ?? 0), 0);

/** Reads the last line of the form `12 passed, 3 failed`. */
export function summary(output) {
  const all = [...output.matchAll(/^(\d+) passed, (\d+) failed\s*$/gm)];
  const [, passed = 0, failed = 0] = all.at(-1) ?? [];
  return { passed: Number(passed), failed: Number(failed) };
}

/** Counts the test cases of all Catch2 binaries that `ctest --verbose` ran. A binary that crashed is one failure. */
export function catch2(output) {
  const good = output.matchAll(/All tests passed \(\d+ assertions? in (?<n>\d+) test cases?\)/g);
  const mixed = [...output.matchAll(/test cases:\s+\d+ \|(?:\s+(?<passed>\d+) passed \|?)?(?:\s+(?<failed>\d+) failed)?/g)];
  const crashed = output.match(/\*\*\*(Exception|Timeout)/g)?.length ?? 0;
  return { passed: add(good, 'n') + add(mixed, 'passed'), failed: add(mixed, 'failed') + crashed };
}

/** Counts the tests of node --test, with any reporter. */
export function nodeTest(output) {
  const passed = output.matchAll(/^(?:#|ℹ) pass (?<n>\d+)$/gm);
  const failed = output.matchAll(/^(?:#|ℹ) (?:fail|cancelled) (?<n>\d+)$/gm);
  return { passed: add(passed, 'n'), failed: add(failed, 'n') };
}

/** Returns the number of tests that node --test skipped; each gives its reason in the log. */
export const skipped = (output) => add(output.matchAll(/^(?:#|ℹ) skipped (?<n>\d+)$/gm), 'n');

const kFailure = /^\s*(?:not ok \d|✖ |FAIL|.*: FAILED|\d+\/\d+ Test .*\*\*\*)/;

/** Returns the lines of `output` with a failure and the `more` lines after each, at most `most` lines. */
export function failures(output, more = 20, most = 120) {
  const lines = output.split('\n');
  const shown = new Set();
  for (const [i, line] of lines.entries()) {
    if (!kFailure.test(line) || shown.has(i)) continue;
    for (let k = i; k <= i + more && k < lines.length; k++) shown.add(k);
  }
  const found = [...shown].map((i) => lines[i]);
  return found.length > most ? [...found.slice(0, most), `… ${found.length - most} lines more`] : found;
}
