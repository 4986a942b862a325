// Tokens of other issuers (OpenID Connect), whose keys the server fetches over real TLS; and who may be anonymous.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startServer } from './server.mjs';
import { authority, closePeers, startWebhook } from './webhook_peers.mjs';

const folder = mkdtempSync(join(tmpdir(), 'issuers-'));
const kNow = '2026-01-01T00:00:00Z';
const kSeconds = Date.parse(kNow) / 1000;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const point = generateKeyPairSync('ec', { namedCurve: 'P-256' });
let keys = [];
let asked = [];
let issuer;
let broken = false;

const jwk = (pair, kid) => ({ ...pair.publicKey.export({ format: 'jwk' }), kid, use: 'sig' });
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

function tokenOf(claims, { alg = 'RS256', kid = 'r', pair = rsa } = {}) {
  const text = `${part({ alg, kid })}.${part({ iss: issuer, aud: 'shop', exp: kSeconds + 60, ...claims })}`;
  const options = alg.startsWith('ES') ? { key: pair.privateKey, dsaEncoding: 'ieee-p1363' } : { key: pair.privateKey };
  return `${text}.${sign('sha256', Buffer.from(text), options).toString('base64url')}`;
}

before(async () => {
  const port = await startWebhook((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(broken ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(request.url === '/keys' ? { keys } : { issuer, jwks_uri: `${issuer}/keys` }));
  });
  issuer = `https://127.0.0.1:${port}`;
  keys = [jwk(rsa, 'r')];
});
after(() => {
  closePeers();
  rmSync(folder, { recursive: true, force: true });
});

