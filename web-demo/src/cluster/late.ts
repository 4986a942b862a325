// Loads the parts of the page that need WebAssembly on demand, so that a page that shows a server never loads any.

/** False in a page that was built before the WebAssembly (see vite.config.mjs). */
declare const __CLUSTER_BUILT__: boolean;

/** Returns false in a page that waits for its successor. */
export const isWithCluster = (): boolean => __CLUSTER_BUILT__;

/** Thrown in a page without a cluster of its own. */
export class NotBuilt extends Error {
  constructor() {
    super('The cluster inside this page is not built yet.');
  }
}

/** Loads a part of this page that imports `tabernetes`. Rejects with NotBuilt if the page was built without it. */
export async function late<Part>(load: () => Promise<Part>): Promise<Part> {
  if (!__CLUSTER_BUILT__) throw new NotBuilt();
  return load();
}

/** Resolves with true if the server now has a newer build of this page, with a cluster. */
export async function isBuiltNow(): Promise<boolean> {
  try {
    const answer = await fetch('./build.json', { cache: 'no-store' });
    return answer.ok && ((await answer.json()) as { cluster: boolean }).cluster;
  } catch {
    return false;
  }
}
