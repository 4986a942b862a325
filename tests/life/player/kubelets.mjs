// Kubelets as the recorder's nodes were: pods run at once and get ready, unless their annotation `sim` says otherwise; pods
// of Jobs end.

import { byType, controllerOf } from './objects.mjs';
import { pathOf } from './resources.mjs';

const kAgent = 'kwok/0.8.0';
const kStrategic = 'application/strategic-merge-patch+json';
const kMerge = 'application/merge-patch+json';
const kBeat = 10; // seconds

/** `sim` → seconds until the pod is ready. */
const kSlowlyReady = { slowready: 3, slowready1: 1 };
const kNotReadyAtOnce = ['neverready', ...Object.keys(kSlowlyReady)];
/** `sim` → [seconds until the containers end, their exit code]. */
const kEnds = { slowjob: [3, 0], slowjob8: [8, 0], fail: [1, 1], exit42: [1, 42] };

const kNodeConditions = [
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
];

function nodeConditions(before, now) {
  return kNodeConditions.map(([type, status, reason, message]) => {
    const lastTransitionTime = before[type]?.status === status ? before[type].lastTransitionTime : now;
    return { type, status, reason, message, lastHeartbeatTime: now, lastTransitionTime };
  });
}

function podConditions(ready, now) {
  const condition = (type) => ({
    type,
    status: ready ? 'True' : 'False',
    lastTransitionTime: now,
    reason: ready ? null : 'ContainersNotReady',
    message: ready ? null : 'containers with unready status: [c]',
  });
  return [{ type: 'Initialized', status: 'True', lastTransitionTime: now }, condition('Ready'), condition('ContainersReady')];
}

const containerStatuses = (pod, state) =>
  pod.spec.containers.map(({ name, image }) => ({ name, image, imageID: '', restartCount: 0, lastState: {}, ...state }));

export class Kubelets {
  #api;
  #clock;
  #nodes = new Map(); // name → what calls the next heartbeat off
  #pods = new Map(); // by uid
  #begun = new Set(); // what each pod has begun
  #addresses = 10;
  #stopped = false;

  constructor(api, clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** Starts the kubelet of a node, which may still have to be made. */
  async start(node) {
    if (this.#nodes.has(node)) return;
    this.#nodes.set(node, () => {});
    await this.#join(node, 100);
  }

  stop(node) {
    this.#nodes.get(node)?.();
    this.#nodes.delete(node);
  }

  stopAll() {
    for (const node of [...this.#nodes.keys()]) this.stop(node);
    this.#stopped = true;
  }

  /** Tells the kubelets of a change of a pod. */
  see(type, pod) {
    const { metadata: { uid, annotations, deletionTimestamp }, spec, status } = pod;
    if (type === 'DELETED') this.#pods.delete(uid);
    else this.#pods.set(uid, pod);
    if (type === 'DELETED' || !this.#nodes.has(spec.nodeName)) return;
    const sim = annotations?.sim;
    if (deletionTimestamp) this.#once(`delete ${uid}`, sim === 'grace' ? 4 : 0, () => this.#remove(pod));
    else if (status.phase === 'Pending') this.#once(`run ${uid}`, 0, () => this.#run(pod, sim));
    else if (status.phase === 'Running') this.#goOn(pod, sim);
  }

  #goOn(pod, sim) {
    const { uid } = pod.metadata;
    if (sim in kSlowlyReady) this.#once(`ready ${uid}`, kSlowlyReady[sim], () => this.#getReady(pod));
    const ends = kEnds[sim] ?? (sim === undefined && controllerOf(pod.metadata)?.kind === 'Job' ? [0, 0] : undefined);
    if (ends) this.#once(`end ${uid}`, ends[0], () => this.#end(pod, ends[1]));
  }

  #once(what, seconds, work) {
    if (this.#begun.has(what)) return;
    this.#begun.add(what);
    this.#clock.after(seconds, () => (this.#stopped ? undefined : work()));
  }

  #now() {
    return new Date(this.#clock.now()).toISOString().replace(/\.\d+/, '');
  }

  async #join(node, tries) {
    if (!this.#nodes.has(node)) return;
    const { code } = await this.#api.get(pathOf('nodes', '', node));
    if (code !== 200 && tries) this.#nodes.set(node, this.#clock.after(0.1, () => this.#join(node, tries - 1)));
    else await this.#keepBeating(node, true);
  }

  async #keepBeating(node, isFirst = false) {
    await this.#beat(node);
    if (!this.#nodes.has(node)) return;
    this.#nodes.set(node, this.#clock.after(kBeat, () => this.#keepBeating(node)));
    if (isFirst) for (const pod of this.#pods.values()) this.see('MODIFIED', pod);
  }

  async #beat(name) {
    const node = (await this.#api.get(pathOf('nodes', '', name))).json;
    const before = byType(node?.status?.conditions);
    const conditions = nodeConditions(before, this.#now());
    if (conditions.some(({ type, status }) => before[type]?.status !== status)) {
      await this.#api.patch(`${pathOf('nodes', '', name)}/status`, { status: { phase: 'Running', conditions } }, kStrategic, kAgent);
    }
    await this.#renewLease(name, node?.metadata?.uid);
  }

  async #renewLease(name, uid) {
    const renewTime = new Date(this.#clock.now()).toISOString().replace('Z', '000Z');
    const path = pathOf('leases', 'kube-node-lease', name);
    const { code } = await this.#api.patch(path, { spec: { renewTime } }, kMerge, kAgent);
    if (code !== 404) return;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid }];
    const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime };
    const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, ownerReferences }, spec };
    await this.#api.request('POST', pathOf('leases', 'kube-node-lease'), { body, agent: kAgent });
  }

  #patch({ metadata }, status) {
    return this.#api.patch(`${pathOf('pods', metadata.namespace, metadata.name)}/status`, { status }, kStrategic, kAgent);
  }

  #run(pod, sim) {
    const now = this.#now();
    if (sim === 'imagepull') {
      const state = { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image' } };
      const statuses = containerStatuses(pod, { ready: false, started: false, state });
      return this.#patch(pod, { phase: 'Pending', startTime: now, conditions: podConditions(false, now), containerStatuses: statuses });
    }
    const ready = !kNotReadyAtOnce.includes(sim);
    const ip = `10.244.0.${this.#addresses++ % 250}`;
    return this.#patch(pod, {
      phase: 'Running',
      startTime: now,
      podIP: ip,
      podIPs: [{ ip }],
      hostIP: '10.0.0.11',
      hostIPs: [{ ip: '10.0.0.11' }],
      conditions: podConditions(ready, now),
      containerStatuses: containerStatuses(pod, { ready, state: { running: { startedAt: now } } }),
    });
  }

  #getReady(pod) {
    const now = this.#now();
    const statuses = containerStatuses(pod, { ready: true, state: { running: { startedAt: now } } });
    return this.#patch(pod, { conditions: podConditions(true, now), containerStatuses: statuses });
  }

  #end(pod, exitCode) {
    const now = this.#now();
    const terminated = { exitCode, reason: exitCode ? 'Error' : 'Completed', startedAt: now, finishedAt: now };
    const statuses = containerStatuses(pod, { ready: false, started: false, state: { terminated } });
    return this.#patch(pod, { phase: exitCode ? 'Failed' : 'Succeeded', containerStatuses: statuses });
  }

  #remove({ metadata: { namespace, name, uid }, spec }) {
    if (!this.#nodes.has(spec.nodeName)) return undefined;
    return this.#api.deleteNow(pathOf('pods', namespace, name), { uid }, kAgent);
  }
}
