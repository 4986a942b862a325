import { useEffect, useRef, useState } from 'preact/hooks';
import { Recorder, readRecording, type Recording, replay } from '../../api/recording';
import { moveTime, type Place } from '../../cluster/place';
import { takeSnapshot } from '../../cluster/snapshots';
import { FileButton } from '../file-button';
import { saveFile } from '../save-file';
import type { Forking } from './fork-controls';

interface Props {
  place: Place;
  forking: Forking | undefined;
  tell(text: string): void;
}

/** Records what is done in this page, and does it again, here or in a fork of what there was when it began. */
export function RecordControls({ place, forking, tell }: Props) {
  const recorder = useRef<Recorder | undefined>(undefined);
  const [count, setCount] = useState<number>();
  const [recording, setRecording] = useState<Recording | undefined>(kept);
  useEffect(() => () => void recorder.current?.stop(), []);
  if (place.locked !== undefined) return null;
  const attempt = (work: Promise<void>) => void work.catch((fault: Error) => tell(fault.message));
  const use = (given: Recording | undefined) => setRecording((kept = given));
  const begin = async () => {
    const snapshot = await takeSnapshot(place.client.transport);
    setCount(0);
    recorder.current = new Recorder(place.client, snapshot, () => setCount(recorder.current!.steps.length));
  };
  const end = () => {
    const made = recorder.current!.stop();
    recorder.current = undefined;
    setCount(undefined);
    use(made);
    tell(`Recorded ${made.steps.length} writes.`);
  };
  const play = async (at: Place) => {
    let refused = 0;
    const advance = async (milliseconds: number) => void (await moveTime(at, { advance: `${milliseconds}ms` }));
    await replay(at.client, recording!.steps, advance, ({ step, status, message }) => {
      if (status === step.status) return;
      refused++;
      tell(`${step.method} ${step.target}: ${status} instead of ${step.status}. ${message ?? ''}`);
    });
    tell(`Replayed ${recording!.steps.length} writes; ${refused === 0 ? 'all were answered as before' : `${refused} were answered otherwise`}.`);
  };
  const open = async ([file]: File[]) => {
    const read = readRecording(await file!.text());
    use(read);
    tell(`Opened a recording of ${read.steps.length} writes.`);
  };
  return (
    <>
      {count === undefined ? (
        <button class="button" title="Keeps every write that this page sends, with its time" onClick={() => attempt(begin())}>
          Record
        </button>
      ) : (
        <button class="button danger" onClick={end}>
          Stop recording ({count})
        </button>
      )}
      {count === undefined && recording && recording.steps.length > 0 && (
        <>
          <button class="button" onClick={() => attempt(play(place))}>
            Replay
          </button>
          {forking && (
            <button class="button" title="From the state in which the recording began" onClick={() => attempt(forking.make(recording.snapshot, place).then(play))}>
              Replay in a fork
            </button>
          )}
          <button class="button quiet" onClick={() => saveFile('recording.json', JSON.stringify(recording))}>
            Save recording
          </button>
        </>
      )}
      {count === undefined && (
        <FileButton accept=".json" onFiles={(files) => attempt(open(files))}>
          Open recording…
        </FileButton>
      )}
    </>
  );
}

/** Stays while another cluster is shown. */
let kept: Recording | undefined;
