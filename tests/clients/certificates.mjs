// Certificates for tests, made with node:crypto and the little DER that an X.509 certificate needs, without openssl.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const der = (tag, ...parts) => {
  const body = Buffer.concat(parts);
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const size = body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts) => der(0x30, ...parts);
const explicit = (n, ...parts) => der(0xa0 | n, ...parts);
const octets = (...parts) => der(0x04, ...parts);
const text = (value) => der(0x0c, Buffer.from(value));
const yes = der(0x01, Buffer.from([255]));

/** Encodes an object identifier whose first two numbers are below 40. */
function oid(name) {
  const [first, second, ...rest] = name.split('.').map(Number);
  const bytes = rest.flatMap((n) => {
    const sevens = [n & 127];
    while ((n >>>= 7) > 0) sevens.unshift((n & 127) | 128);
    return sevens;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

const kCommonName = oid('2.5.4.3');
const kEcdsaSha256 = sequence(oid('1.2.840.10045.4.3.2'));
const time = (date) => der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\.\d+/g, '')}`));
const nameOf = (commonName) => sequence(der(0x31, sequence(kCommonName, text(commonName))));
const extension = (id, value, critical) => sequence(oid(id), ...(critical ? [yes] : []), octets(value));

const alternative = (name) =>
  /^[\d.]+$/.test(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name));

const pem = (body) => `-----BEGIN CERTIFICATE-----\n${body.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

/**
 * Returns a certificate and its key as PEM, and what an authority needs to sign others.
 *
 *   commonName  its subject
 *   names       its DNS names and IPv4 addresses; without them it has no such extension
 *   authority   the signer; if left out it signs itself and may sign others
 *   from, to    dates; by default ten years around now
 */
export function makeCertificate({ commonName, names = [], authority, from, to, clientOnly = false }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const year = 365 * 24 * 3600 * 1000;
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const keyId = createHash('sha1').update(key).digest();
  const issuer = authority ?? { commonName, privateKey, keyId };
  const extensions = [
    extension('2.5.29.14', octets(keyId)),
    extension('2.5.29.35', sequence(der(0x80, issuer.keyId))),
    ...(authority ? [] : [extension('2.5.29.19', sequence(yes), true)]),
    ...(names.length > 0 ? [extension('2.5.29.17', sequence(...names.map(alternative)))] : []),
    ...(clientOnly ? [extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.2')))] : []),
  ];
  const content = sequence(
    explicit(0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    kEcdsaSha256,
    nameOf(issuer.commonName),
    sequence(time(from ?? new Date(Date.now() - 5 * year)), time(to ?? new Date(Date.now() + 5 * year))),
    nameOf(commonName),
    key,
    explicit(3, sequence(...extensions)),
  );
  const signature = sign('sha256', content, issuer.privateKey);
  return {
    cert: pem(sequence(content, kEcdsaSha256, der(0x03, Buffer.from([0]), signature))),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    commonName,
    privateKey,
    keyId,
  };
}
