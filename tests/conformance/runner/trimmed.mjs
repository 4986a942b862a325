// The recordings cut long answers and say so in words (`trimmed`). The same cut is made here on the actual answer, so
// that the two can be compared.

import { JsonObject } from './ordered_json.mjs';

const object = (entries) => new JsonObject(entries);

export const pick = (from, ...keys) => object(keys.filter((key) => from.has(key)).map((key) => [key, from.get(key)]));

const kCuts = {
  'managedFields left out': (got) => withoutManagedFields(got),
  'managedFields and webhooks left out': (got) => without(withoutManagedFields(got), 'webhooks'),
  'metadata keeps name, spec policyName': (got, expected) => likeExpected(got, expected),
  'metadata keeps name and generation': (got, expected) => likeExpected(got, expected),
  'metadata keeps name and labels, spec nodeName': (got, expected) => likeExpected(got, expected),
  'items are names': (got) => replace(got, 'items', (items) => items.map((item) => item.get('metadata').get('name'))),
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

const without = (value, key) => new JsonObject([...value].filter(([name]) => name !== key));

// Returns the object with only those top-level members, and members of metadata and spec, that were recorded.
function likeExpected(got, expected) {
  const kept = pick(got, ...expected.keys());
  const part = (name, item) => (['metadata', 'spec'].includes(name) && item instanceof Map ? pick(item, ...expected.get(name).keys()) : item);
  return new JsonObject([...kept].map(([name, item]) => [name, part(name, item)]));
}

/** Returns an object, or a list of objects, without the managedFields in its metadata. */
export function withoutManagedFields(value) {
  const bare = replace(value, 'metadata', (metadata) => (metadata instanceof Map ? without(metadata, 'managedFields') : metadata));
  if (Array.isArray(bare.get('rows'))) return replace(bare, 'rows', (rows) => rows.map((row) => replace(row, 'object', withoutManagedFields)));
  return replace(bare, 'items', (items) => (Array.isArray(items) ? items.map((item) => (item instanceof Map ? withoutManagedFields(item) : item)) : items));
}

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
  const keptOf = (part, wanted) => pick(part, ...[...part.keys()].filter((key) => wanted.has(key)));
  const paths = replace(got, 'paths', (part) => keptOf(part, expected.get('paths')));
  return replace(paths, 'components', (components) =>
    replace(components, 'schemas', (part) => keptOf(part, expected.get('components').get('schemas'))));
}

function shortApiService(item) {
  const conditions = item.get('status').get('conditions').map((condition) => pick(condition, 'type', 'status', 'reason', 'message'));
  return new JsonObject([
    ['metadata', pick(item.get('metadata'), 'name', 'labels')],
    ['spec', item.get('spec')],
    ['status', new JsonObject([['conditions', conditions]])],
  ]);
}

