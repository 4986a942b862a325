#!/usr/bin/env node
// Packs the texts of build/third_party/kubernetes_openapi, which describe kinds, fields and parameters, into the file
// that hosts load when somebody asks for an OpenAPI document:
//
//   node tools/explain/pack.mjs <folder> <output.gz>
//
// What comes in is what Kubernetes publishes of a release: the OpenAPI v2 document, and the Go code that a server makes
// its documents with, as the published document does not list the values of enumerations. What comes out is JSON in
// gzip, which core/codec/openapi_texts.cc reads:
//
//   {"notice": whose texts they are, "format": 1, "kubernetes": "1.36",
//    "texts": [each text once],
//    "types": {NAME: {"": its text, FIELD: the field's}},       numbers of texts
//    "parameters": {NAME or NAME-HASH, as the document refers to it: its text}}
//
// What is said of operations is no part of it: the core makes it of the operation.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { generatedTexts } from './generated_texts.mjs';

const kFormat = 1;
const kNotice = 'Texts of Kubernetes. Copyright The Kubernetes Authors. Licensed under the Apache License, Version 2.0.';
const kEnumeration = 'Possible enum values:';

/** What numbers each text when it first comes. */
class Texts {
  list = [];
  #numbers = new Map();

  number(text) {
    if (!this.#numbers.has(text)) this.#numbers.set(text, this.list.push(text) - 1);
    return this.#numbers.get(text);
  }
}

/** The entries of an object by name, as code points order them. */
const sorted = (object = {}) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));

/** The text that is published of a field for which the server has `text`: apiserver's pkg/util/openapi takes that away. */
const withoutEnumeration = (text) => (text.includes(kEnumeration) ? text.slice(0, text.indexOf(kEnumeration)).trim() : text);

/** A field's text with the values of its enumeration, if it has one. */
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

/** All parameters that operations and paths have themselves, without those that they only refer to. */
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
    if (place === 'path' && name === 'name') continue; // "name of the KIND", which the core says
    if ((known.get(name) ?? description) !== description) throw new Error(`the parameter ${name} has several texts`);
    known.set(name, description);
  }
  return Object.fromEntries([...known].filter(([, text]) => text).map(([name, text]) => [name, texts.number(text)]));
}

/**
 * The packed texts, as an object, of an OpenAPI v2 document and of what `generatedTexts` found. `kubernetes`: the minor
 * version, such as "1.36".
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

/** "1.36": of the source as the manifest pins it. */
function pinnedVersion() {
  const manifest = JSON.parse(readFileSync(new URL('../../third_party/manifest.json', import.meta.url), 'utf8'));
  return manifest.sources.find(({ name }) => name === 'kubernetes_openapi').version.match(/^\d+\.\d+/)[0];
}

/** The bytes of the file, of the source in `folder`. The same texts give the same bytes. */
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
