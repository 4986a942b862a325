// Who a client is by the certificate that it has shown: a user, or a proxy that names one in headers. The order and the
// words are the core's (core/server/access/client_certificate.cc), which gets the outcome from this host.
import { X509Certificate } from 'node:crypto';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { Identity } from '../identity.js';
import type { TlsSettings } from './tls-server.js';
import { certificatesOf } from './tls-files.js';

/** The headers in which a proxy names the user, in lower case; those that come first count first. */
export interface RequestHeaders {
  usernames: string[];
  uids: string[];
  groups: string[];
  extraPrefixes: string[];
}

/** What a certificate, shown or not, says of the sender of a request. */
export interface Caller {
  /** Undefined: the request's token says who it is. */
  user?: Identity;
  /** It has shown a certificate that is not trusted: only a token lets it in. */
  refused: boolean;
}

interface Shown {
  commonName: string;
  organizations: string[];
  /** A user has one, or none. */
  uids: string[];
  /** SHA-256, in lower-case hexadecimal. */
  fingerprint: string;
  from: number;
  to: number;
  /** Undefined: nobody asks for it. */
  asUser?: boolean;
  asProxy?: boolean;
}

const kUid = '1.3.6.1.4.1.57683.2';
const kCredentialId = 'authentication.kubernetes.io/credential-id';
const kNobody: Caller = { refused: false };

/** Judges the certificates of clients by two lists of authorities. */
export class ClientTrust {
  readonly #users: X509Certificate[];
  readonly #proxies: X509Certificate[];
  readonly #proxyNames: readonly string[];
  readonly #shown = new WeakMap<TLSSocket, Shown>();
  /** All authorities. */
  readonly pem: string[];

  /** Throws an Error if a list has no certificate, or one that Node.js would not trust. */
  constructor({ userAuthorities, proxyAuthorities, proxies }: Pick<TlsSettings, 'userAuthorities' | 'proxyAuthorities' | 'proxies'>) {
    this.#users = userAuthorities === '' ? [] : certificatesOf(userAuthorities);
    this.#proxies = proxyAuthorities === '' ? [] : certificatesOf(proxyAuthorities);
    this.#proxyNames = proxies;
    const all = [...this.#users, ...this.#proxies];
    checkRoots(all);
    this.pem = all.map(String);
  }

  /** Whether clients are asked for a certificate. */
  get asks(): boolean {
    return this.pem.length > 0;
  }

  /** `headers`: of a request on this connection. */
  callerOf(socket: TLSSocket, headers: Iterable<readonly [string, string]>, names: RequestHeaders): Caller {
    if (!this.asks) return kNobody;
    let shown = this.#shown.get(socket);
    if (!shown) {
      const certificate = socket.getPeerCertificate(true);
      if (!certificate?.raw) return kNobody;
      this.#shown.set(socket, (shown = this.#judge(socket, certificate)));
    }
    const valid = shown.from <= Date.now() && Date.now() <= shown.to;
    const trusted = (judged?: boolean) => judged === true && valid;
    const refused = [shown.asUser, shown.asProxy].some((judged) => judged !== undefined && !trusted(judged)) || (trusted(shown.asUser) && hasBadUid(shown));
    const user = (trusted(shown.asProxy) ? namedByProxy([...headers], names) : undefined) ?? (trusted(shown.asUser) ? ownerOf(shown) : undefined);
    return { user, refused };
  }

  #judge(socket: TLSSocket, certificate: DetailedPeerCertificate): Shown {
    const { subject, fingerprint256, valid_from, valid_to } = certificate;
    const commonName = textsOf(subject?.CN).at(-1) ?? ''; // as Go, the last
    const leadsTo = (authorities: readonly X509Certificate[]) => socket.authorized && isSignedBy(certificate, authorities);
    const named = this.#proxyNames.length === 0 || this.#proxyNames.includes(commonName);
    return {
      commonName,
      organizations: textsOf(subject?.O),
      uids: textsOf((subject as unknown as Record<string, string | string[]> | undefined)?.[kUid]),
      fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
      from: Date.parse(valid_from),
      to: Date.parse(valid_to),
      ...(this.#users.length > 0 ? { asUser: leadsTo(this.#users) } : {}),
      ...(this.#proxies.length > 0 ? { asProxy: named && leadsTo(this.#proxies) } : {}),
    };
  }
}

const textsOf = (value: string | string[] | undefined): string[] => (value === undefined ? [] : [value].flat());

/**
 * Returns true if the chain leads to one of `authorities`. The handshake has verified the chain, but against the
 * authorities of users and proxies alike.
 */
function isSignedBy(shown: DetailedPeerCertificate, authorities: readonly X509Certificate[]): boolean {
  let one = new X509Certificate(shown.raw);
  for (let at = shown; ; at = at.issuerCertificate) {
    if (authorities.some((authority) => authority.fingerprint256 === one.fingerprint256 || signs(authority, one))) return true;
    if (!at.issuerCertificate?.raw || at.issuerCertificate === at) return false;
    const next = new X509Certificate(at.issuerCertificate.raw);
    if (!next.ca || !signs(next, one)) return false;
    one = next;
  }
}

/** A server of node:tls takes no authority for granted that is signed by another, as Go's does. */
function checkRoots(authorities: readonly X509Certificate[]): void {
  const nameOf = (lines: string) => lines.replaceAll('\n', ', ');
  for (const one of authorities) {
    if (one.subject === one.issuer || authorities.some((other) => signs(other, one))) continue;
    throw new Error(`Node.js trusts an authority only up to one that signs itself: the file of ${nameOf(one.subject)} needs ${nameOf(one.issuer)}, too`);
  }
}

const signs = (issuer: X509Certificate, one: X509Certificate) => one.checkIssued(issuer) && one.verify(issuer.publicKey);

const hasBadUid = ({ uids }: Shown) => uids.length > 1 || uids[0] === '';

function ownerOf(shown: Shown): Identity | undefined {
  const { commonName, organizations, fingerprint, uids } = shown;
  if (commonName === '' || hasBadUid(shown)) return undefined;
  return { user: commonName, ...(uids.length > 0 ? { uid: uids[0]! } : {}), groups: organizations, extra: { [kCredentialId]: [`X509SHA256=${fingerprint}`] } };
}

function namedByProxy(headers: readonly (readonly [string, string])[], names: RequestHeaders): Identity | undefined {
  const lines = headers.map(([name, value]) => [name.toLowerCase(), value] as const).filter(([, value]) => value !== '');
  const valuesOf = (wanted: readonly string[]) => wanted.flatMap((one) => lines.filter(([name]) => name === one).map(([, value]) => value));
  const [user] = valuesOf(names.usernames);
  if (user === undefined) return undefined;
  const [uid] = valuesOf(names.uids);
  const extra: Record<string, string[]> = {};
  for (const prefix of names.extraPrefixes) {
    for (const [name, value] of lines) if (name.startsWith(prefix)) (extra[percentDecoded(name.slice(prefix.length))] ??= []).push(value);
  }
  return { user, uid, groups: valuesOf(names.groups), extra };
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns true if a request of a caller whose certificate is refused shows a token, which may let it in. */
export function showsToken(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  return /^\s*bearer [^ ]/i.test(String(headers.authorization ?? '')) || String(headers['sec-websocket-protocol'] ?? '').includes('base64url.bearer.authorization.k8s.io.');
}
