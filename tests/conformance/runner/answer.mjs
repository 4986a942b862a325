// Compares an answer or a watch with its recording.

import { kComparedHeaders, rulesFor } from './allowances.mjs';
import { describeBytes, fromBase64, fromUtf8, sameBytes } from './bytes.mjs';
import { decodeCbor } from './cbor.mjs';
import { Comparison } from './compare.mjs';
import { splitEvents } from './events.mjs';
import { JsonObject, parseJson, printJson } from './ordered_json.mjs';
import { compareProtobuf } from './protobuf.mjs';
import { isLeftOut, trim } from './trimmed.mjs';

/** @typedef {{status: number, headers: [string, string][], body: Uint8Array}} Answer */
/**
 * @typedef {{scenario: string, step: number, bindings: import('./placeholders.mjs').Bindings, contains: Record<string, string>}} Place
 * contains: the values of the recorded run, by placeholder; recorded bytes contain them
 */

/** Compares status, headers and body. @param {JsonObject} expected @param {Answer} got @param {Place} place */
export function compareAnswer(expected, got, place) {
  const comparison = comparisonFor(place);
  compareHead(expected, got, comparison);
  if (expected.has('body')) compareBody(expected, got.body, comparison, place);
  return comparison.differences;
}

/**
 * Compares a watch that answered 200.
 * @param {JsonObject} step @param {Answer} got body: all bytes of the stream
 * @param {boolean} ended the server closed it @param {Place} place
 */
export function compareWatch(step, got, ended, place) {
  const comparison = comparisonFor(place);
  compareHead(step.get('response'), got, comparison);
  const { events, rest } = splitSafely(got, comparison);
  compareEvents(step.get('events'), events, comparison, place);
  if (rest.length) comparison.add('stream', 'whole events', `a rest: ${describeBytes(rest)}`);
  if (step.get('raw') !== undefined) compareRawStream(step.get('raw'), got.body, comparison, place);
  if (step.get('ended') !== ended) comparison.add('ended', String(step.get('ended')), String(ended));
  return comparison.differences;
}

const comparisonFor = ({ scenario, step, bindings }) => new Comparison(bindings, rulesFor(scenario, step));

function compareHead(expected, got, comparison) {
  if (expected.get('status').text !== String(got.status)) comparison.add('status', expected.get('status').text, String(got.status));
  if (!expected.has('headers')) return;
  for (const name of kComparedHeaders) compareHeader(name, expected.get('headers').get(name), got, comparison);
}

function compareHeader(name, expected, got, comparison) {
  const values = got.headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value);
  if (expected === undefined) {
    if (values.length) comparison.add(`header ${name}`, 'nothing', values.join(' | '));
  } else if (values.length === 0) comparison.add(`header ${name}`, printJson(expected), 'nothing');
  else if (Array.isArray(expected)) comparison.value(expected, values, `header ${name}`);
  else if (!comparison.rules.anyHeader(name)) comparison.text(expected, values.join(', '), `header ${name}`);
}

const isText = (body) => body instanceof Map && body.size === 1 && body.has('text');
const isBytes = (body) => body instanceof Map && body.size === 1 && body.has('base64');

function compareBody(expected, bytes, comparison, place) {
  const body = expected.get('body');
  const how = expected.get('trimmed');
  if (how && isLeftOut(how, body)) return;
  if (body === null) {
    if (bytes.length) comparison.add('body', 'no bytes', describeBytes(bytes));
  } else if (isText(body)) compareText(body.get('text'), bytes, comparison);
  else if (isBytes(body)) compareBytes(expected, body, bytes, comparison, place);
  else compareJson(expected, body, how, bytes, comparison);
}

function compareText(expected, bytes, comparison) {
  const text = fromUtf8(bytes);
  if (text === null) return comparison.add('body', 'UTF-8', describeBytes(bytes));
  comparison.text(comparison.rules.text(expected), comparison.rules.text(text), 'body');
}

