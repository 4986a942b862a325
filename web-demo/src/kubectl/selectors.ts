// Label selectors as text.

export interface Selector {
  matchLabels?: Readonly<Record<string, string>>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** A label selector as text, its keys sorted; empty if it has none. */
export function selectorText({ matchLabels = {}, matchExpressions = [] }: Selector = {}): string {
  const terms = Object.entries(matchLabels).map(([key, value]) => ({ key, text: `${key}=${value}` }));
  const more = matchExpressions.map(({ key, operator, values = [] }) => ({ key, text: expressionText(key, operator, [...values].sort()) }));
  return [...terms, ...more].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ text }) => text).join(',');
}

function expressionText(key: string, operator: string, values: readonly string[]): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`;
}

export const selectorOrNone = (selector: Selector | undefined) => selectorText(selector) || '<none>';
