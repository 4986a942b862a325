// Tests that a step is skipped only if none of its inputs have changed and its outputs exist.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isFresh, markFresh } from '../lib/stamp.mjs';
import { top } from '../lib/top.mjs';

const folder = `build/stamp-test-${process.pid}`;
const name = `test-${process.pid}`;
const write = (path, text) => writeFileSync(join(top, folder, path), text);
const fresh = () => isFresh(name, [`${folder}/in`, `${folder}/absent`], [`${folder}/out`]);

after(() => {
  rmSync(join(top, folder), { recursive: true, force: true });
  rmSync(join(top, 'build', 'stamps', name), { force: true });
});

test('a step is fresh after it ran, until an input, a new file or a missing output', () => {
  mkdirSync(join(top, folder, 'in', 'deep'), { recursive: true });
  write('in/deep/a', 'one');
  write('out', '');
  const mark = () => markFresh(name, [`${folder}/in`, `${folder}/absent`]);
  assert.equal(fresh(), false);
  mark();
  assert.equal(fresh(), true);
  write('in/deep/a', 'other');
  assert.equal(fresh(), false);
  mark();
  write('in/b', 'new');
  assert.equal(fresh(), false);
  mark();
  write('absent', 'now there');
  assert.equal(fresh(), false);
  mark();
  rmSync(join(top, folder, 'out'));
  assert.equal(fresh(), false);
});
