// Tests encode and decode: objects in the encodings of the API, without a server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, createCluster, decode, encode, kConfigMaps, kReproducible, StatusError, text } from './support.mjs';

const kProtobuf = 'application/vnd.kubernetes.protobuf';
const kWatch = `${kProtobuf};stream=watch`;
const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { k: '<é>' } };
const hex = (bytes) => Buffer.from(bytes).toString('hex');

test('an object has exact bytes in every form', () => {
  assert.equal(
    text(encode(object, 'application/json')),
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"k":"\\u003cé\\u003e"}}\n',
  );
  assert.equal(
    text(encode(object, 'application/json;pretty=1')),
    '{\n  "kind": "ConfigMap",\n  "apiVersion": "v1",\n  "metadata": {\n    "name": "a"\n  },\n  "data": {\n    "k": "\\u003cé\\u003e"\n  }\n}',
  );
  assert.equal(text(encode(object, 'application/yaml')), 'apiVersion: v1\ndata:\n  k: <é>\nkind: ConfigMap\nmetadata:\n  name: a\n');
  assert.equal(
    hex(encode(object, kProtobuf)),
    '6b387300' + // k8s
      '0a0f' + '0a027631' + '1209436f6e6669674d6170' + // v1, ConfigMap
      '121e' + '0a110a01611200' + '1a00' + '2200' + '2a00' + '3200' + '3800' + '4200' + // metadata.name
      '12090a016b12043cc3a93e' + // data
      '1a002200',
  );
});

test('what was encoded is decoded again, from bytes, buffers and texts', () => {
  for (const type of ['application/json', 'application/json;pretty=1', 'application/yaml', kProtobuf]) {
    const bytes = encode(object, type);
    assert.deepEqual(decode(bytes, type), object);
    assert.deepEqual(decode(bytes.buffer, type), object);
    if (type !== kProtobuf) assert.deepEqual(decode(text(bytes), type), object);
  }
});

test('answers of a cluster are decoded, and encoded to the same bytes', async () => {
  const cluster = await createCluster(kReproducible);
  await create(cluster, { metadata: { name: 'a', labels: { app: 'web' } }, data: { k: 'v' } });
  const paths = ['/api/v1/namespaces', '/api/v1/namespaces/default/services/kubernetes', kConfigMaps, '/apis', '/api/v1/pods/nope', '/api/v1/namespaces/x/pods/nope'];
  for (const path of paths) {
    const asJson = await (await cluster.fetch(path, { headers: { accept: 'application/json' } })).json();
    for (const accept of ['application/json', 'application/yaml', kProtobuf]) {
      const answer = await cluster.fetch(path, { headers: { accept } });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const decoded = decode(bytes, answer.headers.get('content-type'));
      assert.deepEqual(decoded, asJson, `${path} in ${accept}`);
      assert.equal(hex(encode(decoded, accept)), hex(bytes), `${path} in ${accept}`);
    }
  }
  for (const [as, kind] of [['Table', 'Table'], ['PartialObjectMetadataList', 'PartialObjectMetadataList']]) {
    const accept = `application/json;as=${as};g=meta.k8s.io;v=v1`;
    const bytes = new Uint8Array(await (await cluster.fetch(kConfigMaps, { headers: { accept } })).arrayBuffer());
    const decoded = decode(bytes, 'application/json');
    assert.equal(decoded.kind, kind);
    assert.equal(text(encode(decoded, 'application/json')), text(bytes));
  }
  cluster.dispose();
});

test('a body in protobuf, made here, is accepted there', async () => {
  const cluster = await createCluster(kReproducible);
  const body = encode({ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '500m' } } }] } }, kProtobuf);
  const answer = await cluster.fetch('/api/v1/namespaces/default/pods', { method: 'POST', headers: { 'content-type': kProtobuf }, body });
  assert.equal(answer.status, 201);
  const pod = await answer.json();
  assert.deepEqual(pod.spec.containers[0].resources, { requests: { cpu: '500m' } });
  assert.equal(pod.spec.containers[0].imagePullPolicy, 'Always');
  cluster.dispose();
});

test('the frames of a watch are its events', async () => {
  const cluster = await createCluster(kReproducible);
  await create(cluster, { metadata: { name: 'a' } });
  const watch = await cluster.fetch(`${kConfigMaps}?watch=true`, { headers: { accept: kWatch } });
  assert.equal(watch.headers.get('content-type'), kWatch);
  const reader = watch.body.getReader();
  const { value } = await reader.read();
  const [event, ...others] = decode(value, kWatch);
  assert.deepEqual(others, []);
  assert.equal(event.type, 'ADDED');
  assert.equal(event.object.kind, 'ConfigMap');
  assert.equal(event.object.metadata.name, 'a');
  assert.equal(hex(encode([event], kWatch)), hex(value));
  const lines = encode([event, { type: 'BOOKMARK', object }], 'application/json;stream=watch');
  assert.deepEqual(decode(lines, 'application/json;stream=watch'), [event, { type: 'BOOKMARK', object }]);
  assert.deepEqual(decode('', kWatch), []);
  await reader.cancel();
  cluster.dispose();
});

test('what is wrong is thrown as the Status of the server', () => {
  const failure = (work) => {
    try {
      work();
    } catch (error) {
      assert.ok(error instanceof StatusError);
      assert.equal(error.message, error.status.message);
      return error.status;
    }
    assert.fail('nothing was thrown');
  };
  assert.deepEqual(failure(() => decode('{"kind":"Pod","apiVersion":"v1","spec":[]}', 'application/json')), {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal array into Go struct field Pod.spec of type v1.PodSpec',
    reason: 'BadRequest',
    code: 400,
  });
  assert.equal(failure(() => decode('{}', 'text/html')).code, 415);
  assert.equal(failure(() => encode({ kind: 'Odd', apiVersion: 'example.com/v1' }, kProtobuf)).code, 406);
  assert.equal(failure(() => decode(encode(object, kProtobuf).subarray(0, 40), kProtobuf)).message, 'unexpected EOF');
  assert.equal(failure(() => decode(encode([{ type: 'ADDED', object }], kWatch).subarray(0, 40), kWatch)).message, 'unable to decode watch event: unexpected EOF');
  // The functions still work.
  assert.deepEqual(decode(encode(object, kProtobuf), kProtobuf), object);
});

test('unknown fields are dropped, or refused', () => {
  const typo = { ...object, date: {} };
  assert.deepEqual(decode(encode(typo, 'application/yaml'), 'application/yaml'), object);
  assert.throws(() => encode(typo, kProtobuf, { fieldValidation: 'Strict' }), {
    message: 'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "date"',
  });
  assert.throws(() => decode(JSON.stringify(typo), 'application/json', { fieldValidation: 'Strict' }), StatusError);
});

test('other kinds stay as they are', () => {
  const odd = { spec: { z: [1, 2.5, null] }, kind: 'Odd', apiVersion: 'example.com/v1' };
  assert.equal(text(encode(odd, 'application/json')), `${JSON.stringify(odd)}\n`);
  assert.deepEqual(decode(encode(odd, 'application/yaml'), 'application/yaml'), odd);
});
