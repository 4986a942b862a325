// Names that chance decides, replaced by stable ones: two histories of one scenario then read the same.
//
//   web-7d9c5bb9f-x2k8q      web-<rev1>-<r>      the first template of web, some pod of it
//   tick-29923503            tick-<minute0>      the job of the first minute
//   10.244.0.7, uids, times  <ip>, <uid:kind/name>, <time>

import { controllerOf } from './objects.mjs';
import { anyWord, kUid } from './text.mjs';

const kSuffix = /^[a-z0-9]{5}$/;
const kMinute = /^\d{6,}$/;

/** The first minute for which a cron job of the history made a job. */
function firstMinute(events) {
  const minutes = events
    .filter(({ kind, object }) => kind === 'jobs' && controllerOf(object.metadata)?.kind === 'CronJob')
    .map(({ object }) => /-(\d{6,})$/.exec(object.metadata.name))
    .filter(Boolean)
    .map((match) => Number(match[1]));
  return Math.min(...minutes);
}

/** Gives each object of a history its stable name. */
class Namer {
  byUid = new Map(); // uid → { kind, name, norm, fixedNode }
  names = new Map(); // name or hash → stable name
  #hashes = new Map(); // hash of a template → the stable names of its revisions
  #revisions = new Map(); // kind and owner → how many revisions were seen
  #firstMinute;

  constructor(events) {
    this.#firstMinute = firstMinute(events);
    for (const event of events) this.#see(event);
    for (const [hash, revisions] of this.#hashes) {
      if (hash.length > 4) this.names.set(hash, revisions.size === 1 ? [...revisions][0] : '<rev>');
    }
  }

  #see({ kind, object }) {
    const { metadata } = object;
    if (kind === 'events' || this.byUid.has(metadata.uid)) return;
    const owner = controllerOf(metadata);
    const norm = this.#stable(kind, metadata, owner);
    if (norm !== metadata.name) this.names.set(metadata.name, norm);
    const fixedNode = kind !== 'pods' || owner?.kind === 'DaemonSet' || !!object.spec?.nodeName;
    this.byUid.set(metadata.uid, { kind, name: metadata.name, norm, fixedNode });
  }

  #stable(kind, metadata, owner) {
    const { name, generateName } = metadata;
    const after = (prefix) => (prefix && name.startsWith(prefix) ? name.slice(prefix.length) : undefined);
    const ofOwner = owner && after(`${owner.name}-`);
    if ((kind === 'replicasets' && owner?.kind === 'Deployment') || kind === 'controllerrevisions') {
      return ofOwner ? this.#revision(kind, name, owner, ofOwner) : name;
    }
    if (kind === 'jobs' && owner?.kind === 'CronJob' && kMinute.test(ofOwner ?? '')) {
      return `${owner.name}-<minute${Number(ofOwner) - this.#firstMinute}>`;
    }
    if (owner?.kind === 'StatefulSet') return name;
    if (kSuffix.test(after(generateName) ?? '')) return `${this.#known(generateName.replace(/-$/, ''))}-<r>`;
    const rest = owner && ['pods', 'endpointslices'].includes(kind) && after(owner.name);
    return rest && /^(-\d+)?-[a-z0-9]{5}$/.test(rest) ? `${this.#known(owner.name)}${rest.slice(0, -5)}<r>` : name;
  }

  /** A ReplicaSet or ControllerRevision: the nth template of its owner, also when it is made again. */
  #revision(kind, name, owner, hash) {
    const norm = this.names.get(name) ?? `${owner.name}-<rev${this.#count(kind + owner.name)}>`;
    if (!this.#hashes.has(hash)) this.#hashes.set(hash, new Set());
    this.#hashes.get(hash).add(/<rev\d+>$/.exec(norm)[0]);
    return norm;
  }

  #count(key) {
    this.#revisions.set(key, (this.#revisions.get(key) ?? 0) + 1);
    return this.#revisions.get(key);
  }

  /** The stable form of a name that may end in an index. */
  #known(name) {
    const indexed = (all, head) => (this.names.has(head) ? all.replace(head, this.names.get(head)) : all);
    return this.names.get(name) ?? name.replace(/^(.*)-\d+$/, indexed);
  }
}

/**
 * Looks at every object's first appearance.
 * @returns {{byUid: Map<string, object>, names: Map<string, string>, text: (s: string) => string, norm: (o: object) => object}}
 *   `text` replaces what chance decided in a text, `norm` in an object
 */
export function identify(events) {
  const { byUid, names } = new Namer(events);
  const random = new RegExp([
    `(?<uid>${kUid})`,
    String.raw`(?<time>\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))`,
    String.raw`(?<ip>\b(?:10\.\d+|172\.(?:1[6-9]|2\d|3[01])|192\.168|100\.64)\.\d+\.\d+\b)`,
    String.raw`(?<token>\bkube-api-access-[a-z0-9]{5}\b)`,
    `(?<name>${anyWord(names.keys())})`,
  ].join('|'), 'g');
  const stable = (...match) => {
    const { name, uid, time, ip } = match.at(-1);
    if (name !== undefined) return names.get(name);
    if (uid) return byUid.has(uid) ? `<uid:${byUid.get(uid).kind}/${byUid.get(uid).norm}>` : '<uid>';
    return time ? '<time>' : ip ? '<ip>' : 'kube-api-access-<r>';
  };
  // Pods that were refused had names too.
  const text = (s) => s.replace(random, stable).replace(/(<rev\d+>)-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1-<r>');
  return { byUid, names, text, norm: (object) => JSON.parse(text(JSON.stringify(object))) };
}
