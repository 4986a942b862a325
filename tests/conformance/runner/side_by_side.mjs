// Formats a recording and an answer as two texts with a line per value, for a line-by-line comparison. Where a
// placeholder accepts the answered value, both texts show that value.
//
// Tested by side_by_side.test.mjs.

import { kComparedHeaders, rulesFor } from './allowances.mjs';
import { describeBytes, fromUtf8 } from './bytes.mjs';
import { Comparison } from './compare.mjs';
import { splitEvents } from './events.mjs';
import { JsonNumber, JsonObject, parseJson, printJson } from './ordered_json.mjs';

/** @typedef {{expected: string, got: string}} Sides */

/**
 * @param {any} step of the recording: with `request` or `watch`
 * @param {import('./answer.mjs').Answer} answer @param {import('./answer.mjs').Place} place
 * @returns {Sides}
 */
export function sidesOf(step, answer, place) {
  const response = step.get('response');
  const events = step.get('events');
  const got = events ? eventsOf(answer) : bodyOf(answer);
  const expected = events ? events.map(shownBody) : shownBody(response.get('body'));
  const wanted = response.has('body') || events ? agreed(expected, got, place) : got;
  return {
    expected: lines(response.get('status').text, recordedHeaders(response, answer, place), wanted),
    got: lines(String(answer.status), headersOf(answer), got),
  };
}

const lines = (status, headers, body) => [`status ${status}`, ...headers, '', shown(body), ''].join('\n');

const shown = (body) => (typeof body === 'string' ? body : indented(body));

/** Prints like JSON.stringify(value, null, 2), with numbers as they were written. */
function indented(value, indent = '') {
  const inner = `${indent}  `;
  const block = (open, parts, close) => (parts.length ? `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}` : open + close);
  if (Array.isArray(value)) return block('[', value.map((item) => indented(item, inner)), ']');
  if (!(value instanceof Map)) return printJson(value ?? null);
  return block('{', [...value].map(([key, item]) => `${JSON.stringify(key)}: ${indented(item, inner)}`), '}');
}

const headerOf = (answer, name) => answer.headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value);

const headersOf = (answer) => kComparedHeaders.flatMap((name) => headerOf(answer, name).map((value) => `${name}: ${value}`));

function recordedHeaders(response, answer, place) {
  const recorded = response.get('headers');
  if (recorded === undefined) return headersOf(answer);
  return kComparedHeaders.flatMap((name) => {
    const values = recorded.get(name);
    if (values === undefined) return [];
    const came = headerOf(answer, name);
    return [values].flat().map((value, i) => `${name}: ${agreed(value, came[i], place)}`);
  });
}

function bodyOf(answer) {
  const text = fromUtf8(answer.body);
  if (text === null) return describeBytes(answer.body);
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function eventsOf(answer) {
  const [type = ''] = headerOf(answer, 'content-type');
  return splitEvents(answer.body, type).events.map((event) => event.json ?? describeBytes(event.bytes));
}

// Bodies other than JSON are recorded as an object with one member.
function shownBody(body) {
  const only = body instanceof Map && body.size === 1;
  return only && body.has('text') ? body.get('text') : body;
}

/** Returns `expected` with the answered values in place of those that it accepts. */
function agreed(expected, got, { scenario, step, bindings }) {
  const rules = rulesFor(scenario, step);
  const allows = (value, came) => {
    const trial = new Comparison(bindings.copy(), rules);
    trial.value(value, came);
    return trial.differences.length === 0;
  };
  const merge = (value, came) => {
    if (came === undefined || value instanceof JsonNumber) return value;
    if (Array.isArray(value) && Array.isArray(came)) return value.map((item, i) => merge(item, came[i]));
    if (value instanceof Map && came instanceof Map) {
      return new JsonObject([...value].map(([key, item]) => [key, merge(item, came.get(key))]));
    }
    return allows(value, came) ? came : value;
  };
  return merge(expected, got);
}
