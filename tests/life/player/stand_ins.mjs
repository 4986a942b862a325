// Finds what stands in a replay where a randomly named object stood in the recording: one of the same class, at the same
// place in the order of creation, and of a DaemonSet's pods the one on the same node.

import { identify } from './names.mjs';
import { lookup } from './objects.mjs';
import { anyWord, kUid } from './text.mjs';

const isLeaving = ({ type, object }) => type === 'DELETED' || object.metadata.deletionTimestamp;

/** Groups events by the uid of their objects. */
function eventsByUid(events) {
  const groups = new Map();
  for (const event of events) {
    const { uid } = event.object.metadata;
    if (!groups.has(uid)) groups.set(uid, []);
    groups.get(uid).push(event);
  }
  return groups;
}

const nodeOf = (events) => lookup(events.filter(({ object }) => object.spec?.nodeName).at(-1)?.object, 'spec.nodeName');

export class StandIns {
  #recorded; // what identify() says of the recording
  #recordedEvents; // by uid
  #initial;
  #events;
  #found = new Map(); // recorded name → live name
  #randomNames;

  /** @param {object[]} initial @param {object[]} events of the replay, which grow meanwhile */
  constructor(recording, initial, events) {
    this.#recorded = identify(recording.events);
    this.#recordedEvents = eventsByUid(recording.events.filter(({ kind }) => kind !== 'events'));
    this.#initial = initial;
    this.#events = events;
    const named = new Set([...this.#recorded.byUid.values()].map(({ name }) => name));
    this.#randomNames = new RegExp(anyWord([...this.#recorded.names.keys()].filter((name) => named.has(name))), 'g');
  }

  /** Returns a value of the recording with the names and uids of the replay. `time`: the time in the recording. */
  rename(value, time) {
    if (value === undefined) return undefined;
    const text = JSON.stringify(value)
      .replace(new RegExp(kUid, 'g'), (uid) => this.#uid(uid, time))
      .replace(this.#randomNames, (name) => this.#name(name, time));
    return JSON.parse(text);
  }

  #name(name, time) {
    if (this.#found.has(name)) return this.#found.get(name);
    const [uid, identity] = [...this.#recorded.byUid].find(([, one]) => one.name === name) ?? [];
    if (!uid) return name;
    const onNode = (events) => (identity.fixedNode && identity.kind === 'pods' ? nodeOf(events) : undefined);
    const node = onNode(this.#recordedEvents.get(uid));
    const place = this.#placeAmongPeers(uid, identity, time, (events) => onNode(events) === node);
    const candidates = this.#candidates(identity, (events) => !node || onNode(events) === node);
    const found = candidates[Math.min(place, candidates.length - 1)];
    if (found) this.#found.set(name, found);
    return found ?? name;
  }

  /** The place of a recorded object among those of its class that were there at a time and have no stand-in yet. */
  #placeAmongPeers(uid, { kind, norm }, time, isOnNode) {
    const wasThere = (events) => events[0].t <= time && !events.some((event) => event.t <= time && isLeaving(event));
    const peers = [...this.#recorded.byUid]
      .filter(([, one]) => one.kind === kind && one.norm === norm)
      .filter(([other]) => other === uid || (wasThere(this.#recordedEvents.get(other)) && isOnNode(this.#recordedEvents.get(other))))
      .filter(([, one]) => !this.#found.has(one.name))
      .map(([other]) => other);
    return Math.max(0, peers.indexOf(uid));
  }

  #candidates({ kind, norm }, isOnNode) {
    const byUid = eventsByUid(this.#events);
    const taken = new Set(this.#found.values());
    return [...identify(this.#events).byUid]
      .filter(([uid, one]) => one.kind === kind && one.norm === norm && !byUid.get(uid).some(isLeaving) && isOnNode(byUid.get(uid)))
      .map(([, { name }]) => name)
      .filter((name) => !taken.has(name));
  }

  /** The uid of the object of the same kind and name; of several, the one made in the same turn. */
  #uid(uid, time) {
    const identity = this.#recorded.byUid.get(uid);
    if (!identity) return uid;
    const turns = [...this.#recorded.byUid].filter(([, { kind, name }]) => kind === identity.kind && name === identity.name);
    const turn = turns.findIndex(([other]) => other === uid);
    const name = this.#name(identity.name, time);
    const mine = [...this.#initial, ...this.#events].filter(({ kind, object }) => kind === identity.kind && object.metadata.name === name);
    const uids = [...new Set(mine.map(({ object }) => object.metadata.uid))];
    return uids[Math.min(turn, uids.length - 1)] ?? uid;
  }
}
