// Checks b and c: the same objects at the end and on the way, and the same states in the same order.

import { withoutPreemption } from './differences.mjs';
import { short } from './text.mjs';
import { flatten } from './views.mjs';

/**
 * Returns the differences of two views as [path, recorded, got]. What a real kubelet or another client adds is passed
 * over.
 */
function differ(kind, recorded, live) {
  const want = flatten(recorded);
  const got = flatten(live);
  const added = (path) =>
    /conditions\.[^.]+\.observedGeneration$/.test(path) ||
    (kind === 'pods' && /^status\.conditions\.(?!PodScheduled|DisruptionTarget|Initialized|Ready|ContainersReady)/.test(path));
  return [
    ...[...want].filter(([path, value]) => got.get(path) !== value).map(([path, value]) => [path, value, got.get(path)]),
    ...[...got].filter(([path]) => !want.has(path) && !added(path)).map(([path, value]) => [path, undefined, value]),
  ];
}

/** Whether a differing leaf depends on timing, or is the kubelets'. */
function isSoft(kind, alive, [path, recorded, got]) {
  return (
    (/message$/.test(path) && withoutPreemption(recorded) === withoutPreemption(got)) ||
    (kind === 'endpointslices' && path === 'metadata.generation') ||
    (kind === 'pods' && /^status\.conditions\..*\//.test(path)) || // readiness gates: the recorder's nodes set them
    (!alive && /^status\./.test(path) && kind !== 'pods') ||
    (kind === 'nodes' && recorded === undefined && /^metadata\.(labels|annotations)/.test(path))
  );
}

function tellLeaf([path, recorded, got]) {
  if (recorded === undefined) return `${path}: not recorded, got ${short(got)}`;
  return `${path}: recorded ${short(recorded)}, ${got === undefined ? 'missing' : `got ${short(got)}`}`;
}

const isSame = (a, b) => JSON.stringify(a.view) === JSON.stringify(b.view) && a.graces === b.graces;

function remove(list, entry) {
  list.splice(list.indexOf(entry), 1);
}

/** Takes equal objects out of both lists. Returns the others as pairs, the most alike first. */
function pairsOf(kind, recorded, live) {
  for (const mine of [...recorded]) {
    const twin = live.find((other) => isSame(mine, other));
    if (!twin) continue;
    remove(recorded, mine);
    remove(live, twin);
  }
  const all = recorded.flatMap((a) => live.map((b) => ({ a, b, leaves: differ(kind, a.view, b.view) })));
  return all.sort((one, other) => one.leaves.length - other.leaves.length);
}

/** Compares those objects of a name that are there at the end, or those that are not. */
function compareEnds(key, recorded, live, alive, out) {
  const [kind] = key.split('/');
  for (const { a, b, leaves } of pairsOf(kind, recorded, live)) {
    if (!recorded.includes(a) || !live.includes(b)) continue;
    remove(recorded, a);
    remove(live, b);
    for (const leaf of leaves) out.add('b', !isSoft(kind, alive, leaf), `${key}${alive ? '' : ' (deleted)'}: ${tellLeaf(leaf)}`);
    if (a.graces !== b.graces) {
      const first = (graces) => (graces ?? '').split('→')[0];
      out.add('b', first(a.graces) !== first(b.graces), `${key}: grace periods: recorded ${a.graces || 'none'}, got ${b.graces || 'none'}`);
    }
  }
}

const line = (states, full) => states.map(([state, message]) => (full && message ? `${state} ${JSON.stringify(message)}` : state)).join(' → ') || '(never)';

/** ReplicaSetUpdated comes once or more often, as updates of the status fall together. */
const settled = (states) => states.filter(([state]) => !/ReplicaSetUpdated/.test(state));

/** Compares the states of every condition. Returns whether all are the same. */
function compareSequences(key, recorded, live, out) {
  let same = true;
  for (const type of new Set([...recorded.seqs.keys(), ...live.seqs.keys()])) {
    const want = recorded.seqs.get(type) ?? [];
    const got = live.seqs.get(type) ?? [];
    if (line(want, true) === line(got, true)) continue;
    same = false;
    const onlyMessages = line(want) === line(got);
    const soft = line(settled(want), true) === line(settled(got), true) || (onlyMessages && key.startsWith('namespaces/'));
    out.add('c', !soft, `${key}: ${type}: recorded ${short(line(want, onlyMessages), 500)}; got ${short(line(got, onlyMessages), 500)}`);
  }
  return same;
}

function tellState(kind, state) {
  const view = JSON.parse(state);
  if (Object.keys(view.status ?? {}).length) return short(view.status, 260);
  return short(view.spec && kind !== 'nodes' ? { metadata: view.metadata } : view, 260);
}

function compareSteps(key, recorded, live, out) {
  const [kind] = key.split('/');
  const want = new Set(recorded.states);
  const got = new Set(live.states);
  for (const state of got) if (!want.has(state)) out.soft('c', `${key}: a step not recorded: ${tellState(kind, state)}`);
  for (const state of want) if (!got.has(state)) out.soft('c', `${key}: a recorded step is not shown: ${tellState(kind, state)}`);
  let newest = 0;
  for (const state of live.states) {
    const seen = JSON.parse(state).status?.observedGeneration ?? newest;
    if (seen < newest) out.soft('c', `${key}: observedGeneration goes back from ${newest} to ${seen}`);
    newest = Math.max(newest, seen);
  }
}

function compareTransitions(key, recorded, live, out) {
  const same = compareSequences(key, recorded, live, out);
  if (same && recorded.order.join() !== live.order.join()) {
    out.soft('c', `${key}: order of transitions: recorded ${short(recorded.order.join(', '), 500)}; got ${short(live.order.join(', '), 500)}`);
  }
  compareSteps(key, recorded, live, out);
}

const count = (list) => `${list.filter(({ alive }) => alive).length} at the end, ${list.length} ever`;

/** @param {import('./differences.mjs').Differences} out */
export function compareObjects(recorded, live, out) {
  for (const key of new Set([...recorded.objects.keys(), ...live.objects.keys()])) {
    const want = recorded.objects.get(key) ?? [];
    const got = live.objects.get(key) ?? [];
    if (count(want) !== count(got)) out.hard('b', `${key}: recorded ${count(want)}; got ${count(got)}`);
    for (const alive of [true, false]) {
      const those = (list) => list.filter((object) => object.alive === alive);
      compareEnds(key, those(want), those(got), alive, out);
    }
    want.forEach((object, index) => got[index] && compareTransitions(key, object, got[index], out));
  }
}
