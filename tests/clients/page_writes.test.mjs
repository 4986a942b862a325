// What the page's command line prints of writes, dry runs and made objects is what kubectl prints.
import { after, before, describe, test } from 'node:test';
import { startPair } from './page_line.mjs';

const kCluster = `
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web, tier: front}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: main, image: nginx, ports: [{containerPort: 80}], env: [{name: E, value: "yes"}]}
      - {name: side, image: busybox}
---
apiVersion: v1
kind: Pod
metadata: {name: a, labels: {app: web, n: "1"}}
spec: {containers: [{name: main, image: nginx, env: [{name: E, value: "yes"}]}, {name: side, image: busybox}]}
---
apiVersion: v1
kind: Pod
metadata: {name: bb, annotations: {note: "two"}}
spec: {containers: [{name: main, image: nginx, ports: [{containerPort: 8080}]}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {on: "true"}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: tick}
spec: {schedule: "* * * * *", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}}}
`;
/** Manifests by the names that lines below give them. */
const configMap = (name, rest = '') => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n${rest}`;

const kLines = {
  'what is made and applied': [
    'create deployment d1 --image=nginx --dry-run=client -o yaml',
    'create deployment d1 --image=nginx --dry-run=client',
    'create deployment d1 --image=nginx --image=busybox:1 --port=80 --replicas=2 -o yaml',
    'create deployment --image=nginx',
    'create deployment d3 --image=nginx --dry-run=server',
    'create deployment d4 --image=nginx -- sleep 10',
    'create namespace n1 --dry-run=client -o yaml',
    'create ns n1 -o yaml',
    'create cm c1 --from-literal=a=b --dry-run=client -o yaml',
    'create cm c2 --from-literal=a',
    'create cm c3',
    'create cm settings --from-literal=a=b',
    'create secret generic s1 --from-literal=a=b',
    'create secret generic s1 --from-literal=a=b --dry-run=client -o yaml',
    'create secret generic s2 --type=x/y --from-literal=a=b -o yaml',
    'create secret docker-registry s3 --docker-username=u --docker-password=p --docker-server=r.io -o yaml',
    'create sa sa1 --dry-run=client -o yaml',
    'create sa sa1',
    'create job j1 --image=busybox',
    'create job j2 --image=busybox --dry-run=client -o yaml -- date',
    'create job j3 --from=cronjob/tick',
    'create job j4 --from=cronjob/tick --dry-run=client -o yaml',
    'create job j5',
    'create job j6 --from=cronjob/none',
    'create cronjob cj1 --image=busybox --schedule=*/1 -- date',
    "create cronjob cj1 --image=busybox '--schedule=*/1 * * * *' --dry-run=client -o yaml -- date",
    "create cronjob cj1 --image=busybox '--schedule=*/1 * * * *'",
    'create role r1 --verb=get,list --resource=pods',
    'create role r1 --verb=get,list --resource=pods --dry-run=client -o yaml',
    'create role r2 --verb=get --resource=deployments.apps,pods/log --resource-name=x -o yaml',
    'create role r3 --verb=get',
    'create role r4 --resource=pods',
    'create role r5 --verb=get --resource=nothing',
    'create clusterrole cr1 --verb=get --resource=pods,nodes -o yaml',
    'create clusterrole cr2 --verb=get --non-resource-url=/logs/*',
    'create clusterrole cr3 --aggregation-rule=a=b --dry-run=client -o yaml',
    'create rolebinding rb1 --role=r1 --user=bob',
    'create rolebinding rb2 --clusterrole=view --serviceaccount=default:sa1 --group=g --dry-run=client -o yaml',
    'create rolebinding rb3',
    'create rolebinding rb4 --role=r1 --serviceaccount=bad',
    'create clusterrolebinding crb1 --clusterrole=view --user=bob --group=g',
    'create clusterrolebinding crb2 --clusterrole=view --serviceaccount=default:sa1 --dry-run=client -o yaml',
    'create service clusterip sv1 --tcp=80',
    'create service clusterip sv2 --tcp=80:8080 --dry-run=client -o yaml',
    'create service nodeport sv3 --tcp=80:8080 --node-port=30100 -o yaml',
    'create service loadbalancer sv4 --tcp=80',
    'create service externalname sv5 --external-name=a.example --dry-run=client -o yaml',
    'create service clusterip sv6',
    'create svc clusterip sv7 --clusterip=None -o yaml',
    'create quota q1 --hard=cpu=1,pods=2 --dry-run=client -o yaml',
    'create quota q1 --hard=cpu=1,pods=2',
    'create quota q2 --scopes=BestEffort -o yaml',
    'create ingress i1 --rule=a.example/x*=svc:80',
    'create ingress i2 --rule=a.example/=svc:http,tls=sec --class=c --annotation=a=b --dry-run=client -o yaml',
    'create ingress i3',
    'create ingress i4 --default-backend=svc:80 --dry-run=client -o yaml',
    'create pdb p1 --selector=app=web --min-available=1',
    'create pdb p2 --selector=app=web --max-unavailable=50% --dry-run=client -o yaml',
    'create pdb p3',
    'create priorityclass pc1 --value=10 --description=d',
    'create priorityclass pc2 --value=10 --global-default=true --preemption-policy=Never --dry-run=client -o yaml',
    'create token none',
    'create nothing x',
    'create',
    ['create -f -', configMap('f1')],
    ['create -f - -o yaml', configMap('f2')],
    ['create -f - --dry-run=client -o yaml', configMap('f3', 'data: {a: b}\n')],
    ['create -f - --dry-run=client', configMap('f3')],
    ['create -f - --dry-run=client -o yaml', 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: f3}\nspec: {template: {spec: {containers: [{name: a, image: b}]}}}\n'],
    ['create -f -', configMap('f5', 'datas: {a: b}\n')],
    ['create -f -', 'apiVersion: v1\nkind: ConfigMap\n'],
    ['create -f -', 'apiVersion: v1\nkind: Nothing\nmetadata: {name: f5}\n'],
    ['create -f -', 'apiVersion: v1\nkind: Pod\nmetadata: {name: f5}\nspec: {containers: [{name: a}]}\n'],
    ['create -f -', 'apiVersion: v1\nkind: Pod\nmetadata: {name: f5}\nspec: {containers: nothing}\n'],
    ['create -f -', 'a: b\n'],
    ['create -f -', '\n'],
    ['replace -f -', configMap('f1', 'data: {a: b}\n')],
    ['replace -f -', configMap('none', 'data: {a: b}\n')],
    ['replace -f - --force', configMap('f1', 'data: {a: c}\n')],
    ['replace -f - --dry-run=server', configMap('f1', 'data: {a: d}\n')],
    ['replace -f - -o yaml', configMap('f1', 'data: {a: e}\n')],
    ['apply -f - --dry-run=client -o yaml', configMap('f7', 'data: {a: b}\n')],
    ['apply -f - --dry-run=client', configMap('f7', 'data: {a: b}\n')],
    ['apply -f - --dry-run=server -o yaml', configMap('f7', 'data: {a: b}\n')],
    ['apply -f - --dry-run=server', configMap('f7', 'data: {a: b}\n')],
    ['apply -f - -o yaml', configMap('f7', 'data: {a: b}\n')],
    ['apply -f - --dry-run=client', configMap('f7', 'data: {a: b}\n')],
    ['apply -f - --dry-run=client', configMap('f7', 'data: {a: c}\n')],
    ['apply -f - --dry-run=server', configMap('f7', 'data: {a: c}\n')],
    ['apply -f -', configMap('f8', 'datas: {a: b}\n')],
    ['apply -f -', 'apiVersion: v1\nkind: ConfigMap\ndata: {a: b}\n'],
    ['apply -f -', 'kind: ConfigMap\nmetadata: {name: f8}\n'],
    ['apply -f -', 'apiVersion: v1\nkind: Nothing\nmetadata: {name: f8}\n'],
    ['apply -f -', 'apiVersion: v1\nkind: Pod\nmetadata: {name: f9}\nspec: {containers: [{name: a}]}\n'],
    ['apply -f -', 'apiVersion: v1\nkind: Pod\nmetadata: {name: f9}\nspec: {containers: nothing}\n'],
    ['apply -f -', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: f8, namespace: missing}\n'],
    ['apply -f -', '\n'],
    ['apply -f - --server-side', configMap('f7', 'data: {a: d}\n')],
    ['apply -f - --server-side --force-conflicts', configMap('f7', 'data: {a: d}\n')],
    ['apply -f - --server-side --dry-run=server', configMap('f7', 'data: {a: e}\n')],
    'apply',
    'events',
    'events -n shop',
    'events --types=Warning',
    'events --for=pod/a',
  ],
  'what is changed': [
    'scale deploy/web --replicas=5 --dry-run=server',
    'scale deploy/web --replicas=5 --dry-run=client',
    'scale deploy/web --replicas=5 --dry-run=client -o yaml',
    'scale deploy/web deploy/none --replicas=3',
    'scale deploy/web --replicas=3 --current-replicas=9',
    'scale deploy/web --replicas=4 -o yaml',
    'scale --replicas=3',
    'scale pod a --replicas=3',
    'scale deploy --all --replicas=3',
    'scale deploy/web --replicas=-1',
    'label pod a --list',
    'label pod a x=y -o yaml',
    'label pod a',
    'label pod none a=b',
    'label pod a bad/key/x=y',
    'label pod a x=bad,value',
    'label pod a x=z',
    'label pod a bb q=r',
    'label pod a bb q-',
    'label pods --all z=1 --dry-run=client',
    'label pod a z=1 --dry-run=client -o yaml',
    'label pod a z=1 --dry-run=server',
    'label pod a z=1 z-',
    'label pod a z=1 --overwrite n-',
    'label deploy/web pod/a m=1',
    'label pods -l app=web k=1',
    'label pod a --all k=2',
    'annotate pod a --list',
    'annotate pod bb note=three',
    'annotate pod bb note-',
    'annotate pod bb note-',
    'annotate pod bb note=x --dry-run=client',
    'annotate pod bb note=x -o name',
    'annotate pod bb',
    'annotate deploy web k=v --overwrite',
    'annotate deploy web k=v',
    'patch deploy web',
    `patch deploy web -p '{"spec":{"replicas":2}}' -o yaml`,
    `patch deploy web -p '{"spec":{"replicas":7}}' -o name`,
    `patch deploy web -p '{"spec":{"replicas":6}}' --dry-run=client`,
    `patch deploy web -p '{"spec":{"replicas":6}}' --dry-run=server`,
    `patch deploy web -p '{"spec":{"replicas":6}}' --dry-run=client -o yaml`,
    `patch deploy web -p '{"spec":'`,
    "patch deploy web -p 'nonsense'",
    "patch deploy web --type=nonsense -p '{}'",
    `patch deploy web --type=json -p '{"a":1}'`,
    `patch deploy web --type=json -p '[{"op":"replace","path":"/spec/replicas","value":3}]'`,
    `patch deploy web --subresource=scale --type=merge -p '{"spec":{"replicas":2}}'`,
    `patch deploy none -p '{"spec":{"replicas":6}}'`,
    `patch deploy web -p '{"spec":{"replicas":"x"}}'`,
    `patch deploy web -p '{"spec":{"nothing":1}}'`,
    `patch svc web -p '{"spec":{"ports":[{"port":80,"targetPort":8080}]}}'`,
    'delete pod none',
    'delete pod',
    'delete',
    'delete pod,svc none',
    'delete pods -l app=none',
    'delete cm settings --dry-run=client',
    'delete cm settings --dry-run=server -o name',
    'delete cm settings -o name',
    'delete cm settings -o yaml',
    'delete pod bb --force',
    'delete nothing x',
    'delete pod a --grace-period=0',
    'delete pod/none svc/none2',
    'delete pods --all -n shop',
    'delete ns default',
    'delete pod --all -l a=b',
  ],
  'what is set, rolled out, exposed': [
    'set image deploy/web main=nginx:2 -o yaml',
    'set image deploy/web main=nginx:3 --dry-run=client -o yaml',
    'set image deploy web main=nginx:4 side=busybox:1',
    'set image deploy/none main=x',
    'set image deploy/web none=x main=y',
    'set image deploy --all *=nginx:5',
    'set image cronjob/tick c=busybox:2',
    'set env deploy/web A=b',
    'set env deploy/web --list',
    'set env deploy/web A-',
    'set env deploy/web A=c --dry-run=client -o yaml',
    'set env deploy/web -c main X=1',
    'set env deploy/web',
    'set env pod/a --list',
    'set env deploy/web -c none X=1',
    'set env deploy/web --from=configmap/settings',
    'set env deploy/none A=b',
    'set resources deploy/web --limits=cpu=200m,memory=512Mi',
    'set resources deploy/web -c main --requests=cpu=100m',
    'set resources deploy/web',
    'set resources deploy/web --limits=nonsense',
    'set serviceaccount deploy/web sa1',
    'set sa deploy web sa2',
    'set selector svc web app=other',
    'set nothing',
    'rollout pause deploy web',
    'rollout pause deploy web',
    'rollout resume deploy/web -o yaml',
    'rollout resume deploy web',
    'rollout restart deploy none',
    'rollout restart pod a',
    'rollout restart deploy',
    'rollout pause pod a',
    'rollout undo deploy/web',
    'rollout undo deploy/web --dry-run=server',
    'rollout history deploy none',
    'rollout history pod/a',
    'rollout status pod/a',
    'rollout nothing',
    'taint node node-1 k=v:NoSchedule',
    'taint node node-1 k=v:NoSchedule',
    'taint node node-1 k=w:NoSchedule --overwrite',
    'taint node node-1 k:NoSchedule-',
    'taint node node-1 k-',
    'taint node node-1 k=v:Nothing',
    'taint node node-1 kv',
    'taint node node-1 k=v:NoExecute --dry-run=client',
    'taint nodes --all a=b:PreferNoSchedule',
    'taint node none a=b:NoSchedule',
    'taint pod a a=b:NoSchedule',
    'taint node node-1',
    'cordon none',
    'cordon',
    'cordon node-1 --dry-run=client',
    'cordon node-1 --dry-run=server',
    'uncordon node-1',
    'drain node-1 --dry-run=client',
    'expose deploy web --name=w2 --port=80',
    'expose deploy web --name=w2 --port=80',
    'expose deploy web --port=80 --target-port=8080 --type=NodePort --name=w3 --dry-run=client -o yaml',
    'expose pod bb --name=w4',
    'expose pod a',
    'expose svc web --name=w5 --port=81',
    'expose deploy web --name=w6 --port=80 --dry-run=server',
    'expose cm settings',
    'autoscale deploy web --max=5',
    'autoscale deploy web --max=5',
    'autoscale deploy web --min=2 --max=5 --cpu-percent=80 --name=h2 -o yaml',
    'autoscale deploy web --min=2 --max=5 --cpu-percent=80 --name=h3 --dry-run=client -o yaml',
    'autoscale deploy none --max=5',
    'autoscale deploy web --min=6 --max=5',
    'run p1 --image=nginx --dry-run=client -o yaml',
    'run p2 --image=nginx --dry-run=server',
    'run p2 --image=nginx --dry-run=client',
    'run p3 --image=nginx --port=80 --env=A=b --labels=a=b,c=d --dry-run=client -o yaml',
    'run p4 --image=busybox --restart=Never --dry-run=client -o yaml -- sleep 10',
    'run p5 --image=busybox --command --dry-run=client -o yaml -- sleep 10',
    'run p6 --image=nginx -o yaml',
    'run p6 --image=nginx',
    'run --image=nginx',
    'run Bad_Name --image=nginx',
    'run p8 --image=nginx --restart=Nothing',
    'run p9 --image=nginx --port=80 --expose --dry-run=client -o yaml',
  ],
};

for (const [subject, lines] of Object.entries(kLines)) {
  describe(subject, () => {
    let pair;
    before(async () => {
      pair = await startPair(async ({ kubectl, fileOf }) => kubectl('create', '-f', fileOf(kCluster)));
    });
    after(() => pair?.stop());

    for (const [index, each] of lines.entries()) {
      const [line, input] = [each].flat();
      test(`${index + 1}: ${line}`, () => pair.same(line, input));
    }
  });
}
