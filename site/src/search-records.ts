import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSkillSearch } from '@repertoire/skill-search';
import { SkillRegistry } from '@repertoire/skills-core';
import { anchorsOfPage } from './anchor-of.ts';
import { skillOf, type SearchRecord } from './search-record.ts';

const docs = join(import.meta.dirname, '../../docs');

interface Section {
  readonly record: SearchRecord;
  readonly body: string;
}

/** The sections of all pages, as skills: the search of the site is the one that agents use. */
export function searchSections(): Section[] {
  const sections = globSync('**/*.md', { cwd: docs, exclude: ['api/index.md'] })
    .toSorted()
    .flatMap((path) => sectionsOf(path, readFileSync(join(docs, path), 'utf8')));
  return sections;
}

/** Builds the index over the sections, as bytes. */
export async function writeSearchIndex(sections: readonly Section[]): Promise<Uint8Array> {
  const provider = new SkillRegistry({ skills: sections.map(({ record, body }) => ({ ...skillOf(record), body })) });
  using search = createSkillSearch(provider);
  const { due, diagnostics } = await search.refresh();
  if (due > 0) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return search.exportIndex();
}

function sectionsOf(path: string, text: string): Section[] {
  const isApi = path.startsWith('api/');
  const depth = isApi ? 3 : 2;
  const address = `/${path.replace(/\.md$/, '').replace(/^README$/, '')}`;
  const prose = text.replace(/^---\n[\s\S]*?\n---\n/, '').replaceAll(/<!--[\s\S]*?-->/g, '');
  const anchor = anchorsOfPage();
  const headings = [...withoutCode(prose).matchAll(/^(#{1,6}) (.+)$/gm)].map(({ 0: line, 1: marks = '', 2: heading = '', index }) => ({
    level: marks.length,
    title: plain(heading),
    anchor: anchor(withoutLinks(heading)),
    from: index,
    to: index + line.length,
  }));
  const starts = headings.filter(({ level }) => level <= depth);
  const page = starts[0]?.title ?? path;
  return starts.flatMap(({ level, title, anchor: hash, to }, index) => {
    if (isApi && level === 2) return [];
    const isFirst = index === 0;
    const body = prose.slice(to, starts[index + 1]?.from).trim();
    const shown = isFirst ? page : title;
    const name = `${slug(shown).slice(0, 30)}-${slug(path.replace(/\.md$/, '')).slice(0, 28)}-${index}`;
    const record = { name, title: shown, page, link: isFirst ? address : `${address}#${hash}`, excerpt: excerptOf(body) };
    return [{ record, body: body.slice(0, 20_000) || title }];
  });
}

/** The same length, with the code of fences as blanks, so that a comment in a script is no heading. */
function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ' '));
}

function excerptOf(body: string): string {
  const paragraph =
    withoutCode(body)
      .split(/\n\s*\n/)
      .map(plain)
      .find((part) => /^[\w"'`(]/.test(part) && !part.startsWith('Defined in:') && part.length > 30) ?? '';
  return paragraph.length > 160 ? `${paragraph.slice(0, 157).replace(/\s\S*$/, '')} …` : paragraph;
}

function plain(text: string): string {
  return withoutLinks(text)
    .replaceAll(/<a id="[^"]*"><\/a>/g, '')
    .replaceAll(/[`*\\]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function withoutLinks(text: string): string {
  return text.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1');
}

function slug(text: string): string {
  return plain(text)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
