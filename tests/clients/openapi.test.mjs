// Tests readers of the OpenAPI documents: kubectl's explain by v3 and by v2's protobuf, its validation, and a validator
// of the OpenAPI specification.
import SwaggerParser from '@apidevtools/swagger-parser';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { kubectl as findKubectl } from '../../tools/kubectl.mjs';
import { publishedOpenApi } from './published_openapi.mjs';
import { startServer } from './server.mjs';

const run = promisify(execFile);
let server;
let binary;

before(async () => {
  binary = findKubectl();
  server = await startServer('--seed', '1');
});
after(async () => assert.equal(await server.stop(), 0));

/** Runs kubectl, which may fail, and returns { stdout, stderr, code }. */
async function kubectl(...args) {
  const all = ['--kubeconfig', server.kubeconfig, '--cache-dir', join(server.dir, 'cache'), ...args];
  return run(binary, all, { maxBuffer: 64 << 20 }).catch((error) => error);
}

async function document(path) {
  const response = await fetch(server.url + path);
  assert.equal(response.status, 200);
  return response.json();
}

test('explain shows the fields of a type with types, enums and what is required', async () => {
  const { stdout } = await kubectl('explain', 'pod.spec.containers.ports');
  const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('    ')); // without descriptions
  assert.deepEqual(lines, [
    'KIND:       Pod',
    'VERSION:    v1',
    'FIELD: ports <[]ContainerPort>',
    'DESCRIPTION:',
    'FIELDS:',
    '  containerPort\t<integer> -required-',
    '  hostIP\t<string>',
    '  hostPort\t<integer>',
    '  name\t<string>',
    '  protocol\t<string>',
    '  enum: SCTP, TCP, UDP',
  ]);
});

const kTypes = {
  cronjob: 'io.k8s.api.batch.v1.CronJob',
  customresourcedefinition: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
  deployment: 'io.k8s.api.apps.v1.Deployment',
  ingress: 'io.k8s.api.networking.v1.Ingress',
  node: 'io.k8s.api.core.v1.Node',
  pod: 'io.k8s.api.core.v1.Pod',
  role: 'io.k8s.api.rbac.v1.Role',
  service: 'io.k8s.api.core.v1.Service',
  statefulset: 'io.k8s.api.apps.v1.StatefulSet',
};
const kFields = [
  'cronjob.spec.concurrencyPolicy', // an enumeration
  'cronjob.spec.timeZone',
  'customresourcedefinition.spec.versions.schema',
  'deployment', // a kind
  'deployment.metadata.managedFields',
  'deployment.spec.progressDeadlineSeconds',
  'deployment.spec.strategy',
  'deployment.spec.strategy.rollingUpdate.maxSurge', // IntOrString
  'ingress.spec.rules.http',
  'node.spec.taints.effect',
  'node.status.capacity', // a map of quantities
  'pod.metadata.creationTimestamp', // a time
  'pod.spec.affinity.nodeAffinity',
  'pod.spec.containers.lifecycle',
  'pod.spec.containers.resources.limits',
  'pod.spec.volumes.hostPath.type',
  'role.rules.apiGroups',
  'service.spec.externalTrafficPolicy',
  'service.spec.sessionAffinityConfig',
  'statefulset.spec.persistentVolumeClaimRetentionPolicy',
  'statefulset.status.availableReplicas',
];

/** Returns the published description of a field and of its type, without the values of an enumeration. */
function publishedText({ definitions }, path) {
  const [kind, ...fields] = path.split('.');
  let schema = { $ref: kTypes[kind] };
  let text = '';
  const typeOf = ({ $ref, items, additionalProperties }) => ($ref ? definitions[$ref.replace('#/definitions/', '')] : (items ?? additionalProperties) && typeOf(items ?? additionalProperties));
  for (const field of fields) {
    schema = typeOf(schema).properties[field];
    text = schema.description ?? '';
  }
  return `${text} ${typeOf(schema)?.description ?? ''}`;
}

const words = (text) => text.replace(/\s+/g, ' ').trim();

