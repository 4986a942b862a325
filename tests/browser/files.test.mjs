// Clusters that come and go: archives, snapshots, links, examples.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { eventually } from './browser.mjs';
import { actions, kTimeout, playground } from './page.mjs';

/** Returns a tar archive of these files. */
function tar(files) {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const head = Buffer.alloc(512);
    head.write(name, 0);
    head.write('0000644\0', 100);
    head.write(`${Buffer.byteLength(text).toString(8).padStart(11, '0')}\0`, 124);
    head.write('0', 156);
    head.write('ustar\0', 257);
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512);
    body.write(text);
    return [head, body];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

const map = (name) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: shop}\n`;

for (const width of [1400, 390]) {
  describe(`${width} wide`, () => {
    const shown = playground({ width, height: 900 });
    const files = () => shown.page.getByRole('region', { name: 'Files and examples' });
    const pick = async (kind) => {
      if (width < 900) await shown.page.getByLabel('Find a resource').click();
      await actions(shown.page).pick(kind);
    };

    test('an archive is read, a snapshot is saved and opened, a link leads to a fork', async () => {
      const { page } = shown;
      const { button, editor, row } = actions(page);
      await button('Files').click();
      const bundle = gzipSync(tar({ 'dump/a.yaml': map('from-a'), 'dump/notes.txt': 'no manifest', 'dump/b.yaml': map('from-b') }));
      await files().getByLabel('Open files…').setInputFiles({ name: 'bundle.tar.gz', mimeType: 'application/gzip', buffer: bundle });
      await editor().getByText('from-b').waitFor(kTimeout);
      await button('Create').click();
      await page.getByText('2 of 2 created').waitFor(kTimeout);
      await button('Close').click();

      await button('Files').click();
      const download = page.waitForEvent('download');
      await button('Save a snapshot').click();
      const saved = readFileSync(await (await download).path());
      assert.match(saved.toString(), /^\{"kind":"ClusterSnapshot"[^]*"from-a"/);
      await files().getByLabel('Open files…').setInputFiles({ name: 'cluster.json', mimeType: 'application/json', buffer: saved });
      await button('Open as a fork').click();
      await pick('ConfigMap');
      await row('from-a').waitFor(kTimeout);
      assert.match(page.url(), /on=fork/);

      await button('Files').click();
      await button('Copy a link').click();
      const link = await files().getByLabel('Link').inputValue();
      assert.ok(link.length < 60_000, `${link.length} characters`);
      await page.goto('about:blank');
      await page.goto(link);
      await eventually(async () => assert.match(page.url(), /on=fork/));
      await pick('ConfigMap');
      await row('from-b').waitFor(kTimeout);
    });

    test('manifests of a namespace are saved, and make the same things in another cluster', async () => {
      const { page } = shown;
      const { button, row } = actions(page);
      await page.goto(page.url().replace(/[?#].*/, ''));
      await page.getByLabel('Namespace').selectOption('shop');
      await button('Files').click();
      const download = page.waitForEvent('download');
      await button('Save manifests').click();
      const saved = await download;
      assert.equal(saved.suggestedFilename(), 'shop.yaml');
      const text = readFileSync(await saved.path(), 'utf8');
      await page.getByText(/^\d+ manifests saved,$/).waitFor(kTimeout);
      const kinds = [...text.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind);
      assert.equal(kinds[0], 'Namespace');
      for (const kind of ['Deployment', 'StatefulSet', 'CronJob', 'Service']) assert.ok(kinds.includes(kind), kind);
      for (const kind of ['ReplicaSet', 'Endpoints', 'EndpointSlice', 'Event']) assert.ok(!kinds.includes(kind), kind);
      assert.doesNotMatch(text, /^ {2}(uid|resourceVersion|creationTimestamp|managedFields|generation):|^status:|clusterIP: 1|kube-root-ca|controller-uid|protection/m);

      await button('An operator').click();
      await eventually(async () => assert.match(page.url(), /on=fork/));
      await button('Files').click();
      await files().getByLabel('Open files…').setInputFiles({ name: 'shop.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) });
      await button('Create').click();
      // All but the namespace, which is there.
      await page.getByText(`${kinds.length - 1} of ${kinds.length} created`).waitFor(kTimeout);
      await button('Close').click();
      await pick('Pod');
      await page.getByLabel('Namespace').selectOption('shop');
      await row('database-0').getByText('Running').waitFor(kTimeout);
    });

    test('an example opens beside the cluster', async () => {
      const { page } = shown;
      const { button, row } = actions(page);
      await button('Files').click();
      await button('An operator').click();
      await eventually(async () => assert.match(page.url(), /on=fork/));
      await pick('Backup');
      await row('database').getByText('Waiting').waitFor(kTimeout);
      await button('Files').click();
      await button('Broken things').click();
      await pick('Pod');
      await page.getByLabel('Namespace').selectOption('broken');
      await page.locator('.table').getByText(/^too-large-/).waitFor(kTimeout);
      await page.locator('.table tr').filter({ hasText: /^too-large-/ }).getByText('Pending').waitFor(kTimeout);
    });
  });
}
