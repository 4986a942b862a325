// The guard against DNS rebinding: a web page whose name suddenly resolves to this machine sends its own name in the
// Host header, so only names known to be ours are answered.
import { isIP, isIPv4 } from 'node:net';

export interface HostPolicy {
  /** Hosts of the --listen addresses. A wildcard stands for every IP address: rebinding needs a name. */
  listening: readonly string[];
  /** --allowed-hosts: names, `.example.com` for every name below it, `*` for all. */
  allowed: readonly string[];
}

/** Whether a request that names `authority` (`HOST[:PORT]`) may be answered. Loopback names always may. */
export function hostAllowed(authority: string, policy: HostPolicy): boolean {
  const host = hostOf(authority);
  if (host === '') return false;
  return (isIP(host) !== 0 && policy.listening.some(isWildcard)) || isNamed(host, policy);
}

const isWildcard = (host: string) => host === '0.0.0.0' || host === '::';

function isNamed(host: string, { listening, allowed }: HostPolicy): boolean {
  return (
    isLoopback(host) ||
    listening.some((own) => !isWildcard(own) && host === own.toLowerCase()) ||
    allowed.some((pattern) => matches(host, pattern.toLowerCase()))
  );
}

/**
 * Whether a page of `origin` may open a WebSocket to `authority`, which is allowed itself. Browsers let every page open
 * one and read what it says, so the origin must be the server's own host, a loopback name or an allowed one.
 */
export function originAllowed(origin: string, authority: string, policy: HostPolicy): boolean {
  if (policy.allowed.includes('*')) return true;
  const host = hostOfOrigin(origin);
  return host !== '' && (host === hostOf(authority) || isNamed(host, policy));
}

/** What a request says of the page that sent it. Names are lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Whether a request may be a write of a page that has no business here. A browser sends a POST without a Content-Type,
 * or with one that HTML forms have, for any page and asks nobody; all other writes wait for a preflight, which CORS
 * answers. The browser says whose page it is: in Origin, and to https and loopback URLs also in Sec-Fetch-Site, which no
 * page can set and which is true behind a proxy as well. Nor can a page set X-Forwarded-Host without a preflight. Who
 * says nothing is no browser.
 */
export function isForeignWrite(
  method: string,
  headers: Headers,
  authority: string,
  policy: HostPolicy,
  corsAllows: (origin: string) => boolean,
): boolean {
  const text = (name: string) => String(headers[name] ?? '');
  if (method !== 'POST' || !kFormTypes.includes(text('content-type').split(';')[0]!.trim().toLowerCase())) return false;
  const site = text('sec-fetch-site');
  if (site === 'same-origin' || site === 'none') return false;
  const origin = text('origin');
  if (origin === '') return site !== '';
  const forwarded = text('x-forwarded-host');
  return (
    !originAllowed(origin, authority, policy) &&
    (forwarded === '' || hostOfOrigin(origin) !== hostOf(forwarded)) &&
    !corsAllows(origin)
  );
}

/** The content types that need no preflight; so does none at all. */
const kFormTypes = ['', 'text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded'];

const hostOfOrigin = (origin: string) => hostOf(origin.toLowerCase().match(/^https?:\/\/([^/?#@\\]*)$/)?.[1] ?? '');

function hostOf(authority: string): string {
  if (authority.startsWith('[')) return authority.slice(1, Math.max(1, authority.indexOf(']'))).toLowerCase();
  return authority.split(':')[0]!.toLowerCase().replace(/\.$/, '');
}

function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
  );
}

function matches(host: string, pattern: string): boolean {
  if (pattern === '*') return true;
  const suffix = pattern.startsWith('*.') ? pattern.slice(1) : pattern;
  if (suffix.startsWith('.')) return host.length > suffix.length && host.endsWith(suffix);
  return host === suffix;
}
