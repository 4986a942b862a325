import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Certificate } from '../certificates.js';

export interface KubeconfigWish {
  serverUrl: string;
  /** PEM: what the server's certificate is verified with; if left out, it is not. */
  authority?: string;
  /** Of the user. */
  certificate?: Certificate;
  token?: string;
}

/**
 * Returns a kubeconfig that reaches a server with kubectl and every client library. Its user always has a credential,
 * if need be a token, which the server ignores, because kubectl without one prompts for a user name.
 */
export function kubeconfigText({ serverUrl, authority, certificate, token = certificate ? undefined : 'tabernetes' }: KubeconfigWish): string {
  // @kubernetes/client-node refuses plain http without insecure-skip-tls-verify.
  const trust = authority === undefined ? 'insecure-skip-tls-verify: true' : `certificate-authority-data: ${base64(authority)}`;
  const credentials = [
    ...(certificate ? [`client-certificate-data: ${base64(certificate.pem)}`, `client-key-data: ${base64(certificate.key)}`] : []),
    ...(token === undefined ? [] : [`token: ${token}`]),
  ];
  return `apiVersion: v1
kind: Config
clusters:
- name: tabernetes
  cluster:
    server: ${serverUrl}
    ${trust}
users:
- name: tabernetes
  user:
    ${credentials.join('\n    ')}
contexts:
- name: tabernetes
  context:
    cluster: tabernetes
    user: tabernetes
    namespace: default
current-context: tabernetes
`;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Writes the kubeconfig, readable by its owner only. Replaces an existing file atomically. */
export function writeKubeconfig(file: string, wish: KubeconfigWish): void {
  const temporary = `${file}.tmp${process.pid}`;
  try {
    writeFileSync(temporary, kubeconfigText(wish), { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
