// The cluster inside this page, and its fork. Importing this file loads the WebAssembly.
import { Client } from '../api/client';
import { ExchangeLog } from '../api/exchange';
import type { Where } from '../route';
import { sampleSnapshot } from '../sample/sample';
import { fork, type InPage, openKept } from './page-cluster';
import { PageTransport } from './page-transport';
import type { Place } from './place';
import { putSnapshot } from './snapshots';

export interface PagePlace extends Place {
  dispose(): void;
}

/** Milliseconds between looks at the time. */
const kLook = 1000;

/** Opens the cluster that this browser keeps; a first one has the sample. */
export async function startPagePlace(): Promise<PagePlace> {
  const { cluster, note } = await openKept();
  const back = async () => new TextDecoder().decode(await sampleSnapshot());
  return placeOf('page', cluster, back, note);
}

/** Makes a place in memory with the objects, versions and time of a snapshot, to which a reset goes back. */
export async function startFork(snapshot: string): Promise<PagePlace> {
  return placeOf('fork', await fork(snapshot), async () => snapshot);
}

async function placeOf(where: Where, cluster: InPage, initial: () => Promise<string>, note?: string): Promise<PagePlace> {
  const transport = new PageTransport(cluster);
  await transport.look();
  const looking = setInterval(() => void transport.look().catch(() => {}), kLook);
  return {
    where,
    client: new Client(transport, new ExchangeLog()),
    name: '',
    address: '',
    note,
    shared: false,
    clock: transport.clock,
    stands: false,
    async reset() {
      await putSnapshot(transport, await initial());
      return undefined;
    },
    dispose() {
      clearInterval(looking);
      cluster.dispose();
    },
  };
}
