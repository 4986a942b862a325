// The folders of the core, their rooms, and what each may include: read from the tab_module calls of core/*/module.cmake.

/**
 * A unit is a module ("store") or a room of one ("server/verbs"); files directly in a module that has rooms are its room
 * ".", written "server/.".
 * @typedef {{deps: string[], rooms: Map<string, string[]> | undefined}} Module `deps` are modules, or single rooms of them
 */

/** Every tab_module call: Map name → Module. */
export function readModules(cmake) {
  const modules = new Map();
  for (const [, body] of cmake.replace(/^((?:[^"#\n]|"[^"\n]*")*)#.*$/gm, '$1').matchAll(/\btab_module\s*\(((?:[^()"]|"[^"]*")*)\)/g)) {
    const [name, ...words] = body.match(/"[^"]*"|[^\s"]+/g);
    const module = { deps: [], rooms: undefined };
    let key = '';
    for (const word of words) {
      if (/^(SOURCES|DEPS|ROOMS|LIBRARIES|EXCEPTIONS_FOR)$/.test(word)) key = word;
      else if (key === 'DEPS') module.deps.push(word);
      else if (key === 'ROOMS') {
        const [room, others] = word.replaceAll('"', '').split(':');
        module.rooms ??= new Map();
        module.rooms.set(room.trim(), others.trim().split(/\s+/).filter(Boolean));
      }
    }
    modules.set(name, module);
  }
  return modules;
}

/** The unit of a path below core/, such as "store/tree.h"; a room that nobody declared is undefined. */
export function unitOf(modules, path) {
  const [name, ...rest] = path.split('/');
  const rooms = modules.get(name)?.rooms;
  if (!rooms) return modules.has(name) ? name : undefined;
  for (let depth = rest.length - 1; depth > 0; depth--) {
    const room = rest.slice(0, depth).join('/');
    if (rooms.has(room)) return `${name}/${room}`;
  }
  return rest.length === 1 && rooms.has('.') ? `${name}/.` : undefined;
}

/** The modules, and single rooms of modules, that `name` may include: itself and what it depends on, near or far. */
export function reachable(modules, name, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const dep of modules.get(name.split('/')[0])?.deps ?? []) reachable(modules, dep, seen);
  return seen;
}

/** Whether a unit may include another: between modules as DEPS say, within one as its ROOMS do. */
export function mayInclude(modules, from, to) {
  if (from === to) return true;
  const [fromModule] = from.split('/');
  const [toModule] = to.split('/');
  if (fromModule === toModule) {
    const room = (unit) => unit.slice(fromModule.length + 1);
    return modules.get(fromModule).rooms.get(room(from)).includes(room(to));
  }
  const reached = reachable(modules, fromModule);
  return reached.has(toModule) || reached.has(to);
}

function circleOf(graph) {
  const state = new Map();
  const visit = (name, path) => {
    if (state.get(name) === 'done') return undefined;
    if (state.get(name) === 'open') return [...path.slice(path.indexOf(name)), name];
    state.set(name, 'open');
    for (const next of graph.get(name) ?? []) {
      const found = visit(next, [...path, name]);
      if (found) return found;
    }
    state.set(name, 'done');
  };
  for (const name of graph.keys()) {
    const found = visit(name, []);
    if (found) return found;
  }
}

/** Faults of the lists themselves: circles, and names that nothing has. */
export function faultsOfModules(modules) {
  const faults = [];
  const circle = circleOf(new Map([...modules].map(([name, { deps }]) => [name, deps.map((dep) => dep.split('/')[0])])));
  if (circle) faults.push(`dependencies go round: ${circle.join(' → ')}`);
  for (const [name, { deps, rooms }] of modules) {
    for (const dep of deps) {
      const [module, ...room] = dep.split('/');
      if (!modules.has(module) || (room.length && !modules.get(module).rooms?.has(room.join('/')))) faults.push(`${name} depends on ${dep}, which nobody declares`);
    }
    if (!rooms) continue;
    for (const [room, others] of rooms)
      for (const other of others) if (!rooms.has(other)) faults.push(`${name}/${room} may include ${name}/${other}, which nobody declares`);
    const round = circleOf(rooms);
    if (round) faults.push(`the rooms of ${name} go round: ${round.join(' → ')}`);
  }
  return faults;
}