test('explain prints what Kubernetes says of a field, by v3 and by v2', async (t) => {
  const published = await publishedOpenApi();
  if (typeof published === 'string') return t.skip(published);
  const document = published('swagger.json');
  let enumerations = 0;
  for (const field of kFields) {
    for (const output of ['plaintext', 'plaintext-openapiv2']) {
      const { stdout } = await kubectl('explain', field, '--output', output);
      const [, printed] = stdout.match(/^DESCRIPTION:\n([^]*?)(?:^FIELDS:|(?![^]))/m);
      const [text, values] = printed.split('Possible enum values:');
      assert.equal(words(text), words(publishedText(document, field)), `${field} as ${output}`);
      if (values !== undefined) ++enumerations;
    }
  }
  assert.equal(enumerations, 2 * 4); // concurrencyPolicy, effect, type, externalTrafficPolicy
  const { stdout } = await kubectl('explain', 'deployment.spec.strategy.type');
  assert.match(stdout, /^ENUM:\n {4}Recreate\n {4}RollingUpdate\n\nDESCRIPTION:/m);
  assert.match(stdout, /^ {5}- `"Recreate"` [A-Z].*\n {5}- `"RollingUpdate"` [A-Z]/m);
});

test('explain of a custom resource prints what its definition says', async () => {
  const file = join(server.dir, 'apples.yaml');
  writeFileSync(
    file,
    `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apples.example.com}
spec:
  group: example.com
  names: {plural: apples, kind: Apple}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        description: An apple of our own.
        properties: {colour: {type: string, description: "Red, <green> & yellow."}}
`,
  );
  await kubectl('create', '-f', file);
  await kubectl('wait', '--for=condition=established', 'crd/apples.example.com');
  assert.match((await kubectl('explain', 'apple')).stdout, /^DESCRIPTION:\n {4}An apple of our own\.\n/m);
  assert.match((await kubectl('explain', 'apple.colour')).stdout, /^DESCRIPTION:\n {4}Red, <green> & yellow\.\n/m);
  await kubectl('delete', '-f', file);
});

test('explain --recursive goes as deep as with a real server', async () => {
  // Fields that kubectl shows of a real server 1.36.3. Its whole output was compared by hand, for every kind.
  for (const [kind, fields] of [
    ['pods', 1361],
    ['deployments', 1192],
    ['customresourcedefinitions', 146],
  ]) {
    const { stdout } = await kubectl('explain', '--recursive', kind);
    assert.equal(stdout.match(/^ +\S+\t</gm).length, fields, kind);
  }
});

test('explain reads v2 as protobuf', async () => {
  const { stdout } = await kubectl('explain', 'deployment.spec.strategy', '--output', 'plaintext-openapiv2');
  assert.match(stdout, /^RESOURCE: strategy <Object>$/m);
  assert.match(stdout, /^ {3}rollingUpdate\t<Object>$/m);
  assert.match(stdout, /^ {3}type\t<string>$/m);
});

test('explain of what there is not', async () => {
  assert.equal((await kubectl('explain', 'pod.spec.nope')).stderr, 'error: field "nope" does not exist\n');
});

test('create leaves validation to the server, as the documents say it can', async () => {
  const file = join(server.dir, 'typo.yaml');
  writeFileSync(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: typo}\ndatum: {a: b}\n');
  const strict = await kubectl('create', '-f', file);
  assert.match(strict.stderr, /strict decoding error: unknown field "datum"/);
  const warned = await kubectl('create', '-f', file, '--validate=warn');
  assert.equal(warned.stdout, 'configmap/typo created\n');
  assert.equal(warned.stderr, 'Warning: unknown field "datum"\n');
});

test('diff of an object that is new', async () => {
  const file = join(server.dir, 'new.yaml');
  writeFileSync(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: new, namespace: default}\ndata: {a: b}\n');
  const { stdout, code } = await kubectl('diff', '-f', file);
  assert.equal(code, 1); // there are differences
  assert.match(stdout, /^\+data:\n\+ {2}a: b$/m);
});

test('documents keep to the OpenAPI specification', async () => {
  await SwaggerParser.validate(await document('/openapi/v2'));
  const { paths } = await document('/openapi/v3');
  assert.equal(Object.keys(paths).length, 47);
  for (const key of ['api/v1', 'apis/apps', 'apis/apiextensions.k8s.io/v1', 'version']) {
    await SwaggerParser.validate(await document(paths[key].serverRelativeURL));
  }
});
