// Tests kubectl with custom resources: a definition that is too large for a client-side apply, get by its columns,
// explain, the three ways to apply an object, wait and scale.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { kubectlOf } from './kubectl_client.mjs';
import { startServer } from './server.mjs';

const kDescription = 'What is told of a field of a real definition, at the length that is usual there. '.repeat(12);
let server;
let kubectl, outcome, refused, fileOf;

before(async () => {
  server = await startServer('--seed', '1', '--nodes', '0');
  ({ kubectl, outcome, refused, fileOf } = kubectlOf(server));
});
after(async () => assert.equal(await server.stop(), 0));

/** Returns a definition of namespaced objects with one version. */
function definition(plural, kind, spec, version = {}) {
  const schema = { type: 'object', description: `A ${kind}.`, properties: { spec, status: { type: 'object', properties: { replicas: { type: 'integer' } } } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind, shortNames: [plural.slice(0, 2)], categories: ['all'] },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version }],
    },
  };
}

const engines = definition(
  'engines',
  'Engine',
  {
    type: 'object',
    description: 'What the engine shall do.',
    required: ['power'],
    properties: {
      power: { type: 'integer', minimum: 1, maximum: 900, description: 'In kilowatts.' },
      replicas: { type: 'integer', default: 1 },
      fuel: { type: 'string', enum: ['diesel', 'petrol'], default: 'diesel' },
      parts: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, size: { type: 'integer' } } },
      },
    },
  },
  {
    subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
    additionalPrinterColumns: [
      { name: 'Power', type: 'integer', jsonPath: '.spec.power' },
      { name: 'Fuel', type: 'string', jsonPath: '.spec.fuel', priority: 1 },
    ],
  },
);
const engine = (name, spec) => ({ apiVersion: 'example.com/v1', kind: 'Engine', metadata: { name }, spec });

test('a definition of 1.4 MB is too large for a client-side apply, and is served after a server-side one', async () => {
  const properties = {};
  for (let i = 0; i < 1400; i++) properties[`field${i}`] = { type: 'object', description: kDescription, properties: { a: { type: 'string' } } };
  const file = fileOf(definition('hulls', 'Hull', { type: 'object', properties }));
  assert.equal(
    await refused('apply', '-f', file),
    'The CustomResourceDefinition "hulls.example.com" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes',
  );
  assert.equal(await kubectl('apply', '--server-side', '-f', file), 'customresourcedefinition.apiextensions.k8s.io/hulls.example.com serverside-applied');
  assert.match(await kubectl('wait', '--for=condition=Established', 'crd/hulls.example.com'), /condition met$/);
  assert.equal((await outcome(['get', 'hulls'])).stderr, 'No resources found in default namespace.');
});

test('objects are created, defaulted, printed and explained by their definition', async () => {
  await kubectl('create', '-f', fileOf(engines));
  await kubectl('wait', '--for=condition=Established', 'crd/engines.example.com');
  assert.equal(await kubectl('apply', '-f', fileOf(engine('a', { power: 90 }))), 'engine.example.com/a created');
  assert.equal(await kubectl('get', 'en', '--no-headers'), 'a     90');
  assert.deepEqual((await kubectl('get', 'engines', '-o', 'wide')).split('\n')[0].split(/ +/), ['NAME', 'POWER', 'FUEL']);
  assert.equal(await kubectl('get', 'engine', 'a', '-o', 'jsonpath={.spec.fuel}'), 'diesel');
  const explained = await kubectl('explain', 'engine.spec');
  assert.match(explained, /What the engine shall do\./);
  assert.match(explained, /power\t<integer> -required-\n +In kilowatts\./);
  assert.match(await kubectl('get', 'all'), /engine\.example\.com\/a/);
});

test('what the schema forbids is refused', async () => {
  assert.equal(
    await refused('create', '-f', fileOf(engine('bad', { power: 901, fuel: 'coal' }))),
    'The Engine "bad" is invalid: \n* spec.fuel: Unsupported value: "coal": supported values: "diesel", "petrol"\n' +
      '* spec.power: Invalid value: 901: spec.power in body should be less than or equal to 900',
  );
  assert.match(await refused('create', '-f', fileOf(engine('bad', { power: 1, speed: 3 }))), /strict decoding error: unknown field "spec\.speed"$/);
});

test('apply merges lists by the keys of the definition', async () => {
  const apply = (manager, parts) => kubectl('apply', '--server-side', '--field-manager', manager, '-f', fileOf(engine('b', { power: 5, parts })));
  await apply('one', [{ name: 'x', size: 1 }]);
  await apply('two', [{ name: 'y', size: 2 }]);
  assert.equal(await kubectl('get', 'engine', 'b', '-o', 'jsonpath={.spec.parts[*].name}'), 'x y');
  await apply('one', []);
  assert.equal(await kubectl('get', 'engine', 'b', '-o', 'jsonpath={.spec.parts[*].name}'), 'y');
});

test('the scale of an object is where its definition says', async () => {
  assert.equal(await kubectl('scale', 'engine/a', '--replicas=4'), 'engine.example.com/a scaled');
  assert.equal(await kubectl('get', 'engine', 'a', '-o', 'jsonpath={.spec.replicas} {.metadata.generation}'), '4 2');
});

test('with its definition goes what it defined', async () => {
  assert.match(await kubectl('delete', 'crd', 'engines.example.com'), /deleted$/);
  assert.match(await refused('get', 'engines'), /the server (doesn't have a resource type|could not find the requested resource)/);
});
