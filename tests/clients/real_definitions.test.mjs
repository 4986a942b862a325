// Tests published CustomResourceDefinitions of real projects: they can be installed, and their projects' examples of
// valid and invalid objects are judged as expected. Most tests are skipped, with a message, if no registry can be
// reached.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { largeDefinition, largeObject } from '../../bench/lib/definition.mjs';
import { moduleFiles } from './go_module.mjs';
import { startServer } from './server.mjs';

const kDefinitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

let server;
before(async () => (server = await startServer('--seed', '1', '--nodes', '0')));
after(async () => assert.equal(await server.stop(), 0));

async function send(method, path, body, type = 'application/yaml') {
  const answer = await fetch(server.url + path, { method, headers: body ? { 'content-type': type } : {}, body });
  return { status: answer.status, warning: answer.headers.get('warning'), body: await answer.json() };
}
const sendJson = (method, path, body) => send(method, path, JSON.stringify(body), 'application/json');

/** Returns the documents of a file that are objects. */
const documentsOf = (text) => text.split(/^---.*$/m).filter((document) => /^kind:/m.test(document));
const isDefinition = (document) => /^kind: CustomResourceDefinition/m.test(document);
const field = (document, name) => new RegExp(`^${name}: *(\\S+)`, 'm').exec(document)[1];

/** Creates the definitions among the files. Returns the collection of each kind, by `apiVersion/kind`. */
async function install(files) {
  const names = [];
  for (const [path, text] of files) {
    for (const document of documentsOf(text).filter(isDefinition)) {
      // Some are Helm templates, in comments and labels only.
      const made = await send('POST', kDefinitions, document.replace(/'?\{\{.*?\}\}'?/g, 'x'));
      assert.equal(made.status, 201, `${path}: ${made.body.message}`);
      names.push(made.body.metadata.name);
    }
  }
  const places = new Map();
  for (const name of names) {
    const { spec } = await established(name);
    for (const { name: version, served } of spec.versions) {
      const scope = spec.scope === 'Namespaced' ? '/namespaces/default' : '';
      if (served) places.set(`${spec.group}/${version}/${spec.names.kind}`, `/apis/${spec.group}/${version}${scope}/${spec.names.plural}`);
    }
  }
  return places;
}

