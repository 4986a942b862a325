// The tasks of the tour can be solved, and are not solved before.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { compareResourceVersions, decode, encode, ready } from '../../dist/index.js';
import { wasmHost } from './hosts.mjs';
import { exercisesText, pageModule, tourFiles } from './tour_code.mjs';

const { Attempt, clusterKind, readExercises, readSections } = await pageModule('tour/proving.ts');
const codec = { encode, decode, compareResourceVersions };

describe('exercises', () => {
  let host;
  before(async () => {
    await ready();
    host = await wasmHost(clusterKind());
  });
  after(() => host.stop());

  for (const exercise of readExercises(exercisesText())) {
    test(exercise.id, async () => {
      assert.ok(readSections(tourFiles()).some(({ id }) => id === exercise.section), exercise.section);
      for (const words of [exercise, exercise.title, exercise.hint]) assert.ok(words.en && words.uk);
      const cluster = await host.fresh();
      const attempt = await Attempt.begin(exercise, cluster, codec);
      try {
        assert.equal(exercise.en.includes('{v}'), attempt.version !== '' && exercise.en.includes('{v}'));
        assert.notEqual(await attempt.missing(), '');
        for (const line of exercise.solution.trim().split('\n')) await attempt.send(line);
        assert.equal(await attempt.missing(), '');
      } finally {
        attempt.end();
        cluster.dispose();
      }
    });
  }
});
