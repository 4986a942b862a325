// Checks manifests without a cluster. core/include/tabernetes/check.h describes what is checked.
import { callShared } from './shared.js';

/** What is wrong with an object, or what the server warns of. */
export interface ManifestFault {
  /** `FILE:LINE: KIND NAME: MESSAGE` */
  line: string;
  warning: boolean;
}

/** Checks the objects of all files together. */
export function checkManifests(files: readonly { name: string; text: string }[]): { faults: ManifestFault[]; objects: number } {
  const pairs = files.flatMap(({ name, text }) => [name, text]);
  return callShared(({ core }) => core.checkManifests(pairs, Date.now()));
}