async function established(name) {
  for (let left = 100; left > 0; --left) {
    const { body } = await send('GET', `${kDefinitions}/${name}`);
    if (body.status.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')) return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail(`${name} is not established`);
}

/** Sends every other object whose kind is defined, in the namespace default, and calls `check` with each answer. */
async function tryObjects(files, places, check) {
  let tried = 0;
  for (const [path, text] of files) {
    for (const document of documentsOf(text)) {
      const place = places.get(`${field(document, 'apiVersion')}/${field(document, 'kind')}`);
      if (place === undefined) continue;
      check(path, await send('POST', `${place}?dryRun=All`, document.replace(/^ {2}namespace: .*$/m, '')));
      ++tried;
    }
  }
  return tried;
}

const accepted = (path, { status, body }) => assert.equal(status, 201, `${path}: ${body.message}`);

test('Gateway API: its examples are accepted, with defaults, and its invalid ones refused in the words of a real server', async (t) => {
  const module = {
    module: 'sigs.k8s.io/gateway-api',
    version: 'v1.3.0',
    sha256: '9f9810c8c36fa3524bd1f388cbe273d1a26f34fee913526ab611fadb4f295deb',
  };
  const files = await moduleFiles(module, /^(config\/crd\/experimental|examples|hack\/invalid-examples)\/.*\.yaml$/);
  if (typeof files === 'string') return t.skip(files);
  const part = (folder) => [...files].filter(([path]) => path.startsWith(folder));
  const places = await install(part('config/'));
  assert.equal(await tryObjects(part('examples/'), places, accepted), 80);

  const refusals = JSON.parse(readFileSync(new URL('manifests/gateway-api-refusals.json', import.meta.url), 'utf8'));
  const seen = {};
  await tryObjects(part('hack/'), places, (path, { status, body }) => {
    assert.equal(status, 422, path);
    seen[path.replace('hack/invalid-examples/', '')] = body.message;
  });
  assert.deepEqual(seen, refusals);

  const gateway = documentsOf(files.get('examples/standard/simple-gateway/gateway.yaml'))[0];
  const { body } = await send('POST', '/apis/gateway.networking.k8s.io/v1/namespaces/default/gateways', gateway);
  assert.deepEqual(body.spec.listeners, [
    { allowedRoutes: { namespaces: { from: 'Same' } }, name: 'prod-web-gw', port: 80, protocol: 'HTTP' },
  ]);
  const condition = { lastTransitionTime: '1970-01-01T00:00:00Z', message: 'Waiting for controller', reason: 'Pending', status: 'Unknown' };
  assert.deepEqual(body.status.conditions, [
    { ...condition, type: 'Accepted' },
    { ...condition, type: 'Programmed' },
  ]);
});

test('cert-manager: its definitions install, and a certificate is held to them', async (t) => {
  const module = {
    module: 'github.com/cert-manager/cert-manager',
    version: 'v1.18.2',
    sha256: '3b9b89576c583001ce6bd0565dd7c7d8260c149b2cdc8fbc97efd2ac73ad9648',
  };
  const files = await moduleFiles(module, /^deploy\/crds\/.*\.yaml$/);
  if (typeof files === 'string') return t.skip(files);
  const places = await install(files);
  const place = places.get('cert-manager.io/v1/Certificate');
  const certificate = (spec) => ({ apiVersion: 'cert-manager.io/v1', kind: 'Certificate', metadata: { name: 'a' }, spec });
  const valid = { secretName: 's', issuerRef: { name: 'i' }, privateKey: { algorithm: 'ECDSA', size: 256 } };
  assert.equal((await sendJson('POST', place, certificate(valid))).status, 201);
  const refused = await sendJson('POST', place, certificate({ ...valid, issuerRef: {}, privateKey: { algorithm: 'DSA' } }));
  assert.equal(
    refused.body.message,
    'Certificate.cert-manager.io "a" is invalid: [spec.issuerRef.name: Required value, spec.privateKey.algorithm: Unsupported value: "DSA": ' +
      'supported values: "RSA", "ECDSA", "Ed25519"]',
  );
});

test('Prometheus Operator: its definitions, of which one has 1.35 MB and a conversion webhook, and its examples', async (t) => {
  const module = {
    module: 'github.com/prometheus-operator/prometheus-operator',
    version: 'v0.83.0',
    sha256: 'e20d9831b302afedeee2e4a76130b3e9c252e254880bc0a965d16d2408dd53da',
  };
  const files = await moduleFiles(module, /^example\/(prometheus-operator-crd-full|user-guides\/alerting|thanos|shards|storage|rbac\/prometheus)\/.*\.yaml$/);
  if (typeof files === 'string') return t.skip(files);
  const places = await install(files);
  assert.equal(places.get('monitoring.coreos.com/v1beta1/AlertmanagerConfig'), '/apis/monitoring.coreos.com/v1beta1/namespaces/default/alertmanagerconfigs');
  assert.equal(await tryObjects(files, places, accepted), 15);
});

test('Argo CD: its definitions, and an application whose finalizer is warned of', async (t) => {
  const module = {
    module: 'github.com/argoproj/argo-cd/v2',
    version: 'v2.14.15',
    sha256: 'e4c60ada285a3993f35c46036a366988276fc571e4347d27aa39e63ec6eedbb5',
  };
  const files = await moduleFiles(module, /^(manifests\/crds\/.*crd\.yaml|docs\/operator-manual\/application\.yaml)$/);
  if (typeof files === 'string') return t.skip(files);
  const places = await install(files);
  const tried = await tryObjects(files, places, (path, answer) => {
    accepted(path, answer);
    assert.equal(
      answer.warning,
      '299 - "metadata.finalizers: \\"resources-finalizer.argocd.argoproj.io\\": prefer a domain-qualified finalizer name including a path (/) ' +
        'to avoid accidental conflicts with other finalizer writers"',
    );
  });
  assert.equal(tried, 1);
});

test('a definition of 1.4 MB of our own: defaults, rules and faults of its objects', async () => {
  const made = await sendJson('POST', kDefinitions, largeDefinition('engines', 1_400_000));
  assert.equal(made.status, 201);
  await established('engines.bench.example.com');
  const place = '/apis/bench.example.com/v1/namespaces/default/engines';
  const engine = largeObject('engines', 'a');
  delete engine.spec.p0.a.f7;
  const created = await sendJson('POST', place, engine);
  assert.equal(created.status, 201);
  assert.equal(created.body.spec.p0.a.f7, 'Always');
  const wrong = largeObject('engines', 'b');
  wrong.spec.p0.f2 = 'xyz';
  assert.equal((await sendJson('POST', place, wrong)).body.message, 'Engines.bench.example.com "b" is invalid: spec: Invalid value: p0 begins with abc');
  wrong.spec.p0.list[1].f0 = 'one';
  wrong.spec.p0.f1 = -1;
  wrong.spec.p0.f2 = 'ABC';
  assert.equal(
    (await sendJson('POST', place, wrong)).body.message,
    'Engines.bench.example.com "b" is invalid: [spec.p0.f1: Invalid value: -1: spec.p0.f1 in body should be greater than or equal to 0, ' +
      "spec.p0.f2: Invalid value: \"ABC\": spec.p0.f2 in body should match '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', " +
      'spec.p0.list[1]: Duplicate value: {"f0":"one"}, spec: Invalid value: p0 begins with abc]',
  );
});
