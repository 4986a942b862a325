export interface ListenAddress {
  /** A name or an IP address; IPv6 without brackets. */
  host: string;
  port: number;
}

/** Parses `HOST:PORT` or `[IPV6]:PORT`. Returns undefined for any other text. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const [, v6, name, digits] = text.match(/^(?:\[([^\]\s]+)\]|([^:/[\]@\s]+)):(\d{1,5})$/) ?? [];
  const port = Number(digits);
  return digits === undefined || port > 65535 ? undefined : { host: (v6 ?? name)!, port };
}

/** Returns `HOST:PORT`, with brackets around IPv6: the authority of a URL. */
export function authority({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** An address, or a Unix socket. */
export type ListenPlace = ListenAddress | { path: string };

/** Parses an address, or `unix:///PATH`. Returns undefined for any other text. */
export function parseListenPlace(text: string): ListenPlace | undefined {
  const [, path] = text.match(/^unix:\/\/(\/[^\0]+)$/) ?? [];
  return path === undefined ? parseListenAddress(text) : { path };
}

/** Returns what `parseListenPlace` parses. */
export const placeText = (place: ListenPlace): string => ('path' in place ? `unix://${place.path}` : authority(place));
