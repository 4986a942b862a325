// The command line of the page prints what kubectl prints: both do the same on a server each.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { completions, startPair } from './page_line.mjs';

const kCluster = `
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {app: web, tier: front}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: main, image: nginx, ports: [{containerPort: 80}]}
---
apiVersion: v1
kind: Pod
metadata: {name: a, namespace: shop, labels: {app: web, n: "1"}}
spec: {containers: [{name: main, image: nginx, env: [{name: E, value: "yes"}]}, {name: side, image: busybox}]}
---
apiVersion: v1
kind: Pod
metadata: {name: bb, namespace: shop, annotations: {note: "two\\nlines"}}
spec: {containers: [{name: main, image: nginx}]}
---
apiVersion: v1
kind: Pod
metadata: {name: other}
spec: {containers: [{name: main, image: nginx}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {on: "true", number: "12", text: "- begins: oddly", plain: some words, empty: "", multi: "a\\nb\\n", time: "2026-01-01"}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd]}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer, description: How big it is.}}}}}}
`;
const kWidget = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w, namespace: shop}\nspec: {size: 3}\n';
const kSettings = (data) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied}\ndata: ${data}\n`;
const kWeb = (containers) => `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: applied}\nspec:\n  selector: {matchLabels: {app: x}}\n  template:\n    metadata: {labels: {app: x}}\n    spec: {containers: [${containers}]}\n`;

let pair;
const same = (line, input) => pair.same(line, input);
const ours = (...args) => pair.ours(...args);
before(async () => {
  pair = await startPair(async ({ kubectl, fileOf }, url) => {
    await kubectl('create', '-f', fileOf(kCluster));
    await fetch(`${url}/-/tabernetes/clock`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"advance":"1s"}' });
    await kubectl('create', '-f', fileOf(kWidget));
  });
});
after(() => pair?.stop());

describe('reads', () => {
  for (const line of [
    'get pods -n shop',
    'get po,svc,deploy -n shop',
    'get pods -A',
    'get pods a bb -n shop -o wide',
    'get pod a -n shop --show-labels',
    'get pods -n shop -L app,n --no-headers',
    'get pods -n shop -l app=web',
    'get pods -n shop --field-selector metadata.name=bb -o name',
    'get all -n shop',
    'get pods',
    'get pods none',
    'get pods none nothing',
    'get secrets',
    'get nothing',
    'get nodes -o name',
    'get wd -n shop',
    'get widgets.example.com w -n shop -o yaml',
    'get cm settings -n shop -o yaml',
    'get cm settings -n shop -o json',
    'get pods -n shop -o yaml',
    'get pod a -n shop -o yaml --show-managed-fields',
    "get pods -n shop -o 'jsonpath={.items[*].metadata.name}'",
    "get pods -n shop -o 'jsonpath={range .items[*]}{.metadata.name}{\"\\t\"}{.spec.containers[*].image}{\"\\n\"}{end}'",
    "get pods -n shop -o 'jsonpath={.items[?(@.metadata.name==\"a\")].spec.containers[1].name}'",
    "get pod a -n shop -o 'jsonpath={.metadata.labels}'",
    "get pods -n shop -o 'custom-columns=NAME:.metadata.name,IMAGES:.spec.containers[*].image,NONE:.spec.none'",
    'get pods -A --sort-by=.metadata.name -o name',
    'get deployments,services -n shop -o name',
    'get pods -n shop -o nonsense',
    'get deploy/web svc/web -n shop',
    'get --raw /version',
    'auth can-i create pods',
    'auth can-i list deployments.apps -n shop',
    'api-versions',
    'api-resources --api-group=apps',
    'describe wd w -n shop',
    'explain pod',
    'explain pods.spec.containers.env',
    'explain deployments.spec.replicas',
    'explain widgets.spec',
    'logs none',
    'logs',
    'logs pod/none',
    'logs bb -n shop',
    'logs a -n shop',
    'logs a -c side -n shop',
    'logs deploy/web -n shop',
    'logs svc/web -n shop',
    'logs deploy/none -n shop',
    'logs -l app=web -n shop',
    'logs -l app=none -n shop',
    'rollout history deploy/web -n shop',
    'get pods --nonsense',
  ]) {
    test(line, () => same(line));
  }
});

describe('writes', () => {
  for (const [line, input] of [
    ['apply -f -', kSettings('{a: "1", b: "2"}')],
    ['apply -f -', kSettings('{a: "1", b: "2"}')],
    ['apply -f -', kSettings('{a: "9"}')],
    ['get cm applied -o yaml'],
    ['apply -f -', kWeb('{name: one, image: a}, {name: two, image: b}')],
    ['apply -f -', kWeb('{name: one, image: c}')],
    ["get deploy applied -o 'jsonpath={.spec.template.spec.containers[*].image}'"],
    ['apply -f -', 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: v}\nspec: {size: 1}\n'],
    ['apply -f -', 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: v}\nspec: {size: 2}\n'],
    ['apply --server-side -f -', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ssa}\ndata: {k: "1"}\n'],
    ['create -f -', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied}\n'],
    ['create namespace team'],
    ['create namespace team'],
    ['create deployment made --image=nginx:1.27 --replicas=3'],
    ['get deploy made -o yaml'],
    ['create configmap lit --from-literal=a=b --from-literal=c=d'],
    ['run solo --image=nginx'],
    ['scale deploy/made --replicas=5'],
    ['scale deploy none --replicas=5'],
    ['label pod solo team=a'],
    ['label pod solo team=b'],
    ['label pod solo team=b --overwrite'],
    ['label pod solo team-'],
    ['label pod solo team-'],
    ['annotate pod solo why=because'],
    ['patch deploy made -p \'{"spec":{"replicas":2}}\''],
    ['patch deploy made -p \'{"spec":{"replicas":2}}\''],
    ['patch deploy made --type=json -p \'[{"op":"remove","path":"/spec/nothing"}]\''],
    ['patch deploy made --type=merge -p \'{"spec":{"replicas":-1}}\''],
    ['set image deploy/made *=nginx:1.28'],
    ['set image deploy/made *=nginx:1.28'],
    ['set image deploy/made nginx=nginx:1.29 --dry-run=server'],
    ['set image deployment made nginx=nginx:1.30'],
    ['set image deploy/made none=nginx:1.29'],
    ['set image deploy/made'],
    ['set image pod/solo solo=nginx:1.27'],
    ['rollout pause deploy/made'],
    ['rollout pause deploy/made'],
    ['rollout resume deploy/made'],
    ['rollout restart deploy/made'],
    ['delete cm applied lit'],
    ['delete cm applied'],
    ['delete cm applied --ignore-not-found'],
    ['delete pods --all'],
    ['delete deploy -l app=made'],
    ['delete wd v --dry-run=server'],
    ['cordon node-0'],
    ['cordon node-0'],
    ['uncordon node-0'],
  ]) {
    test(`${line}${input ? ` ${input.split('\n').slice(-2)[0]}` : ''}`, () => same(line, input));
  }
});

describe('the shell', () => {
  test('pipes go through filters', async () => {
    assert.equal((await ours('k get pods -n shop | grep -v NAME | grep bb | wc -l')).stdout, '1');
    assert.equal((await ours("kubectl get cm settings -n shop -o yaml | grep 'plain:'")).stdout, '  plain: some words');
    assert.deepEqual(await ours('get pods -n shop | less'), { code: 127, stdout: '', stderr: 'less: command not found; behind a pipe there are grep, head, tail, wc, sort, uniq' });
    assert.equal((await ours("get 'pods")).stderr, "the quote ' is not closed");
  });

  test('a namespace stays', async () => {
    const session = pair.session();
    await ours('config set-context --current --namespace=shop', session);
    assert.match((await ours('get pods', session)).stdout, /^NAME[^]*\nbb /);
  });

  test('-w prints changes until it is stopped', async () => {
    const stop = new AbortController();
    const session = pair.session();
    const running = ours('get cm -n shop -w', session, stop.signal);
    await new Promise((resolve) => setTimeout(resolve, 400));
    await ours('create configmap fresh -n shop', session);
    await new Promise((resolve) => setTimeout(resolve, 400));
    stop.abort();
    const { code, stdout } = await running;
    assert.equal(code, 130);
    assert.match(stdout, /^NAME +DATA +AGE\n[^]*\nfresh +0 +\S+$/);
  });

  test('Tab completes commands, resources, names, flags', async () => {
    const session = pair.session();
    assert.deepEqual(await completions('kubectl ro', session), ['rollout']);
    assert.deepEqual(await completions('get deploym', session), ['deployments']);
    assert.deepEqual(await completions('k get pod -n sho', session), ['shop']);
    assert.deepEqual(await completions('get pods -n shop b', session), ['bb']);
    assert.deepEqual(await completions('scale -n shop deploy/', session), ['deploy/web']);
    assert.deepEqual(await completions('logs -n shop deploy/', session), ['deploy/web']);
    assert.deepEqual(await completions('set im', session), ['image']);
    assert.deepEqual(await completions('set image -n shop deploy/', session), ['deploy/web']);
    assert.deepEqual(await completions('get pods --show', session), ['--show-events', '--show-kind', '--show-labels', '--show-managed-fields']);
    assert.deepEqual(await completions('get pods | gr', session), ['grep']);
  });
});