function compareJson(expected, body, how, bytes, comparison) {
  const text = fromUtf8(bytes) ?? '';
  let got;
  try {
    got = parseJson(text);
  } catch (error) {
    comparison.add('body', printJson(body), `${describeBytes(bytes)} (${error.message})`);
    return;
  }
  comparison.value(body, how ? trim(how, got, body) : got);
  const raw = expected.get('raw');
  if (raw !== undefined && comparison.differences.length === 0) comparison.text(raw, text, 'raw body');
}

// Compares CBOR by value, protobuf field by field, anything else byte by byte.
function compareBytes(expected, body, bytes, comparison, place) {
  const wanted = fromBase64(body.get('base64'));
  if (expected.has('decoded')) return compareCbor(expected.get('decoded'), () => decodeCbor(bytes), bytes, comparison);
  if (expected.get('headers').get('content-type')?.includes('protobuf')) {
    return compareProto(wanted, bytes, comparison, 'body', place);
  }
  if (!sameBytes(wanted, bytes)) comparison.add('body', describeBytes(wanted), describeBytes(bytes));
}

function compareCbor(decoded, decode, bytes, comparison, path = '$') {
  let got;
  try {
    got = decode();
  } catch (error) {
    comparison.add('body', printJson(decoded), `${describeBytes(bytes)} (${error.message})`);
    return;
  }
  const unordered = new Comparison(comparison.bindings, comparison.rules, { keyOrder: false });
  unordered.value(decoded, got, path);
  comparison.differences.push(...unordered.differences);
}

function compareProto(wanted, bytes, comparison, path, { bindings, contains }) {
  const difference = compareProtobuf(wanted, bytes, { bindings, contains });
  if (difference) comparison.add(`${path} ${difference.path}`, difference.expected, difference.got);
}

function splitSafely(got, comparison) {
  const contentType = got.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  try {
    return splitEvents(got.body, contentType);
  } catch (error) {
    comparison.add('stream', 'events', `${describeBytes(got.body)} (${error.message})`);
    return { events: [], rest: new Uint8Array() };
  }
}

function compareEvents(expected, events, comparison, place) {
  expected.forEach((event, i) => {
    if (i < events.length) compareEvent(event, events[i], `events[${i}]`, comparison, place);
    else comparison.add(`events[${i}]`, printJson(event), 'nothing');
  });
  for (let i = expected.length; i < events.length; i++) comparison.add(`events[${i}]`, 'nothing', describeEvent(events[i]));
}

const describeEvent = (event) => (event.json === undefined ? describeBytes(event.bytes) : printJson(event.json));

function compareEvent(expected, got, path, comparison, place) {
  if (expected.has('decoded')) compareCbor(expected.get('decoded'), () => got.json, got.bytes ?? new Uint8Array(), comparison, path);
  else if (isBytes(expected)) {
    if (!got.bytes) return comparison.add(path, 'bytes', describeEvent(got));
    // Skips the length before a frame, which splitFrames has used already.
    compareProto(fromBase64(expected.get('base64')).subarray(4), got.bytes.subarray(4), comparison, path, place);
  } else if (got.json === undefined) comparison.add(path, printJson(expected), describeEvent(got));
  else comparison.value(expected, got.json, path);
}

const kTimes = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z/g;

// Compares the exact bytes of a JSON stream. The bytes of CBOR and protobuf streams are compared with their events.
function compareRawStream(raw, bytes, comparison, { contains }) {
  const text = fromUtf8(bytes);
  let template = isText(raw) ? raw.get('text') : fromUtf8(fromBase64(raw.get('base64')));
  if (template === null || !/^[{[]|^$/.test(template) || comparison.differences.length) return;
  if (isBytes(raw)) template = withPlaceholders(template, contains);
  if (text === null) comparison.add('raw stream', template, describeBytes(bytes));
  else comparison.text(template, text, 'raw stream');
}

function withPlaceholders(text, contains) {
  const longestFirst = Object.entries(contains).sort(([, a], [, b]) => b.length - a.length);
  for (const [placeholder, value] of longestFirst) text = text.split(`"${value}"`).join(`"${placeholder}"`);
  return text.replace(kTimes, '{{time}}');
}
