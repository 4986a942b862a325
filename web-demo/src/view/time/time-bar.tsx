import '../../style/time.css';
import '../../style/past.css';
import { useState } from 'preact/hooks';
import { type ClockMove, type Step, type StepChange, tellChange } from '../../api/time';
import { moveTime, type Place } from '../../cluster/place';
import { type Outcome, OutcomeNote, outcomeOf } from '../outcome';
import { ForkControls, type Forking } from './fork-controls';
import { RecordControls } from './record-controls';
import { tell as tellAt, useTold } from './told';

interface Props {
  place: Place;
  /** Undefined where the page has no cluster of its own. */
  forking: Forking | undefined;
  onOpen(change: StepChange): void;
  onClose(): void;
}

/** Pauses, steps and moves the cluster's time, and says what happened; forks and compares; records and replays. */
export function TimeBar({ place, forking, onOpen, onClose }: Props) {
  const { outcome, setOutcome, busy, move } = useTime(place);
  const told = useTold();
  const tell = (text: string) => tellAt(place.clock.now().toISOString(), text);
  const { clock, locked, stands } = place;
  const [, redraw] = useState(0);
  const act = async (given: ClockMove) => {
    await move(given);
    redraw((count) => count + 1);
  };
  const button = (text: string, given: ClockMove, title: string) => (
    <button class="button" disabled={busy || locked !== undefined} title={locked ?? title} onClick={() => void act(given)}>
      {text}
    </button>
  );
  return (
    <section class="time-bar" aria-label="Time">
      <div class="time-buttons">
        {!stands && button(clock.paused ? 'Resume' : 'Pause', { pause: !clock.paused }, 'While it is paused, time moves only by the buttons here')}
        {button('Step', { step: true }, 'To the next thing that a control loop, the scheduler or a kubelet does')}
        {button('Settle', { settle: true }, 'Until nobody has anything to do but periodic work')}
        {button('+1 hour', { advance: '1h' }, 'All that becomes due in an hour')}
        <ForkControls place={place} forking={forking} tell={tell} />
        <RecordControls place={place} forking={forking} tell={tell} />
        <span class="grow" />
        <button class="button quiet" onClick={onClose}>
          Close time
        </button>
      </div>
      <OutcomeNote outcome={outcome} onClose={() => setOutcome(undefined)} />
      <div class="told" role="log" aria-label="What happened" tabIndex={0}>
        <ol>
        {told.length === 0 && <li class="muted">{clock.paused ? 'Time is paused. ' : ''}Steps are told here.</li>}
        {told.map(({ id, time, text, changes }) => (
          <li key={id}>
            {time && <time>{time.slice(11, 23).replace('Z', '')}</time>} <b>{text}</b>
            {changes.map((change, index) => (
              <span key={index}>
                {index > 0 && ','}{' '}
                {change.type === 'DELETED' ? (
                  tellChange(change)
                ) : (
                  <button class="link" onClick={() => onOpen(change)}>
                    {tellChange(change)}
                  </button>
                )}
              </span>
            ))}
          </li>
        ))}
        </ol>
      </div>
    </section>
  );
}

function useTime(place: Place) {
  const [outcome, setOutcome] = useState<Outcome>();
  const [busy, setBusy] = useState(false);
  const move = async (given: ClockMove) => {
    setBusy(true);
    const moved = await moveTime(place, given);
    setBusy(false);
    if ('refusal' in moved) return setOutcome(outcomeOf(moved.refusal, ''));
    setOutcome(undefined);
    const { now, step } = moved.state;
    if ('step' in given) return step ? tellAt(step.time, `${(step as Step).loop}:`, step.changes) : tellAt(now, 'Nobody does anything within an hour.');
    if ('settle' in given) return tellAt(now, moved.state.settled ? 'Settled: only periodic work is left.' : 'Somebody still has work after an hour.');
    if ('pause' in given) return tellAt(now, given.pause ? 'Paused.' : 'Goes on.');
    return tellAt(now, 'An hour later.');
  };
  return { outcome, setOutcome, busy, move };
}
