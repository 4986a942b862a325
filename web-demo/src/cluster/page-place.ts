// The cluster inside this page. Importing this file loads the WebAssembly.
import { Client } from '../api/client';
import { ExchangeLog } from '../api/exchange';
import { startSample } from '../sample/sample';
import { PageTransport } from './page-transport';
import type { Place } from './place';

export interface PagePlace extends Place {
  dispose(): void;
}

/** Starts the cluster. `again` starts another one, for a reset. */
export async function startPagePlace(again: () => void): Promise<PagePlace> {
  const { cluster, dispose } = await startSample();
  return {
    where: 'page',
    client: new Client(new PageTransport(cluster), new ExchangeLog()),
    name: '',
    shared: false,
    async advance(seconds) {
      cluster.advance(1000 * seconds);
      return undefined;
    },
    async reset() {
      again();
      return undefined;
    },
    dispose,
  };
}
