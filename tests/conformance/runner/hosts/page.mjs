// The part of the Chromium host that runs inside the page.

import { createCluster } from '/dist/index.js';
import { matchesAny } from '../names.mjs';
import { readScenarios } from '../scenario.mjs';
import { runSuite } from '../suite.mjs';
import { WasmTransport } from '../transports/wasm.mjs';

async function load(path) {
  const response = await fetch(`/tests/conformance/${path}`);
  return readScenarios(await response.text());
}

globalThis.conformance = async (files, only) => {
  const scenarios = (await Promise.all(files.map(load))).flat();
  const transport = new WasmTransport(createCluster);
  const sent = [];
  const report = (result) => sent.push(globalThis.report(JSON.stringify(result)));
  await runSuite(scenarios.filter(({ name }) => matchesAny(name, only)), transport, report);
  await Promise.all(sent);
};
