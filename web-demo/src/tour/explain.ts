// Says in words what a check looks at, and what a step does that sends no request.
import type { Verdict } from './checks';
import type { Check, Step } from './language';
import { longMediaType, longTarget } from './short-forms';
import type { Texts } from './texts';

/** `wanted`: the value without references. */
export function checkInWords({ path, operator }: Check, wanted: string, texts: Texts): string {
  switch (operator) {
    case 'status':
      return `${texts.status} ${wanted}`;
    case 'type':
      return `${texts.type} ${longMediaType(wanted)}`;
    case 'quiet':
      return texts.quiet;
    case 'events': {
      const [, mode = '', list = ''] = /^(any |only )?(.*)$/.exec(wanted) ?? [];
      return `${mode === 'any ' ? texts.eventsAny : mode === 'only ' ? texts.eventsOnly : texts.eventsAre} ${list}`;
    }
    case '<':
    case '>':
    case '>=':
      return `${longPath(path)} ${operator === '>=' ? '≥' : operator} ${wanted}`;
    default:
      return `${longPath(path)} ${texts[operator === 'are' ? 'is' : operator]} ${wanted}`.trim();
  }
}

export const verdictInWords = ({ check, wanted }: Verdict, texts: Texts) => checkInWords(check, wanted, texts);

function longPath(path: string): string {
  if (path === 'rv') return 'metadata.resourceVersion';
  if (path === 'names') return 'items[*].metadata.name';
  return path.replace(/^\$events/, 'events').replace(/^\$headers\./, 'header ').replace(/^\$unknown\./, 'Unknown.').replace(/^\$/, '');
}

/** Returns what a step does beside or instead of a request; empty for a plain request. */
export function actionInWords({ action }: Step, texts: Texts): string {
  switch (action.do) {
    case 'make': {
      const { names, target } = action;
      const some = names.length > 6 ? `${names[0]}–${names.at(-1)}` : names.join(', ');
      return texts.make(`${some} (POST ${longTarget(target)})`);
    }
    case 'clock':
      return texts.clock(`${action.milliseconds / 60_000} min`);
    case 'compact':
      return texts.compact;
    case 'corrupt':
      return texts.corrupt(longTarget(action.target));
    case 'role':
      return texts.role(action.verbs.join(', '), action.resources.join(', '));
    case 'compare':
      return `${texts.compare}: ${action.versions.join(', ')}`;
    case 'every':
      return texts.every;
    case 'open':
      return texts.goesOn;
    case 'soon':
      return texts.untilRight;
    default:
      return '';
  }
}
