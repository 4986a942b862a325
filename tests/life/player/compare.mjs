// Compares two digests.

import { compareActions } from './compare_actions.mjs';
import { compareEvents } from './compare_events.mjs';
import { compareObjects } from './compare_objects.mjs';
import { Differences } from './differences.mjs';

/** Check e: who owns fields. Kubelets write otherwise than the recorder's nodes. */
function compareManagers({ managers: recorded }, { managers: live }, out) {
  for (const [about, want] of recorded) {
    const got = live.get(about) ?? want;
    const tell = (manager, what) => out.add('e', !manager.startsWith('<kubelet>'), `${about}: manager ${manager} is ${what}`);
    for (const manager of want) if (!got.has(manager)) tell(manager, 'missing');
    for (const manager of got) if (!want.has(manager)) tell(manager, 'not recorded');
  }
}

/**
 * @param {ReturnType<typeof import('./digest.mjs').digestOf>} recorded
 * @param {ReturnType<typeof import('./digest.mjs').digestOf>} live
 * @returns {import('./differences.mjs').Difference[]}
 */
export function compare(recorded, live) {
  const out = new Differences();
  compareActions(recorded, live, out);
  compareObjects(recorded, live, out);
  compareEvents(recorded, live, out);
  compareManagers(recorded, live, out);
  return out.list;
}
