// The command line of the page describes, explains and lists what kubectl does, byte for byte: both ask a server each, with the same
// objects, names and times.
import { readFileSync } from 'node:fs';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pageModule } from '../concepts/tour_code.mjs';
import { kubectlOf } from './kubectl_client.mjs';
import { startServer } from './server.mjs';

const { runLine, Session } = await pageModule('kubectl.ts');
const kFlags = ['--seed', '7', '--clock', '2026-05-01T12:00:00Z', '--nodes', '2', '--controllers', 'all', '--scheduler=true'];
const kWidget = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w, namespace: shop}\nspec: {size: 3, podIPs: [a, b]}\n';
const kCluster = readFileSync(new URL('manifests/described.yaml', import.meta.url), 'utf8');

let servers;
before(async () => {
  servers = await Promise.all([0, 1].map(() => startServer(...kFlags)));
  for (const server of servers) {
    const { kubectl, fileOf } = kubectlOf(server);
    await kubectl('create', '-f', fileOf(kCluster));
    await fetch(`${server.url}/-/tabernetes/clock`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"advance":"30s"}' });
    await kubectl('create', '-f', fileOf(kWidget));
  }
});
after(async () => {
  for (const server of servers) await server.stop();
});

const apiOf = ({ url }) => ({
  async send({ method = 'GET', target, headers = {}, body = '', signal }) {
    const answer = await fetch(url + target, { method, headers, body: body === '' ? undefined : body, signal });
    const warnings = [...(answer.headers.get('warning') ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text]) => JSON.parse(`"${text}"`));
    return { status: answer.status, text: await answer.text(), warnings };
  },
});
const wordsOf = (line) => [...line.matchAll(/(?:'[^']*'|\S)+/g)].map(([word]) => word.replaceAll("'", ''));

async function same(line) {
  const theirs = await kubectlOf(servers[1]).outcome(wordsOf(line));
  const printed = { stdout: '', stderr: '' };
  const session = new Session(apiOf(servers[0]), new Map(), () => new Date());
  const code = await runLine(`kubectl ${line}`, session, { out: (text) => void (printed.stdout += text), err: (text) => void (printed.stderr += text), signal: AbortSignal.timeout(20_000) });
  const mine = { code, stdout: printed.stdout.trimEnd(), stderr: printed.stderr.trimEnd() };
  // kubectl keeps several logs in a Go map, and shows them in its order.
  if (/^logs .*(--all-containers|-l )/.test(line)) for (const answer of [mine, theirs]) answer.stdout = answer.stdout.split('\n').sort().join('\n');
  assert.deepEqual({ ...mine, code: Math.min(mine.code, 1) }, { ...theirs, code: Math.min(theirs.code, 1) });
}

describe('the page prints what kubectl prints', () => {
  for (const line of kLines()) test(line, () => same(line));
});

function kLines() {
  return `
    describe pod a -n shop
    describe pod stuck -n shop
    describe pods -n shop -l app=web
    describe deploy web -n shop
    describe rs -n shop
    describe sts db -n shop
    describe ds agent -n shop
    describe job once -n shop
    describe cronjob nightly -n shop
    describe svc -n shop
    describe ingress front -n shop
    describe netpol np -n shop
    describe endpoints web -n shop
    describe endpointslices -n shop
    describe cm settings -n shop
    describe secret keys -n shop
    describe sa robot -n shop
    describe ns shop
    describe quota -n shop
    describe limitrange limits -n shop
    describe nodes
    describe pv pv
    describe pvc -n shop
    describe storageclass fast
    describe hpa web -n shop
    describe pdb web -n shop
    describe priorityclass high
    describe role reader -n shop
    describe rolebinding readers -n shop
    describe clusterrole view
    describe clusterrolebinding cluster-admin
    describe wd w -n shop
    describe crd widgets.example.com
    describe pod none
    describe deploy we -n shop
    describe pod/a svc/web -n shop
    describe pod a -n shop --show-events=false
    get ev -n shop --field-selector type=Warning
    get pods,svc -A --no-headers
    get pods -n shop -o 'jsonpath={.items[0].metadata}'
    get pods -n shop -o 'jsonpath={.items[?(@.spec.containers[0].image=="nginx")].metadata.name}'
    get pod a -n shop -o 'jsonpath={.spec.containers[5].name}'
    get pods -n shop -o custom-columns=N:.metadata.name --no-headers
    get pods -l =bad -n shop
    get pods --field-selector bad.field=x -n shop
    get pods -n shop a -l x=y
    get pods/a svc/web -n shop -o yaml
    get pod,svc web -n shop
    get pods -o
    get pods -n shop -o yaml=x
    get --raw /nowhere
    explain deploy.spec.strategy
    explain pods.metadata
    explain pod.spec.nothing
    explain nothing
    explain pod.spec.containers.imagePullPolicy
    explain pod --recursive
    explain deploy.spec.strategy --recursive
    explain svc.spec.ports.port
    explain hpa --api-version=autoscaling/v1
    explain ingress.spec.rules.http.paths
    auth can-i get secret keys -n shop
    auth can-i --list -n shop
    api-resources --api-group=batch --no-headers
    api-resources --verbs=list,create -o name
    api-resources --categories=all
    logs a -n shop --all-containers
    logs a -n shop --prefix -c main
    logs deploy/web -n shop
    logs a -n shop -c nothing
    logs a -p -n shop
    rollout history deploy/web -n shop --revision=1
    rollout history deploy/web -n shop --revision=7
    rollout history sts/db -n shop
    rollout history ds/agent -n shop
    rollout status pod/a -n shop
    top nodes
    top pods -n shop
    top pod a -n shop --containers
  `
    .trim()
    .split('\n')
    .map((line) => line.trim());
}
