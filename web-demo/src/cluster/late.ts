// What needs the cluster inside the page, or its functions, is loaded when it is asked for: a page that shows a server
// never loads any WebAssembly.

/** False in a page that was built before the WebAssembly was (see vite.config.mjs). */
declare const __CLUSTER_BUILT__: boolean;

/** The page has no cluster of its own yet. */
export class NotBuilt extends Error {
  constructor() {
    super('The cluster inside this page is not built yet.');
  }
}

/** A part of this page that imports `tabernetes`. Rejects with NotBuilt where there is none. */
export async function late<Part>(load: () => Promise<Part>): Promise<Part> {
  if (!__CLUSTER_BUILT__) throw new NotBuilt();
  return load();
}

/** Whether a newer build of this page, with a cluster, has taken its place on the server. */
export async function isBuiltNow(): Promise<boolean> {
  try {
    const answer = await fetch('./build.json', { cache: 'no-store' });
    return answer.ok && ((await answer.json()) as { cluster: boolean }).cluster;
  } catch {
    return false;
  }
}
