// Builds the request of a step: default headers, placeholders, `{{repeat}}`, body bytes.

import { fromBase64, toUtf8 } from './bytes.mjs';
import { JsonNumber, JsonObject, printJson } from './ordered_json.mjs';
import { isNumericPlaceholder } from './placeholders.mjs';

/** @typedef {{method: string, path: string, headers: [string, string][], body: Uint8Array | null}} Request */

const kRepeatText = /\{\{repeat:(.*?)\*(\d+)\}\}/g;
const kRepeatItem = '{{repeat}}';

/**
 * @param {JsonObject} recorded the step's `request` or `watch`
 * @param {import('./placeholders.mjs').Bindings} bindings
 * @returns {Request}
 * @throws {import('./placeholders.mjs').UnboundPlaceholder}
 */
export function makeRequest(recorded, bindings) {
  const body = makeBody(recorded.get('body'), bindings);
  return {
    method: recorded.get('method') ?? 'GET',
    path: bindings.fill(repeated(recorded.get('path'))),
    headers: makeHeaders(recorded.get('headers'), body !== null, bindings),
    body,
  };
}

function makeHeaders(own, hasBody, bindings) {
  const headers = new Map([
    ['accept', 'application/json'],
    ['authorization', 'Bearer admin-token'],
    ['user-agent', 'golden/1.0'],
  ]);
  if (hasBody) headers.set('content-type', 'application/json');
  for (const [name, value] of own ?? []) headers.set(name.toLowerCase(), value);
  // A list is a header that is sent more than once.
  return [...headers].filter(([, value]) => value !== null).flatMap(([name, value]) => [value].flat().map((one) => [name, bindings.fill(repeated(one))]));
}

function makeBody(body, bindings) {
  if (body === undefined || body === null) return null;
  if (body instanceof Map && body.size === 1 && body.has('text')) return toUtf8(bindings.fill(repeated(body.get('text'))));
  if (body instanceof Map && body.size === 1 && body.has('base64')) return fromBase64(body.get('base64'));
  return toUtf8(printJson(filled(body, bindings)));
}

/** Returns the tree with values in place of placeholders. */
export function filled(value, bindings) {
  if (typeof value === 'string') {
    const text = bindings.fill(repeated(value));
    return isNumericPlaceholder(value) ? new JsonNumber(text) : text;
  }
  if (Array.isArray(value)) return value.flatMap((item) => filledItems(item, bindings));
  if (!(value instanceof Map)) return value;
  return new JsonObject([...value].map(([key, item]) => [bindings.fill(key), filled(item, bindings)]));
}

// Expands items: `{"{{repeat}}": N, …}` stands for N items.
function filledItems(item, bindings) {
  if (!(item instanceof Map) || !item.has(kRepeatItem)) return [filled(item, bindings)];
  const rest = new JsonObject([...item].filter(([key]) => key !== kRepeatItem));
  return Array(Number(item.get(kRepeatItem).text)).fill(filled(rest, bindings));
}

/** Returns the text with `{{repeat:piece*count}}` expanded. */
export const repeated = (text) => text.replace(kRepeatText, (_, piece, count) => piece.repeat(Number(count)));
