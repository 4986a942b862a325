// Tests compareResourceVersions, and when the package's plain functions can be called.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { embeddedModule } from '../../tools/release/npm_packages.mjs';
import { compareResourceVersions, dist, ready } from './support.mjs';

test('newer versions are greater, of any length', () => {
  for (const [a, b, order] of [
    ['9', '10', -1],
    ['10', '9', 1],
    ['7', '7', 0],
    ['345678901234567890123456789012345678901', '2345678901234567890123456789012345678901', -1],
    ['18446744073709551616', '18446744073709551615', 1],
  ]) {
    assert.equal(compareResourceVersions(a, b), order, `${a} ${b}`);
  }
  assert.deepEqual(['100', '99', '1'].sort(compareResourceVersions), ['1', '99', '100']);
});

test('what is no version is thrown, whichever it is', () => {
  for (const text of ['', '0', '007', '+1', '1a', ' 1', '-1', '1.0']) {
    const error = { name: 'Error', message: `resource version is not well formed: ${text}` };
    assert.throws(() => compareResourceVersions(text, '1'), error);
    assert.throws(() => compareResourceVersions('1', text), error);
  }
  assert.equal(compareResourceVersions('1', '2'), -1); // the core still works
});

test('ready loads the core where it cannot be found at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-ready-'));
  cpSync(dist, folder, { recursive: true });
  const embedded = join(folder, 'node_modules/tabernetes-embedded');
  mkdirSync(embedded, { recursive: true });
  writeFileSync(join(embedded, 'package.json'), '{"type":"module","exports":"./index.js"}');
  writeFileSync(join(embedded, 'index.js'), embeddedModule(readFileSync(join(folder, 'tabernetes.wasm'))));
  rmSync(join(folder, 'tabernetes.wasm')); // as a bundler does; only the package beside it has the bytes
  const program = `
    const { compareResourceVersions, ready } = await import('${pathToFileURL(join(folder, 'index.js'))}');
    try { compareResourceVersions('1', '2'); } catch (error) { console.log(error.message); }
    await ready();
    console.log(compareResourceVersions('1', '2'));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  assert.equal(
    output,
    'tabernetes: the core is not loaded yet; `await ready()` or `await createCluster()` comes first\n-1\n',
  );
});

test('ready takes the WebAssembly that is handed in', async () => {
  await ready({ wasm: readFileSync(join(dist, 'tabernetes.wasm')) });
  assert.equal(compareResourceVersions('2', '1'), 1);
});
