// The command line, which the native binary and the npm package's command read alike.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { run, serve } from './server.mjs';

const flags = JSON.parse(readFileSync(new URL('../../flags/serve.json', import.meta.url), 'utf8'));

/** Tests of `program`, a path to run. */
export function commandLineOf(program) {
  const nodesOf = async (server) => (await (await fetch(`${server.url}/api/v1/nodes`)).json()).items.length;

  describe('the command line', () => {
    test('--help tells all flags, with what holds without them', async () => {
      const help = await run(program, ['serve', '--help']);
      assert.deepEqual([help.code, help.stderr], [0, '']);
      const told = help.stdout.replace(/\s+/g, ' ');
      for (const { name, value, help: text, default: usual, otherwise = usual } of flags) {
        assert.ok(told.includes(` --${name} ${value} `), name);
        assert.ok(told.includes(otherwise === undefined ? `${text} ` : `${text} (${otherwise}) `), name);
      }
    });

    test('a mistake: one line on stderr, exit 2', async () => {
      for (const [args, message] of [
        [['--egress-selector-config-file'], 'unknown flag --egress-selector-config-file'],
        [['--data-dir'], '--data-dir: a value is needed'],
        [['--etcd-overrides', 'x'], 'unknown flag --etcd-overrides'],
        [['--authorization', 'RBAC'], 'unknown flag --authorization'],
        [['--tracing-config-file', 'f'], 'unknown flag --tracing-config-file'],
        [['x'], 'unexpected argument x'],
        [['--seed'], '--seed: a value is needed'],
        [['--listen', 'nowhere'], '--listen: HOST:PORT or [IPV6]:PORT, not nowhere'],
        [['--listen', '8001'], '--listen: HOST:PORT or [IPV6]:PORT, not 8001'],
        [['--seed=18446744073709551616'], '--seed: a whole number up to 18446744073709551615, not 18446744073709551616'],
        [['--seed', '1x'], '--seed: a whole number up to 18446744073709551615, not 1x'],
        [['--clock', 'noon'], '--clock: a time such as 2026-01-01T00:00:00Z, not noon'],
        [['--controllers', 'all,-jobs'], '--controllers: unknown controller -jobs'],
        [['--controllers', 'gc', '--controllers=jobs'], '--controllers: unknown controller jobs'],
        [['--nodes', 'many'], '--nodes: a whole number up to 10000, not many'],
        [['--nodes=10001'], '--nodes: a whole number up to 10000, not 10001'],
        [['--nodes=-1'], '--nodes: a whole number up to 10000, not -1'],
        [['--feature-gates', 'NoSuch=true'], '--feature-gates: unrecognized feature gate: NoSuch'],
        [['--feature-gates', 'WatchList'], '--feature-gates: missing bool value for WatchList'],
        [
          ['--feature-gates', 'WatchList=maybe'],
          '--feature-gates: invalid value of WatchList=maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax',
        ],
        [
          ['--feature-gates', 'ConsistentListFromCache=false'],
          '--feature-gates: cannot set feature gate ConsistentListFromCache to false, feature is locked to true',
        ],
        [
          ['--feature-gates', 'GangScheduling=true', '--feature-gates=GenericWorkload=false'],
          '--feature-gates: GangScheduling is enabled, but depends on features that are disabled: [GenericWorkload]',
        ],
        [['--enable-admission-plugins', 'PodSecurity,Nope'], '--enable-admission-plugins: unknown admission plugin Nope'],
        [['--authorization-mode', 'Node', '--authorization-mode', 'Node'], '--authorization-mode: "Node" is specified more than once'],
        [['--authorization-mode', 'Node,RBAC'], '--authorization-mode Node,RBAC: --token-auth-file is needed, or nobody may do anything'],
        [['--authorization-mode', 'ABAC'], '--authorization-mode ABAC: --authorization-policy-file is needed'],
        [['--authorization-policy-file', 'x'], '--authorization-policy-file: --authorization-mode ABAC is needed'],
        [['--authorization-mode', 'RBAC'], '--authorization-mode RBAC: --token-auth-file is needed, or nobody may do anything'],
        [['--watch-history', '5'], '--watch-history: a duration such as 90s, not 5'],
        [['--watch-history=-1s'], '--watch-history: a duration such as 90s, not -1s'],
        [['--request-timeout', '0s'], '--request-timeout: a duration such as 90s, not 0s'],
        [
          ['--max-requests-inflight', '0', '--max-mutating-requests-inflight', '0'],
          '--max-requests-inflight: invalid configuration: MaxRequestsInFlight=0 and MaxMutatingRequestsInFlight=0; they must add up to something positive',
        ],
        [['--webhook-service', 'hook=localhost:1'], '--webhook-service: NAME.NAMESPACE[:PORT]=HOST:PORT, not hook=localhost:1'],
        [
          ['--cors-allowed-origins', '.*'],
          '--cors-allowed-origins: regular expression does not pin to start/end of host in the origin header',
        ],
        [['--cors-allowed-origins', '^a$,^(b'], '--cors-allowed-origins: error parsing regexp: missing closing ): `^(b`'],
        [['--ui=perhaps'], '--ui: true or false, not perhaps'],
        [['--log', 'loud'], '--log: error, warn, info or debug, not loud'],
        [['--log-format=xml'], '--log-format: text or json, not xml'],
      ]) {
        const stderr = `tabernetes serve: ${message} (see tabernetes serve --help)\n`;
        assert.deepEqual(await run(program, ['serve', ...args]), { code: 2, stdout: '', stderr });
      }
      for (const [args, message] of [
        [[], 'a command is needed: serve or version'],
        [['server'], 'unexpected argument server'],
      ]) {
        assert.deepEqual(await run(program, args), { code: 2, stdout: '', stderr: `tabernetes: ${message} (see tabernetes --help)\n` });
      }
    });

    test('of flags that stand twice the last one counts, lists add up, and a switch may stand alone', async () => {
      const gates = ['--feature-gates', 'GangScheduling=true', '--feature-gates=GenericWorkload=true'];
      const server = await serve(program, '--nodes=3', '--nodes', '2', '--ui=false', '--allow-privileged', ...gates);
      try {
        assert.equal(await nodesOf(server), 2);
        const flagz = await (await fetch(`${server.url}/flagz`)).text();
        assert.match(flagz, /^feature-gates GangScheduling=true,GenericWorkload=true$/m);
        assert.match(flagz, /^allow-privileged true$/m);
        assert.equal((await fetch(`${server.url}/ui/`)).status, 404);
      } finally {
        assert.equal(await server.stop(), 0);
      }
    });

    test('what holds without flags', async () => {
      const server = await serve(program);
      try {
        assert.equal(await nodesOf(server), 1);
        const flagz = await (await fetch(`${server.url}/flagz`)).text();
        assert.match(flagz, /^anonymous-auth true\nauthorization-mode \[AlwaysAllow\]\ncors-allowed-origins \[.+\]\nfeature-gates \n/m);
      } finally {
        assert.equal(await server.stop(), 0);
      }
    });
  });
}
