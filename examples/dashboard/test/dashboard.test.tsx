import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { rows, showDashboard, useServedCluster } from './support';

const cluster = useServedCluster();
const pathOf = (name: string) => `/apis/apps/v1/namespaces/shop/deployments/${name}`;
const read = async (name: string) => (await cluster.fetch(pathOf(name))).json();
const mail = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'mail', namespace: 'shop' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'mail' } },
    template: { metadata: { labels: { app: 'mail' } }, spec: { containers: [{ name: 'main', image: 'example.com/mail:1.0' }] } },
  },
};

/** Shows the dashboard and waits until its watch is open. */
beforeEach(async () => {
  showDashboard();
  await screen.findByRole('button', { name: 'cart' });
  await cluster.requests.next({ verb: 'watch', resource: 'deployments' });
});

/** Opens the detail of a deployment and replaces a part of its manifest. */
async function edit(name: string, from: string, to: string): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name }));
  const editor = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'YAML' });
  expect(editor.value).toContain(from);
  const text = editor.value.replace(from, to);
  await userEvent.clear(editor);
  await userEvent.click(editor);
  await userEvent.paste(text);
  await userEvent.click(screen.getByRole('button', { name: 'Apply' }));
}

test('the table shows what is there', () => {
  expect(rows()).toEqual([
    ['shop', 'cart', '2/2', 'example.com/cart:1.4', 'Ready'],
    ['shop', 'checkout', '1/3', 'example.com/checkout:2.0', 'Updating'],
    ['shop', 'ledger', '1/1', 'example.com/ledger:0.9', 'Ready'],
  ]);
});

test('the table follows what others do', async () => {
  await cluster.apply(mail);
  await screen.findByRole('button', { name: 'mail' });
  await cluster.setStatus({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'checkout', namespace: 'shop' } }, { readyReplicas: 3, replicas: 3 });
  await waitFor(() => expect(rows()[1]).toEqual(['shop', 'checkout', '3/3', 'example.com/checkout:2.0', 'Ready']));
  await cluster.fetch(pathOf('cart'), { method: 'DELETE' });
  await waitFor(() => expect(rows().map(([, name]) => name)).toEqual(['checkout', 'ledger', 'mail']));
});

test('the history is gone: the page lists again', async () => {
  cluster.reset(); // ends all watches and leaves no history
  await cluster.apply(mail);
  await screen.findByRole('button', { name: 'mail' });
  expect(cluster.requests({ verb: 'list', resource: 'deployments' })).toHaveLength(2);
});

test('an edit is applied', async () => {
  await edit('cart', 'namespace: shop', 'namespace: shop\n  labels: { team: orders }');
  const { target, status } = await cluster.requests.next({ verb: 'patch', resource: 'deployments' });
  expect([target, status]).toEqual([`${pathOf('cart')}?fieldManager=dashboard&force=false`, 200]);
  expect((await read('cart')).metadata.labels).toEqual({ team: 'orders' });
  await waitFor(() => expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toContain('team: orders'));
});

test("a field of another manager's is a conflict, which the user may overwrite", async () => {
  await cluster.apply({ ...mail, spec: { ...mail.spec, replicas: 2 } }, { manager: 'autoscaler' });
  await screen.findByRole('button', { name: 'mail' });
  await edit('mail', 'replicas: 2', 'replicas: 5');
  expect((await screen.findByRole('alert')).textContent).toBe('Apply failed with 1 conflict: conflict with "autoscaler": .spec.replicas');
  await userEvent.click(screen.getByRole('button', { name: 'Overwrite' }));
  await waitFor(() => expect(rows()[3]).toEqual(['shop', 'mail', '0/5', 'example.com/mail:1.0', 'Updating']));
  expect(screen.queryByRole('alert')).toBeNull();
});

test("the server's words for a manifest that it refuses", async () => {
  await edit('cart', 'namespace: shop', "namespace: shop\n  labels: { team: 'two words' }");
  expect((await screen.findByRole('alert')).textContent).toContain('Deployment.apps "cart" is invalid: metadata.labels: Invalid value: "two words"');
  expect((await read('cart')).metadata.labels).toBeUndefined();
});

test('a deletion waits for a finalizer', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'ledger' }));
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect((await screen.findByRole('status')).textContent).toContain('Waits for example.com/backup.');
  expect(rows()[2]).toEqual(['shop', 'ledger', '1/1', 'example.com/ledger:0.9', 'Terminating']);
  await userEvent.click(screen.getByRole('button', { name: 'Remove finalizers' }));
  await waitFor(() => expect(rows().map(([, name]) => name)).toEqual(['cart', 'checkout']));
  expect(screen.queryByRole('region', { name: 'Deployment shop/ledger' })).toBeNull();
});

test('the log shows the requests of the page', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'cart' }));
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  const log = within(screen.getByRole('region', { name: 'Requests' }));
  await log.findByText(`DELETE ${pathOf('cart')} 200`);
  log.getByText('GET /apis/apps/v1/deployments 200');
});
