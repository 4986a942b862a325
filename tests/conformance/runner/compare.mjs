// Compares an answer with its recording and collects every difference with its JSON path. The order of keys counts;
// duplicate keys are a difference.
//
// Tested by compare.test.mjs.

import { JsonNumber, JsonObject, printJson } from './ordered_json.mjs';
import { hasPlaceholder, isNumericPlaceholder } from './placeholders.mjs';
import { repeated } from './request.mjs';

/** @typedef {{path: string, expected: string, got: string}} Difference */

const kPlainKey = /^[A-Za-z_][\w-]*$/;

const childPath = (path, key) => (kPlainKey.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`);

const typeName = (value) => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof JsonNumber) return 'number';
  return value instanceof Map ? 'object' : typeof value;
};

export class Comparison {
  /** @type {Difference[]} */
  differences = [];

  /**
   * @param {import('./placeholders.mjs').Bindings} bindings
   * @param {ReturnType<import('./allowances.mjs').rulesFor>} rules
   * @param {{keyOrder?: boolean}} options keyOrder: false for CBOR, whose maps are sorted
   */
  constructor(bindings, rules, { keyOrder = true } = {}) {
    this.bindings = bindings;
    this.rules = rules;
    this.keyOrder = keyOrder;
  }

  add(path, expected, got) {
    this.differences.push({ path, expected, got });
  }

  value(expected, got, path = '$') {
    if (this.rules.anyValue(path) && (typeName(expected) === typeName(got) || isScalar(got))) return;
    if (typeof expected === 'string') this.string(expected, got, path);
    else if (Array.isArray(expected) && Array.isArray(got)) this.array(expected, got, path);
    else if (expected instanceof Map && got instanceof Map) this.object(expected, got, path);
    else if (printJson(expected) !== printJson(got)) this.add(path, printJson(expected), printJson(got));
  }

  string(expected, got, path) {
    const number = got instanceof JsonNumber && isNumericPlaceholder(expected);
    const text = number ? got.text : got;
    if (typeof text !== 'string' || (isNumericPlaceholder(expected) && !number)) {
      this.add(path, printJson(expected), printJson(got));
    } else this.text(expected, text, path);
  }

  /** Compares a text with a template that contains placeholders. */
  text(expected, got, path) {
    const why = this.bindings.match(repeated(expected), got);
    if (why === null) return;
    if (this.rules.unordered && !hasPlaceholder(expected) && sortedPieces(expected) === sortedPieces(got)) return;
    this.add(path, JSON.stringify(expected), why === 'differs' ? JSON.stringify(got) : `${JSON.stringify(got)} (${why})`);
  }

  array(expected, got, path) {
    const pairs = this.rules.unordered ? this.pairUp(expected, got, path) : got;
    const common = Math.min(expected.length, got.length);
    for (let i = 0; i < common; i++) this.value(expected[i], pairs[i], `${path}[${i}]`);
    for (let i = common; i < expected.length; i++) this.add(`${path}[${i}]`, printJson(expected[i]), 'nothing');
    for (let i = common; i < got.length; i++) this.add(`${path}[${i}]`, 'nothing', printJson(pairs[i]));
  }

  // Returns `got` in an order that matches `expected` as far as possible.
  pairUp(expected, got, path) {
    const left = [...got];
    const pairs = expected.map((item) => {
      const found = left.findIndex((candidate) => this.fits(item, candidate, path));
      return found < 0 ? undefined : left.splice(found, 1)[0];
    });
    return [...pairs.map((item) => item ?? left.shift()), ...left].filter((item) => item !== undefined);
  }

  fits(expected, got, path) {
    const trial = new Comparison(this.bindings.copy(), this.rules, { keyOrder: this.keyOrder });
    trial.value(expected, got, path);
    return trial.differences.length === 0;
  }

  object(expected, got, path) {
    for (const key of got.doubled ?? []) this.add(childPath(path, key), 'once', 'twice');
    const before = this.differences.length;
    const renamed = this.pairKeys(expected, got);
    for (const [key, item] of expected) {
      const gotKey = renamed.get(key);
      if (gotKey === undefined) this.add(childPath(path, key), printJson(item), 'nothing');
      else this.value(item, got.get(gotKey), childPath(path, key));
    }
    const matched = new Set(renamed.values());
    for (const [key, item] of got) if (!matched.has(key)) this.add(childPath(path, key), 'nothing', printJson(item));
    if (this.keyOrder && this.differences.length === before) this.order([...renamed.values()], [...got.keys()], path);
  }

  // Returns the key of `got` for each key of `expected`; keys may contain placeholders.
  pairKeys(expected, got) {
    const pairs = new Map();
    for (const key of expected.keys()) {
      if (got.has(key)) pairs.set(key, key);
      else if (hasPlaceholder(key)) {
        const found = [...got.keys()].find((candidate) => this.bindings.match(key, candidate) === null);
        if (found !== undefined) pairs.set(key, found);
      }
    }
    return pairs;
  }

  order(expected, got, path) {
    const first = expected.findIndex((key, i) => key !== got[i]);
    if (first >= 0) this.add(path, `keys in order ${expected.slice(first).join(', ')}`, `keys in order ${got.slice(first).join(', ')}`);
  }
}

const isScalar = (value) => !Array.isArray(value) && !(value instanceof JsonObject);

// Returns the parts of a message such as `[a, b]` in sorted order.
const sortedPieces = (text) => text.split(/, |[[\]]/).sort().join(', ');
