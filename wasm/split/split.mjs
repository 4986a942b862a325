#!/usr/bin/env node
// Makes the modules of the package out of the linked core:
//
//   node wasm/split/split.mjs LINKED.wasm BUILD OUT
//
// LINKED.wasm is not optimized yet and has names; beside it lie what the linker keeps: LINKED.wasm.lto.o, LINKED.wasm.map.
// BUILD is the folder of all object files. In OUT:
//
//   tabernetes.wasm    the whole core
//   core.wasm          the same without what wasm/extensions.txt lists
//   extensions.wasm    that; wasm/src/instance.ts puts it beside the first
//
// docs/architecture.md, "Two modules", says why.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withData } from './bytes.mjs';
import { readLinkedModule } from './linked_module.mjs';
import { readLtoObject } from './lto_object.mjs';
import { chooseData, chooseFunctions, joined, placesOf } from './plan.mjs';

const [linked, build, out] = process.argv.slice(2);

// What every engine has had since 2021: wasm/CMakeLists.txt compiles for the same.
const kFeatures = ['--mvp-features', '--enable-mutable-globals', '--enable-nontrapping-float-to-int', '--enable-bulk-memory', '--enable-sign-ext'];
// In two rounds: the second one finds 0.2 % more.
const kOptimize = [
  '--strip-dwarf', '--post-emscripten', '-Oz', '-Oz', '--one-caller-inline-max-function-size=20', '--low-memory-unused',
  '--strip-debug', '--strip-producers',
];

/** A program of the Binaryen that Emscripten works with. */
function binaryen(name) {
  return join(execFileSync('em-config', ['BINARYEN_ROOT'], { encoding: 'utf8' }).trim(), 'bin', name);
}

function optimize(input, output, ...more) {
  execFileSync(binaryen('wasm-opt'), [input, '-o', output, ...kOptimize, ...more, ...kFeatures], { stdio: 'inherit' });
}

optimize(linked, join(out, 'tabernetes.wasm'), '--zero-filled-memory');

const module = readLinkedModule(readFileSync(linked));
const object = readLtoObject(readFileSync(`${linked}.lto.o`));
const symbols = readSymbols();
const functions = chooseFunctions(module.functions, (name) => symbolOf(name) ?? { files: [], weak: false }, readList());
const ranges = placesOf(object, chooseData(object, functions), ...readMap(module.data));

const names = join(out, 'extensions.list');
writeFileSync(names, [...functions].join('\n'));
const [core, extensions] = ['core', 'extensions'].map((name) => join(out, `${name}.split.wasm`));
execFileSync(binaryen('wasm-split'), [
  linked, `--split-funcs=@${names}`, '-o1', core, '-o2', extensions,
  '--import-namespace=core', '--placeholder-namespace=extensions', '--export-prefix=%', ...kFeatures, '--enable-reference-types',
], { stdio: ['ignore', 'ignore', 'inherit'] });
writeFileSync(core, withData(readFileSync(core), withoutRanges(module.data, ranges)));
writeFileSync(extensions, withData(readFileSync(extensions), joined(ranges).map((range) => cut(module.data, range))));
optimize(core, join(out, 'core.wasm'), '--zero-filled-memory', '--enable-reference-types');
optimize(extensions, join(out, 'extensions.wasm'), '--enable-reference-types');

/**
 * What the object files define, by name: in which source `files`, whether each may have it (`weak`), and its name as
 * people write it (`plain`), without what all have in common.
 */
function readSymbols() {
  const files = readdirSync(build, { recursive: true }).filter((name) => /\.dir\/.*\.o$/.test(name));
  const list = (...options) =>
    execFileSync('emnm', ['-A', '--defined-only', ...options, ...files], { cwd: build, encoding: 'utf8', maxBuffer: 1 << 28 }).split('\n');
  const plain = list('--demangle');
  const found = new Map();
  list().forEach((row, place) => {
    const [, object, kind, name] = /^(\S+\.o): +\S+ (\S) (\S+)$/.exec(row) ?? [];
    if (!name) return;
    const symbol = found.get(name) ?? { files: [], weak: kind === 'W', plain: plainName(plain[place]) };
    symbol.files.push(object.replace(/^.*?\.dir\//, '').replace(/\.o$/, ''));
    found.set(name, symbol);
  });
  return found;
}

function plainName(row) {
  return row.replace(/^\S+ +\S+ \S /, '').replace(/\(anonymous namespace\)::|tabernetes::/g, '');
}

/** Local functions of the same name have got numbers. */
function symbolOf(name = '') {
  return symbols.get(name) ?? symbols.get(name.replace(/(\.\d+)+$/, ''));
}

/** wasm/extensions.txt: whether a source file is listed, and whether a function is to be kept in the first module. */
function readList() {
  const lines = readFileSync(fileURLToPath(new URL('../extensions.txt', import.meta.url)), 'utf8').split('\n');
  const entries = lines.map((line) => line.replace(/#.*/, '').trim()).filter((line) => line !== '');
  const kept = entries.filter((entry) => entry.startsWith('keep ')).map((entry) => new RegExp(entry.slice(5)));
  const sources = entries.filter((entry) => !entry.startsWith('keep '));
  const patterns = sources.map((source) => new RegExp(`^${source.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`));
  return {
    holdsSource: (file) => patterns.some((pattern) => pattern.test(file)),
    keeps: (name) => kept.some((pattern) => pattern.test(symbolOf(name)?.plain)),
  };
}

/** The linker's map: where a piece of data lies, by name, and where the joined texts lie. */
function readMap(data) {
  const places = new Map();
  let texts = { address: 0, size: 0 };
  for (const row of readFileSync(`${linked}.map`, 'utf8').split('\n')) {
    const [, address, size, file, name] = /^ *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) +(.*):\((\.rodata.*)\)$/.exec(row) ?? [];
    if (name === '.rodata') texts = { address: parseInt(address, 16), size: parseInt(size, 16) };
    else if (name && file.endsWith('lto.tmp')) places.set(name, parseInt(address, 16));
  }
  const { bytes } = cut(data, { start: texts.address, end: texts.address + texts.size });
  return [(name) => places.get(name), { address: texts.address, bytes }];
}

/** A piece out of the linked data. */
function cut(data, { start, end }) {
  const { address, bytes } = data.find(({ address, bytes }) => address <= start && end <= address + bytes.length);
  return { address: start, bytes: bytes.subarray(start - address, end - address) };
}

/** The linked data with zeros in some places, which the optimizer leaves out. */
function withoutRanges(data, ranges) {
  const copies = data.map(({ address, bytes }) => ({ address, bytes: Buffer.from(bytes) }));
  for (const range of ranges) cut(copies, range).bytes.fill(0);
  return copies;
}
