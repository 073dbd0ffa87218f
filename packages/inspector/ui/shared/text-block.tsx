import type { VNode } from 'preact';
import { CopyButton } from './copy-button.tsx';

/** A text as it is, byte for byte, that can be copied. */
export function TextBlock({ text, label }: { readonly text: string; readonly label: string }): VNode {
  return (
    <figure class="text-block">
      <figcaption>
        <span>{label}</span>
        <CopyButton text={() => text} />
      </figcaption>
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </figure>
  );
}
