// A large CustomResourceDefinition like those of operators (most of its bytes are descriptions), and objects of it, for
// the benchmarks and the tests of clients.

const kText =
  'What this is for, in the words of its authors, who explain at some length what happens if it is left out, since which ' +
  'version it is there, and where more can be read about it.';

/** The types of the leaves, in rotation, each with a value. */
const kLeaves = [
  [{ type: 'string' }, 'text'],
  [{ type: 'integer', format: 'int32', minimum: 0 }, 5],
  [{ type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 }, 'abc-def'],
  [{ type: 'boolean' }, true],
  [{ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'atomic' }, ['x', 'y']],
  [{ anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true }, '50%'],
  [{ type: 'object', additionalProperties: { type: 'string' } }, { key: 'value' }],
  [{ type: 'string', enum: ['Always', 'IfNotPresent', 'Never'], default: 'Always' }, 'Never'],
];

/** Returns a schema of objects with eight leaves and, if `depth` is above 0, three such objects. */
function objectSchema(depth) {
  const properties = Object.fromEntries(kLeaves.map(([leaf], i) => [`f${i}`, { description: kText, ...leaf }]));
  if (depth > 0) {
    const part = objectSchema(depth - 1);
    properties.a = part;
    properties.b = part;
    properties.list = { type: 'array', maxItems: 100, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['f0'], items: part };
  }
  return { description: kText, type: 'object', required: ['f0'], properties };
}

function objectValue(depth, name = 'one') {
  const value = Object.fromEntries(kLeaves.map(([, leaf], i) => [`f${i}`, leaf]));
  value.f0 = name;
  if (depth > 0) {
    value.a = objectValue(depth - 1);
    value.b = objectValue(depth - 1);
    value.list = ['one', 'two'].map((item) => objectValue(depth - 1, item));
  }
  return value;
}

/** Returns a definition of `<plural>.bench.example.com` whose JSON has slightly more than `bytes` bytes. */
export function largeDefinition(plural, bytes = 1_000_000) {
  const spec = { type: 'object', properties: {} };
  const part = objectSchema(3);
  const size = JSON.stringify(part).length;
  for (let i = 0; i * size < bytes; ++i) spec.properties[`p${i}`] = part;
  spec['x-kubernetes-validations'] = [
    { rule: '!has(self.p0) || self.p0.f1 >= 0 && self.p0.f2.startsWith("abc")', message: 'p0 begins with abc' },
  ];
  const kind = plural[0].toUpperCase() + plural.slice(1);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.bench.example.com` },
    spec: {
      group: 'bench.example.com',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } },
      ],
    },
  };
}

/** Returns a valid object of that definition. */
export const largeObject = (plural, name) => ({
  apiVersion: 'bench.example.com/v1',
  kind: plural[0].toUpperCase() + plural.slice(1),
  metadata: { name },
  spec: { p0: objectValue(3) },
});
