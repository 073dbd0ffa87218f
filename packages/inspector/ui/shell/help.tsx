import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { helpIsOpen } from './help-open.ts';

export { helpIsOpen } from './help-open.ts';

const keys = [
  ['g l', 'Library'],
  ['g m', 'Likeness'],
  ['g p', 'Prompt'],
  ['g t', 'Time machine'],
  ['g a', 'Approvals'],
  ['g r', 'Proposals'],
  ['/', 'Search'],
  ['j k, ↓ ↑', 'Next and previous in the list, also from the search'],
  ['[ ]', 'Previous and next step of a conversation'],
  ['Enter', 'Open'],
  ['Esc', 'Close'],
  ['?', 'This list'],
] as const;

/** Every shortcut, in a dialog that the browser itself makes modal. */
export function Help(): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = helpIsOpen.value;
  useLayoutEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={() => (helpIsOpen.value = false)}>
      <h2 id="help-title">Keys</h2>
      <dl>
        {keys.map(([key, what]) => (
          <>
            <dt>
              {key.split(' ').map((each) => (
                <kbd>{each}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <form method="dialog">
        <button class="primary" type="submit">
          Close
        </button>
      </form>
    </dialog>
  );
}
