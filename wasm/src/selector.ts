// Parses and matches selectors as the server does, without a server.
import { callShared, throwFault } from './shared.js';

/**
 * One condition of a selector. `operator` is Kubernetes' name. `=`, `==` and `in` mean the same.
 *
 * ```ts
 * const term: SelectorTerm = { key: 'tier', operator: 'in', values: ['db', 'web'] };
 * ```
 */
export interface SelectorTerm {
  readonly key: string;
  readonly operator: 'exists' | '!' | '=' | '==' | '!=' | 'in' | 'notin' | 'gt' | 'lt';
  /** Sorted, without duplicates. */
  readonly values: readonly string[];
}

/**
 * A parsed selector: every term must hold. Its text is in canonical form, which a request can carry.
 *
 * ```ts
 * const selector: Selector = parseSelector('tier in (web,db),app');
 * await cluster.fetch(`/api/v1/pods?labelSelector=${encodeURIComponent(String(selector))}`);
 * ```
 */
export interface Selector {
  readonly kind: 'labels' | 'fields';
  /** The terms of a label selector are sorted by key. */
  readonly terms: readonly SelectorTerm[];
  toString(): string;
}

/**
 * Parses a label selector. Throws an Error with the message of the server's 400.
 *
 * ```ts
 * parseSelector('app=web,tier notin (db,cache),!old').terms.length; // 3
 * ```
 */
export function parseSelector(text: string): Selector {
  return parse('labels', text);
}

/**
 * Parses a field selector. Field names are checked only against an object: see `matches`.
 *
 * ```ts
 * matches(parseFieldSelector('status.phase!=Running'), pod);
 * ```
 */
export function parseFieldSelector(text: string): Selector {
  return parse('fields', text);
}

/**
 * Returns true if the server would select `subject`: an object, or a plain map of its labels (for a field selector: of
 * field names to values). A text is parsed as a label selector. For an object of a built-in kind, a field selector may
 * name only fields that the resource supports; others throw an Error, as the server refuses them. For an object without
 * `kind` and `apiVersion`, such as an item of a list, a field is the path to a value.
 *
 * ```ts
 * matches('app in (web,api),!old', { app: 'web' }); // true
 * matches('app=web', pod);
 * pods.filter((pod) => matches(parseFieldSelector('spec.nodeName=node-1'), pod));
 * ```
 */
export function matches(selector: Selector | string, subject: object): boolean {
  const fields = typeof selector !== 'string' && selector.kind === 'fields';
  const text = String(selector);
  const { metadata } = subject as { metadata?: unknown };
  const isObject = typeof metadata === 'object' && metadata !== null;
  if (fields && isObject) return matchObject(text, JSON.stringify(subject));
  const values = Object.entries(isObject ? ((metadata as { labels?: object | null }).labels ?? {}) : subject);
  return matchValues(fields, text, values.flat().map(String));
}

function matchObject(selector: string, object: string): boolean {
  const { fault, matches } = callShared((instance) => instance.core.matchFieldsOf(selector, instance.write(object)));
  throwFault(fault);
  return matches;
}

function matchValues(fields: boolean, selector: string, pairs: string[]): boolean {
  const { fault, matches } = callShared(({ core }) => core.matchValues(fields, selector, pairs));
  throwFault(fault);
  return matches;
}

function parse(kind: Selector['kind'], text: string): Selector {
  const { fault, canonical, terms } = callShared(({ core }) => core.parseSelector(kind === 'fields', String(text)));
  throwFault(fault);
  return new ParsedSelector(kind, terms as SelectorTerm[], canonical);
}

class ParsedSelector implements Selector {
  readonly #canonical: string;

  constructor(
    readonly kind: Selector['kind'],
    readonly terms: readonly SelectorTerm[],
    canonical: string,
  ) {
    this.#canonical = canonical;
  }

  toString(): string {
    return this.#canonical;
  }
}
