// A real kube-apiserver over the etcd of a test: the binary that the environment variable KUBE_APISERVER names.
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import { freePorts } from '../mock-server/etcd_server.mjs';
import { waitFor } from '../mock-server/server.mjs';

export const kubeApiserver = process.env.KUBE_APISERVER;
const token = 'interop';

/** Starts it; its files are in `folder`. Returns { url, token, fetch, stop }; `fetch` returns { status, body }. */
export async function startKubeApiserver(etcd, folder, ...flags) {
  const [port] = await freePorts(1);
  const certs = join(folder, `kube-apiserver-${port}`);
  mkdirSync(certs);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = join(certs, 'accounts.key');
  writeFileSync(key, privateKey.export({ type: 'pkcs1', format: 'pem' }));
  const tokens = join(certs, 'tokens.csv');
  writeFileSync(tokens, `${token},admin,1,"system:masters"\n`);
  const args = [
    `--etcd-servers=${etcd.url}`, `--secure-port=${port}`, '--bind-address=127.0.0.1', '--advertise-address=127.0.0.1', `--cert-dir=${certs}`,
    '--service-account-issuer=https://kubernetes.default.svc', `--service-account-key-file=${key}`, `--service-account-signing-key-file=${key}`,
    '--authorization-mode=RBAC', `--token-auth-file=${tokens}`, '--service-cluster-ip-range=10.96.0.0/16', '--disable-admission-plugins=ServiceAccount',
    ...flags,
  ];
  const child = spawn(kubeApiserver, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (log = (log + text).slice(-20_000)));
  const closed = once(child, 'close');
  const url = `https://127.0.0.1:${port}`;
  const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false });
  const send = (method, path, body, headers = {}) =>
    new Promise((resolve, reject) => {
      const all = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
      const sent = https.request(url + path, { method, agent, headers: all }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => (text += part)).on('end', () => resolve({ status: answer.statusCode, body: text }));
      });
      sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  await waitFor(() => send('GET', '/readyz').then(({ status }) => status === 200, () => false), 90_000, () => `kube-apiserver; its log: ${log}`);
  return {
    url,
    token,
    ca: readFileSync(join(certs, 'apiserver.crt'), 'utf8'),
    fetch: send,
    /** Follows a watch; `onEvent` gets each. Returns what ends it. */
    watch(path, onEvent) {
      let rest = '';
      const sent = https.request(url + path, { headers: { authorization: `Bearer ${token}` }, rejectUnauthorized: false }, (answer) =>
        answer.setEncoding('utf8').on('data', (text) => {
          const lines = (rest + text).split('\n');
          rest = lines.pop();
          for (const line of lines.filter(Boolean)) onEvent(JSON.parse(line));
        }),
      );
      sent.on('error', () => {}).end();
      return () => sent.destroy();
    },
    async stop(signal = 'SIGKILL') {
      agent.destroy();
      child.kill(signal);
      await closed;
    },
  };
}
