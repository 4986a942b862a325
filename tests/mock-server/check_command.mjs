// `check` and `completion`, which the native binary and the npm package's command do alike.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { run } from './server.mjs';

const kDeployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: -1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: c
        image: nginx
        ports:
        - containerPort: 99999
`;

const kWidget = `apiVersion: example.com/v1
kind: Widget
metadata: {name: big}
spec:
  size: huge
`;

const kDefinition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
`;

/** Tests of `program`, a path to run. */
export function checkCommandOf(program) {
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-check-'));
  after(() => rmSync(folder, { recursive: true }));
  const file = (name, text) => (writeFileSync(join(folder, name), text), join(folder, name));
  const check = (...paths) => run(program, ['check', ...paths]);

  describe('check', () => {
    test('each fault of an object, at its line', async () => {
      const path = file('web.yaml', `# a comment\n---\n${kDeployment}`);
      assert.deepEqual(await check(path), {
        code: 1,
        stdout: [
          `${path}:9: Deployment web: spec.replicas: Invalid value: -1: must be greater than or equal to 0\n`,
          `${path}:18: Deployment web: spec.template.spec.containers[0].ports[0].containerPort: Invalid value: 99999: must be between 1 and 65535, inclusive\n`,
        ].join(''),
        stderr: 'tabernetes check: 1 object in 1 file, 2 faults\n',
      });
    });

    test('fields that are unknown or there twice', async () => {
      const path = file('strict.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  name: b\nimmutabel: true\n');
      assert.equal(
        (await check(path)).stdout,
        `${path}:5: ConfigMap b: key "name" already set in map\n${path}:6: ConfigMap b: unknown field "immutabel"\n`,
      );
    });

    test('custom resources, by a definition in another file', async () => {
      const widget = file('widget.yaml', kWidget);
      assert.equal(
        (await check(widget)).stdout,
        `${widget}:1: Widget big: no matches for kind "Widget" in version "example.com/v1"; the definition of a custom resource must be in one of the files\n`,
      );
      assert.equal(
        (await check(widget, file('definition.yaml', kDefinition))).stdout,
        `${widget}:5: Widget big: spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"\n`,
      );
    });

    test('a folder, lists and JSON; what is right says nothing on stdout', async () => {
      const below = join(folder, 'below');
      mkdirSync(below);
      const items = [1, 2].map((n) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `c${n}`, namespace: 'shop' } }));
      writeFileSync(join(below, 'list.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 1));
      writeFileSync(join(below, 'shop.yaml'), 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---\n');
      assert.deepEqual(await check(below), { code: 0, stdout: '', stderr: 'tabernetes check: 3 objects in 2 files, 0 faults\n' });
      items[1].data = { a: 1 };
      const list = file('list.json', JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 1));
      const { code, stdout } = await check(list);
      assert.equal(code, 1);
      assert.ok(stdout.startsWith(`${list}:13: ConfigMap c2: `), stdout);
    });

    test('warnings fail nothing; the same object twice is applied', async () => {
      const quota = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  annotations: {container.apparmor.security.beta.kubernetes.io/c: unconfined}\nspec: {containers: [{name: c, image: i}]}\n';
      const path = file('warned.yaml', `${quota}---\n${quota}`);
      const { code, stdout } = await check(path);
      assert.equal(code, 0);
      assert.match(stdout, new RegExp(`^${path}:1: Pod a: warning: metadata.annotations\\[container.apparmor.security.beta.kubernetes.io/c\\]: deprecated since v1.30; `));
    });

    test('what cannot be read: where and why', async () => {
      const path = file('broken.yaml', 'apiVersion: v1\nkind: ConfigMap\n---\na: [b\n');
      assert.equal((await check(path)).stdout.split('\n')[0], `${path}:1: ConfigMap: metadata.name: Required value: name or generateName is required`);
      assert.match((await check(path)).stdout.split('\n')[1], new RegExp(`^${path}:[45]: did not find expected`));
      const none = join(folder, 'none.yaml');
      assert.deepEqual(await check(none), { code: 1, stdout: '', stderr: `tabernetes: ${none}: No such file or directory\ntabernetes check: 0 objects in 0 files, 0 faults\n` });
      assert.deepEqual(await check(), { code: 2, stdout: '', stderr: 'tabernetes check: FILE is required (see tabernetes check --help)\n' });
    });
  });

  describe('completion', () => {
    const complete = async (...words) => (await run(program, ['__complete', ...words])).stdout.trimEnd().split('\n');

    test('commands, flags, and the values of those that have few', async () => {
      assert.deepEqual((await complete('che')).sort(), ['check', 'check-data']);
      assert.deepEqual(await complete('serve', '--audit-log-max'), ['--audit-log-maxage', '--audit-log-maxbackup', '--audit-log-maxsize']);
      assert.deepEqual(await complete('serve', '--log', ''), ['error', 'warn', 'info', 'debug']);
      assert.deepEqual(await complete('serve', '--ui', 't'), ['true']);
      assert.deepEqual(await complete('completion', ''), ['bash', 'fish', 'zsh']);
      assert.deepEqual(await complete('serve', '--load', ''), ['']);
    });

    test('bash completes by its script', async () => {
      const { code, stdout } = await run('bash', [
        '-c',
        `tabernetes() { ${JSON.stringify(program)} "$@"; }; source <(tabernetes completion bash); COMP_WORDS=(tabernetes serve --kube); COMP_CWORD=2; _tabernetes; echo "\${COMPREPLY[@]}"`,
      ]);
      assert.deepEqual([code, stdout], [0, '--kubeconfig\n']);
    });

    test('a shell without a script', async () => {
      const { code, stderr } = await run(program, ['completion', 'tcsh']);
      assert.deepEqual([code, stderr], [2, 'tabernetes completion: SHELL: bash, fish or zsh, not tcsh (see tabernetes completion --help)\n']);
    });
  });
}
