// Histories with one fact spoilt, which the comparison has to notice.

const finals = ({ events }) => [...new Map(events.map((event) => [event.object.metadata.uid, event])).values()].filter(({ kind }) => kind !== 'events');

const tell = ({ kind, object }, what) => `${kind}/${object.metadata.name} ${what}`;

function aCoreEvent({ events }, random) {
  return random.pick(events.filter(({ kind }) => kind === 'events'))?.object.metadata.uid;
}

/** Returns [what it is of, a condition], or undefined. */
function aCondition({ events }, random) {
  const all = events
    .filter(({ kind }) => !/^(pods|nodes|events)$/.test(kind))
    .flatMap((event) => (event.object.status?.conditions ?? []).map((condition) => [tell(event, condition.type), condition]));
  return all.length ? random.pick(all) : undefined;
}

const versionsOf = ({ events }, uid) => events.filter(({ object }) => object.metadata.uid === uid);

function spoilOwner([owner, ...others], how) {
  if (how === 0) return others;
  if (how === 1) owner.name += 'x';
  else if (how === 2) owner.blockOwnerDeletion = !owner.blockOwnerDeletion;
  else owner.kind += 'X';
  return [owner, ...others];
}

const kKwokNode = 'kwok.x-k8s.io/node';
const annotationsOf = ({ object }) => Object.keys(object.metadata.annotations ?? {}).filter((key) => key !== kKwokNode);

/**
 * Each spoils one fact of a history in place and returns what it did, or undefined if there is nothing of that sort.
 * @type {Record<string, (history: object, random: import('./random.mjs').Random) => string | undefined>}
 */
export const kMutations = {
  'drop an event': (history, random) => {
    const uid = aCoreEvent(history, random);
    if (!uid) return undefined;
    const [{ object }] = versionsOf(history, uid);
    history.events = history.events.filter((event) => event.object.metadata.uid !== uid);
    return `${object.reason} ${object.message}`;
  },
  "an event's reason": (history, random) => {
    const uid = aCoreEvent(history, random);
    if (!uid) return undefined;
    for (const { object } of versionsOf(history, uid)) object.reason += 'X';
    return uid;
  },
  "a condition's reason": (history, random) => {
    const [about, condition] = aCondition(history, random) ?? [];
    if (condition) condition.reason = `${condition.reason ?? ''}X`;
    return about;
  },
  "a condition's message": (history, random) => {
    const [about, condition] = aCondition(history, random) ?? [];
    if (condition) condition.message = `${condition.message ?? ''} x`;
    return about;
  },
  'a counter of the final status': (history, random) => {
    const counters = finals(history)
      .filter(({ kind }) => !/^(pods|nodes|events|leases)$/.test(kind))
      .flatMap((event) => Object.entries(event.object.status ?? {}).filter(([, value]) => typeof value === 'number').map(([field]) => [event, field]));
    if (!counters.length) return undefined;
    const [event, field] = random.pick(counters);
    event.object.status[field] += random.pick([-1, 1]);
    return tell(event, field);
  },
  'an owner': (history, random) => {
    const owned = finals(history).filter(({ object }) => object.metadata.ownerReferences?.length);
    if (!owned.length) return undefined;
    const event = random.pick(owned);
    const how = random.below(4);
    for (const { object: { metadata } } of versionsOf(history, event.object.metadata.uid)) {
      if (metadata.ownerReferences) metadata.ownerReferences = spoilOwner(metadata.ownerReferences, how);
    }
    return tell(event, how);
  },
  'a manager': ({ managers }, random) => {
    const key = random.pick(Object.keys(managers));
    const entry = random.pick(managers[key]);
    if (!entry) return undefined;
    const how = random.below(3);
    if (how === 0) entry.manager += 'x';
    else if (how === 1) entry.operation = 'Apply';
    else entry.subresource = entry.subresource === 'status' ? undefined : 'status';
    return key;
  },
  'an annotation': (history, random) => {
    const annotated = finals(history).filter((event) => event.kind !== 'leases' && annotationsOf(event).length);
    if (!annotated.length) return undefined;
    const event = random.pick(annotated);
    const key = random.pick(annotationsOf(event));
    if (random.below(2)) delete event.object.metadata.annotations[key];
    else event.object.metadata.annotations[key] += ' x';
    return tell(event, key);
  },
  'an answer': ({ actions }, random) => {
    const action = random.pick(actions.filter((one) => 'status' in one || 'ok' in one || 'rc' in one));
    if ('ok' in action) action.ok = !action.ok;
    else action['rc' in action ? 'rc' : 'status']++;
    return action.do;
  },
};
