import { useState } from 'preact/hooks';
import { parseProof } from '../../tour/language';
import { pageCodec, pageHost } from '../../tour/page-host';
import { type Done, isGood, runProof } from '../../tour/run';
import type { Section, Statement } from '../../tour/sections';
import { kTexts, type Language } from '../../tour/texts';
import { StepView } from './step';

interface Props {
  section: Section;
  language: Language;
  /** The ids of what has been proved before. */
  done: ReadonlySet<string>;
  onDone(id: string): void;
}

/** Shows the statements of a section, and runs their proofs. */
export function SectionView({ section, language, done, onDone }: Props) {
  const texts = kTexts[language];
  const { traces, running, prove } = useProofs(onDone);
  const proveAll = async () => {
    for (const statement of section.statements) if (statement.proof) await prove(statement);
  };
  return (
    <>
      <header class="tour-head">
        <h2>{section.title[language]}</h2>
        <button class="button" disabled={running !== undefined} onClick={() => void proveAll()}>
          {texts.proveAll}
        </button>
      </header>
      <p class="tour-intro">{texts.intro}</p>
      {section.statements.map((statement) => {
        const trace = traces.get(statement.id);
        return (
          <section key={statement.id} class="statement" id={statement.id}>
            {statement.heading && <h3>{statement.heading[language]}</h3>}
            <div class="statement-line">
              <Mark proved={done.has(statement.id)} trace={trace} texts={texts} />
              <p>
                <Words text={statement[language]} /> {!statement.proof && <span class="muted">{texts.told}</span>}
              </p>
              {statement.proof && (
                <button class="button quiet" aria-describedby={`text-${statement.id}`} disabled={running !== undefined} onClick={() => void prove(statement)}>
                  {running === statement.id ? texts.running : trace ? texts.again : texts.prove}
                </button>
              )}
            </div>
            {trace && (
              <ol class="steps">
                {trace.map((each, index) => (
                  <StepView key={index} done={each} texts={texts} />
                ))}
              </ol>
            )}
          </section>
        );
      })}
    </>
  );
}

function Mark({ proved, trace, texts }: { proved: boolean; trace: readonly Done[] | undefined; texts: (typeof kTexts)['en'] }) {
  const wrong = trace?.some((each) => !isGood(each));
  if (wrong) return <span class="mark bad" role="img" aria-label={texts.wrong}>✗</span>;
  if (proved) return <span class="mark good" role="img" aria-label={texts.right}>✓</span>;
  return <span class="mark" />;
}

/** Shows `code` between backquotes as such. */
export function Words({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}

function useProofs(onDone: (id: string) => void) {
  const [traces, setTraces] = useState<ReadonlyMap<string, readonly Done[]>>(new Map());
  const [running, setRunning] = useState<string>();
  const prove = async ({ id, proof, with: needs }: Statement) => {
    setRunning(id);
    const show = (trace: readonly Done[]) => setTraces((last) => new Map(last).set(id, trace));
    show([]);
    const host = await pageHost(needs);
    try {
      const steps = parseProof(proof!);
      const shown: Done[] = [];
      const all = await runProof(steps, host, pageCodec, (done) => {
        shown.push(done);
        show([...shown]);
      });
      if (all.length === steps.length && all.every(isGood)) onDone(id);
    } finally {
      host.dispose();
      setRunning(undefined);
    }
  };
  return { traces, running, prove };
}
