// Makes requests that were not recorded: those of the scenarios, damaged and combined, reproducibly from a seed. Used
// by mutate.mjs.

import { fromUtf8, toUtf8 } from './bytes.mjs';
import { Bindings, UnboundPlaceholder } from './placeholders.mjs';
import { makeRequest } from './request.mjs';

const kLargestBody = 100_000; // larger ones would only be slow

/** A small random number generator (a linear congruence), the same everywhere. */
export class Dice {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  /** Returns a whole number below `bound`. */
  roll(bound) {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * bound);
  }

  pick(list) {
    return list[this.roll(list.length)];
  }
}

// Values for placeholders of answers that are not read here.
class AnyValues extends Bindings {
  get(name) {
    const [kind, number = '1'] = name.split(':');
    if (kind === 'uid') return `00000000-0000-4000-8000-0000000000${number.padStart(2, '0')}`;
    if (kind === 'rv') return String(3 * Number(number));
    return super.get(name) ?? 'x';
  }
}

/** Returns all requests of the scenarios; watches become requests that end. */
export function requestsOf(scenarios) {
  const values = new AnyValues();
  const requests = [];
  const collect = (step) => {
    const request = tryMake(step.get('watch') ?? step.get('request'), values);
    if (request && (request.body?.length ?? 0) < kLargestBody) requests.push(request);
    (step.get('after') ?? []).forEach(collect);
  };
  for (const { scenario } of scenarios) [...(scenario.get('setup') ?? []), ...scenario.get('steps')].forEach(collect);
  return requests;
}

function tryMake(recorded, values) {
  try {
    return makeRequest(recorded, values);
  } catch (error) {
    if (error instanceof UnboundPlaceholder) return null;
    throw error;
  }
}

/** Returns true if the answer may be a stream, which needs a moving clock. */
export const mayStream = (request) => /watch/.test(request.path);

/**
 * Returns one request: as recorded, or damaged once to three times. @param {import('./request.mjs').Request[]} requests
 * @param {Dice} dice
 */
export function nextRequest(requests, dice) {
  let request = dice.pick(requests);
  for (let i = dice.roll(4); i > 0; i--) request = dice.pick(kDamages)({ ...request }, dice, requests);
  return request;
}

const kMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const kContentTypes = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

const kAccepts = [
  ...kContentTypes.slice(0, 4),
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  '*/*',
];

const kQueries = [
  'limit=2',
  'continue=abc',
  'labelSelector=a%20in%20(b',
  'fieldSelector=metadata.name%3Dx',
  'dryRun=All',
  'pretty=1',
  'includeObject=Object',
  'fieldValidation=Strict',
  'resourceVersion=3',
  'propagationPolicy=Foreground',
  'gracePeriodSeconds=0',
];

const kSegments = ['status', 'scale', 'x', 'namespaces', '%2f', '..'];

const kValues = ['null', '{}', '[]', '""', '-1', '1e999', '9223372036854775808', '"\\ud800"', 'true', '0.5', '[[[[]]]]', '"1Gi"'];

const kDamages = [
  (request, dice, requests) => ({ ...request, body: dice.pick(requests).body }),
  (request, dice) => ({ ...request, method: dice.pick(kMethods) }),
  (request, dice) => withHeader(request, 'content-type', dice.pick(kContentTypes)),
  (request, dice) => withHeader(request, 'accept', dice.pick(kAccepts)),
  (request, dice) => ({ ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}${dice.pick(kQueries)}` }),
  otherSegment,
  cutBody,
  otherByte,
  otherValue,
];

function withHeader(request, name, value) {
  return { ...request, headers: [...request.headers.filter(([other]) => other !== name), [name, value]] };
}

function otherSegment(request, dice) {
  const segments = request.path.split('/');
  segments.splice(1 + dice.roll(segments.length - 1), dice.roll(2), dice.pick(kSegments));
  return { ...request, path: segments.join('/') };
}

function cutBody(request, dice) {
  return request.body ? { ...request, body: request.body.slice(0, dice.roll(request.body.length + 1)) } : request;
}

function otherByte(request, dice) {
  if (!request.body?.length) return request;
  const body = Uint8Array.from(request.body);
  body[dice.roll(body.length)] = dice.roll(256);
  return { ...request, body };
}

// Replaces a JSON value by another one.
function otherValue(request, dice) {
  const text = request.body ? fromUtf8(request.body) : null;
  const places = text === null ? [] : [...text.matchAll(/(?<=:)("[^"]*"|\d+|true|false)/g)];
  if (places.length === 0) return request;
  const place = dice.pick(places);
  const end = place.index + place[0].length;
  return { ...request, body: toUtf8(text.slice(0, place.index) + dice.pick(kValues) + text.slice(end)) };
}
