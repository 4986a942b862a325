// Reads, makes and keeps the certificates that the flags of HTTPS ask for.
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificate } from '../certificates.js';
import { systemMessage } from './manifests.js';
import type { TlsSettings, TlsVersion } from './tls-server.js';

/** The flags of HTTPS; files are paths, empty: none. */
export interface TlsFlags {
  on: boolean;
  certFile: string;
  keyFile: string;
  /** Certificate and key for clients that ask for another name. */
  forNames: { cert: string; key: string }[];
  minVersion: TlsVersion;
  /** More host names and addresses for the certificate that is made. */
  names: string[];
  certDir: string;
  clientCaFile: string;
  proxyCaFile: string;
  proxyNames: string[];
}

export const servesTls = ({ on, certFile }: TlsFlags) => on || certFile !== '';

export interface TlsFiles {
  settings: TlsSettings;
  /** PEM: what clients verify the server with. */
  authority: string;
  /** Of the user of the kubeconfig, if it needs one. */
  admin?: Certificate;
  /** That which signs what is made. */
  made: Certificate;
  /** What aggregated API servers see of this one, and its authority (PEM). */
  frontProxy: Certificate;
  frontProxyAuthority: string;
}

const kAuthorityName = 'tabernetes-ca';
const kFrontProxyAuthority = 'tabernetes-front-proxy-ca';
const kServerNames = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local', '127.0.0.1', '::1'];

export interface TlsNeeds {
  /** Those of the listen addresses. */
  hosts: readonly string[];
  /** Clients need an identity. */
  withAdmin: boolean;
  /** The cluster issues certificates to clients. */
  signs: boolean;
  /** An authority that is in no file, and which clients trust. */
  known?: Certificate;
}

/** Throws an Error that says which file is wrong. */
export async function prepareTls(tls: TlsFlags, needs: TlsNeeds): Promise<TlsFiles> {
  const made = await makeCertificates(tls, needs);
  const own = made.server ?? { pem: textOf(tls.certFile), key: textOf(tls.keyFile) };
  const users = tls.clientCaFile === '' ? '' : textOf(tls.clientCaFile);
  if (users !== '') certificatesOf(users); // more follow, which would hide that it has none
  return {
    settings: {
      own,
      forNames: tls.forNames.map(({ cert, key }) => ({ pem: textOf(cert), key: textOf(key) })),
      minVersion: tls.minVersion,
      userAuthorities: made.admin || needs.signs ? joinedPem(users, made.authority.pem) : users,
      proxyAuthorities: tls.proxyCaFile === '' ? '' : textOf(tls.proxyCaFile),
      proxies: tls.proxyNames,
    },
    authority: made.server ? made.authority.pem : own.pem,
    admin: made.admin,
    made: made.authority,
    ...(await makeFrontProxy(tls)),
  };
}

async function makeFrontProxy(tls: TlsFlags): Promise<Pick<TlsFiles, 'frontProxy' | 'frontProxyAuthority'>> {
  const { issueCertificate, makeAuthority } = await import('../certificates.js');
  const authority = tls.certDir === '' ? makeAuthority(kFrontProxyAuthority) : authorityOf(tls.certDir, makeAuthority, 'front-proxy-ca', kFrontProxyAuthority);
  return { frontProxy: issueCertificate(authority, { commonName: 'front-proxy-client' }), frontProxyAuthority: authority.pem };
}

interface Made {
  authority: Certificate;
  /** Undefined if files have it. */
  server?: Certificate;
  admin?: Certificate;
}

async function makeCertificates(tls: TlsFlags, { hosts, withAdmin, known }: TlsNeeds): Promise<Made> {
  const { issueCertificate, makeAuthority } = await import('../certificates.js');
  const authority = tls.certDir === '' ? (known ?? makeAuthority(kAuthorityName)) : authorityOf(tls.certDir, makeAuthority);
  const admin = withAdmin ? issueCertificate(authority, { commonName: 'kubernetes-admin', organizations: ['system:masters'] }) : undefined;
  if (tls.certFile !== '') return { authority, admin };
  const server = issueCertificate(authority, { commonName: 'kube-apiserver', names: serverNames(hosts, tls.names) });
  if (tls.certDir !== '') keep(tls.certDir, 'apiserver', server);
  return { authority, server, admin };
}

/** Returns the names of a certificate: those that every server has, its hosts, and `more`. */
export function serverNames(hosts: readonly string[], more: readonly string[] = []): string[] {
  const own = [...hosts, ...more].filter((name) => name !== '0.0.0.0' && name !== '::');
  return [...new Set([...kServerNames, ...own])];
}

/** Returns the authority that the folder has, or makes it. */
function authorityOf(folder: string, makeAuthority: (name: string) => Certificate, file = 'ca', commonName = kAuthorityName): Certificate {
  const [certificate, key] = [join(folder, `${file}.crt`), join(folder, `${file}.key`)];
  if (existsSync(certificate)) return { pem: textOf(certificate), key: textOf(key) };
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new Error(`${folder}: ${systemMessage(error)}`);
  }
  const made = makeAuthority(commonName);
  keep(folder, file, made);
  return made;
}

function keep(folder: string, name: string, { pem, key }: Certificate): void {
  for (const [path, text, mode] of [[join(folder, `${name}.crt`), pem, 0o644], [join(folder, `${name}.key`), key, 0o600]] as const) {
    try {
      writeFileSync(path, text, { mode });
    } catch (error) {
      throw new Error(`${path}: ${systemMessage(error)}`);
    }
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`${path}: ${systemMessage(error)}`);
  }
}

const joinedPem = (text: string, more: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`) + more;

/** Returns the certificates of a PEM text. Throws an Error if there is none. */
export function certificatesOf(pem: string): X509Certificate[] {
  const texts = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    if (texts.length > 0) return texts.map((text) => new X509Certificate(text));
  } catch {
    // told below
  }
  throw new Error('no certificate of an authority in PEM');
}