let count = 0;
function configuration(jwt, more = {}) {
  const path = join(folder, `authentication-${count++}.json`);
  writeFileSync(path, JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration', jwt, ...more }));
  return path;
}

const place = () => ({ url: issuer, audiences: ['shop'], certificateAuthority: authority.cert });

/** Who the server takes the sender of the token for; or the status. */
async function who(server, token) {
  const answer = await fetch(`${server.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body: '{}' });
  return answer.status === 201 ? (await answer.json()).status.userInfo : answer.status;
}

test('claims make a user; the keys are fetched once, and again for a key that is new', async () => {
  const claimMappings = { username: { claim: 'sub', prefix: 'ext:' }, groups: { claim: 'roles', prefix: '' }, uid: { claim: 'oid' } };
  const server = await startServer('--clock', kNow, '--authentication-config', configuration([{ issuer: place(), claimMappings }]));
  try {
    asked = [];
    assert.deepEqual(await who(server, tokenOf({ sub: 'ann', roles: ['a', 'b'], oid: '7', jti: 'j' })), {
      username: 'ext:ann',
      uid: '7',
      groups: ['a', 'b', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': ['JTI=j'] },
    });
    assert.deepEqual(asked, ['GET /.well-known/openid-configuration', 'GET /keys']);
    assert.equal((await who(server, tokenOf({ sub: 'bob', roles: 'c', oid: '8' }))).username, 'ext:bob');
    assert.equal(asked.length, 2);

    const es = { alg: 'ES256', kid: 'e', pair: point };
    assert.equal(await who(server, tokenOf({ sub: 'ann', oid: '7' }, es)), 401);
    keys.push(jwk(point, 'e'));
    assert.equal((await who(server, tokenOf({ sub: 'ann', oid: '7' }, es))).username, 'ext:ann');

    // What makes a token bad.
    const good = tokenOf({ sub: 'ann', oid: '7' });
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const bad = {
      expired: tokenOf({ sub: 'ann', oid: '7', exp: kSeconds - 1 }),
      endless: tokenOf({ sub: 'ann', oid: '7', exp: undefined }),
      early: tokenOf({ sub: 'ann', oid: '7', nbf: kSeconds + 301 }),
      audience: tokenOf({ sub: 'ann', oid: '7', aud: ['other'] }),
      issuer: tokenOf({ sub: 'ann', oid: '7', iss: `${issuer}/` }),
      name: tokenOf({ oid: '7' }),
      uid: tokenOf({ sub: 'ann' }),
      groups: tokenOf({ sub: 'ann', oid: '7', roles: ['a', 1] }),
      key: tokenOf({ sub: 'ann', oid: '7' }, { pair: other }),
      algorithm: `${part({ alg: 'none', kid: 'r' })}.${good.split('.')[1]}.`,
      signature: `${good.slice(0, -8)}AAAAAAAA`,
      claims: good.split('.').toSpliced(1, 1, part({ iss: issuer, aud: 'shop', exp: kSeconds + 60, sub: 'root', oid: '0' })).join('.'),
    };
    for (const [why, token] of Object.entries(bad)) assert.equal(await who(server, token), 401, why);
    broken = true;
    assert.equal(await who(server, bad.key), 401);
    assert.equal((await who(server, good)).username, 'ext:ann');
  } finally {
    broken = false;
    assert.equal(await server.stop(), 0);
  }
});

test('expressions make the user and judge it', async () => {
  const jwt = [
    {
      issuer: { ...place(), audiences: ['shop', 'bank'], audienceMatchPolicy: 'MatchAny' },
      claimMappings: {
        username: { expression: "claims.email + (claims.email_verified ? '' : '?')" },
        groups: { expression: "claims.roles.split(',')" },
        uid: { expression: 'string(claims.number)' },
        extra: [{ key: 'example.com/tenant', valueExpression: 'claims.tenant' }, { key: 'example.com/none', valueExpression: "''" }],
      },
      claimValidationRules: [{ claim: 'hd', requiredValue: 'example.com' }, { expression: 'claims.number > 5', message: 'too small' }],
      userValidationRules: [{ expression: "!user.username.startsWith('system:')", message: 'reserved' }],
    },
  ];
  const server = await startServer('--clock', kNow, '--authentication-config', configuration(jwt));
  const claims = { aud: ['x', 'bank'], email: 'a@example.com', email_verified: true, roles: 'r,s', number: 6, tenant: ['t', ''], hd: 'example.com' };
  try {
    assert.deepEqual(await who(server, tokenOf(claims)), { username: 'a@example.com', uid: '6', groups: ['r', 's', 'system:authenticated'], extra: { 'example.com/tenant': ['t'] } });
    const bad = [{ hd: 'other' }, { hd: undefined }, { number: 5 }, { email: 'system:a' }, { email: undefined }, { roles: 3 }, { number: '7' }];
    for (const change of bad) assert.equal(await who(server, tokenOf({ ...claims, ...change })), 401, JSON.stringify(change));
  } finally {
    assert.equal(await server.stop(), 0);
  }
});

test('--oidc-* flags describe an issuer, and a file may have its keys', async () => {
  const inFolder = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const ca = inFolder('issuer-ca.pem', authority.cert);
  const usual = ['--clock', kNow, '--oidc-issuer-url', issuer, '--oidc-client-id', 'shop'];
  const fetching = await startServer(...usual, '--oidc-ca-file', ca, '--oidc-groups-claim', 'roles', '--oidc-groups-prefix', 'g:', '--oidc-required-claim', 'hd=example.com');
  try {
    const claims = { sub: 'ann', roles: ['a'], hd: 'example.com' };
    assert.deepEqual(await who(fetching, tokenOf(claims)), { username: `${issuer}#ann`, groups: ['g:a', 'system:authenticated'] });
    assert.equal(await who(fetching, tokenOf({ ...claims, hd: 'other' })), 401);
  } finally {
    assert.equal(await fetching.stop(), 0);
  }
  const file = inFolder('keys.json', JSON.stringify({ keys: [jwk(rsa, 'r'), jwk(point, 'e')] }));
  const reading = await startServer(...usual, '--oidc-jwks-file', file, '--oidc-username-claim', 'email', '--oidc-signing-algs', 'ES256');
  try {
    asked = [];
    const es = { alg: 'ES256', kid: 'e', pair: point };
    assert.equal((await who(reading, tokenOf({ email: 'a@x' }, es))).username, 'a@x');
    assert.equal(await who(reading, tokenOf({ email: 'a@x', email_verified: false }, es)), 401);
    assert.equal(await who(reading, tokenOf({ email: 'a@x' })), 401, 'of another algorithm');
    assert.deepEqual(asked, []);
  } finally {
    assert.equal(await reading.stop(), 0);
  }
  const claimMappings = { username: { claim: 'sub', prefix: '' } };
  const configured = await startServer('--clock', kNow, '--authentication-config', configuration([{ issuer: { ...place(), jwksFile: file }, claimMappings }]));
  try {
    asked = [];
    assert.equal((await who(configured, tokenOf({ sub: 'ann' }))).username, 'ann');
    assert.deepEqual(asked, []);
  } finally {
    assert.equal(await configured.stop(), 0);
  }
  const program = process.env.TABERNETES_BINARY ?? new URL('../../build/native/tabernetes', import.meta.url).pathname;
  const refused = (code, message, ...flags) => {
    const { status, stderr } = spawnSync(program, ['serve', '--listen', '127.0.0.1:0', ...flags], { encoding: 'utf8' });
    assert.ok(stderr.includes(message), stderr);
    assert.equal(status, code);
  };
  refused(2, 'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set', '--oidc-username-claim', 'sub');
  refused(2, 'authentication-config file and oidc-* flags are mutually exclusive', ...usual, '--authentication-config', configuration([]));
  refused(2, 'malformed pair, expect string=string', ...usual, '--oidc-required-claim', 'hd');
  refused(1, 'oidc: unsupported signing alg: "HS256"', ...usual, '--oidc-signing-algs', 'HS256');
  refused(1, 'jwt[0].issuer.url: Invalid value: "http://a": URL scheme must be https', '--oidc-issuer-url', 'http://a', '--oidc-client-id', 'c');
  refused(1, 'no such file or directory', ...usual, '--oidc-jwks-file', join(folder, 'lost.json'));
});

