import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { PromptSettings } from '../../src/prompt/prompt-settings.ts';
import { firstChangedRequest, unpackRequest, type PackedReplay } from '../../src/replay/pack-replay.ts';
import { readableRequest } from '../../src/replay/readable-request.ts';
import type { RecordingRow } from '../../src/server/recording-shelf.ts';
import type { Timeline } from '../../src/timeline/timeline.ts';
import { isReport, library, replay, skill } from '../state/api.ts';
import { count } from '../state/format.ts';
import { Combobox } from '../shared/combobox.tsx';
import { DiffView } from '../shared/diff-view.tsx';
import { Wait } from '../shared/states.tsx';
import { HiddenNote } from '../text/hidden-note.tsx';

interface WhatIfProps {
  readonly row: RecordingRow;
  readonly settings: PromptSettings;
  readonly line: Timeline;
}

/** What if a skill had been different? Its text is changed in memory, and the conversation is played again. */
export function WhatIf({ row, settings, line }: WhatIfProps): VNode {
  const loaded = [...new Set(line.items.filter(({ kind }) => kind === 'load').map(({ subject }) => subject))];
  const all = library().value?.skills.map(({ name }) => name) ?? [];
  const names = [...loaded.filter((name) => all.includes(name)), ...all.filter((name) => !loaded.includes(name))];
  const chosen = useSignal<string | undefined>(undefined);
  const text = useSignal<string | undefined>(undefined);
  const played = useSignal<{ readonly skill: string; readonly skillMd: string } | undefined>(undefined);
  const name = chosen.value ?? names[0];
  if (isReport) return <p class="calm-line">A report cannot play anything again. Run the inspector to ask what if.</p>;
  if (!row.hasTexts) return <p class="calm-line">Events and spans keep no texts, so nothing can be played again.</p>;
  if (name === undefined)
    return (
      <p class="calm-line">
        There is no skill that could have been different. Start the inspector with the folder of the skills that this conversation used.
      </p>
    );
  return (
    <div class="what-if">
      <p class="calm-line">
        Change the text of a skill, in memory alone. The model says what it said then; what it would have said, nobody knows.
      </p>
      <Combobox
        label="Skill"
        value={name}
        choices={names.map((value) => ({ value, title: loaded.includes(value) ? `${value} (loaded here)` : value }))}
        onChange={(value) => {
          chosen.value = value;
          [text.value, played.value] = [undefined, undefined];
        }}
      />
      <Wait of={skill(name)}>
        {({ skillMd }) => (
          <>
            <label class="field">
              <span>SKILL.md</span>
              <textarea
                class="code"
                rows={14}
                spellcheck={false}
                value={text.value ?? skillMd}
                onInput={(event) => (text.value = event.currentTarget.value)}
              />
            </label>
            <HiddenNote text={text.value ?? skillMd} />
            <p class="actions">
              <button
                type="button"
                class="primary"
                disabled={(text.value ?? skillMd) === skillMd}
                onClick={() => (played.value = { skill: name, skillMd: text.value ?? skillMd })}
              >
                Play it again
              </button>
            </p>
          </>
        )}
      </Wait>
      {played.value === undefined ? null : <Consequence row={row} settings={settings} overlay={played.value} />}
    </div>
  );
}

function Consequence({
  row,
  settings,
  overlay,
}: {
  readonly row: RecordingRow;
  readonly settings: PromptSettings;
  readonly overlay: { readonly skill: string; readonly skillMd: string };
}): VNode {
  return (
    <Wait of={replay(row.id, settings)}>
      {(before) => <Wait of={replay(row.id, settings, overlay)}>{(after) => <Changes before={before} after={after} />}</Wait>}
    </Wait>
  );
}

function Changes({ before, after }: { readonly before: PackedReplay; readonly after: PackedReplay }): VNode {
  const first = firstChangedRequest(before, after);
  if (first === null) return <p class="notice good">No request would have been different: this skill's change never reached the model.</p>;
  const [a, b] = [unpackRequest(before, first), unpackRequest(after, first)];
  const left = after.requests.length - first;
  return (
    <>
      <p class="notice" role="status">
        The first {first === 0 ? 'request' : count(first, 'request')} {first === 0 ? 'is different already' : 'stay the same'}; from request{' '}
        {first + 1} on, {count(left, 'request')} would have been different.
      </p>
      {a === undefined || b === undefined ? null : (
        <DiffView before={readableRequest(a)} after={readableRequest(b)} label={`Changes in request ${first + 1}`} />
      )}
    </>
  );
}
