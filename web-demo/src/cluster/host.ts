// What serves this page: a tabernetes server, whose cluster it then shows, or any server of files.

export interface Host {
  /** Whether it is a tabernetes server. */
  server: boolean;
  /** Whether that answers under `/-/tabernetes/`. */
  admin: boolean;
  /** `stands`: its time moves only when it is told to. */
  clock: 'runs' | 'stands';
}

const kFiles: Host = { server: false, admin: false, clock: 'runs' };

/** A tabernetes server answers this itself; everywhere else it is a file of the page (public/host.json). */
export async function readHost(): Promise<Host> {
  try {
    const answer = await fetch('./host.json', { cache: 'no-store' });
    return answer.ok ? { ...kFiles, ...((await answer.json()) as Partial<Host>) } : kFiles;
  } catch {
    return kFiles;
  }
}
