// Checks manifests without a cluster. core/include/tabernetes/check.h describes what is checked.
import { callShared } from './shared.js';

/** What is wrong with an object, or what the server warns of. */
export interface ManifestFault {
  file: string;
  /** Of the field, or else of the object. */
  line: number;
  /** Both are empty if the object has none. */
  kind: string;
  name: string;
  message: string;
  warning: boolean;
}

/** Checks the objects of all files together. */
export function checkManifests(files: readonly { name: string; text: string }[]): { faults: ManifestFault[]; objects: number } {
  const pairs = files.flatMap(({ name, text }) => [name, text]);
  return callShared(({ core }) => core.checkManifests(pairs, Date.now()));
}
