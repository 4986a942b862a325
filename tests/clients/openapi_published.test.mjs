// Compares the OpenAPI documents, with their descriptions, with those that Kubernetes publishes of the release. The
// latter were made with every gate on except OpenAPIEnums: they have more kinds, and no enumerations.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { publishedOpenApi } from './published_openapi.mjs';
import { startServer } from './server.mjs';

const kEnumeration = 'Possible enum values:';

let server;
let published;

before(async () => {
  published = await publishedOpenApi();
  server = await startServer('--seed', '1', '--feature-gates', 'CBORServingAndStorage=true');
});
after(async () => assert.equal(await server.stop(), 0));

async function served(path) {
  const response = await fetch(server.url + path);
  assert.equal(response.status, 200);
  return response.json();
}

/** Returns a copy of a JSON value after `change` was applied to every object, the innermost first. */
function changed(value, change) {
  if (Array.isArray(value)) return value.map((item) => changed(item, change));
  if (value === null || typeof value !== 'object') return value;
  return change(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, changed(member, change)])));
}

let enumerations = 0;

/** Returns a schema as published, without its enumeration. Its description must list the same values. */
function withoutEnumeration(schema) {
  const { description = '' } = schema;
  const begin = typeof description === 'string' ? description.indexOf(kEnumeration) : -1;
  const values = schema.enum ?? schema.items?.enum;
  if (begin < 0) {
    const { enum: dropped, ...rest } = schema;
    return Array.isArray(dropped) ? rest : schema;
  }
  const listed = description.slice(begin).split('\n').slice(1).map((line) => line.match(/^ - `"(.*?)"`/)?.[1]);
  const { enum: dropped, ...rest } = schema;
  if (dropped) assert.deepEqual(listed.filter((value) => value !== undefined).sort(), [...values].sort());
  ++enumerations;
  const text = description.slice(0, begin).trim();
  if (text) return { ...rest, description: text };
  delete rest.description;
  return rest;
}

/**
 * Removes the defaults of items, which a real server has or lacks depending on the order in which it built its
 * documents.
 */
function withoutDefaultsOfItems(schema) {
  const copy = { ...schema };
  for (const key of ['items', 'additionalProperties']) {
    const { default: dropped, ...rest } = copy[key] ?? {};
    if (dropped === undefined) continue;
    copy[key] = Object.keys(rest).join() === 'allOf' ? rest.allOf[0] : rest;
  }
  return copy;
}

function compareMembers(ours, theirs, where) {
  for (const [name, value] of Object.entries(ours ?? {})) {
    assert.deepEqual(changed(value, withoutEnumeration), theirs?.[name], `${where} ${name}`);
  }
  return Object.keys(ours ?? {}).length;
}

test('v2 says what the published document says', async (t) => {
  if (typeof published === 'string') return t.skip(published);
  const ours = await served('/openapi/v2');
  const theirs = published('swagger.json');
  enumerations = 0;
  assert.equal(compareMembers(ours.paths, theirs.paths, 'path'), 408);
  assert.equal(compareMembers(ours.definitions, theirs.definitions, 'definition'), 584);
  assert.equal(compareMembers(ours.parameters, theirs.parameters, 'parameter'), 47);
  assert.ok(enumerations > 80, `${enumerations} enumerations`);
});

test('each document of v3 says what the published one says', async (t) => {
  if (typeof published === 'string') return t.skip(published);
  const { paths } = await served('/openapi/v3');
  let compared = 0;
  for (const [key, { serverRelativeURL }] of Object.entries(paths)) {
    const ours = await served(serverRelativeURL);
    const theirs = changed(published(`v3/${key.replaceAll('/', '__')}_openapi.json`), withoutDefaultsOfItems);
    compareMembers(ours.paths, theirs.paths, key);
    compareMembers(ours.components.schemas, theirs.components.schemas, key);
    ++compared;
  }
  assert.equal(compared, 47);
});
