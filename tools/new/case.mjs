// Writes a conformance case: one scenario, which fails until it contains the answer of kube-apiserver.
import { Refusal } from './draft.mjs';

const kCases = 'tests/conformance/cases';
const kUnknown = 'Replace this by the answer of kube-apiserver 1.36.';

const scenarioText = (name) => `  {
   "name": "${name}",
   "doc": "Where the answer comes from: a recording, or upstream's symbol.",
   "steps": [
    {
     "request": { "method": "POST", "path": "/api/v1/namespaces/default/configmaps", "body": { "metadata": { "name": "a" } } },
     "response": {
      "status": 201,
      "headers": { "content-type": "application/json", "cache-control": "no-cache, private" },
      "body": { "text": "${kUnknown}" }
     }
    }
   ]
  }`;

const fileText = (topic, name) => `{
 "topic": "${topic}",
 "doc": "What the scenarios of this file show.",
 "scenarios": [
${scenarioText(name)}
 ]
}
`;

/** Appends a scenario to the text of a file of scenarios, and returns the new text. */
function withScenario(text, name) {
  const end = text.lastIndexOf(']');
  return `${text.slice(0, end).trimEnd()},\n${scenarioText(name)}\n${/\n( *)\]\s*\}\s*$/.exec(text)?.[1] ?? ''}${text.slice(end)}`;
}

/** Returns the steps that are left to the developer. */
export function newCase(draft, name) {
  const [, topic, scenario] = /^([a-z][a-z0-9-]*)\/([a-z0-9][a-z0-9-]*)$/.exec(name) ?? [];
  if (scenario === undefined) throw new Refusal(`${name} is not TOPIC/NAME: lower case letters, digits and dashes`);
  const recorded = draft.list('tests/conformance/golden').filter((file) => file.endsWith('.json') && JSON.parse(draft.read(`tests/conformance/golden/${file}`)).topic === topic);
  if (recorded.length) throw new Refusal(`tests/conformance/golden/${recorded[0]} has the recordings of ${topic}: choose another topic`);
  const path = `${kCases}/${topic}.json`;
  if (!draft.exists(path)) draft.create(path, fileText(topic, scenario));
  else {
    const present = JSON.parse(draft.read(path)).scenarios.map((each) => each.name);
    if (present.includes(scenario)) throw new Refusal(`${path} has a scenario ${scenario}`);
    draft.change(path, (text) => withScenario(text, scenario));
  }
  return [
    `write the requests of ${name} in ${path}, and the answers of kube-apiserver 1.36 (tests/conformance/README.md)`,
    `npm run why -- ${name} shows our answer beside it; the scenario fails until they are equal`,
  ];
}
