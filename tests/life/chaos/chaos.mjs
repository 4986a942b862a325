// A random history on a server whose clock stands: users create, change and delete workloads and pods, nodes are cordoned
// and go, old versions are dropped, the whole cluster is saved and restored. What it does follows from the seed.

import { Random } from '../player/random.mjs';
import { faultsAtRest, faultsNow } from './invariants.mjs';
import { kWorkloads, pathIn, quota } from './manifests.mjs';

const kNamespaces = ['free', 'few'];
const kFew = 6; // pods, in the namespace with a quota
const kMerge = 'application/merge-patch+json';

export class Chaos {
  #api;
  #random;
  #bounds = new Map(); // uid → { most, least, disturbed }
  #names = 0;
  #disturbed = false; // since the last rest, pods may be missing for other reasons than rollouts
  steps = [];

  constructor(api, seed) {
    this.#api = api;
    this.#random = new Random(seed);
  }

  /** Runs a history. Returns what went wrong, at most the first faults. */
  async run(steps) {
    await this.#prepare();
    for (let step = 0; step < steps; step++) {
      const [name, action] = this.#random.pick(Object.entries(this.#actions));
      this.steps.push(`${name}: ${(await action()) ?? ''}`);
      const faults = [...(await this.#advance()), ...(step % 10 === 9 ? await this.rest() : [])];
      if (faults.length) return faults;
    }
    return this.rest();
  }

  /** Lets everybody do what they have to do. Returns what is wrong then. */
  async rest() {
    const { code, json } = await this.#clock({ settle: true });
    this.steps.push('rest');
    if (code !== 200) return [`settle: ${code} ${json?.message}`];
    if (!json.settled) return ['the cluster does not come to rest'];
    const state = await this.#state();
    const faults = faultsAtRest(state, (namespace) => namespace === 'few');
    this.#disturbed = false;
    this.#bounds = new Map();
    for (const one of [...state.deployments, ...state.statefulsets]) this.#bound(one);
    return faults;
  }

  #actions = {
    create: async () => {
      const resource = this.#random.pick(Object.keys(kWorkloads));
      const namespace = this.#random.pick(kNamespaces);
      const object = kWorkloads[resource](`w${this.#names++}`, this.#random);
      const { json } = await this.#must('POST', pathIn(namespace, resource), { body: object });
      this.#bounds.set(json.metadata.uid, { most: Infinity, least: 0, disturbed: false });
      return `${namespace}/${resource}/${object.metadata.name}`;
    },
    scale: () => this.#change(['deployments', 'statefulsets'], () => ({ spec: { replicas: this.#random.below(6) } })),
    update: () =>
      this.#change(['deployments', 'statefulsets', 'daemonsets'], () => ({
        spec: { template: { metadata: { annotations: { version: String(this.#random.below(5)) } } } },
      })),
    'delete a workload': async () => {
      const found = await this.#pick(Object.keys(kWorkloads));
      if (!found) return undefined;
      const propagationPolicy = this.#random.pick(['Background', 'Foreground']);
      await this.#must('DELETE', found.path, { body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy } });
      return `${found.path} ${propagationPolicy}`;
    },
    'delete a pod': async () => {
      const found = await this.#pick(['pods']);
      if (!found) return undefined;
      this.#disturb();
      await this.#must('DELETE', found.path);
      return found.path;
    },
    cordon: async () => {
      const name = `node-${1 + this.#random.below(3)}`;
      const unschedulable = this.#random.below(3) === 0;
      this.#disturb(); // pods of a cordoned node are not replaced in time where it takes them all
      await this.#must('PATCH', `/api/v1/nodes/${name}`, { body: { spec: { unschedulable: name !== 'node-1' && unschedulable } }, type: kMerge });
      return `${name} ${unschedulable}`;
    },
    compact: () => this.#must('POST', '/-/tabernetes/compact', {}).then(() => undefined),
    'save and restore': async () => {
      const { json } = await this.#must('GET', '/-/tabernetes/snapshot');
      await this.#must('PUT', '/-/tabernetes/snapshot', { body: json });
    },
    wait: () => undefined,
  };

  async #prepare() {
    for (const name of kNamespaces) await this.#must('POST', '/api/v1/namespaces', { body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } });
    await this.#clock({ advance: '1s' });
    await this.#must('POST', pathIn('few', 'resourcequotas'), { body: quota(kFew) });
    await this.#clock({ advance: '1s' });
  }

  /** Lets a random time pass, in pieces, and looks at the cluster after each. */
  async #advance() {
    const pieces = 1 + this.#random.below(4);
    for (let piece = 0; piece < pieces; piece++) {
      await this.#clock({ advance: `${this.#random.pick([1, 20, 100, 400, 1500])}ms` });
      const faults = faultsNow(await this.#state(), this.#bounds);
      if (faults.length) return faults;
    }
    return [];
  }

  /** Patches a workload, and widens the bounds that it has to keep to. */
  async #change(resources, patch) {
    const found = await this.#pick(resources);
    if (!found) return undefined;
    const body = patch();
    const { json } = await this.#must('PATCH', found.path, { body, type: kMerge });
    if (json.spec.replicas !== undefined) this.#bound(json);
    return `${found.path} ${JSON.stringify(body)}`;
  }

  #bound({ kind, metadata, spec }) {
    const { most = 0, least = Infinity, disturbed = this.#disturbed } = this.#bounds.get(metadata.uid) ?? {};
    const { maxSurge = 0, maxUnavailable = 0 } = spec.strategy?.rollingUpdate ?? {};
    const limited = metadata.namespace === 'few' || kind === 'StatefulSet';
    this.#bounds.set(metadata.uid, {
      most: Math.max(most, spec.replicas + maxSurge),
      least: limited ? 0 : Math.max(0, Math.min(least, spec.replicas - maxUnavailable)),
      disturbed,
    });
  }

  #disturb() {
    this.#disturbed = true;
    for (const bound of this.#bounds.values()) bound.disturbed = true;
  }

  async #pick(resources) {
    const resource = this.#random.pick(resources);
    const namespace = this.#random.pick(kNamespaces);
    const { json } = await this.#must('GET', pathIn(namespace, resource));
    const there = json.items.filter(({ metadata }) => !metadata.deletionTimestamp);
    return there.length ? { path: pathIn(namespace, resource, this.#random.pick(there).metadata.name) } : undefined;
  }

  async #state() {
    const list = async (path) => (await this.#must('GET', path)).json.items;
    return {
      pods: await list('/api/v1/pods'),
      quotas: await list('/api/v1/resourcequotas'),
      deployments: await list('/apis/apps/v1/deployments'),
      replicasets: await list('/apis/apps/v1/replicasets'),
      statefulsets: await list('/apis/apps/v1/statefulsets'),
      daemonsets: await list('/apis/apps/v1/daemonsets'),
      jobs: await list('/apis/batch/v1/jobs'),
    };
  }

  #clock(body) {
    return this.#api.request('POST', '/-/tabernetes/clock', { body });
  }

  async #must(method, path, how) {
    const answer = await this.#api.request(method, path, how);
    if (!answer.code || answer.code >= 400) throw new Error(`${method} ${path}: ${answer.code} ${answer.json?.message ?? answer.error}`);
    return answer;
  }
}
