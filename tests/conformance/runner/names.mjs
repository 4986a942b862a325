/** Is the scenario `topic/name` one of those asked for? @param {string[]} only beginnings of names; empty: all */
export const matchesAny = (name, only) => only.length === 0 || only.some((each) => name.startsWith(each));
