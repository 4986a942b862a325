#!/usr/bin/env node
// Packs the descriptions of kinds, fields and parameters from build/third_party/kubernetes_openapi into the file that
// hosts load for the first OpenAPI document:
//
//   node tools/explain/pack.mjs <folder> <output.gz>
//
// The input is what Kubernetes publishes with a release: the OpenAPI v2 document, and the Go code from which a server
// builds its documents, since the published document omits the values of enumerations. The output is gzipped JSON,
// which core/codec/openapi_texts.cc reads:
//
//   {"notice": whose texts they are, "format": 1, "kubernetes": "1.36",
//    "texts": [each text once],
//    "types": {NAME: {"": its text, FIELD: the field's}},       numbers of texts
//    "parameters": {NAME or NAME-HASH, as the document refers to it: its text}}
//
// Descriptions of operations are not included: the core derives them from the operation.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { generatedTexts } from './generated_texts.mjs';

const kFormat = 1;
const kNotice = 'Texts of Kubernetes. Copyright The Kubernetes Authors. Licensed under the Apache License, Version 2.0.';
const kEnumeration = 'Possible enum values:';

/** Numbers each distinct text at its first use. */
class Texts {
  list = [];
  #numbers = new Map();

  number(text) {
    if (!this.#numbers.has(text)) this.#numbers.set(text, this.list.push(text) - 1);
    return this.#numbers.get(text);
  }
}

/** Returns an object's entries sorted by name, in code point order. */
const sorted = (object = {}) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));

/** Returns the text without its enumeration, which apiserver's pkg/util/openapi removes in published documents. */
const withoutEnumeration = (text) => (text.includes(kEnumeration) ? text.slice(0, text.indexOf(kEnumeration)).trim() : text);

/** Returns a field's text including the values of its enumeration, if it has one. */
function wholeText(published = '', generated = '', where) {
  if (withoutEnumeration(generated) !== published) throw new Error(`${where} has two texts`);
  return generated;
}

function packType(name, type, generated, texts) {
  const packed = {};
  if (type.description) packed[''] = texts.number(type.description);
  for (const [field, { description }] of sorted(type.properties)) {
    const text = wholeText(description, generated?.get(field), `${name}.${field}`);
    if (text) packed[field] = texts.number(text);
  }
  return packed;
}

/** Yields the inline parameters of operations and paths, not those by reference. */
function* inlineParameters(paths) {
  for (const item of Object.values(paths)) {
    for (const part of Object.values(item)) {
      for (const parameter of Array.isArray(part) ? part : (part.parameters ?? [])) {
        if (parameter.name && parameter.description) yield parameter;
      }
    }
  }
}

function packParameters({ parameters, paths }, texts) {
  const known = new Map(sorted(parameters).map(([name, { description }]) => [name, description ?? '']));
  for (const { name, in: place, description } of inlineParameters(paths)) {
    if (place === 'path' && name === 'name') continue; // "name of the KIND", which the core derives
    if ((known.get(name) ?? description) !== description) throw new Error(`the parameter ${name} has several texts`);
    known.set(name, description);
  }
  return Object.fromEntries([...known].filter(([, text]) => text).map(([name, text]) => [name, texts.number(text)]));
}

/**
 * Returns the packed texts, as an object, for an OpenAPI v2 document and the result of `generatedTexts`. `kubernetes`
 * is the minor version, such as "1.36".
 */
export function packTexts(document, generated, kubernetes) {
  const texts = new Texts();
  const types = {};
  for (const [name, type] of sorted(document.definitions)) {
    const packed = packType(name, type, generated.get(name), texts);
    if (Object.keys(packed).length > 0) types[name] = packed;
  }
  const parameters = packParameters(document, texts);
  return { notice: kNotice, format: kFormat, kubernetes, texts: texts.list, types, parameters };
}

/** Returns "1.36": the version of the source that the manifest pins. */
function pinnedVersion() {
  const manifest = JSON.parse(readFileSync(new URL('../../third_party/manifest.json', import.meta.url), 'utf8'));
  return manifest.sources.find(({ name }) => name === 'kubernetes_openapi').version.match(/^\d+\.\d+/)[0];
}

/** Returns the bytes of the packed file for the source in `folder`. The same texts give the same bytes. */
export function packedFile(folder) {
  const document = JSON.parse(readFileSync(join(folder, 'api/openapi-spec/swagger.json'), 'utf8'));
  const generated = generatedTexts(readFileSync(join(folder, 'pkg/generated/openapi/zz_generated.openapi.go'), 'utf8'));
  return gzipSync(JSON.stringify(packTexts(document, generated, pinnedVersion())), { level: 9 });
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [folder, output] = process.argv.slice(2);
  if (!output) {
    console.error('usage: pack.mjs <folder> <output.gz>');
    process.exit(2);
  }
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, packedFile(folder));
}
