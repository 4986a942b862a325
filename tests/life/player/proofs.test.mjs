// The comparison is fair: a recording equals itself, also when everything that chance decides is decided otherwise. And it
// notices: facts of a recording that are spoilt.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readRecording, recordingNames } from '../recordings.mjs';
import { compareWithItself, spoil } from './proofs.mjs';
import { Random } from './random.mjs';

const recordings = recordingNames().map(readRecording);

test('a recording equals itself, and itself as chance might have it', () => {
  const random = new Random(1);
  for (const recording of recordings) {
    assert.deepEqual(compareWithItself(recording, random), [], recording.name);
  }
});

test('spoilt facts are noticed, as hard differences where timing explains nothing', () => {
  const { mutations, seed, noticed } = JSON.parse(readFileSync(new URL('figures.json', import.meta.url), 'utf8'));
  const random = new Random(seed);
  const found = recordings.map((recording) => {
    const { n, hard, soft } = spoil(recording, mutations, random);
    return [recording.name, [hard, soft, n - hard - soft]];
  });
  assert.deepEqual(Object.fromEntries(found), noticed);
});
