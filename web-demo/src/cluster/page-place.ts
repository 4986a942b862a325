// The cluster inside this page. Importing this file loads the WebAssembly.
import { Client } from '../api/client';
import { ExchangeLog } from '../api/exchange';
import { type Sample, startKept, startSample } from '../sample/sample';
import { forgetKept, readKept, writeKept } from './kept';
import { Keeper } from './keeper';
import { PageTransport } from './page-transport';
import type { Place } from './place';

export interface PagePlace extends Place {
  dispose(): void;
}

/**
 * Starts the cluster that this browser keeps, or one with the sample. It is kept from its first change on. `again` starts
 * another one, for a reset.
 */
export async function startPagePlace(again: () => void): Promise<PagePlace> {
  const { sample, note } = await start();
  const { cluster } = sample;
  let shownNote = note;
  const keeper = new Keeper(
    () => writeKept(cluster.snapshot()),
    (fault) => void (shownNote = `This browser does not keep this cluster: ${fault.message}`),
  );
  const client = new Client(new PageTransport(cluster, () => keeper.changed()), new ExchangeLog());
  return {
    where: 'page',
    client,
    name: '',
    get note() {
      return shownNote;
    },
    shared: false,
    async advance(seconds) {
      cluster.advance(1000 * seconds);
      keeper.changed();
      return undefined;
    },
    async reset() {
      await keeper.end();
      await forgetKept();
      again();
      return undefined;
    },
    dispose() {
      void keeper.end();
      sample.dispose();
    },
  };
}

async function start(): Promise<{ sample: Sample; note?: string }> {
  const kept = await readKept();
  if (!kept) return { sample: await startSample() };
  try {
    return { sample: await startKept(kept) };
  } catch (fault) {
    await forgetKept();
    return { sample: await startSample(), note: `What this browser had kept cannot be read: ${(fault as Error).message}` };
  }
}
