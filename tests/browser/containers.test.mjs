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
      { name: 'web', image: 'nginx', env: [{ name: 'COLOURS', value: '\x1b[1;31mred\x1b[0m \x1b[38;5;226myellow\x1b[0m \x1b[44mground\x1b[0m' }], ports: [{ containerPort: 80, name: 'http' }] },
      { name: 'side', image: 'busybox', stdin: true, command: ['sh'] },
      { name: 'screen', image: 'busybox', stdin: true, tty: true, command: ['sh'] },
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
/** Types a line at a terminal, as a keyboard does. */
const typeLine = async (page, label, line) => {
  await page.getByLabel(`${label}: input`).focus();
  await page.keyboard.type(`${line}\n`);
};
const says = (page, text) => pane(page).getByText(text, { exact: true }).waitFor(kTimeout);

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

async function shellIsTyped(page) {
  await show(page, 'Shell');
  await says(page, 'exec -it … -- sh');
  await prints(page, 'Shell', /^\/ # *$/);
  await typeLine(page, 'Shell', 'cat /etc/hostname');
  await prints(page, 'Shell', /\/ # cat \/etc\/hostname\ntalker\n\/ #/);
  await typeLine(page, 'Shell', 'cd /etc');
  await typeLine(page, 'Shell', 'pwd; echo lost >&2; nosuch; echo $?');
  await prints(page, 'Shell', /\n\/etc\nlost\nsh: nosuch: not found\n127\n\/etc #/);
  await typeLine(page, 'Shell', 'echo "$COLOURS"');
  await coloursCanBeRead(page);
  await page.keyboard.type('echo wront');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('g\n');
  await prints(page, 'Shell', /# echo wrong\nwrong\n/);
  await page.keyboard.type('sleep 1000\n');
  await page.keyboard.press('Control+C');
  await prints(page, 'Shell', /sleep 1000\n\^C\n\/etc #/);
  await page.keyboard.press('Control+L');
  await prints(page, 'Shell', /^\/etc #/);
  await page.keyboard.insertText('echo pasted\nexit 3\n');
  await says(page, 'ended with exit code 3');
  await prints(page, 'Shell', /echo pasted\npasted\n\/etc # exit 3\s*$/);
  assert.equal(await page.getByLabel('Shell: input').count(), 0);
  await pane(page).getByRole('button', { name: 'New shell' }).click();
  await prints(page, 'Shell', /^\/ # *$/);
  await page.getByLabel('Shell: input').focus();
  await page.keyboard.press('Control+D');
  await says(page, 'ended with exit code 0');
  await pane(page).getByLabel('Shell to start').selectOption('bash');
  await says(page, 'exec -it … -- bash');
  await pane(page).getByRole('button', { name: 'Disconnect' }).click();
  await says(page, 'disconnected');
}

/** The contrast of a word in the shell with what is behind it, in both schemes. */
async function coloursCanBeRead(page) {
  const shell = log(page, 'Shell');
  for (const colorScheme of ['dark', 'light']) {
    await page.emulateMedia({ colorScheme });
    for (const [word, css] of [['red', { 'font-weight': '700' }], ['yellow', {}], ['ground', { 'background-color': 'rgb(0, 0, 238)' }]]) {
      const span = shell.locator('span').getByText(word, { exact: true });
      await span.waitFor(kTimeout);
      const found = await span.evaluate((element) => {
        const bytesOf = (color) => {
          const paint = new OffscreenCanvas(1, 1).getContext('2d');
          paint.fillStyle = color;
          paint.fillRect(0, 0, 1, 1);
          return [...paint.getImageData(0, 0, 1, 1).data];
        };
        const style = getComputedStyle(element);
        let behind = element;
        while (bytesOf(getComputedStyle(behind).backgroundColor)[3] === 0) behind = behind.parentElement;
        const light = (color) => {
          const [r, g, b] = bytesOf(color).map((byte) => (byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const [a, b] = [style.color, getComputedStyle(behind).backgroundColor].map(light).sort((x, y) => y - x);
        return { contrast: (a + 0.05) / (b + 0.05), 'font-weight': style.fontWeight, 'background-color': style.backgroundColor, color: style.color };
      });
      assert.ok(found.contrast >= 4.5, `${word} in ${colorScheme}: ${JSON.stringify(found)}`);
      for (const [name, value] of Object.entries(css)) assert.equal(found[name], value);
    }
  }
}

async function processIsTypedTo(page) {
  await pane(page).getByLabel('Container', { exact: true }).selectOption('side');
  await show(page, 'Attach');
  await says(page, 'attached');
  await typeLine(page, 'Attached', 'echo to you');
  await prints(page, 'Attached', /^echo to you\nto you\n/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('me');
  await prints(page, 'Attached', /\necho to yome/);
  await page.keyboard.press('Control+U');
  await page.keyboard.press('Control+D');
  await says(page, 'ended with exit code 0');
  await pane(page).getByLabel('Container', { exact: true }).selectOption('screen');
  await says(page, 'attached');
  await typeLine(page, 'Attached', 'echo seen once');
  await prints(page, 'Attached', /^\/ # echo seen once\nseen once\n\/ #/);
  await pane(page).getByLabel('Container', { exact: true }).selectOption('web');
  await says(page, 'Its process takes no input (stdin is not set).');
  await says(page, 'attached');
  assert.equal(await page.getByLabel('Attached: input').count(), 0);
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
  await run('logs talker -n default -c web --tail=1 --timestamps', /\d\d:\d\d:\d\d\S*Z \w+/);
  await run('exec -i talker -n default -c web -- cat <<EOF\nfrom here\nEOF', /\nfrom here\n/);
  await command.fill('exec -it talker -n default -c web -- sh');
  await command.press('Enter');
  const terminal = page.getByRole('log', { name: 'Terminal' });
  await eventually(async () => assert.match(await terminal.innerText(), /^\/ # *$/));
  await page.keyboard.type('hostname; exit 5\n');
  await eventually(async () => assert.match(await page.getByRole('log', { name: 'Output' }).innerText(), /# hostname; exit 5\ntalker\n+command terminated with exit code 5/));
  await page.keyboard.type('attach -it talker -n default -c screen\n');
  await eventually(async () => assert.match(await terminal.innerText(), /^\/ # *$/));
  await page.keyboard.type('echo from the process\n');
  await eventually(async () => assert.match(await terminal.innerText(), /\nfrom the process\n/));
  await button('Stop').click();
  await eventually(async () => assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), 'Command'));
}

async function isAccessible(page, views) {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const view of views) {
        await show(page, view);
        if (view === 'Shell') await typeLine(page, 'Shell', 'ls -l /etc; env');
        assert.deepEqual(await findings(page), [], `${view}, ${width} wide, ${colorScheme}`);
        if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `containers-${view}-${width}-${colorScheme}.png`) });
      }
    }
  }
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

  test('a shell takes the keyboard: lines, corrections, Ctrl-C, Ctrl-D, Ctrl-L, paste; its exit code is said', () => shellIsTyped(page));

  test('ports answer through the proxy', () => portsAnswer(page));

  test('kubectl exec, attach and logs run on the command line', () => kubectlRuns(page));

  test('the process of a container is typed to, with and without a terminal', () => processIsTypedTo(page));

  test('axe finds nothing, in light and dark, on a desk and on a phone', () => isAccessible(page, ['Logs', 'Shell', 'Attach', 'Ports']));
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

  test('a shell takes the keyboard: lines, corrections, Ctrl-C, Ctrl-D, Ctrl-L, paste; its exit code is said', () => shellIsTyped(shown.page));

  test('the process of a container is typed to, with and without a terminal', () => processIsTypedTo(shown.page));

  test('kubectl exec, attach and logs run on the command line', () => kubectlRuns(shown.page));

  test('ports answer through the proxy', () => portsAnswer(shown.page));

  test('a log is followed', async () => {
    await prints(shown.page, 'Log', /web runs nginx/);
    await pane(shown.page).getByText('following', { exact: true }).waitFor(kTimeout);
  });

  test('axe finds nothing at a shell, in light and dark, on a desk and on a phone', () => isAccessible(shown.page, ['Shell', 'Attach']));
});
