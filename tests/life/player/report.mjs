// Prints the differences of a recording and its replay.

/** Returns [hard, soft]. */
export function countOf(differences) {
  const hard = differences.filter((difference) => difference.hard).length;
  return [hard, differences.length - hard];
}

function verdict(differences) {
  const [hard, soft] = countOf(differences);
  if (hard) return `${hard} hard, ${soft} soft`;
  return soft ? `ok (${soft} soft)` : 'ok';
}

/** Returns a line with the verdict and, for each check, at most `limit` lines of differences, hard ones first. */
export function describe(name, differences, extra = '', limit = 12) {
  const lines = [`${name}: ${verdict(differences)}${extra}`];
  for (const check of 'abcde') {
    const all = differences.filter((difference) => difference.check === check).sort((a, b) => b.hard - a.hard);
    lines.push(...all.slice(0, limit).map(({ hard, text }) => `  (${check}) ${hard ? 'HARD' : 'soft'} ${text}`));
    if (all.length > limit) lines.push(`  (${check}) … ${all.length - limit} more`);
  }
  return lines.join('\n');
}
