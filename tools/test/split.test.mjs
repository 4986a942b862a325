// What parts the WebAssembly in two (wasm/split), on modules of a few bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kSection, number, Reader, sections, signed, withData } from '../../wasm/split/bytes.mjs';
import { readLinkedModule } from '../../wasm/split/linked_module.mjs';
import { chooseData, chooseFunctions, joined, placesOf } from '../../wasm/split/plan.mjs';

const text = (value) => [value.length, ...Buffer.from(value)];
const section = (id, ...bytes) => [id, bytes.length, ...bytes];
const body = (...code) => [code.length + 2, 0, ...code, 0x0b];

const kNames = section(0, ...text('name'), 1, 13, 4, 0, ...text('f'), 1, ...text('a'), 2, ...text('b'), 3, ...text('c'));

/** a() calls b(), b() nobody, c() is in the table and calls the import. Two pieces of data. */
const kModule = Buffer.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, 1, 0x60, 0, 0),
  ...section(2, 1, ...text('env'), ...text('f'), 0, 0),
  ...section(3, 3, 0, 0, 0),
  ...section(4, 1, 0x70, 0, 2),
  ...section(5, 1, 0, 1),
  ...section(7, 1, ...text('a'), 0, 1),
  ...section(9, 1, 0, 0x41, 1, 0x0b, 1, 3),
  ...section(10, 3, ...body(0x10, 2), ...body(0x41, 0x7f, 0x1a), ...body(0x10, 0)),
  ...section(11, 2, 0, 0x41, 8, 0x0b, 2, 1, 2, 0, 0x41, 0xc0, 0, 0x0b, 3, 4, 5, 6),
  ...kNames,
]);

test('numbers are written as they are read', () => {
  for (const value of [0, 1, 63, 64, 127, 128, 8191, 8192, 16_384, 2 ** 31 - 1]) {
    assert.equal(new Reader(number(value)).number(), value);
    assert.equal(new Reader(signed(value)).signed(), value);
  }
  assert.equal(new Reader(Buffer.from([0x7f])).signed(), -1);
  assert.equal(new Reader(Buffer.from([0x80, 0x7f])).signed(), -128);
  assert.deepEqual([...number(300)], [0xac, 2]);
  assert.deepEqual([...signed(64)], [0xc0, 0]);
});

test('a linked module: who calls whom, who is held by others, and its data', () => {
  assert.ok(WebAssembly.validate(kModule));
  const { functions, data } = readLinkedModule(kModule);
  assert.deepEqual(functions, [
    { name: 'a', callees: ['b'], exported: true, addressed: false },
    { name: 'b', callees: [], exported: false, addressed: false },
    { name: 'c', callees: ['f'], exported: false, addressed: true },
  ]);
  assert.deepEqual(data.map(({ address, bytes }) => [address, ...bytes]), [[8, 1, 2], [64, 4, 5, 6]]);
});

test('an instruction that nobody told the split is refused', () => {
  const bytes = Buffer.from(kModule);
  bytes[bytes.indexOf(0x1a, sections(bytes).find(({ id }) => id === kSection.code).start)] = 0xfd;
  assert.throws(() => readLinkedModule(bytes), /an instruction that the split does not know: 253/);
});

test('other data take the place of the old ones', () => {
  const bytes = withData(kModule, [{ address: 100, bytes: Buffer.from([7, 8]) }]);
  assert.ok(WebAssembly.validate(bytes));
  assert.ok(!sections(bytes).some(({ id }) => id === kSection.custom));
  const { data } = readLinkedModule(Buffer.concat([bytes, Buffer.from(kNames)]));
  assert.deepEqual(data.map(({ address, bytes }) => [address, ...bytes]), [[100, 7, 8]]);
});

/** "main: run log" is a function and those it calls; "*" is exported, "&" has a place in the table. */
function program(...lines) {
  return lines.map((line) => {
    const [, exported, addressed, name, callees] = /^(\*?)(&?)(\w+):(.*)$/.exec(line);
    return { name, callees: callees.split(' ').filter(Boolean), exported: exported !== '', addressed: addressed !== '' };
  });
}

