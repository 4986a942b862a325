// Compares the requests that reached the endpoint of webhooks during a step with the recorded ones (`reviews`).

import { rulesFor } from './allowances.mjs';
import { Comparison } from './compare.mjs';
import { JsonObject, parseJson, toPlain } from './ordered_json.mjs';
import { pick, withoutManagedFields } from './trimmed.mjs';

// Of the host: it asks for no compression.
const kIgnoredHeaders = new Set(['accept-encoding']);

/**
 * Validating webhooks are called side by side, so each recorded request is compared with the first one left of its path.
 * @param {any[]} expected @param {{method: string, path: string, headers: object, text: string}[]} received
 * @param {import('./answer.mjs').Place} place
 */
export function compareReviews(expected, received, { scenario, step, bindings }) {
  const left = [...received];
  const differences = [];
  expected.forEach((review, i) => {
    const comparison = new Comparison(bindings, rulesFor(scenario, step));
    const found = findLike(review, left, bindings, rulesFor(scenario, step));
    if (found < 0) differences.push({ path: `reviews[${i}]`, expected: `${review.get('method')} ${review.get('path')}`, got: 'nothing' });
    else {
      compareReview(review, left.splice(found, 1)[0], comparison);
      differences.push(...comparison.differences.map((one) => ({ ...one, path: `reviews[${i}] ${one.path}` })));
    }
  });
  for (const { method, path } of left) differences.push({ path: 'reviews', expected: 'no more', got: `${method} ${path}` });
  return differences;
}

// Prefers a request that is the same in all parts.
function findLike(review, received, bindings, rules) {
  const same = received.findIndex((one) => {
    if (one.method !== review.get('method') || one.path !== review.get('path')) return false;
    const comparison = new Comparison(bindings.copy(), rules);
    compareReview(review, one, comparison);
    return comparison.differences.length === 0;
  });
  if (same >= 0) return same;
  return received.findIndex((one) => one.method === review.get('method') && one.path === review.get('path'));
}

function compareReview(review, { headers, text }, comparison) {
  for (const [name, value] of Object.entries(toPlain(review.get('headers') ?? new JsonObject([])))) {
    if (!kIgnoredHeaders.has(name)) comparison.text(value, headers[name] ?? '', `header ${name}`);
  }
  const expected = review.get('body');
  if (expected.has('text')) return comparison.text(expected.get('text'), text, 'body');
  comparison.value(expected, cut(parseJson(text), expected, review.get('trimmed') ?? ''), '$');
}

function cut(body, expected, trimmed) {
  const kept = [...expected.get('request').keys()];
  const request = pick(body.get('request'), ...(trimmed ? kept : [...body.get('request').keys()]));
  for (const name of ['object', 'oldObject']) {
    const object = request.get(name);
    if (!(object instanceof JsonObject)) continue;
    if (trimmed.includes('keep kind, apiVersion, name and labels')) request.set(name, shortObject(object));
    else if (trimmed.includes('managedFields left out')) request.set(name, withoutManagedFields(object));
  }
  return new JsonObject([...body].map(([key, value]) => [key, key === 'request' ? request : value]));
}

function shortObject(object) {
  const short = pick(object, 'kind', 'apiVersion', 'metadata');
  if (short.has('metadata')) short.set('metadata', pick(short.get('metadata'), 'name', 'labels'));
  return short;
}
