// What runs and shows proofs, for the tour and for tests/concepts.
export { Attempt, readExercises } from './exercises';
export { clusterKind, kAdminToken, kControllers, kTokens } from './kinds';
export { parseProof } from './language';
export { isGood, runProof } from './run';
export { readSections } from './sections';
export { kNamespaces } from './short-forms';
