// Makes keys and certificates (ECDSA over P-256). node:crypto makes the keys and signs; the form is of @peculiar/asn1-x509.
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate as SignedForm,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_clientAuth,
  id_kp_serverAuth,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import { readCertificateRequest } from './certificate-requests.js';
import type { CertificateOrder } from './options.js';

/** A certificate and its private key, each as PEM. */
export interface Certificate {
  pem: string;
  key: string;
}

export interface CertificateWish {
  commonName: string;
  organizations?: readonly string[];
  /** Host names and IP addresses; none for a client. */
  names?: readonly string[];
}

const kDay = 24 * 60 * 60 * 1000;
const kAuthorityLife = 3650 * kDay;
const kLife = 365 * kDay;
const kLeeway = 5 * 60 * 1000; // for clocks that are slow
const kShort = 8 * 60 * 60 * 1000; // a life that is not shortened by the leeway

const kCommonName = '2.5.4.3';
const kOrganization = '2.5.4.10';
const kSignatures: Readonly<Record<string, AlgorithmIdentifier>> = {
  ec: new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' }),
  rsa: new AlgorithmIdentifier({ algorithm: '1.2.840.113549.1.1.11', parameters: new Uint8Array([5, 0]).buffer }),
};

/** Returns a new authority that signs for ten years. */
export function makeAuthority(commonName: string): Certificate {
  const { publicKey, privateKey } = newKey();
  const subject = nameOf({ commonName });
  const extensions = [
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: true }), true),
    extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment | KeyUsageFlags.keyCertSign), true),
    extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(idOf(publicKey))),
  ];
  return signed({ subject, publicKey, extensions, life: kAuthorityLife }, privateKey, { subject, key: privateKey });
}

/**
 * Returns a certificate of a server (if the wish has names) or of a client, signed by `authority` for a year. Throws an
 * Error if the authority is not usable.
 */
export function issueCertificate(authority: Certificate, wish: CertificateWish): Certificate {
  const issuer = issuerOf(authority);
  const { publicKey, privateKey } = newKey();
  const { names = [] } = wish;
  const extensions = [
    extension(id_ce_basicConstraints, new BasicConstraints(), true),
    extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment), true),
    extension(id_ce_extKeyUsage, new ExtendedKeyUsage([names.length > 0 ? id_kp_serverAuth : id_kp_clientAuth])),
    extension(id_ce_authorityKeyIdentifier, new AuthorityKeyIdentifier({ keyIdentifier: new SubjectKeyIdentifier(issuer.id) })),
    ...(names.length > 0 ? [extension(id_ce_subjectAltName, new SubjectAlternativeName(names.map(alternative)))] : []),
  ];
  return signed({ subject: nameOf(wish), publicKey, extensions, life: kLife }, privateKey, issuer);
}

/** Returns the certificate as PEM. Throws an Error if the request or the authority is not usable. */
export function signOrder(authority: Certificate, { request, keyUsages, extendedKeyUsages, life }: CertificateOrder): string {
  const issuer = issuerOf(authority);
  const { subject, publicKey, names } = readCertificateRequest(request);
  const flags = keyUsages.reduce((all, name) => all | KeyUsageFlags[name as keyof typeof KeyUsageFlags], 0);
  const extensions = [
    ...(flags === 0 ? [] : [extension(id_ce_keyUsage, new KeyUsage(flags), true)]),
    ...(extendedKeyUsages.length === 0 ? [] : [extension(id_ce_extKeyUsage, new ExtendedKeyUsage([...extendedKeyUsages]))]),
    extension(id_ce_basicConstraints, new BasicConstraints(), true),
    extension(id_ce_authorityKeyIdentifier, new AuthorityKeyIdentifier({ keyIdentifier: new SubjectKeyIdentifier(issuer.id) })),
    ...(names ? [names] : []),
  ];
  return signedPem({ subject, publicKey, extensions, life: life < kShort ? life : life - kLeeway, end: issuer.end }, issuer);
}

interface Issuer {
  subject: Name;
  key: KeyObject;
}

function issuerOf({ pem, key: keyPem }: Certificate): Issuer & { id: ArrayBuffer; end: Date } {
  let certificate: X509Certificate;
  let key: KeyObject;
  try {
    certificate = new X509Certificate(pem);
    key = createPrivateKey(keyPem);
  } catch {
    throw new Error("cannot make a certificate: the authority's certificate or key is not PEM");
  }
  if (!certificate.checkPrivateKey(key)) throw new Error("cannot make a certificate: the authority's key is that of another certificate");
  const { subject, extensions } = AsnConvert.parse(certificate.raw, SignedForm).tbsCertificate;
  const own = extensions?.find(({ extnID }) => extnID === id_ce_subjectKeyIdentifier);
  const end = new Date(certificate.validTo);
  return { subject, key, end, id: own ? AsnConvert.parse(own.extnValue, SubjectKeyIdentifier).buffer : idOf(certificate.publicKey) };
}

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

interface Unsigned {
  subject: Name;
  publicKey: KeyObject;
  extensions: Extension[];
  /** Milliseconds from now. */
  life: number;
  /** Its end is not later. */
  end?: Date;
}

function signed(unsigned: Unsigned, privateKey: KeyObject, issuer: Issuer): Certificate {
  // `EC PRIVATE KEY` (RFC 5915): fabric8's Kubernetes client takes every `PRIVATE KEY` for one of RSA.
  return { pem: signedPem(unsigned, issuer), key: privateKey.export({ type: 'sec1', format: 'pem' }) as string };
}

function signedPem({ subject, publicKey, extensions, life, end }: Unsigned, issuer: Issuer): string {
  const signatureAlgorithm = kSignatures[issuer.key.asymmetricKeyType ?? ''];
  if (!signatureAlgorithm) throw new Error("cannot make a certificate: the authority's key is neither EC nor RSA");
  const serialNumber = randomBytes(8);
  serialNumber[0] = (serialNumber[0]! & 0x7f) | 0x40; // not negative, and no octet in vain, which DER forbids
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: bufferOf(serialNumber),
    signature: signatureAlgorithm,
    issuer: issuer.subject,
    validity: new Validity({ notBefore: new Date(Date.now() - kLeeway), notAfter: new Date(Math.min(Date.now() + life, end?.getTime() ?? Infinity)) }),
    subject,
    subjectPublicKeyInfo: keyInfo(publicKey),
    extensions: new Extensions(extensions),
  });
  const signatureValue = bufferOf(sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), issuer.key));
  const form = new SignedForm({ tbsCertificate, signatureAlgorithm, signatureValue });
  return new X509Certificate(Buffer.from(AsnConvert.serialize(form))).toString();
}

const keyInfo = (key: KeyObject) => AsnConvert.parse(key.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo);

/** RFC 5280, 4.2.1.2, the first way. */
const idOf = (key: KeyObject) => bufferOf(createHash('sha1').update(Buffer.from(keyInfo(key).subjectPublicKey)).digest());

const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

function extension(extnID: string, value: unknown, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

function nameOf({ commonName, organizations = [] }: CertificateWish): Name {
  const part = (type: string, utf8String: string) =>
    new RelativeDistinguishedName([new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String }) })]);
  return new Name([...organizations.map((one) => part(kOrganization, one)), part(kCommonName, commonName)]);
}

const alternative = (name: string) => new GeneralName(isIP(name) === 0 ? { dNSName: name } : { iPAddress: name });