test('anonymous callers, by path', async () => {
  const status = async (server, path) => (await fetch(server.url + path)).status;
  const some = await startServer('--authentication-config', configuration([], { anonymous: { enabled: true, conditions: [{ path: '/livez' }] } }));
  try {
    assert.equal(await status(some, '/livez?verbose'), 200);
    assert.equal(await status(some, '/livez/ping'), 401);
    assert.equal(await status(some, '/api'), 401);
  } finally {
    await some.stop();
  }
  const nobody = await startServer('--authentication-config', configuration([], { anonymous: { enabled: false } }));
  try {
    assert.equal(await status(nobody, '/livez'), 401);
  } finally {
    await nobody.stop();
  }
});

test('what is wrong is said at start', () => {
  const program = process.env.TABERNETES_BINARY ?? new URL('../../build/native/tabernetes', import.meta.url).pathname;
  const fault = (jwt, more) => {
    const path = configuration(jwt, more);
    const { status, stderr } = spawnSync(program, ['serve', '--listen', '127.0.0.1:0', '--authentication-config', path], { encoding: 'utf8' });
    assert.equal(status, 1);
    return stderr.replace(`tabernetes: ${path}: `, '').trim();
  };
  const username = { claim: 'sub', prefix: '' };
  const good = () => ({ issuer: place(), claimMappings: { username } });
  const changed = (issuerChange, mappings = {}, more = {}) => [{ issuer: { ...place(), ...issuerChange }, claimMappings: { username, ...mappings }, ...more }];
  assert.equal(fault([{ ...good(), more: 1 }]), 'strict decoding error: unknown field "jwt[0].more"');
  assert.equal(fault(changed({ url: '' })), 'jwt[0].issuer.url: Required value');
  assert.equal(fault(changed({ url: 'http://a' })), 'jwt[0].issuer.url: Invalid value: "http://a": URL scheme must be https');
  assert.equal(fault(changed({ audiences: [] })), 'jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required');
  assert.equal(fault(changed({ audiences: ['a', 'b'] })), 'jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences');
  assert.equal(fault(changed({ discoveryURL: `${issuer}/` })), `jwt[0].issuer.discoveryURL: Invalid value: "${issuer}/": discoveryURL must be different from URL`);
  assert.equal(fault([good(), good()]), `jwt[1].issuer.url: Duplicate value: "${issuer}"`);
  assert.equal(fault([{ issuer: place(), claimMappings: { username: {} } }]), 'jwt[0].claimMappings.username: Required value: claim or expression is required');
  assert.match(fault([{ issuer: place(), claimMappings: { username: { claim: 'sub' } } }]), /^jwt\[0\]\.claimMappings\.username\.prefix: Required value: prefix is required when claim is set\./);
  assert.match(fault(changed({}, { username: { expression: 'claims.email' } })), /^jwt\[0\]\.claimMappings\.username\.expression: Invalid value: "claims\.email": claims\.email_verified must be used in /);
  assert.match(fault(changed({}, { groups: { expression: 'nobody' } })), /^jwt\[0\]\.claimMappings\.groups\.expression: Invalid value: "nobody": compilation failed: ERROR: <input>:1:1: undeclared reference to 'nobody'/);
  assert.equal(fault(changed({}, {}, { userValidationRules: [{ expression: 'user.username' }] })), 'jwt[0].userValidationRules[0].expression: Invalid value: "user.username": must evaluate to bool');
  assert.equal(fault(changed({}, { extra: [{ key: 'a.k8s.io/x', valueExpression: "'a'" }] })), 'jwt[0].claimMappings.extra[0].key: Invalid value: "a.k8s.io/x": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use');
  assert.match(fault([], { anonymous: { enabled: false, conditions: [{ path: '/x' }] } }), /^anonymous\.conditions: Invalid value: .*: enabled should be set to true when conditions are defined$/);
});
