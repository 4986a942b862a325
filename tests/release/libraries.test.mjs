// Tests that THIRD_PARTY.md, third_party/libraries.json and the bill of materials name the third-party code that the
// linker and the bundlers included, and in which products.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { bundledInto, bundledIntoPage, libraries, librariesOf, neededBy, ninjaInputs } from '../../tools/release/libraries.mjs';
import { top } from '../../tools/lib/run.mjs';
import { file, version } from './support.mjs';

/** Returns the rows of the table in THIRD_PARTY.md: title → the products in its third column. */
function documented() {
  const rows = readFileSync(join(top, 'THIRD_PARTY.md'), 'utf8').split('\n').filter((line) => line.startsWith('| ['));
  return new Map(rows.map((row) => {
    const [, what, , where] = row.split('|').map((cell) => cell.trim());
    return [what.match(/^\[([^\]]+)\]/)[1], where.split(', ').sort()];
  }));
}

// Not libraries: the compilers' own headers and runtime, and the C and C++ libraries of a machine that links
// dynamically.
const kCompilers = /^\/usr\/(lib\/(gcc|llvm|clang|x86_64-linux-gnu|aarch64-linux-gnu)|lib64|include\/(x86_64-linux-gnu|aarch64-linux-gnu|c\+\+|clang)|share\/emscripten)/;
const kSystemC = /^\/(usr\/include\/[\w.-]+|usr\/include\/(asm|asm-generic|linux|bits|sys|gnu|arpa|net|netinet|rpc)\/.*|lib\/(libc|libm|libstdc\+\+|libgcc_s|ld-linux-[\w-]+|libpthread|libdl)\.so.*)$/;
const isBrought = (path) => path.startsWith(join(top, 'build/third_party/')) || path.includes('/ziglang/');
const isOurs = (path) => (path.startsWith(top) && !isBrought(path)) || kCompilers.test(path) || kSystemC.test(path);

const known = libraries();
const places = new Map(); // title → [product…], as the builds show

function note(product, paths) {
  assert.ok(paths.length > 0, `nothing was seen of ${product}`);
  const { found, strange } = librariesOf(paths, isOurs);
  assert.deepEqual(strange, [], `${product} has files that third_party/libraries.json does not know`);
  for (const id of found) {
    const { title } = known.find((library) => library.id === id);
    places.set(title, [...new Set([...(places.get(title) ?? []), product])].sort());
  }
}

before(() => {
  const native = join(top, 'build/release');
  note('native binary', [...ninjaInputs(native, 'bin/tabernetes'), ...neededBy(join(native, 'bin/tabernetes'))]);
  const binary = process.env.TABERNETES_STATIC ?? join(top, `build/release-${process.arch}/bin/tabernetes`);
  assert.ok(existsSync(binary), binary);
  note('native binary', ninjaInputs(dirname(dirname(binary)), 'bin/tabernetes'));
  note('WASM', ninjaInputs(join(top, 'build/wasm'), 'all'));
  note('`dist/cli.js`', [...bundledInto('cli.js'), ...bundledInto('index.js')]);
  note('`dist/certificates.js`', bundledInto('certificates.js'));
  note('page', bundledIntoPage());
});

test('THIRD_PARTY.md says what the linker and the bundlers saw, and where', () => {
  const said = [...documented()].filter(([, where]) => where.join() !== 'tests only').sort();
  assert.deepEqual(said, [...places].sort());
});

test('libraries.json knows nothing that no build takes', () => {
  assert.deepEqual(known.map(({ title }) => title).sort(), [...places.keys()].sort());
});

test('the bill of materials has the same', () => {
  const { components } = JSON.parse(readFileSync(file(`tabernetes-${version}.cdx.json`), 'utf8'));
  assert.deepEqual(components.map(({ name }) => name).sort(), [...places.keys()].sort());
});
