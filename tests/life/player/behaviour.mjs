// How the server's simulated nodes are told to behave as the recorder's did: the annotation `sim` of a pod says what its
// containers do, and pods run and end at once.

const kSim = {
  slowready1: { ready: { after: '1s' } },
  slowready: { ready: { after: '3s' } },
  neverready: { ready: 'never' },
  run: { exit: 'never' },
  slowjob: { exit: { after: '3s' } },
  slowjob8: { exit: { after: '8s' } },
  fail: { exit: { after: '1s', code: 1 } },
  exit42: { exit: { after: '1s', code: 42 } },
  grace: { stop: '4s' },
  imagepull: { pull: { time: '0s', error: true } },
};

/** What is quick unless a pod says otherwise. */
const kQuick = { pull: '0s', start: '0s', stop: '0s' };

const kRules = [
  ...Object.entries(kSim).map(([sim, does]) => ({ match: { annotations: { sim } }, ...kQuick, ...does })),
  { match: { owner: 'Job' }, ...kQuick, exit: { after: '0s' } },
  kQuick,
];

/** What the nodes of a server are told. A server that has no such rules stays as it is. */
export class Behaviour {
  #api;
  #ofPods = new Map(); // namespace/name → rule

  constructor(api) {
    this.#api = api;
  }

  async set() {
    await this.#api.request('PUT', '/-/tabernetes/behaviour', { body: [...this.#ofPods.values(), ...kRules] });
  }

  /**
   * Lets a pod be as a client's write to its status says: the recorder's nodes left that alone, a kubelet writes what it
   * sees.
   */
  async follow({ method, path, body }) {
    const [, namespace, name] = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/status$/.exec(path) ?? [];
    const ready = body?.status?.conditions?.find(({ type }) => type === 'Ready');
    if (method !== 'PATCH' || !name || !ready) return;
    const rule = { match: { namespace, name }, ...kQuick, exit: 'never', ...(ready.status === 'True' ? {} : { ready: 'never' }) };
    this.#ofPods.set(`${namespace}/${name}`, rule);
    await this.set();
  }
}
