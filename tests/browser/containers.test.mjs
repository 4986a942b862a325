// Logs, a shell, the process and the ports of simulated containers, on the native server and on the cluster in the page.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { binary, serve } from '../mock-server/server.mjs';
import { eventually, launch } from './browser.mjs';
import { findings } from './findings.mjs';
import { actions, kTimeout, playground } from './page.mjs';

const kPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'talker', namespace: 'default' },
  spec: {
    containers: [
      { name: 'web', image: 'nginx', ports: [{ containerPort: 80, name: 'http' }] },
      { name: 'side', image: 'busybox', stdin: true, command: ['sh'] },
    ],
  },
};
const kRules = JSON.stringify([{ match: { name: 'talker', container: 'web' }, log: ['first line', { text: 'tick', every: '1s' }] }]);

const pane = (page) => page.getByRole('region', { name: 'Containers' });
const open = async (page) => {
  const { row, button } = actions(page);
  await row('talker').click(kTimeout);
  await button('Containers').click(kTimeout);
  await pane(page).waitFor(kTimeout);
};
const show = (page, view) => pane(page).getByRole('button', { name: view, exact: true }).click();
const log = (page, name) => pane(page).getByRole('log', { name });
const prints = (page, name, pattern) => eventually(async () => assert.match(await log(page, name).innerText(), pattern));
const enter = async (page, label, line) => {
  await pane(page).getByLabel(label, { exact: true }).fill(line);
  await pane(page).getByLabel(label, { exact: true }).press('Enter');
};

async function logsAreShown(page) {
  await prints(page, 'Log', /first line\ntick\ntick\ntick/);
  await pane(page).getByText('following', { exact: true }).waitFor(kTimeout);
  await pane(page).getByLabel('Follow').uncheck();
  await pane(page).getByLabel('Last lines').fill('1');
  await pane(page).getByLabel('Times').check();
  await prints(page, 'Log', /^\d{4}-\d\d-\d\dT[\d:.]+Z tick$/);
  await pane(page).getByLabel('Previous').check();
  await pane(page).getByText('previous terminated container "web" in pod "talker" not found').waitFor(kTimeout);
  await pane(page).getByLabel('Previous').uncheck();
  await pane(page).getByLabel('Container', { exact: true }).selectOption('side');
  await pane(page).getByText('ended', { exact: true }).waitFor(kTimeout);
  await pane(page).getByLabel('Container', { exact: true }).selectOption('web');
}

async function commandsRun(page) {
  await show(page, 'Shell');
  await enter(page, 'Shell command', 'cat /etc/hostname');
  await prints(page, 'Shell', /\$ cat \/etc\/hostname\ntalker/);
  await enter(page, 'Shell command', 'cd /etc');
  await pane(page).getByText('Folder: /etc').waitFor(kTimeout);
  await enter(page, 'Shell command', 'pwd; echo lost >&2; exit 3');
  await prints(page, 'Shell', /\$ pwd.*\n(\/etc\nlost|lost\n\/etc)\nexit code 3/);
  assert.equal(await log(page, 'Shell').locator('.err', { hasText: 'lost' }).count(), 1);
  await enter(page, 'Shell command', 'nosuch');
  await prints(page, 'Shell', /sh: nosuch: not found\nexit code 127/);
  await pane(page).getByLabel('Shell command').press('ArrowUp');
  assert.equal(await pane(page).getByLabel('Shell command').inputValue(), 'nosuch');
}

async function portsAnswer(page) {
  await show(page, 'Ports');
  await pane(page).getByLabel('Path').fill('/healthz');
  await pane(page).getByRole('button', { name: 'GET 80 (http)' }).click();
  await pane(page).getByRole('heading', { name: '80: 200' }).waitFor(kTimeout);
  await pane(page).getByText('"path":"/healthz"').waitFor(kTimeout);
  await pane(page).getByText('kubectl port-forward -n default pod/talker 80').waitFor(kTimeout);
}

