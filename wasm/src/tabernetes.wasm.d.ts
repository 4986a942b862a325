import type { PlatformModule } from './platform.js';

/** The compiled core, for `createCluster({ wasm })`. */
declare const module: PlatformModule;
export default module;
