import type { VNode } from 'preact';
import { shown } from '../text/shown.tsx';
import { CopyButton } from './copy-button.tsx';

/** A text as it is, that can be copied byte for byte. Characters that nobody sees are named; the copy has them as they are. */
export function TextBlock({ text, label }: { readonly text: string; readonly label: string }): VNode {
  return (
    <figure class="text-block">
      <figcaption>
        <span>{shown(label)}</span>
        <CopyButton text={() => text} />
      </figcaption>
      <pre tabIndex={0} role="region" aria-label={label}>
        {shown(text)}
      </pre>
    </figure>
  );
}
