import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { generatedTexts } from '../explain/generated_texts.mjs';
import { packedFile, packTexts } from '../explain/pack.mjs';
import { top } from '../lib/run.mjs';

const kSource = join(top, 'build', 'third_party', 'kubernetes_openapi');

// In the form that openapi-gen writes; the words are ours.
const kCode = String.raw`
import (
	fruitv1 "k8s.io/api/fruit/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	common "k8s.io/kube-openapi/pkg/common"
)
		fruitv1.Apple{}.OpenAPIModelName():       schema_k8sio_api_fruit_v1_Apple(ref),
		metav1.Time{}.OpenAPIModelName():         metav1.Time{}.OpenAPIDefinition(),
func schema_k8sio_api_fruit_v1_Apple(ref common.ReferenceCallback) common.OpenAPIDefinition {
				Description: "An apple.",
				Properties: map[string]spec.Schema{
					"colour": {
						SchemaProps: spec.SchemaProps{
							Description: "Its \"colour\".\n\nPossible enum values:\n - ${'`'}\"Red\"${'`'} as a \\xab \x07 rose",
					"seeds": {
						SchemaProps: spec.SchemaProps{
							Type: []string{"array"},
							Items: &spec.SchemaOrArray{
										Description: "Never shown.",
					"size": {
						SchemaProps: spec.SchemaProps{
							Description: "Possible enum values:\n - ${'`'}\"L\"${'`'}",
func schema_k8sio_api_fruit_v1_Unknown(ref common.ReferenceCallback) common.OpenAPIDefinition {
					"colour": {
						SchemaProps: spec.SchemaProps{
							Description: "Another.",
`;
const kApple = 'io.k8s.api.fruit.v1.Apple';
const kColour = 'Its "colour".\n\nPossible enum values:\n - `"Red"` as a \\xab \u0007 rose';

const document = () => ({
  definitions: {
    [kApple]: { description: 'An apple.', properties: { size: {}, seeds: {}, colour: { description: 'Its "colour".' } } },
    'io.k8s.Pear': { description: 'An apple.' },
    'io.k8s.Plum': { type: 'object' },
  },
  parameters: { 'watch-X': { name: 'watch', description: 'An apple.' }, 'body-Y': { name: 'body' } },
  paths: {
    '/apples/{name}': {
      get: { parameters: [{ $ref: '#/parameters/watch-X' }, { name: 'dryRun', in: 'query', description: 'Only try.' }] },
      parameters: [{ name: 'name', in: 'path', description: 'name of the Apple' }],
    },
    '/pears/{name}': {
      get: { description: 'read a pear' },
      parameters: [
        { name: 'name', in: 'path', description: 'name of the Pear' },
        { name: 'dryRun', in: 'query', description: 'Only try.' },
      ],
    },
  },
});

test('explain: the texts of fields are found in generated code', () => {
  const found = generatedTexts(kCode);
  assert.deepEqual([...found.keys()], [kApple]);
  assert.deepEqual(Object.fromEntries(found.get(kApple)), { colour: kColour, size: 'Possible enum values:\n - `"L"`' });
});

test('explain: each text is packed once, with the values of enumerations', () => {
  const { notice, ...packed } = packTexts(document(), generatedTexts(kCode), '1.36');
  assert.match(notice, /Kubernetes Authors.*Apache License/);
  assert.deepEqual(packed, {
    format: 1,
    kubernetes: '1.36',
    texts: ['An apple.', kColour, 'Possible enum values:\n - `"L"`', 'Only try.'],
    types: { [kApple]: { '': 0, colour: 1, size: 2 }, 'io.k8s.Pear': { '': 0 } },
    parameters: { 'watch-X': 0, dryRun: 3 },
  });
});

test('explain: sources that say different things are refused', () => {
  const other = document();
  other.definitions[kApple].properties.colour.description = 'Its taste.';
  assert.throws(() => packTexts(other, generatedTexts(kCode), '1.36'), { message: `${kApple}.colour has two texts` });
  const silent = document();
  silent.definitions[kApple].properties.seeds.description = 'How many.';
  assert.throws(() => packTexts(silent, generatedTexts(kCode), '1.36'), { message: `${kApple}.seeds has two texts` });
  const twice = document();
  twice.paths['/pears/{name}'].parameters[1].description = 'Do it.';
  assert.throws(() => packTexts(twice, generatedTexts(kCode), '1.36'), { message: 'the parameter dryRun has several texts' });
});

test('explain: the file of the release has a text for nearly every field, and is the same each time', (t) => {
  if (!existsSync(kSource)) return t.skip('its source could not be had: see third_party/manifest.json');
  const bytes = packedFile(kSource);
  assert.ok(bytes.equals(packedFile(kSource)));
  assert.ok(bytes.length < 200_000, `${bytes.length} bytes`);
  const { kubernetes, texts, types, parameters } = JSON.parse(gunzipSync(bytes));
  assert.equal(kubernetes, '1.36');
  assert.equal(Object.keys(types).length, 771);
  assert.equal(Object.values(types).reduce((sum, type) => sum + Object.keys(type).length, 0), 3857);
  assert.equal(Object.keys(parameters).length, 48);
  assert.equal(texts.length, new Set(texts).size);
  assert.match(texts[types['io.k8s.api.apps.v1.DeploymentStrategy'].type], /\n\nPossible enum values:\n - `"Recreate"` \S/);
});
