// Tests that docs/reference/ says what the types of the npm package say.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { entryPoints, kTarget, pagesOf, writeReference } from '../docs.mjs';
import { top } from '../lib/top.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tabernetes-docs-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('the reference is what the types say', async () => {
  await writeReference(join(folder, 'reference'));
  const [written, kept] = [join(folder, 'reference'), join(top, kTarget)].map(pagesOf);
  assert.deepEqual(Object.keys(kept), Object.keys(written), 'npm run docs');
  for (const [name, text] of Object.entries(written)) assert.equal(kept[name], text, `${kTarget}/${name} is not current: npm run docs`);
});

test('every entry with types has a page', () => {
  assert.equal(Object.keys(pagesOf(join(top, kTarget))).length, entryPoints().length + 1);
});
