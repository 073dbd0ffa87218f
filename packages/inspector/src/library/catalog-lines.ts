import type { SkillCatalog } from '@repertoire/skills-core';
import type { PromptSettings } from '../prompt/prompt-settings.ts';

/** How a line of the catalog names its skill. Only these lines begin so: descriptions are escaped and on one line. */
const lineStarts: Readonly<Record<PromptSettings['format'], RegExp>> = {
  xml: /^<skill name="([^"]*)"|^"?([^"<\s][^":]*)"?(?=: |$)/,
  markdown: /^- `([^`]*)`/,
  json: /^\{"name":("(?:[^"\\]|\\.)*")/,
};

/** What the budget did to a skill. */
export type CatalogCut = 'whole' | 'shortened' | 'name-only' | 'dropped';

/** The line of each skill as it stands in the catalog, by name. A skill that stands in two places has both lines. */
export function catalogLines(
  { text, toolText }: Pick<SkillCatalog, 'text' | 'toolText'>,
  format: PromptSettings['format'],
): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (const line of `${text}\n${toolText}`.split('\n')) {
    const match = lineStarts[format].exec(line);
    const written = match?.[1] ?? match?.[2];
    if (written === undefined) continue;
    const name = format === 'json' ? (JSON.parse(written) as string) : unescapeText(written);
    const before = lines.get(name);
    lines.set(name, before === undefined ? line : `${before}\n${line}`);
  }
  return lines;
}

/** What became of each skill whose text the budget touched; the others are whole. */
export function catalogCuts({ cut }: Pick<SkillCatalog, 'cut'>): ReadonlyMap<string, CatalogCut> {
  return new Map<string, CatalogCut>([
    ...cut.shortened.map((name) => [name, 'shortened'] as const),
    ...cut.nameOnly.map((name) => [name, 'name-only'] as const),
    ...cut.dropped.map((name) => [name, 'dropped'] as const),
  ]);
}

function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
