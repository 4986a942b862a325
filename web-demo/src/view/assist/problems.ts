// What is wrong, beside the lines of the text: what the schema says, and what the server said.
import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';

export interface Problem {
  from: number;
  to: number;
  message: string;
  source: 'schema' | 'server';
}

const put = StateEffect.define<{ source: Problem['source']; problems: readonly Problem[] }>();

class Beside extends WidgetType {
  constructor(readonly text: string) {
    super();
  }

  override eq(other: Beside): boolean {
    return other.text === this.text;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = 'cm-problem';
    element.textContent = this.text;
    return element;
  }
}

const field = StateField.define<readonly Problem[]>({
  create: () => [],
  update(problems, { changes, docChanged, effects }) {
    let now = docChanged ? problems.map((each) => ({ ...each, from: changes.mapPos(each.from), to: changes.mapPos(each.to) })) : problems;
    for (const effect of effects) if (effect.is(put)) now = [...now.filter(({ source }) => source !== effect.value.source), ...effect.value.problems];
    return now;
  },
  provide: (from) => EditorView.decorations.from(from, (problems) => (view) => decorationsOf(view, problems)),
});

function decorationsOf({ state: { doc } }: EditorView, problems: readonly Problem[]): DecorationSet {
  const byLine = new Map<number, Set<string>>();
  const marks = problems.flatMap(({ from, to, message }) => {
    const at = Math.min(from, doc.length);
    const line = doc.lineAt(at);
    const texts = byLine.get(line.to) ?? new Set<string>();
    byLine.set(line.to, texts.add(message));
    const end = Math.min(Math.max(to, at + 1), line.to);
    return end > at ? [Decoration.mark({ class: 'cm-problem-mark' }).range(at, end)] : [];
  });
  const beside = [...byLine].map(([at, texts]) => Decoration.widget({ widget: new Beside([...texts].join('; ')), side: 1 }).range(at));
  return Decoration.set([...marks, ...beside], true);
}

export function setProblems(view: EditorView, source: Problem['source'], problems: readonly Problem[]): void {
  if (problems.length === 0 && !view.state.field(field, false)?.some((each) => each.source === source)) return;
  view.dispatch({ effects: put.of({ source, problems }) });
}

export const problemsExtension: Extension = [
  field,
  EditorView.theme({
    '.cm-problem': { marginLeft: '1.5em', padding: '0 6px', color: 'var(--bad)', backgroundColor: 'var(--bad-ground)', borderRadius: '4px', fontFamily: 'var(--sans)', fontSize: '12px', whiteSpace: 'pre-wrap', display: 'inline-block', maxWidth: 'min(60cqi, 60ch)', verticalAlign: 'top' },
    // Beside a line there is no room on a phone.
    '@media (max-width: 600px)': { '.cm-problem': { display: 'block', maxWidth: '82cqi' } },
    '.cm-problem-mark': { textDecoration: 'underline wavy var(--bad)', textUnderlineOffset: '3px' },
  }),
];
