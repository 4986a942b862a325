// A history: what happened in a namespace and to the cluster-scoped objects around it, version by version. A recording has
// one, and so has every replay.

import { isNamespaced } from './resources.mjs';

/** When the last action of a recording was over; what the recorder took away afterwards is no part of it. */
function endOf(actions) {
  return actions.some((action) => 'tEnd' in action) ? Math.max(...actions.map(({ t, tEnd }) => tEnd ?? t)) : Infinity;
}

/**
 * Returns the history of a recording, or of a replay, whose nodes at the start are in `initial`.
 * @returns {{events: object[], initial: object[], actions: object[], managers: object, nodeNames: Set<string>}}
 */
export function historyOf(recording) {
  const { events, actions, managers } = recording;
  const nodeNames = new Set(events.filter(({ kind }) => kind === 'nodes').map(({ object }) => object.metadata.name));
  const initial = recording.initial ?? recording.initialNodes
    .filter((node) => node.metadata && nodeNames.has(node.metadata.name))
    .map((object) => ({ kind: 'nodes', type: 'INITIAL', object }));
  const end = endOf(actions);
  const takenAway = ({ t, kind, type, object }) =>
    (type === 'DELETED' || object.metadata.deletionTimestamp) && t > end && (!isNamespaced(kind) || kind === 'leases');
  return { events: events.filter((event) => !takenAway(event)), initial, actions, managers, nodeNames };
}
