import type { SkillSnippet } from '@repertoire/skills-core/provider';

/** Replaces snippets by outputs. Unguessable marks hold their places while arguments are put in. */
export function placeOutputs(
  body: string,
  snippets: readonly SkillSnippet[],
  outputs: readonly string[],
  substitute: (body: string) => string,
): string {
  const mark = `snippet-${crypto.randomUUID()}-`;
  let marked = '';
  let from = 0;
  for (const [index, { start, end }] of snippets.entries()) {
    marked += `${body.slice(from, start)}${mark}${index};`;
    from = end;
  }
  const parts = substitute(marked + body.slice(from)).split(mark);
  return parts
    .map((part, position) => {
      if (position === 0) return part;
      const semicolon = part.indexOf(';');
      return `${outputs[Number(part.slice(0, semicolon))] ?? ''}${part.slice(semicolon + 1)}`;
    })
    .join('');
}
