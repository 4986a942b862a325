// What a history says of its objects: how each ended, and the states that it walked through.

import { conditionsOf, viewOf } from './views.mjs';

/** Adds the states that differ from those before to the sequences of an object. */
class Transitions {
  seqs = new Map(); // condition → [[status and reason, message]…]
  order = []; // all of them in one line
  #before;

  see(now, isInitial) {
    const before = this.#before;
    for (const [type, state] of now) {
      const changed = before ? JSON.stringify(before.get(type)) !== JSON.stringify(state) : !isInitial;
      if (changed) this.#add(type, state, `${type}=${state[0]}`);
    }
    for (const type of before?.keys() ?? []) if (!now.has(type)) this.#add(type, ['(gone)', ''], `${type} gone`);
    this.#before = now;
  }

  #add(type, state, line) {
    if (!this.seqs.has(type)) this.seqs.set(type, []);
    this.seqs.get(type).push(state);
    this.order.push(line);
  }
}

/** Pods and leases are compared by their ends: a kubelet's steps between differ. */
const isFollowed = (kind) => kind !== 'pods' && kind !== 'leases';

function gracesOf(versions) {
  const graces = versions.map(({ object }) => object.metadata.deletionGracePeriodSeconds).filter((n) => n !== undefined);
  return [...new Set(graces)].join('→');
}

/** Returns { alive, view, seqs, order, states, graces } of the versions of one object. */
function digestObject({ kind, identity, versions, alive }, names) {
  if (!isFollowed(kind)) {
    const view = viewOf(kind, names.norm(versions.at(-1).object), identity, alive);
    const digest = { alive, seqs: new Map(), order: [], states: [], view };
    return kind === 'pods' ? { ...digest, graces: gracesOf(versions) } : digest;
  }
  const transitions = new Transitions();
  const states = [];
  let view;
  for (const { type, object: raw } of versions) {
    const object = names.norm(raw);
    view = viewOf(kind, object, identity, alive);
    transitions.see(conditionsOf(kind, view, object), type === 'INITIAL');
    const state = JSON.stringify({ ...view, status: { ...view.status, conditions: undefined } });
    if (type !== 'DELETED' && state !== states.at(-1)) states.push(state);
  }
  return { alive, seqs: transitions.seqs, order: transitions.order, states, view };
}

/**
 * Returns kind/stable name → the digests of all objects that had that name, in the order of their creation.
 * @param {Map<string, {kind: string, versions: object[], alive: boolean}>} objects by uid
 * @param {object} names what identify() returned
 */
export function digestObjects(objects, names) {
  const groups = new Map();
  for (const [uid, object] of objects) {
    const identity = names.byUid.get(uid);
    const key = `${object.kind}/${identity.norm}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(digestObject({ ...object, identity }, names));
  }
  return groups;
}