async function kubectlRuns(page) {
  const { button } = actions(page);
  await button('Command line').click();
  const command = page.getByRole('textbox', { name: 'Command', exact: true });
  const run = async (line, pattern) => {
    await command.fill(line);
    await command.press('Enter');
    await eventually(async () => assert.match(await page.getByRole('log', { name: 'Output' }).innerText(), pattern));
  };
  await run('exec talker -n default -c web -- sh -c "echo hello; exit 4"', /hello\n+command terminated with exit code 4/);
  await run('logs talker -n default -c web --tail=1 --timestamps', /\d\d:\d\d:\d\d\S*Z tick/);
}

describe('on the native server', () => {
  let browser;
  let folder;
  let server;
  let page;
  let faults;
  before(async () => {
    browser = await launch();
    folder = mkdtempSync(join(tmpdir(), 'tabernetes-containers-'));
    writeFileSync(join(folder, 'rules.yaml'), kRules);
    writeFileSync(join(folder, 'pod.yaml'), JSON.stringify(kPod));
  });
  after(async () => {
    await browser?.close();
    if (folder) rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    faults = [];
    server = await serve(process.env.TABERNETES_BINARY ?? binary, '--nodes', '1', '--containers', join(folder, 'rules.yaml'), '--load', join(folder, 'pod.yaml'));
    page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
    await page.goto(`${server.url}/ui/`);
    await page.locator('[data-state="good"]', { hasText: 'Running' }).waitFor(kTimeout);
    await open(page);
  });
  afterEach(async () => {
    await page?.context().close();
    await server?.stop();
    // Chromium itself tells of answers that refuse.
    assert.deepEqual(faults.filter((text) => !/status of 400/.test(text)), [], 'the page complained');
  });

  test('a log is followed, cut and dated; a run that was not is said', () => logsAreShown(page));

  test('lines run in a container and say how they ended; cd leads on', () => commandsRun(page));

  test('ports answer through the proxy', () => portsAnswer(page));

  test('kubectl exec and logs run on the command line', () => kubectlRuns(page));

  test('the process of a container gets lines and is left', async () => {
    await pane(page).getByLabel('Container', { exact: true }).selectOption('side');
    await show(page, 'Attach');
    await pane(page).getByText('attached', { exact: true }).waitFor(kTimeout);
    await enter(page, 'Input', 'echo to you');
    await prints(page, 'Attached', /\$ echo to you\nto you/);
    await pane(page).getByRole('button', { name: 'End of input' }).click();
    await pane(page).getByText('ended with exit code 0').waitFor(kTimeout);
  });

  test('axe finds nothing, in light and dark, on a desk and on a phone', async () => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const view of ['Logs', 'Shell', 'Attach', 'Ports']) {
          await show(page, view);
          assert.deepEqual(await findings(page), [], `${view}, ${width} wide, ${colorScheme}`);
          if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `containers-${view}-${width}-${colorScheme}.png`) });
        }
      }
    }
  });
});

const wasm = readFileSync(fileURLToPath(new URL('../../dist/tabernetes.wasm', import.meta.url)));
const old = !wasm.includes('v5.channel.k8s.io') && 'this WebAssembly is older than containers';

describe('on the cluster in the page', { skip: old }, () => {
  const shown = playground();
  beforeEach(async () => {
    const { page } = shown;
    const { button, drop, pick, chooseNamespace } = actions(page);
    await pick('Pod');
    await chooseNamespace('default');
    await drop({ 'pod.yaml': JSON.stringify(kPod) });
    await button('Create').click();
    await actions(page).row('talker').filter({ hasText: 'Running' }).waitFor(kTimeout);
    await open(page);
  });

  test('lines run in a container and say how they ended; cd leads on', () => commandsRun(shown.page));

  test('ports answer through the proxy', () => portsAnswer(shown.page));

  test('a log is followed', async () => {
    await prints(shown.page, 'Log', /web runs nginx/);
    await pane(shown.page).getByText('following', { exact: true }).waitFor(kTimeout);
  });

  test('attach is open, without input', async () => {
    const { page } = shown;
    await pane(page).getByLabel('Container', { exact: true }).selectOption('side');
    await show(page, 'Attach');
    await pane(page).getByText('attached', { exact: true }).waitFor(kTimeout);
    await pane(page).getByText('The cluster in the page takes no input here.').waitFor(kTimeout);
  });
});
