import { loadScenarios } from '../files.mjs';
import { runSuite } from '../suite.mjs';
import { ReplayTransport } from '../transports/replay.mjs';

/** Runs the suite against its own recordings. */
export async function run({ only, report }) {
  const scenarios = loadScenarios(only);
  const transport = new ReplayTransport(new Map(scenarios.map(({ name, scenario }) => [name, scenario])));
  return { results: await runSuite(scenarios, transport, report) };
}
