// CertificateSigningRequests and the published authority of a whole server, which the native binary and the npm package's
// command speak alike.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { serve, waitFor } from './server.mjs';

const kRequests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const kKubelet = 'kubernetes.io/kube-apiserver-client-kubelet';

/** Defines the tests of `program`, the path of a command. */
export function certificatesOf(program) {
  describe('certificates of the cluster', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tabernetes-certificates-'));
    const inFolder = (name) => join(folder, name);
    let server;
    let ca;

    before(async () => {
      writeFileSync(inFolder('tokens.csv'), 'boss,admin,1,system:masters\nstart,joiner,2,system:bootstrappers\n');
      server = await serve(program, '--log', 'error', '--ui=false', '--tls', '--cert-dir', folder, '--authorization-mode', 'RBAC', '--token-auth-file', inFolder('tokens.csv'));
      ca = readFileSync(inFolder('ca.crt'), 'utf8');
    });
    after(async () => {
      assert.equal(await server.stop(), 0);
      rmSync(folder, { recursive: true });
    });

    /** Sends a request as the owner of a token or of a certificate, and returns { status, body }. */
    function send(path, { method = 'GET', token, certificate, body } = {}) {
      return new Promise((done, failed) => {
        const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
        const request = https.request(server.url + path, { method, headers, ca, agent: false, ...certificate });
        request.on('error', failed).on('response', async (answer) => {
          let text = '';
          for await (const part of answer) text += part;
          done({ status: answer.statusCode, body: JSON.parse(text) });
        });
        request.end(body && JSON.stringify(body));
      });
    }
    const asBoss = (path, more) => send(path, { token: 'boss', ...more });

    /** Makes a key and its request with openssl; returns the request as PEM. */
    function requestOf(name, subject, names) {
      const more = names ? ['-addext', `subjectAltName=${names}`] : [];
      execFileSync('openssl', ['req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', subject, '-keyout', inFolder(`${name}.key`), ...more, '-out', inFolder(`${name}.csr`)], { stdio: 'ignore' });
      return readFileSync(inFolder(`${name}.csr`));
    }

    async function ask(name, { pem, signerName = 'kubernetes.io/kube-apiserver-client', usages = ['client auth'], token = 'boss', ...more }) {
      const spec = { request: pem.toString('base64'), signerName, usages, ...more };
      const { status, body } = await send(kRequests, { method: 'POST', token, body: { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name }, spec } });
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    }

    async function approve(name) {
      const { body } = await asBoss(`${kRequests}/${name}`);
      body.status = { conditions: [{ type: 'Approved', status: 'True', reason: 'ByHand', message: 'by hand' }] };
      const { status } = await asBoss(`${kRequests}/${name}/approval`, { method: 'PUT', body });
      assert.equal(status, 200);
    }

    /** Waits until it is signed or has failed. */
    async function outcome(name) {
      let status;
      await waitFor(async () => {
        ({ status } = (await asBoss(`${kRequests}/${name}`)).body);
        return status.certificate || status.conditions?.some(({ type }) => type === 'Failed');
      });
      return status;
    }
    const certificateOf = ({ certificate }) => Buffer.from(certificate, 'base64').toString();

    test('what is approved is signed, and lets its owner in', async () => {
      const asked = await ask('jane', { pem: requestOf('jane', '/O=devs/O=viewers/CN=jane'), expirationSeconds: 3600, usages: ['client auth', 'digital signature'] });
      assert.deepEqual([asked.spec.username, asked.spec.uid, asked.spec.groups], ['admin', '1', ['system:masters', 'system:authenticated']]);
      await approve('jane');
      const pem = certificateOf(await outcome('jane'));
      const certificate = new X509Certificate(pem);
      assert.ok(certificate.verify(new X509Certificate(ca).publicKey));
      assert.ok(certificate.checkIssued(new X509Certificate(ca)));
      assert.equal(certificate.subject, 'O=devs\nO=viewers\nCN=jane');
      assert.equal(certificate.ca, false);
      assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2']);
      const [from, to] = [certificate.validFrom, certificate.validTo].map(Date.parse);
      assert.equal((to - from) / 1000, 3600 + 300);
      assert.ok(Math.abs(from - (Date.now() - 300_000)) < 60_000);

      const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
      const { status, body } = await send('/apis/authentication.k8s.io/v1/selfsubjectreviews', { method: 'POST', body: review, certificate: { cert: pem, key: readFileSync(inFolder('jane.key')) } });
      assert.equal(status, 201);
      assert.deepEqual([body.status.userInfo.username, body.status.userInfo.groups], ['jane', ['devs', 'viewers', 'system:authenticated']]);
    });

    test('a life of a year, alternative names, and all usages of a server', async () => {
      const pem = requestOf('node-serving', '/O=system:nodes/CN=system:node:n1', 'DNS:n1.example,IP:10.0.0.1');
      await ask('serving', { pem, signerName: 'kubernetes.io/kubelet-serving', usages: ['digital signature', 'key encipherment', 'server auth'] });
      await approve('serving');
      const certificate = new X509Certificate(certificateOf(await outcome('serving')));
      assert.equal(certificate.subjectAltName, 'DNS:n1.example, IP Address:10.0.0.1');
      assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
      assert.equal((Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 1000, 365 * 24 * 3600);
    });

    test('what a signer does not accept fails with its reason', async () => {
      await ask('bad', { pem: requestOf('bad', '/CN=bad'), usages: ['server auth'] });
      await approve('bad');
      const { conditions, certificate } = await outcome('bad');
      assert.equal(certificate, undefined);
      const { type, status, reason, message } = conditions.at(-1);
      assert.deepEqual([type, status, reason, message], ['Failed', 'True', 'SignerValidationFailure', 'invalid usage for client certificate: server auth']);
    });

    test('a kubelet of a bootstrapper gets its certificate by itself', async () => {
      const binding = (name, role) => asBoss('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', { method: 'POST', body: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name }, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role }, subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:bootstrappers' }] } });
      for (const role of ['system:node-bootstrapper', 'system:certificates.k8s.io:certificatesigningrequests:nodeclient']) {
        assert.equal((await binding(role.replaceAll(':', '-'), role)).status, 201);
      }
      await ask('kubelet', { pem: requestOf('kubelet', '/O=system:nodes/CN=system:node:n2'), signerName: kKubelet, usages: ['digital signature', 'client auth'], token: 'start' });
      const { conditions, certificate } = await outcome('kubelet');
      const { type, reason, message } = conditions[0];
      assert.deepEqual([type, reason, message], ['Approved', 'AutoApproved', 'Auto approving kubelet client certificate after SubjectAccessReview.']);
      assert.equal(new X509Certificate(Buffer.from(certificate, 'base64')).subject, 'O=system:nodes\nCN=system:node:n2');
    });

    test('a request whose signature is wrong is not signed', async () => {
      const der = Buffer.from(requestOf('forged', '/CN=forged').toString().replace(/-----[^-]+-----/g, ''), 'base64');
      der[der.length - 3] ^= 1;
      const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
      await ask('forged', { pem: Buffer.from(pem) });
      await approve('forged');
      await new Promise((done) => setTimeout(done, 300));
      const { status } = (await asBoss(`${kRequests}/forged`)).body;
      assert.equal(status.certificate, undefined);
      assert.deepEqual(status.conditions.map(({ type }) => type), ['Approved']);
    });

    test('kube-root-ca.crt holds the authority', async () => {
      let map;
      await waitFor(async () => (map = await asBoss('/api/v1/namespaces/default/configmaps/kube-root-ca.crt')).status === 200);
      assert.equal(map.body.data['ca.crt'], ca);
    });
  });
}
