// A cluster at an address that the user has given.
import { Client } from '../api/client';
import { ExchangeLog } from '../api/exchange';
import type { Credentials } from '../api/kubeconfig';
import { type Place, serverPlace } from './place';
import type { Found } from './reachable';
import { ServerTransport } from './server-transport';

export interface Destination {
  base: URL;
  /** Kept in memory only, so that they are gone with the page. */
  credentials: Credentials;
  /** The namespace of the kubeconfig's context; empty for all. */
  namespace: string;
  found: Found;
}

/** Returns the cluster at this address. */
export function otherPlace({ base, credentials, found }: Destination): Place {
  const transport = new ServerTransport(base, 'runs', credentials);
  const place = serverPlace(new Client(transport, new ExchangeLog()), transport, { admin: found.admin, stands: false });
  return { ...place, where: 'other', locked: found.admin ? undefined : 'This server lets nobody move its time or reset it' };
}
