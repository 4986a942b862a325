import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * A kubeconfig that reaches `serverUrl` with kubectl and every client library. Without a credential kubectl asks a
 * person at a terminal for a user name, hence the token, which the server ignores; @kubernetes/client-node refuses
 * plain http without insecure-skip-tls-verify.
 */
export function kubeconfigText(serverUrl: string, token = 'tabernetes'): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: tabernetes
  cluster:
    server: ${serverUrl}
    insecure-skip-tls-verify: true
users:
- name: tabernetes
  user:
    token: ${token}
contexts:
- name: tabernetes
  context:
    cluster: tabernetes
    user: tabernetes
    namespace: default
current-context: tabernetes
`;
}

/** Writes it, readable by its owner only; what was there is replaced at once. */
export function writeKubeconfig(file: string, serverUrl: string, token?: string): void {
  const temporary = `${file}.tmp${process.pid}`;
  try {
    writeFileSync(temporary, kubeconfigText(serverUrl, token), { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
