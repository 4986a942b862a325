/** Returns true if the scenario `topic/name` is selected. @param {string[]} only beginnings of names; empty: all */
export const matchesAny = (name, only) => only.length === 0 || only.some((each) => name.startsWith(each));
