import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { PromptSettings } from '../../src/prompt/prompt-settings.ts';
import { unpackRequest, type PackedReplay } from '../../src/replay/pack-replay.ts';
import { readableRequest, requestFor } from '../../src/replay/readable-request.ts';
import type { RecordingRow } from '../../src/server/recording-shelf.ts';
import { replay } from '../state/api.ts';
import { bytes, count } from '../state/format.ts';
import { DiffView } from '../shared/diff-view.tsx';
import { Wait } from '../shared/states.tsx';
import { TextBlock } from '../shared/text-block.tsx';

interface RequestProps {
  readonly row: RecordingRow;
  readonly settings: PromptSettings;
  readonly turn: number;
}

/** The request that the model answered at this moment, as the adapter sent it. */
export function RequestView({ row, settings, turn }: RequestProps): VNode {
  if (!row.hasTexts)
    return <p class="calm-line">Events and spans keep no texts, so no request can be replayed from them. Record the messages too.</p>;
  return <Wait of={replay(row.id, settings)}>{(played) => <Request row={row} played={played} turn={turn} />}</Wait>;
}

function Request({ row, played, turn }: { readonly row: RecordingRow; readonly played: PackedReplay; readonly turn: number }): VNode {
  const isWhole = useSignal(false);
  const index = requestFor(played.requests, turn);
  const request = unpackRequest(played, index);
  if (request === undefined) return <p class="calm-line">Nothing was sent to a model at this moment.</p>;
  const before = unpackRequest(played, index - 1);
  const exact = JSON.stringify(request);
  return (
    <>
      {row.format === 'claude-code' ? (
        <p class="notice calm">
          Claude Code sent requests of its own, which its session files do not hold. This is what Repertoire would have sent at this moment.
        </p>
      ) : null}
      <Proof played={played} />
      <p class="figures">
        Request {index + 1} of {played.requests.length}: {count(request.messages.length, 'message')}, {count(request.tools.length, 'tool')},{' '}
        {bytes(new TextEncoder().encode(exact).length)}
        {played.requests[index]?.turn === null ? '. It would come next.' : '.'}
      </p>
      <p class="preview-mode">
        <button type="button" class="toggle" aria-pressed={isWhole.value} onClick={() => (isWhole.value = !isWhole.value)}>
          {isWhole.value ? 'Show what is new in it' : 'Show all of it'}
        </button>
      </p>
      {isWhole.value || before === undefined ? (
        <>
          <TextBlock text={request.system} label="System prompt" />
          {request.messages.map((message, at) => (
            <TextBlock key={at} text={message} label={`Message ${at + 1}`} />
          ))}
          {request.tools.map((tool, at) => (
            <TextBlock key={at} text={tool} label={`Tool ${at + 1}`} />
          ))}
        </>
      ) : (
        <DiffView before={readableRequest(before)} after={readableRequest(request)} label="What is new in this request" />
      )}
    </>
  );
}

/** Whether the skills still answer what they answered then: else these are not the bytes that were sent. */
function Proof({ played: { compared, changed } }: { readonly played: PackedReplay }): VNode | null {
  if (compared === 0) return null;
  if (changed.length === 0)
    return <p class="notice good">All {count(compared, 'answer')} of skills are byte for byte those that were recorded.</p>;
  return (
    <details class="notice">
      <summary>
        {changed.length} of {count(compared, 'answer')} of skills differ from what was recorded: the skills changed, or the settings are
        others. With a lock of that time, they would not.
      </summary>
      {changed.slice(0, 5).map(({ tool, recorded, now }, index) => (
        <DiffView key={index} before={recorded} after={now} label={`Answer of ${tool}`} />
      ))}
    </details>
  );
}
