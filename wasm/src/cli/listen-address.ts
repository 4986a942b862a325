export interface ListenAddress {
  /** A name or an IP address, without the brackets of IPv6. */
  host: string;
  port: number;
}

/** Reads `HOST:PORT` or `[IPV6]:PORT`; nothing if it is neither. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const [, v6, name, digits] = text.match(/^(?:\[([^\]\s]+)\]|([^:/[\]@\s]+)):(\d{1,5})$/) ?? [];
  const port = Number(digits);
  return digits === undefined || port > 65535 ? undefined : { host: (v6 ?? name)!, port };
}

/** `HOST:PORT`, with brackets around IPv6: the authority of a URL. */
export function authority({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
