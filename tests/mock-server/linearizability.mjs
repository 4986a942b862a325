// Checks histories of a register: whether there is one order of the operations, each at a moment between its call and its
// return, that explains all answers (Wing and Gong's search, with Lowe's memory of what was tried).
//
// An operation is { begin, end, kind, … } with times that grow:
//   read     value    what it returned; null: nothing is there
//   write    value
//   swap     from, value, done   writes `value` if `from` is there; done: whether it did
// `end` is Infinity for one without an answer: it may have been at any moment after its call, or never.

/** Returns whether the history of one key is linearizable. The register begins with `initial`. */
export function isLinearizable(operations, initial = null) {
  const all = [...operations].sort((a, b) => a.begin - b.begin);
  const left = new Set(all.keys());
  const tried = new Set();

  /** Returns the value after an operation on `value`, or undefined if its answer does not fit. */
  const apply = ({ kind, value: to, from, done, end }, value) => {
    if (kind === 'read') return end === Infinity || to === value ? value : undefined;
    if (kind === 'write') return to;
    if (end === Infinity) return from === value ? to : value;
    if (done) return from === value ? to : undefined;
    return from === value ? undefined : value;
  };

  const search = (value) => {
    const rest = [...left].sort((a, b) => a - b);
    // Those without an answer need not have happened.
    if (rest.every((i) => all[i].end === Infinity)) return true;
    const state = `${JSON.stringify(value)} ${rest.join()}`;
    if (tried.has(state)) return false;
    tried.add(state);
    const firstEnd = Math.min(...rest.map((i) => all[i].end));
    for (const i of rest) {
      if (all[i].begin > firstEnd) break; // another one was over before it began
      const next = apply(all[i], value);
      if (next === undefined) continue;
      left.delete(i);
      if (search(next)) return true;
      left.add(i);
    }
    return false;
  };
  return search(initial);
}

const configMaps = '/api/v1/namespaces/default/configmaps';

/**
 * Reads and writes a few ConfigMaps as registers through servers at random for `ms`, and returns { history, operations }:
 * a Map from key to operations. `onBegin` is called when the registers are there. A server is { send(method, path, object) }, which returns { status, body } or throws.
 */
export async function randomHistory(servers, { keys = 3, clients = 6, ms = 1500, random = Math.random, prefix = 'register', onBegin = () => {} } = {}) {
  const history = new Map();
  let operations = 0;
  let written = 0;
  const end = performance.now() + ms;
  const names = Array.from({ length: keys }, (_, k) => `${prefix}-${k}`);
  for (const name of names) {
    history.set(name, []);
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value: 'first' } };
    const { status } = await servers[0].send('POST', configMaps, object);
    if (status !== 201) throw new Error(`${status} for ${name}`);
  }
  onBegin();
  const client = async () => {
    while (performance.now() < end) {
      const name = names[Math.floor(random() * keys)];
      const server = servers[Math.floor(random() * servers.length)];
      const path = `${configMaps}/${name}`;
      const chance = random();
      const operation = { begin: performance.now(), end: Infinity };
      const log = history.get(name);
      try {
        if (chance < 0.5) {
          log.push(Object.assign(operation, { kind: 'read', value: undefined }));
          const { status, body } = await server.send('GET', path);
          if (status !== 200) continue;
          operation.value = body.data.value;
        } else {
          const value = `v${++written}`;
          const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } };
          if (chance < 0.75) {
            log.push(Object.assign(operation, { kind: 'write', value }));
          } else {
            // Of the values that a compare and swap can find, each has one version.
            const seen = await server.send('GET', path);
            if (seen.status !== 200) continue;
            object.metadata.resourceVersion = seen.body.metadata.resourceVersion;
            Object.assign(operation, { kind: 'swap', from: seen.body.data.value, value, done: false, begin: performance.now() });
            log.push(operation);
          }
          const { status } = await server.send('PUT', path, object);
          if (status === 409 && operation.kind === 'swap') operation.done = false;
          else if (status === 200) operation.done = true;
          else continue; // unknown
        }
        operation.end = performance.now();
        ++operations;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20)); // unknown
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { history, operations };
}
