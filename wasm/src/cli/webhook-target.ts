// Where the call of a webhook goes.
import type { WebhookService } from '../options.js';
import { type ListenAddress, parseListenAddress } from './listen-address.js';

/** The value of --webhook-service: where a service is served that no node carries calls to. */
export interface KnownService {
  /** `hook.default`, or `hook.default:443` for this port only. */
  name: string;
  address: ListenAddress;
}

/** Reads `NAME.NAMESPACE[:PORT]=HOST:PORT`; nothing if it is something else. */
export function parseKnownService(text: string): KnownService | undefined {
  const [, name, port, place] = text.match(/^([a-z0-9-]+\.[a-z0-9-]+)(:\d{1,5})?=(.*)$/s) ?? [];
  const address = parseListenAddress(place ?? '');
  if (name === undefined || !address || Number(port?.slice(1) ?? 0) > 65535) return undefined;
  return { name: `${name}${port ?? ''}`, address };
}

export interface WebhookTarget {
  /** To connect to. */
  address: ListenAddress;
  /** Whose certificate is wanted: a name or an IP address. */
  serverName: string;
  /** For the header Host. */
  authority: string;
  /** With the query. */
  path: string;
}

/** A service is where `known` says, else where the cluster says. Throws why it is nowhere. */
export function findTarget(url: string, service: WebhookService | undefined, known: readonly KnownService[]): WebhookTarget {
  const { hostname, port, host, pathname, search } = new URL(url);
  const serverName = hostname.replace(/^\[(.*)\]$/, '$1');
  const path = pathname + search;
  if (!service) return { address: { host: serverName, port: Number(port || 443) }, serverName, authority: host, path };
  const bare = service.name.split(':')[0]!;
  const address = known.find(({ name }) => name === service.name || name === bare)?.address ?? parseListenAddress(service.address);
  if (!address) throw new Error(service.fault);
  return { address, serverName, authority: service.name.replace(':', '.svc:'), path };
}
