#!/usr/bin/env node
// `npm run new -- kind GROUP/KIND | controller ROOM/NAME | plugin NAME | case TOPIC/NAME`: writes a skeleton with its test, and
// adds it to the tables and lists of the tree. Prints one line and writes nothing if the arguments are invalid.
import { newCase } from './new/case.mjs';
import { newController } from './new/controller.mjs';
import { Draft, Refusal } from './new/draft.mjs';
import { newKind } from './new/kind.mjs';
import { newPlugin } from './new/plugin.mjs';
import { top } from './lib/top.mjs';

const kSkeletons = { kind: newKind, controller: newController, plugin: newPlugin, case: newCase };

const [what, name, ...more] = process.argv.slice(2);
try {
  const make = Object.hasOwn(kSkeletons, what ?? '') ? kSkeletons[what] : undefined;
  if (!make || !name || more.length) throw new Refusal('usage: npm run new -- kind GROUP/KIND | controller ROOM/NAME | plugin NAME | case TOPIC/NAME');
  const draft = new Draft(top);
  const next = make(draft, name);
  for (const line of draft.write()) console.log(line);
  console.log(`\nNext:\n${next.map((line) => `- ${line}`).join('\n')}`);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exit(1);
}
