// Texts: escaping for regular expressions, shortening for reports, and words that stand alone.

export const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns a text, or a value as JSON, with at most `most` characters. */
export function short(value, most = 220) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Returns the source of a regular expression that finds these words where they stand alone, longer ones first. */
export function anyWord(words) {
  const longestFirst = [...words].sort((a, b) => b.length - a.length).map(escape);
  return longestFirst.length ? `(?<![a-z0-9])(?:${longestFirst.join('|')})(?![a-z0-9])` : '(?!)';
}

export const kUid = String.raw`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`;
