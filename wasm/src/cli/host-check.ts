// Guards against DNS rebinding. A web page whose name suddenly resolves to this machine sends its own name in the Host
// header, so only names known to be ours are answered.
import { isIP, isIPv4 } from 'node:net';

export interface HostPolicy {
  /** Hosts of the --listen addresses. A wildcard matches every IP address, because rebinding needs a name. */
  listening: readonly string[];
  /** --allowed-hosts: names, `.example.com` for every name below it, `*` for all. */
  allowed: readonly string[];
}

/** Returns true if a request for `authority` (`HOST[:PORT]`) may be answered. Loopback names are always allowed. */
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
 * Returns true if a page of `origin` may open a WebSocket to `authority`, which is already allowed itself. Browsers let
 * every page open a WebSocket and read its messages, so the origin must be the server's own host, a loopback name or an
 * allowed host.
 */
export function originAllowed(origin: string, authority: string, policy: HostPolicy): boolean {
  if (policy.allowed.includes('*')) return true;
  const host = hostOfOrigin(origin);
  return host !== '' && (host === hostOf(authority) || isNamed(host, policy));
}

/** Request headers; the names are lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Returns true if a foreign page may have made this write. For any page, browsers send a POST without a Content-Type,
 * or with one that HTML forms can have, without asking; all other writes need a preflight, which CORS answers. The
 * browser names the page in Origin and, to https and loopback URLs, in Sec-Fetch-Site. No page can set Sec-Fetch-Site,
 * and it stays true behind a proxy. Nor can a page set X-Forwarded-Host without a preflight. A request without these
 * headers does not come from a browser.
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

/** Content types that need no preflight. A missing Content-Type (the empty text) needs none either. */
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
