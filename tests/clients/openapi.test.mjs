// What reads the OpenAPI documents: kubectl's explain by v3 and by v2's protobuf, its validation, and a validator of
// the OpenAPI specification itself.
import SwaggerParser from '@apidevtools/swagger-parser';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { kubectl as findKubectl } from '../../tools/kubectl.mjs';
import { startServer } from './server.mjs';

const run = promisify(execFile);
let server;
let binary;

before(async () => {
  binary = findKubectl();
  server = await startServer('--seed', '1');
});
after(async () => assert.equal(await server.stop(), 0));

/** { stdout, stderr, code } of a kubectl that may fail. */
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
  assert.equal(
    stdout,
    `KIND:       Pod
VERSION:    v1

FIELD: ports <[]ContainerPort>


DESCRIPTION:
    <empty>
FIELDS:
  containerPort\t<integer> -required-
    <no description>

  hostIP\t<string>
    <no description>

  hostPort\t<integer>
    <no description>

  name\t<string>
    <no description>

  protocol\t<string>
  enum: SCTP, TCP, UDP
    <no description>


`,
  );
});

test('explain --recursive goes as deep as with a real server', async () => {
  // Fields that kubectl shows of a real server 1.36.3; their whole text was compared by hand, for every kind.
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
