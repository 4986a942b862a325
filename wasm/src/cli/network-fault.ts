// Network errors in the words of Go's net, net/http and crypto/tls, which kube-apiserver shows to its clients.
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate, type TLSSocket } from 'node:tls';
import { authority, type ListenAddress } from './listen-address.js';

interface SystemError extends Error {
  code?: string;
  syscall?: string;
  address?: string;
  port?: number;
  errors?: SystemError[];
}

const kWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  EPIPE: 'broken pipe',
  ETIMEDOUT: 'connection timed out',
};
const wordsOf = ({ code = '', message }: SystemError) => kWords[code] ?? message;

/**
 * Returns the message for a connection that fails or ends before the body. `ends` are its two addresses as Go writes
 * them.
 */
export function connectionFault(thrown: Error, to: ListenAddress, ends: string): string {
  const error = (thrown as SystemError).errors?.[0] ?? (thrown as SystemError);
  const { code = '', syscall } = error;
  if (syscall === 'getaddrinfo') return `dial tcp: lookup ${to.host}: no such host`;
  if (syscall === 'connect') {
    const place = authority({ host: error.address ?? to.host, port: error.port ?? to.port });
    return `dial tcp ${place}: connect: ${wordsOf(error)}`;
  }
  if (syscall !== undefined) return `read tcp ${ends}: read: ${wordsOf(error)}`;
  if (code === 'ECONNRESET') return 'EOF';
  if (code.startsWith('HPE_')) return 'net/http: HTTP/1.x transport connection broken: malformed HTTP response';
  return code.startsWith('ERR_SSL_') ? tlsFault(code) : error.message;
}

/** Maps OpenSSL's `SSLV3_ALERT_HANDSHAKE_FAILURE` to Go's `remote error: tls: handshake failure`. */
function tlsFault(code: string): string {
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(code)) return 'http: server gave HTTP response to HTTPS client';
  const told = /_ALERT_(.+)$/.exec(code)?.[1];
  const words = (told ?? code.slice('ERR_SSL_'.length)).toLowerCase().replaceAll('_', ' ');
  if (told === undefined) return `tls: ${words}`;
  return `remote error: tls: ${words}${words === 'protocol version' ? ' not supported' : ''}`;
}

/** Returns the message for a body that breaks off. */
export function bodyFault(thrown: Error): string {
  const { code = '', message } = thrown as SystemError;
  if (code === 'ECONNRESET') return 'unexpected EOF';
  return code.startsWith('HPE_') ? 'invalid byte in chunk length' : message;
}

/** Returns the reason why the server's certificate is refused, or undefined if it is accepted. */
export function certificateFault(socket: TLSSocket, serverName: string): string | undefined {
  const certificate = socket.getPeerCertificate();
  let fault = timeFault(certificate) ?? nameFault(certificate, serverName);
  if (fault === undefined && socket.authorized) return undefined;
  const code = String(socket.authorizationError);
  if (code === 'INVALID_PURPOSE') fault ??= 'certificate specifies an incompatible key usage';
  return `tls: failed to verify certificate: x509: ${fault ?? 'certificate signed by unknown authority'}`;
}

const rfc3339 = (time: Date) => time.toISOString().replace(/\.\d+/, '');

function timeFault({ valid_from, valid_to }: PeerCertificate): string | undefined {
  const now = new Date();
  const [from, to] = [new Date(valid_from), new Date(valid_to)];
  if (now >= from && now <= to) return undefined;
  const limit = now < from ? `before ${rfc3339(from)}` : `after ${rfc3339(to)}`;
  return `certificate has expired or is not yet valid: current time ${rfc3339(now)} is ${limit}`;
}

function nameFault(certificate: PeerCertificate, serverName: string): string | undefined {
  const alternatives = certificate.subjectaltname;
  const listed = (prefix: string) =>
    (alternatives ?? '').split(', ').flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  const ip = isIP(serverName) !== 0;
  const valid = ip ? listed('IP Address:') : listed('DNS:');
  // checkServerIdentity would fall back to the common name if no name is listed; Go does not.
  if (valid.length > 0) {
    return checkServerIdentity(serverName, certificate) && `certificate is valid for ${valid.join(', ')}, not ${serverName}`;
  }
  if (alternatives === undefined && certificate.subject.CN === serverName) {
    return 'certificate relies on legacy Common Name field, use SANs instead';
  }
  return ip
    ? `cannot validate certificate for ${serverName} because it doesn't contain any IP SANs`
    : `certificate is not valid for any names, but wanted to match ${serverName}`;
}
