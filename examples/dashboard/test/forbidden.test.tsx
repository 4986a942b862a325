import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { manifests, rows, showDashboard, useServedCluster } from './support';

const bindingOf = (user: string, role: string) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: `${role}-${user.replaceAll(':', '-')}` },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
});

// The test itself sends no token and may do everything; the page is Jane's.
const load = [manifests, bindingOf('system:anonymous', 'cluster-admin')];
const cluster = useServedCluster({ authorizationMode: 'RBAC', load }, (cluster) => cluster.as({ user: 'jane' }));

test('the page says what its user may not see, and shows it once that is granted', async () => {
  showDashboard();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('deployments.apps is forbidden: User "jane" cannot list resource "deployments" in API group "apps" at the cluster scope');
  await cluster.apply(bindingOf('jane', 'view'));
  await waitFor(() => expect(rows().map(([, name]) => name)).toEqual(['cart', 'checkout', 'ledger']));
  expect(screen.queryByRole('alert')).toBeNull();
});
