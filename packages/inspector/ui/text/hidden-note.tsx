import type { VNode } from 'preact';
import { count } from '../state/format.ts';
import { hiddenParts } from './hidden-parts.ts';

/** Says which hidden characters a text has, beside a field that cannot show them. */
export function HiddenNote({ text }: { readonly text: string }): VNode | null {
  const times = new Map<string, number>();
  for (const part of hiddenParts(text)) {
    if ('codePoint' in part) times.set(part.codePoint, (times.get(part.codePoint) ?? 0) + part.times);
  }
  if (times.size === 0) return null;
  const all = [...times.values()].reduce((sum, each) => sum + each, 0);
  return (
    <p class="notice">
      This text has {count(all, 'character')} that people do not see:{' '}
      {[...times].slice(0, 8).map(([codePoint, each]) => (
        <span key={codePoint} class="hidden-character">
          {each === 1 ? codePoint : `${codePoint} × ${each}`}
        </span>
      ))}
    </p>
  );
}
