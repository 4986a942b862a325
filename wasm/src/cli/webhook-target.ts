// Decides where a webhook call connects to.
import type { WebhookService } from '../options.js';
import { type ListenAddress, parseListenAddress } from './listen-address.js';

/** A value of --webhook-service: the address of a service, since no node carries calls to it. */
export interface KnownService {
  /** `hook.default`, or `hook.default:443` for this port only. */
  name: string;
  address: ListenAddress;
}

/** Parses `NAME.NAMESPACE[:PORT]=HOST:PORT`. Returns undefined for any other text. */
export function parseKnownService(text: string): KnownService | undefined {
  const [, name, port, place] = text.match(/^([a-z0-9-]+\.[a-z0-9-]+)(:\d{1,5})?=(.*)$/s) ?? [];
  const address = parseListenAddress(place ?? '');
  if (name === undefined || !address || Number(port?.slice(1) ?? 0) > 65535) return undefined;
  return { name: `${name}${port ?? ''}`, address };
}

export interface WebhookTarget {
  /** The address to connect to. */
  address: ListenAddress;
  /** The name or IP address that the certificate must have. */
  serverName: string;
  /** The value of the Host header. */
  authority: string;
  /** Path and query. */
  path: string;
}

/**
 * Returns the target of a call. A service is looked up in `known`, then in the cluster's own answer. Throws an Error
 * with the reason if neither has an address.
 */
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
