import { unescapeAttribute } from '../prompt/escape.ts';
import type { SkillCatalogFormat } from './render-catalog.ts';
import type { SkillCatalog } from './skill-catalog.ts';

/** How a line names its skill. Descriptions are escaped and on one line, so none begins a line. */
const lineStarts: Readonly<Record<SkillCatalogFormat, RegExp>> = {
  xml: /^<skill name="([^"]*)"|^"([^"]*)"|^([^"<\s:]+)/,
  markdown: /^- `([^`]*)`/,
  json: /^\{"name":("(?:[^"\\]|\\.)*")/,
};

/** What the budget did to a skill. `dropped`: it is not in the text at all. */
export type CatalogCut = 'whole' | 'shortened' | 'name-only' | 'dropped';

/**
 * The lines of each skill as they stand in a catalog, by name: for whoever shows what each costs. A
 * skill that stands in the text and in the description of the load tool has two.
 *
 * @param format the one that the catalog was written in
 */
export function catalogLines(
  { skills, text, toolText }: Pick<SkillCatalog, 'skills' | 'text' | 'toolText'>,
  format: SkillCatalogFormat = 'xml',
): ReadonlyMap<string, readonly string[]> {
  const names = new Set(skills.map(({ name }) => name));
  const lines = new Map<string, string[]>();
  for (const line of `${text}\n${toolText}`.split('\n')) {
    const written = lineStarts[format]
      .exec(line)
      ?.slice(1)
      .find((part) => part !== undefined);
    if (written === undefined) continue;
    const name = format === 'json' ? (JSON.parse(written) as string) : unescapeAttribute(written);
    // The sentences around the list begin with some word, too.
    if (!names.has(name)) continue;
    const known = lines.get(name);
    if (known === undefined) lines.set(name, [line]);
    else known.push(line);
  }
  return lines;
}

/** What the budget did to each skill that it touched; the others are whole. */
export function catalogCuts({ cut }: Pick<SkillCatalog, 'cut'>): ReadonlyMap<string, CatalogCut> {
  return new Map<string, CatalogCut>([
    ...cut.shortened.map((name) => [name, 'shortened'] as const),
    ...cut.nameOnly.map((name) => [name, 'name-only'] as const),
    ...cut.dropped.map((name) => [name, 'dropped'] as const),
  ]);
}
