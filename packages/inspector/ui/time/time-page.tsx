import type { VNode } from 'preact';
import { isReport, start } from '../state/api.ts';
import { linkTo, route } from '../state/route.ts';
import { Empty, Wait } from '../shared/states.tsx';
import { shown } from '../text/shown.tsx';
import { Boundary } from '../shared/boundary.tsx';
import { ConversationStepper } from './conversation-stepper.tsx';
import { formatTitles } from './format-titles.ts';
import { OpenRecording } from './open-recording.tsx';
import { RecordingView } from './recording-view.tsx';

/** Recorded conversations, step by step. */
export function TimePage(): VNode {
  const id = route.value.parts[1];
  return (
    <Wait of={start()}>
      {({ recordings, defaults }) => {
        if (id === 'new') return <ConversationStepper />;
        const chosen = recordings.find((each) => each.id === id);
        if (chosen !== undefined)
          return (
            <Boundary of="This recording" key={chosen.id}>
              <RecordingView row={chosen} defaults={defaults} />
            </Boundary>
          );
        return (
          <div class="time-start">
            <header class="page-head">
              <h1>Time machine</h1>
              <p class="lede">
                What an agent was shown, when, and what it cost. What it would have been shown, had a skill been different.
              </p>
            </header>
            {id === undefined ? null : <p class="notice">This recording is not open any more. Open its file again.</p>}
            {isReport ? null : <OpenRecording />}
            {recordings.length === 0 ? (
              <Empty title="No conversation yet">
                {isReport ? (
                  <>
                    This report was made without recordings. Run <code>repertoire inspect</code> with <code>--transcript</code> to have one.
                  </>
                ) : (
                  <>
                    Open a file, or <a href={linkTo(['time', 'new'])}>make up a conversation</a> and see what a model would get at each
                    step.
                  </>
                )}
              </Empty>
            ) : (
              <ul class="recordings" data-list>
                {recordings.map(({ id: each, title, format, turns }) => (
                  <li key={each}>
                    <a data-item href={linkTo(['time', each])}>
                      <strong>{shown(title)}</strong>
                      <span>
                        {formatTitles[format]} · {turns} turns
                      </span>
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </div>
        );
      }}
    </Wait>
  );
}
