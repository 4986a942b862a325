// Reads requests for certificates (PKCS #10) with @peculiar/asn1-schema, and verifies their signatures with node:crypto.
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { AsnConvert, AsnProp, AsnPropTypes } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, Attribute, type Extension, Extensions, id_ce_subjectAltName, Name, SubjectPublicKeyInfo } from '@peculiar/asn1-x509';

/** What a request says. */
export interface CertificateRequest {
  subject: Name;
  publicKey: KeyObject;
  /** The extension with its alternative names. */
  names?: Extension;
}

class Info {
  version = 0;
  subject = new Name();
  key = new SubjectPublicKeyInfo();
  attributes: Attribute[] = [];
}
AsnProp({ type: AsnPropTypes.Integer })(Info.prototype, 'version');
AsnProp({ type: Name })(Info.prototype, 'subject');
AsnProp({ type: SubjectPublicKeyInfo })(Info.prototype, 'key');
AsnProp({ type: Attribute, repeated: 'set', context: 0, implicit: true, optional: true })(Info.prototype, 'attributes');

class Form {
  info = new Info();
  infoRaw?: ArrayBuffer;
  algorithm = new AlgorithmIdentifier();
  signature = new ArrayBuffer(0);
}
AsnProp({ type: Info, raw: true })(Form.prototype, 'info');
AsnProp({ type: AlgorithmIdentifier })(Form.prototype, 'algorithm');
AsnProp({ type: AsnPropTypes.BitString })(Form.prototype, 'signature');

const kExtensionRequest = '1.2.840.113549.1.9.14';

/** The digests of signatures; null: the algorithm has its own. */
const kDigests: Readonly<Record<string, string | null>> = {
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.3.101.112': null,
};

/** Throws an Error for a request that is malformed, or signed by another key than its own. */
export function readCertificateRequest(pem: string): CertificateRequest {
  const { info, infoRaw, algorithm, signature } = parsed(pem);
  const publicKey = createPublicKey({ key: Buffer.from(AsnConvert.serialize(info.key)), format: 'der', type: 'spki' });
  const digest = kDigests[algorithm.algorithm];
  if (digest === undefined || !verify(digest, Buffer.from(infoRaw!), publicKey, Buffer.from(signature))) {
    throw new Error('unable to verify certificate request signature');
  }
  const wanted = info.attributes.find(({ type }) => type === kExtensionRequest)?.values[0];
  const extensions = wanted ? AsnConvert.parse(wanted, Extensions) : [];
  return { subject: info.subject, publicKey, names: extensions.find(({ extnID }) => extnID === id_ce_subjectAltName) };
}

function parsed(pem: string): Form {
  try {
    const [, base64 = ''] = /-----BEGIN CERTIFICATE REQUEST-----([^-]+)-----END/.exec(pem) ?? [];
    return AsnConvert.parse(Buffer.from(base64, 'base64'), Form);
  } catch {
    throw new Error('unable to parse certificate request');
  }
}
