// Small questions about objects.

/** Returns the owner that controls an object, else its first owner, else undefined. */
export const controllerOf = (metadata) => (metadata.ownerReferences ?? []).find((owner) => owner.controller) ?? metadata.ownerReferences?.[0];

/** Returns conditions (or anything that has a type) by type. */
export const byType = (list) => Object.fromEntries((list ?? []).map((entry) => [entry.type, entry]));

export const clone = (value) => JSON.parse(JSON.stringify(value));

/**
 * Returns the value at a path such as `status.conditions[type=Ready].reason`.
 * @param {string} path
 */
export function lookup(object, path) {
  let value = object;
  for (const step of path.match(/[^.[\]]+|\[[^\]]+\]/g) ?? []) {
    if (value === null || value === undefined) return undefined;
    const choice = /^\[(\w+)=(.*)\]$/.exec(step);
    if (!choice) value = value[step];
    else value = Array.isArray(value) ? value.find((entry) => String(entry[choice[1]]) === choice[2]) : undefined;
  }
  return value;
}

const kOperators = {
  '==': (value, wanted) => value === wanted,
  '!=': (value, wanted) => value !== wanted,
  '>=': (value, wanted) => value >= wanted,
  '<=': (value, wanted) => value <= wanted,
  exists: (value, wanted) => (value !== undefined && value !== null) === (wanted !== false),
  '~': (value, wanted) => new RegExp(wanted).test(String(value ?? '')),
};

/** Returns whether `[path, operator, value]` holds for an object. */
export const holds = (object, [path, operator, wanted]) => kOperators[operator](lookup(object, path), wanted);
