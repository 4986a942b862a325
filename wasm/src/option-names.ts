import { type ClusterOptions, kOptionNames } from './cluster-options.js';
import { nearestName } from './nearest-name.js';

/** Throws a TypeError for an option that does not exist; `others` are names beside those of `createCluster`. */
export function checkOptionNames(options: ClusterOptions, others: readonly string[] = []): void {
  if (options === null || typeof options !== 'object') throw new TypeError('tabernetes: the options are an object');
  const known = [...kOptionNames, 'persist', ...others];
  const name = unknownName(options, [...kOptionNames, ...others]);
  if (name !== undefined) throw new TypeError(`tabernetes: there is no option "${name}"${hint(name, known)}`);
}

/** Throws a TypeError if `given`, which `what` takes, has a member that is not in `known`. */
export function checkNames(what: string, given: object | undefined | null, known: readonly string[]): void {
  if (given === undefined || given === null) return;
  if (typeof given !== 'object') throw new TypeError(`tabernetes: ${what} takes an object, not ${String(given)}`);
  const name = unknownName(given, known);
  if (name !== undefined) throw new TypeError(`tabernetes: ${what} takes no "${name}"${hint(name, known)}`);
}

const unknownName = (given: object, known: readonly string[]) => Object.keys(given).find((name) => !known.includes(name));

function hint(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `, did you mean "${nearest}"?`;
}
