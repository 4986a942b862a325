/** Returns the name in `known` that `name` most likely stands for, or undefined if none is near. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const [nearest] = [...known].sort((a, b) => distance(name, a) - distance(name, b));
  return nearest !== undefined && 3 * distance(name, nearest) <= nearest.length ? nearest : undefined;
}

/**
 * Returns the Levenshtein distance: the number of characters to change, add or remove to turn one text into the other.
 */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (a[i] === b[j] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
