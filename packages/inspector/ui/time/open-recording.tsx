import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { shown } from '../text/shown.tsx';
import { addRecording } from '../state/api.ts';
import { goTo, linkTo } from '../state/route.ts';

/** A place to drop a file, or to choose one. */
export function OpenRecording(): VNode {
  const error = useSignal('');
  const isOver = useSignal(false);
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    try {
      const { id } = await addRecording(file.name, await file.text());
      goTo(linkTo(['time', id]));
    } catch (thrown) {
      error.value = thrown instanceof Error ? thrown.message : String(thrown);
    }
  };
  return (
    <div
      class={isOver.value ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        void open(event.dataTransfer?.files[0]);
      }}
    >
      <p>
        <label class="primary file-button">
          Open a recording
          <input
            type="file"
            class="visually-hidden"
            accept=".json,.jsonl,.ndjson,.txt"
            onChange={(event) => void open(event.currentTarget.files?.[0])}
          />
        </label>{' '}
        <a class="secondary" href={linkTo(['time', 'new'])}>
          Make one up
        </a>
      </p>
      <p class="hint">
        AI SDK messages, LangGraph messages and checkpoints, our events, OpenTelemetry spans, Claude Code sessions. Nothing leaves this
        machine.
      </p>
      {error.value === '' ? null : (
        <p class="notice" role="alert">
          {shown(error.value)}
        </p>
      )}
    </div>
  );
}
