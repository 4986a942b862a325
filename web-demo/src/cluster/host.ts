// Describes the server of this page: a tabernetes server, whose cluster the page then shows, or any file server.

export interface Host {
  /** True for a tabernetes server. */
  server: boolean;
  /** True if `/-/tabernetes/` answers. */
  admin: boolean;
  /** `stands`: its time moves only by requests. */
  clock: 'runs' | 'stands';
}

const kFiles: Host = { server: false, admin: false, clock: 'runs' };

/** Reads the description. A tabernetes server answers it; elsewhere it is a file of the page (public/host.json). */
export async function readHost(): Promise<Host> {
  try {
    const answer = await fetch('./host.json', { cache: 'no-store' });
    return answer.ok ? { ...kFiles, ...((await answer.json()) as Partial<Host>) } : kFiles;
  } catch {
    return kFiles;
  }
}
