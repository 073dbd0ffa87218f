import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { Icon } from './icons.tsx';

/** Copies a text, and says that it did. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: () => string; readonly label?: string }): VNode {
  const isDone = useSignal(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text());
    isDone.value = true;
    setTimeout(() => (isDone.value = false), 1600);
  };
  return (
    <button type="button" class="quiet" onClick={() => void copy().catch(() => undefined)}>
      <Icon name={isDone.value ? 'done' : 'copy'} />
      <span aria-live="polite">{isDone.value ? 'Copied' : label}</span>
    </button>
  );
}
