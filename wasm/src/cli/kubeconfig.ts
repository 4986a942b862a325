import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Returns a kubeconfig that reaches `serverUrl` with kubectl and every client library. It has a token, which the server
 * ignores, because kubectl without a credential prompts for a user name. It has insecure-skip-tls-verify because
 * @kubernetes/client-node refuses plain http without it.
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

/** Writes the kubeconfig, readable by its owner only. Replaces an existing file atomically. */
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
