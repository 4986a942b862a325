// Proofs that the comparison is fair, and that it notices.

import { compare } from './compare.mjs';
import { digestOf } from './digest.mjs';
import { historyOf } from './history.mjs';
import { kMutations } from './mutations.mjs';
import { clone } from './objects.mjs';
import { scramble } from './scramble.mjs';

/** Compares a recording with itself, and with itself as chance might have it. Returns the differences: none, if it is fair. */
export function compareWithItself(recording, random) {
  const digest = digestOf(historyOf(recording));
  const copy = compare(digest, digestOf(historyOf(clone(recording))));
  const scrambled = compare(digest, digestOf(historyOf(scramble(recording, random))));
  return [...copy, ...scrambled.map((difference) => ({ ...difference, text: `scrambled: ${difference.text}` }))];
}

/**
 * Spoils a fact `times` times.
 * @returns {{n: number, hard: number, soft: number, missed: Record<string, string[]>}} how many, how many of them were
 *   noticed, and by mutation what was not
 */
export function spoil(recording, times, random) {
  const digest = digestOf(historyOf(recording));
  const result = { n: 0, hard: 0, soft: 0, missed: {} };
  for (let tries = 0; result.n < times && tries < 20 * times; tries++) {
    const { actions, managers, initialNodes } = recording;
    const spoilt = clone({ events: historyOf(recording).events, actions, managers, initialNodes });
    const mutation = random.pick(Object.keys(kMutations));
    const what = kMutations[mutation](spoilt, random);
    if (what === undefined) continue;
    result.n++;
    const differences = compare(digest, digestOf(historyOf({ ...recording, ...spoilt })));
    if (differences.some(({ hard }) => hard)) result.hard++;
    else if (differences.length) result.soft++;
    else (result.missed[mutation] ??= []).push(what);
  }
  return result;
}
