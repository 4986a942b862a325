import '../../style/tour.css';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ready } from 'tabernetes';
import exercisesText from '../../../tour/exercises.yaml?raw';
import { type Exercise, readExercises } from '../../tour/exercises';
import { readProgress, writeProgress } from '../../tour/progress';
import { readSections, type Section } from '../../tour/sections';
import { kLanguages, kTexts, type Language } from '../../tour/texts';
import { ExerciseView } from './exercise';
import { SectionView } from './section';

interface Content {
  sections: Section[];
  exercises: Exercise[];
}

/** Loads the view of the page "Kubernetes API Concepts": statements, the requests that prove them, and exercises. */
export async function loadTour() {
  await ready();
  const files = import.meta.glob<string>('../../../tour/[0-9]*.yaml', { query: '?raw', import: 'default', eager: true });
  const content: Content = { sections: readSections(files), exercises: readExercises(exercisesText) };
  return () => <Tour {...content} />;
}

function Tour({ sections, exercises }: Content) {
  const { language, setLanguage, done, add, forget } = useProgress();
  const texts = kTexts[language];
  const [chosen, setChosen] = useState(sections[0]!.id);
  const section = sections.find(({ id }) => id === chosen)!;
  const own = exercises.filter((each) => each.section === chosen);
  const top = useRef<HTMLElement>(null);
  const choose = (id: string) => {
    setChosen(id);
    top.current?.scrollTo({ top: 0 });
  };
  const proofs = useMemo(() => sections.flatMap(({ statements }) => statements.filter(({ proof }) => proof)), [sections]);
  return (
    <main class="tour" lang={language}>
      <nav class="pane tour-sections" aria-label={texts.sections}>
        <div class="pane-head">
          <h2>{texts.title}</h2>
        </div>
        <div class="tour-meta">
          <span class="switch" role="group" aria-label={texts.language}>
            {kLanguages.map(({ id, name }) => (
              <button key={id} lang={id} aria-pressed={id === language} onClick={() => setLanguage(id)}>
                {name}
              </button>
            ))}
          </span>
          <p>
            {texts.proved(proofs.filter(({ id }) => done.has(id)).length, proofs.length)}{' '}
            {done.size > 0 && (
              <button class="link" onClick={forget}>
                {texts.forget}
              </button>
            )}
          </p>
        </div>
        <ol>
          {sections.map(({ id, title, statements }) => (
            <li key={id}>
              <button aria-current={id === chosen ? 'true' : undefined} onClick={() => choose(id)}>
                <span>{title[language]}</span>
                <Count of={statements.filter(({ proof }) => proof).map((each) => each.id)} done={done} />
              </button>
            </li>
          ))}
        </ol>
      </nav>
      <article class="pane tour-section" ref={top} tabIndex={0} aria-label={section.title[language]}>
        <SectionView key={chosen} section={section} language={language} done={done} onDone={add} />
        {own.map((exercise) => (
          <ExerciseView key={exercise.id} exercise={exercise} language={language} solved={done.has(exercise.id)} onSolved={() => add(exercise.id)} />
        ))}
      </article>
    </main>
  );
}

function Count({ of, done }: { of: readonly string[]; done: ReadonlySet<string> }) {
  const count = of.filter((id) => done.has(id)).length;
  return <span class={`tour-count ${count === of.length ? 'good' : ''}`}>{`${count}/${of.length}`}</span>;
}

function useProgress() {
  const [progress, setProgress] = useState(readProgress);
  useEffect(() => writeProgress(progress), [progress]);
  const done = useMemo(() => new Set(progress.done), [progress]);
  return {
    language: progress.language,
    setLanguage: (language: Language) => setProgress((last) => ({ ...last, language })),
    done,
    add: (id: string) => setProgress((last) => (last.done.includes(id) ? last : { ...last, done: [...last.done, id] })),
    forget: () => setProgress((last) => ({ ...last, done: [] })),
  };
}
