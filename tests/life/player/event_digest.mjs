// What a history says of core Events: one group for each object, type, reason, message and component.

import { flatten } from './views.mjs';

const kCombined = '(combined from similar events): ';
const kMayBeExtra = /^(Scheduled|Pulled|Pulling|Created|Started|Killing|BackOff|Starting|NodeHas.*|NodeReady|NodeAllocatable.*)$/;
const kScaled = /^(Scaled (?:up|down)) replica set (\S+) from (\d+) to (\d+)$/;

/** Which fields an Event has, and who reports what. */
function shapeOf(event) {
  const paths = [...flatten({ ...event, metadata: undefined, series: undefined, count: undefined }).keys()].sort();
  return `${paths.join(' ')} ${event.reportingComponent}/${event.action ?? ''}`;
}

/** Follows how a Deployment scaled one of its ReplicaSets: what was told, write by write. */
class Scalings {
  #writes = new Map(); // Deployment and ReplicaSet → [[event, from, to]…]

  see(key, versions, from, to) {
    if (!this.#writes.has(key)) this.#writes.set(key, []);
    let had = 0;
    for (const version of versions) {
      for (; had < (version.object.count ?? 1); had++) this.#writes.get(key).push([version, from, to]);
    }
  }

  /** Returns key → { runs, steps }: `steps` has every step, `runs` joins those of one direction. */
  digest(events) {
    const runs = new Map();
    for (const [key, writes] of this.#writes) {
      writes.sort((a, b) => events.indexOf(a[0]) - events.indexOf(b[0]));
      runs.set(key, { runs: joined(writes), steps: writes.map(([, from, to]) => `${from}→${to}`).join(' ') });
    }
    return runs;
  }
}

function joined(writes) {
  const runs = [];
  for (const [, from, to] of writes) {
    const last = runs.at(-1);
    if (last && last[1] === from && Math.sign(last[1] - last[0]) === Math.sign(to - from)) last[1] = to;
    else runs.push([from, to]);
  }
  return runs.map((run) => run.join('→')).join(' ');
}

/** Whether an Event is a kubelet's, or about a node that the scenario does not have. */
function isForeign(event, who, nodeNames) {
  const outside = ['default', undefined].includes(event.metadata.namespace) && !nodeNames.has(event.involvedObject?.name);
  return /^(kubelet|kwok)/.test(who) || outside;
}

function messageOf(event, who, names) {
  const text = names.text(event.message ?? '');
  const message = text.startsWith(kCombined) ? text.slice(kCombined.length) : text;
  if (who !== 'default-scheduler') return message;
  return message.replace(/ to \S+$/, ' to <node>').replace(/ on node \S+$/, ' on node <node>');
}

class EventDigest {
  groups = new Map();
  scalings = new Scalings();
  firstFailures = new Map(); // object → its first FailedScheduling
  combined = new Set(); // object and reason whose like Events were combined
  #names;

  constructor(names) {
    this.#names = names;
  }

  see(versions, nodeNames) {
    const event = versions.at(-1).object;
    const who = event.source?.component || event.reportingComponent || '?';
    if (isForeign(event, who, nodeNames)) return;
    const { kind, name = '' } = event.involvedObject ?? {};
    const about = `${kind}/${this.#names.text(name)}`;
    if (versions.some(({ object }) => object.message?.startsWith('(combined'))) this.combined.add(`${about} ${event.reason}`);
    this.#count(versions, event, who, about, messageOf(event, who, this.#names));
  }

  #count(versions, event, who, about, told) {
    const scaled = event.reason === 'ScalingReplicaSet' && kScaled.exec(told);
    if (scaled) this.scalings.see(`${about} ${scaled[2]}`, versions, Number(scaled[3]), Number(scaled[4]));
    const message = scaled ? `${scaled[1]} replica set ${scaled[2]} from A to B` : told;
    const unschedulable = event.reason === 'FailedScheduling';
    if (unschedulable && !this.firstFailures.has(about)) this.firstFailures.set(about, `${event.type} ${message}`);
    const text = unschedulable ? '' : `${JSON.stringify(message)} `;
    const group = this.#group(`${about} ${event.type} ${event.reason} ${text}(${who})`, event.reason, about, !!scaled);
    const times = event.series?.count ?? event.count ?? 1;
    group.total += times;
    group.objects++;
    group.texts.set(message, (group.texts.get(message) ?? 0) + times);
    group.shapes.add(shapeOf(event));
  }

  #group(key, reason, about, scale) {
    if (!this.groups.has(key)) {
      const counts = { total: 0, objects: 0, texts: new Map(), shapes: new Set() };
      this.groups.set(key, { reason, about: `${about} ${reason}`, ...counts, scale, extraOk: kMayBeExtra.test(reason) });
    }
    return this.groups.get(key);
  }
}

/**
 * @param {Map<string, {versions: object[]}>} coreEvents by uid
 * @returns {{groups: Map, runs: Map, firstFailures: Map, combined: Set}}
 */
export function digestEvents(coreEvents, history, names) {
  const digest = new EventDigest(names);
  for (const { versions } of coreEvents.values()) digest.see(versions, history.nodeNames);
  const { groups, firstFailures, combined, scalings } = digest;
  return { groups, runs: scalings.digest(history.events), firstFailures, combined };
}
