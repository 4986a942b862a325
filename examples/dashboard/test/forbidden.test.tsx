import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { rows, showDashboard, useServedCluster } from './support';

// The page is Jane's.
const cluster = useServedCluster({ authorizationMode: 'RBAC' }, (cluster) => cluster.as({ user: 'jane' }));

const janeMayView = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'jane' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
};

test('the page says what its user may not see, and shows it once that is granted', async () => {
  showDashboard();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('deployments.apps is forbidden: User "jane" cannot list resource "deployments" in API group "apps" at the cluster scope');
  await cluster.as({ user: 'admin', groups: ['system:masters'] }).apply(janeMayView);
  await waitFor(() => expect(rows().map(([, name]) => name)).toEqual(['cart', 'checkout', 'ledger']));
  expect(screen.queryByRole('alert')).toBeNull();
});
