// What holds at every moment of a random history, and what holds when it has come to rest. Each function returns texts that
// say what does not hold.

const isActive = ({ metadata, status }) => !metadata.deletionTimestamp && !['Succeeded', 'Failed'].includes(status.phase);
const isReady = ({ metadata, status }) =>
  !metadata.deletionTimestamp && (status.conditions ?? []).some((condition) => condition.type === 'Ready' && condition.status === 'True');
const isLeaving = ({ metadata }) => metadata.deletionTimestamp !== undefined; // in the foreground: its pods go at once
const controllers = ({ metadata }) => (metadata.ownerReferences ?? []).filter(({ controller }) => controller);

const owned = (objects, uid) => objects.filter((object) => controllers(object).some((owner) => owner.uid === uid));

/** The pods of a Deployment: those of its ReplicaSets. */
export const podsOfDeployment = (state, uid) => owned(state.replicasets, uid).flatMap(({ metadata }) => owned(state.pods, metadata.uid));

function oneOwner({ pods }) {
  return pods.filter((pod) => controllers(pod).length > 1).map(({ metadata }) => `pod ${metadata.name} has several controllers`);
}

function ownAddresses({ pods }) {
  const seen = new Map();
  const faults = [];
  for (const { metadata, spec, status } of pods) {
    if (!status.podIP || ['Succeeded', 'Failed'].includes(status.phase)) continue;
    const key = `${spec.nodeName} ${status.podIP}`;
    if (seen.has(key)) faults.push(`pods ${seen.get(key)} and ${metadata.name} have one address, ${key}`);
    seen.set(key, metadata.name);
  }
  return faults;
}

function quotaKept({ pods, quotas }) {
  return quotas.flatMap(({ metadata, spec, status }) => {
    const there = pods.filter((pod) => pod.metadata.namespace === metadata.namespace && !['Succeeded', 'Failed'].includes(pod.status.phase)).length;
    const most = Number(spec.hard.pods);
    const faults = there > most ? [`quota of ${metadata.namespace}: ${there} pods of ${most}`] : [];
    const used = Number(status?.used?.pods ?? 0);
    return used > most ? [...faults, `quota of ${metadata.namespace}: ${used} used of ${most}`] : faults;
  });
}

/** A Deployment keeps to the widest bounds that it had since it was last at rest. */
function deploymentBounds(state, bounds) {
  return state.deployments.filter((one) => !isLeaving(one)).flatMap(({ metadata }) => {
    const bound = bounds.get(metadata.uid);
    if (!bound) return [];
    const pods = podsOfDeployment(state, metadata.uid);
    const active = pods.filter(isActive).length;
    const ready = pods.filter(isReady).length;
    return [
      ...(active > bound.most ? [`deployment ${metadata.name}: ${active} pods, at most ${bound.most} are allowed`] : []),
      ...(!bound.disturbed && ready < bound.least ? [`deployment ${metadata.name}: ${ready} are available, at least ${bound.least} must be`] : []),
    ];
  });
}

/** The pods of an ordered StatefulSet come and go one at a time: all lower ordinals are there. */
function ordinals(state, bounds) {
  return state.statefulsets.filter((one) => !isLeaving(one)).flatMap(({ metadata }) => {
    if (bounds.get(metadata.uid)?.disturbed) return [];
    const pods = owned(state.pods, metadata.uid);
    const numbers = pods.map((pod) => Number(pod.metadata.name.slice(metadata.name.length + 1))).sort((a, b) => a - b);
    const missing = numbers.length ? numbers.at(-1) + 1 - numbers.length : 0;
    const unready = pods.filter((pod) => !isReady(pod)).length;
    const told = `statefulset ${metadata.name} has the ordinals ${numbers.join()}`;
    return [
      ...(new Set(numbers).size < numbers.length ? [`${told}: one twice`] : []),
      ...(missing + unready > 1 ? [`${told}, ${unready} of them not ready: more than one at a time`] : []),
    ];
  });
}

/** Returns what is wrong at some moment. `bounds`: what each workload must keep to, by uid. */
export function faultsNow(state, bounds) {
  return [...oneOwner(state), ...ownAddresses(state), ...quotaKept(state), ...deploymentBounds(state, bounds), ...ordinals(state, bounds)];
}

/** Returns what is wrong in a state of rest, in which every workload has what it asks for. `limited`: a quota may forbid it. */
export function faultsAtRest(state, isLimited) {
  const uids = new Set([...state.replicasets, ...state.statefulsets, ...state.daemonsets, ...state.jobs].map(({ metadata }) => metadata.uid));
  const orphans = state.pods.filter((pod) => controllers(pod).length && !uids.has(controllers(pod)[0].uid));
  const faults = orphans.map(({ metadata }) => `pod ${metadata.name} is left of an owner that is gone`);
  const expect = (what, { metadata }, got, wanted) => {
    if (!isLimited(metadata.namespace) && got !== wanted) faults.push(`${what} ${metadata.name} rests with ${got} of ${wanted}`);
  };
  for (const one of state.deployments) {
    expect('deployment', one, podsOfDeployment(state, one.metadata.uid).filter(isReady).length, one.spec.replicas);
    expect('status of deployment', one, one.status.availableReplicas ?? 0, one.spec.replicas);
    expect('observed generation of deployment', one, one.status.observedGeneration, one.metadata.generation);
  }
  for (const one of state.statefulsets) {
    expect('statefulset', one, owned(state.pods, one.metadata.uid).filter(isReady).length, one.spec.replicas);
    expect('status of statefulset', one, one.status.readyReplicas ?? 0, one.spec.replicas);
  }
  for (const one of state.daemonsets) expect('daemonset', one, one.status.numberReady, one.status.desiredNumberScheduled);
  for (const one of state.jobs) expect('job', one, one.status.succeeded ?? 0, one.spec.completions);
  return faults;
}
