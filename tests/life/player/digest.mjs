// The digest of a history: everything of it that is compared.

import { digestEvents } from './event_digest.mjs';
import { identify } from './names.mjs';
import { digestObjects } from './object_digest.mjs';

/** The versions of each object and of each core Event, by uid. */
function versionsByUid(events) {
  const objects = new Map();
  const coreEvents = new Map();
  for (const event of events) {
    const { kind, type, object } = event;
    if (kind === 'configmaps' && object.metadata.name === 'openshift-service-ca.crt') continue;
    const into = kind === 'events' ? coreEvents : objects;
    const { uid } = object.metadata;
    if (!into.has(uid)) into.set(uid, { kind, versions: [] });
    into.get(uid).versions.push(event);
    into.get(uid).alive = type !== 'DELETED';
  }
  return { objects, coreEvents };
}

/** Returns kind/stable name → `manager|operation|subresource` of everybody who owns fields there. */
function digestManagers(managers, names) {
  const stable = new Map([...names.byUid.values()].map(({ kind, name, norm }) => [`${kind}/${name}`, norm]));
  const digest = new Map();
  for (const [key, entries] of Object.entries(managers ?? {})) {
    const [kind] = key.split('/');
    const name = stable.get(key) ?? names.text(key.slice(kind.length + 1));
    const about = kind === 'events' ? 'events' : `${kind}/${name}`;
    if (!digest.has(about)) digest.set(about, new Set());
    for (const { manager, operation, subresource } of entries) {
      digest.get(about).add(`${/^(kwok|kubelet)$/.test(manager) ? '<kubelet>' : manager}|${operation}|${subresource ?? ''}`);
    }
  }
  return digest;
}

/** @param {ReturnType<typeof import('./history.mjs').historyOf>} history */
export function digestOf(history) {
  const all = [...(history.initial ?? []), ...history.events];
  const names = identify(all);
  const { objects, coreEvents } = versionsByUid(all);
  return {
    names,
    actions: history.actions,
    objects: digestObjects(objects, names),
    events: digestEvents(coreEvents, history, names),
    managers: digestManagers(history.managers, names),
  };
}
