// Formats failures for readers: scenario, step, path, expected, got.

const kMaxDifferences = 8;
const kMaxLength = 400;

/** @param {import('./suite.mjs').Result} result */
export function describeResult(result) {
  return [result.name, ...result.failures.flatMap(describeFailure)].join('\n');
}

function describeFailure({ step, request, differences }) {
  const shown = differences.slice(0, kMaxDifferences);
  const lines = [`  step ${step}: ${shorten(request, 160)}`];
  for (const { path, expected, got } of shown) {
    const [a, b] = aligned(expected, got);
    lines.push(`    ${path}`, `      expected ${a}`, `      got      ${b}`);
  }
  if (differences.length > shown.length) lines.push(`    … and ${differences.length - shown.length} more`);
  return lines;
}

// Cuts long texts so that they begin shortly before their first difference.
function aligned(expected, got) {
  if (Math.max(expected.length, got.length) <= kMaxLength) return [expected, got];
  let at = 0;
  while (at < expected.length && expected[at] === got[at]) at++;
  const start = Math.max(0, at - 80);
  return [expected, got].map((text) => (start ? '…' : '') + shorten(text.slice(start)));
}

const shorten = (text, length = kMaxLength) => (text.length > length ? `${text.slice(0, length)}… (${text.length})` : text);
