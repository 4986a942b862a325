// The recordings cut long answers and say so in words (`trimmed`). The same cut is made here on the actual answer, so
// that the two can be compared.

import { JsonObject } from './ordered_json.mjs';

const object = (entries) => new JsonObject(entries);

const pick = (from, ...keys) => object(keys.filter((key) => from.has(key)).map((key) => [key, from.get(key)]));

const kCuts = {
  'items are names only': (got) => replace(got, 'items', (items) => items.map((item) => item.get('metadata').get('name'))),
  'keys only': (got) => object([['keys', [...got.keys()]]]),
  'rules counted': (got) => replace(got, 'rules', (rules) => `${rules?.length ?? 0} rules`),
  'kind and apiVersion only': (got) => pick(got, 'kind', 'apiVersion'),
  'kind only': (got) => pick(got, 'kind'),
  'top-level keys only': (got) => new JsonObject([...pick(got, 'swagger', 'info'), ['keys', [...got.keys()]]]),
  'description keys left out': (got) => withoutDescriptions(got),
  'only Deployment paths and some schemas; description keys left out': (got, expected) => onlyExpected(withoutDescriptions(got), expected),
  'items keep name, labels, spec and conditions': (got) => replace(got, 'items', (items) => items.map(shortApiService)),
};

/**
 * @param {string} how the words of the recording
 * @param {any} got the answer's tree
 * @param {any} expected the recording's cut tree
 */
export function trim(how, got, expected) {
  const cut = kCuts[how];
  return cut && got instanceof JsonObject ? cut(got, expected) : got;
}

/** Returns true if nothing of the body is compared. */
export const isLeftOut = (how, expected) => how.startsWith('body left out') || how === 'key material' || expected === null;

function replace(value, key, change) {
  if (!value.has(key)) return value;
  return new JsonObject([...value].map(([name, item]) => [name, name === key ? change(item) : item]));
}

function withoutDescriptions(value) {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (!(value instanceof Map)) return value;
  const kept = [...value].filter(([key, item]) => key !== 'description' || typeof item !== 'string');
  return new JsonObject(kept.map(([key, item]) => [key, withoutDescriptions(item)]));
}

function onlyExpected(got, expected) {
  const likeExpected = (part, wanted) => pick(part, ...[...part.keys()].filter((key) => wanted.has(key)));
  const paths = replace(got, 'paths', (part) => likeExpected(part, expected.get('paths')));
  return replace(paths, 'components', (components) =>
    replace(components, 'schemas', (part) => likeExpected(part, expected.get('components').get('schemas'))));
}

function shortApiService(item) {
  const conditions = item.get('status').get('conditions').map((condition) => pick(condition, 'type', 'status', 'reason', 'message'));
  return new JsonObject([
    ['metadata', pick(item.get('metadata'), 'name', 'labels')],
    ['spec', item.get('spec')],
    ['status', new JsonObject([['conditions', conditions]])],
  ]);
}

