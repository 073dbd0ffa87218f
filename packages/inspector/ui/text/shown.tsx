import type { ComponentChildren } from 'preact';
import { hiddenParts } from './hidden-parts.ts';

/** A text of a skill, with a badge for each character that people do not see and models read. */
export function shown(text: string, mostParts?: number): ComponentChildren {
  const parts = hiddenParts(text, mostParts);
  if (parts.length === 1 && parts[0] !== undefined && 'text' in parts[0]) return parts[0].text;
  return parts.map((part) =>
    'text' in part ? (
      part.text
    ) : (
      <span class="hidden-character" title={part.title}>
        {part.times === 1 ? part.codePoint : `${part.codePoint} × ${part.times}`}
      </span>
    ),
  );
}
