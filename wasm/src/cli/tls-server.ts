// The server's side of TLS: its certificates, the protocols it speaks, and whom it asks for a certificate.
import { constants, X509Certificate } from 'node:crypto';
import type { SecureServerOptions } from 'node:http2';
import { createSecureContext, DEFAULT_CIPHERS, type SecureContext, type SecureContextOptions, type SecureVersion, type Server } from 'node:tls';
import type { Certificate } from '../certificates.js';
import { ClientTrust } from './client-certificate.js';

export type TlsVersion = 'VersionTLS10' | 'VersionTLS11' | 'VersionTLS12' | 'VersionTLS13';

export interface TlsSettings {
  /** The certificate with those that sign it, and its key; then those for other names: a client that asks for one of these gets it. */
  own: Certificate;
  forNames: Certificate[];
  minVersion: TlsVersion;
  /** PEM; empty: clients are asked for no certificate. */
  userAuthorities: string;
  proxyAuthorities: string;
  /** Common names of proxies; empty: any. */
  proxies: string[];
}

const kVersions: Readonly<Record<TlsVersion, SecureVersion>> = { VersionTLS10: 'TLSv1', VersionTLS11: 'TLSv1.1', VersionTLS12: 'TLSv1.2', VersionTLS13: 'TLSv1.3' };

/** What handshakes use. Certificates can be replaced while the server runs; whether clients are asked for theirs stays. */
export class TlsContexts {
  #own!: SecureContextOptions;
  #forNames!: { certificate: X509Certificate; context: SecureContext }[];
  #trust!: ClientTrust;

  /** Throws an Error for certificates and keys that cannot be used. */
  constructor(settings: TlsSettings) {
    this.use(settings);
  }

  /** As the constructor; if it throws, what was there stays. */
  use(settings: TlsSettings): void {
    const trust = new ClientTrust(settings);
    const common = commonOptions(settings, trust);
    const own = { ...common, ...checkedPair(settings.own) };
    const forNames = settings.forNames.map((pair) => ({
      certificate: new X509Certificate(checkedPair(pair).cert),
      context: createSecureContext({ ...common, ...checkedPair(pair) }),
    }));
    createSecureContext(own);
    this.#own = own;
    this.#forNames = forNames;
    this.#trust = trust;
  }

  /** Lets new connections of `server`, which `options` made, use what `use` got. */
  applyTo(server: Server): void {
    server.setSecureContext(this.#own);
  }

  /** What clients' certificates are judged by. */
  get trust(): ClientTrust {
    return this.#trust;
  }

  get options(): SecureServerOptions {
    return {
      ...this.#own,
      ...(this.#trust.asks ? { requestCert: true, rejectUnauthorized: false } : {}), // judged with each request
      SNICallback: (name, done) => done(null, this.#forNames.find(({ certificate }) => certificate.checkHost(name) !== undefined)?.context),
    };
  }
}

function commonOptions({ minVersion }: TlsSettings, trust: ClientTrust): SecureContextOptions {
  // A resumed session would lack the certificates between the client's and the authority's.
  const noResumption = trust.asks ? constants.SSL_OP_NO_TICKET : 0;
  return {
    minVersion: kVersions[minVersion],
    ...(minVersion < 'VersionTLS12' ? { ciphers: `${DEFAULT_CIPHERS}:@SECLEVEL=0` } : {}), // OpenSSL has no older version at its usual level
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_CIPHER_SERVER_PREFERENCE | noResumption,
    ...(trust.asks ? { ca: trust.pem } : {}),
  };
}

/** The words of OpenSSL's reason. */
const reasonOf = (error: unknown) => (error as Error).message.split(':').at(-1)!.trim();

function checkedPair({ pem: cert, key }: Certificate): { cert: string; key: string } {
  try {
    createSecureContext({ cert });
  } catch (error) {
    throw new Error(`the certificate is not PEM: ${reasonOf(error)}`);
  }
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new Error(`the key does not fit the certificate: ${reasonOf(error)}`);
  }
  return { cert, key };
}