const choose = (functions, files, { weak = [], keep = [] } = {}) =>
  [
    ...chooseFunctions(functions, (name) => ({ files: files[name] ?? ['core.cc'], weak: weak.includes(name) }), {
      holdsSource: (file) => file === 'more.cc',
      keeps: (name) => keep.includes(name),
    }),
  ].sort().join(' ');

test('the second module: listed sources, and what only they call', () => {
  const functions = program('*main: core more', 'core: both', 'more: both only', 'both:', 'only: deeper', 'deeper: deeper', '&slot:', 'unused:');
  assert.equal(choose(functions, { more: ['more.cc'] }), 'deeper more only');
  assert.equal(choose(functions, { more: ['more.cc'] }, { keep: ['only'] }), 'more');
  assert.equal(choose(functions, { more: ['more.cc'], slot: ['more.cc'] }), 'deeper more only slot');
  assert.equal(choose(functions, { main: ['more.cc'], core: ['more.cc', 'core.cc'] }), '');
});

test('what initializes objects stays in the first module', () => {
  const functions = program('*__wasm_call_ctors: make', 'make: helper', 'helper:', 'more: helper');
  assert.equal(choose(functions, { make: ['more.cc'], helper: ['more.cc'], more: ['more.cc'] }), 'more');
});

test('templates of listed sources stay where others call them, too, with what they call themselves', () => {
  const functions = program('*core: sort', 'more: sort swap', 'sort: compare', 'compare:', 'swap:');
  const files = Object.fromEntries(['more', 'sort', 'compare', 'swap'].map((name) => [name, ['more.cc']]));
  assert.equal(choose(functions, files, { weak: ['sort', 'compare', 'swap'] }), 'more swap');
});

const bytesOf = (value) => Buffer.from(`${value}\0`);

test('data that only the second module speaks of: constants, not what the first may change', () => {
  const data = ['.rodata.a', '.rodata.b', '.rodata.c', '.data.d', '.rodata.e'].map((name) => ({ name, data: new Set() }));
  data[0].data.add(1); // a table of the first module, and its text
  const users = new Map([['core', new Set([0])], ['more', new Set([1, 2, 3])]]);
  const chosen = chooseData({ data, users }, new Set(['more']));
  assert.deepEqual([...chosen].map(({ name }) => name), ['.rodata.c', '.rodata.e']);
});

test('where they lie: by name, and in the joined texts without what the first module shares', () => {
  const piece = (name, value, equal) => ({ name, bytes: bytesOf(value), equal, data: new Set() });
  const table = piece('.rodata.table', 'table', false);
  const long = piece('.rodata.long', 'a longer text', true);
  const tail = piece('.rodata.tail', 'text', true); // the linker puts it into the end of the other
  const own = piece('.rodata.own', 'own', true);
  const texts = { address: 100, bytes: Buffer.concat([long, own].map(({ bytes }) => bytes)) };
  const place = (chosen) => placesOf({ data: [table, long, tail, own] }, new Set(chosen), (name) => (name === table.name ? 40 : undefined), texts);
  assert.deepEqual(place([table, long, tail, own]), [{ start: 40, end: 46 }, { start: 100, end: 118 }]);
  assert.deepEqual(place([long, own]), [{ start: 100, end: 109 }, { start: 114, end: 118 }]);
  assert.deepEqual(place([tail]), []);
});

test('places with short gaps between them are one segment', () => {
  const places = [{ start: 0, end: 4 }, { start: 12, end: 20 }, { start: 14, end: 16 }, { start: 29, end: 30 }];
  assert.deepEqual(joined(places), [{ start: 0, end: 20 }, { start: 29, end: 30 }]);
  assert.deepEqual(places[0], { start: 0, end: 4 });
});
