import type { FileText, LoadedText } from './read-prompt.ts';
import { rarityOf, wordsOf } from './words.ts';

/** Maximum number of quoted points. */
const maxPoints = 6;

/**
 * An answer made only of what was read: the steps of the instructions, and the part of the file
 * that matches the request best.
 */
export function composeAnswer(request: string, skill: LoadedText, file: FileText | undefined): string {
  const steps = sectionsOf(skill.body).map(({ heading }) => heading.replace(/^\d+[.)]\s*/, ''));
  const parts = [`How ${skill.name} goes about it:`, steps.map((step, index) => `${index + 1}. ${step}`).join('\n')];
  const nearest = file === undefined ? undefined : nearestSection(file.text, request);
  if (file !== undefined && nearest !== undefined) {
    parts.push(
      `From ${file.path}, "${nearest.heading}":`,
      nearest.points
        .slice(0, maxPoints)
        .map((point) => `- ${point}`)
        .join('\n'),
    );
  }
  parts.push('(I am a stand-in and can only quote. With an API key, a language model follows these instructions.)');
  return parts.filter((part) => part !== '').join('\n\n');
}

interface Section {
  readonly heading: string;
  readonly points: readonly string[];
}

function nearestSection(text: string, request: string): Section | undefined {
  const sections = sectionsOf(text).filter(({ points }) => points.length > 1);
  const full = ({ heading, points }: Section) => [heading, ...points].join(' ');
  const rarity = rarityOf(sections.map(full));
  const wanted = wordsOf(request);
  const score = (section: Section) => {
    const words = wordsOf(full(section));
    const found = [...wanted.keys()].filter((stem) => words.has(stem)).reduce((sum, stem) => sum + rarity(stem) + 0.1, 0);
    // A long section contains many words, so what counts is the share that is about the request.
    return found / Math.sqrt(words.size);
  };
  return sections.toSorted((a, b) => score(b) - score(a))[0];
}

/**
 * The second-level sections of a Markdown text, with the points of their lists, or their sentences
 * if they have no list. Code and tables are left out.
 */
function sectionsOf(markdown: string): Section[] {
  const [, ...sections] = `\n${markdown.replace(/^```[^]*?^```$/gm, '')}`.split(/\n## /);
  return sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n');
    return { heading: heading.trim(), points: pointsOf(lines) };
  });
}

function pointsOf(lines: readonly string[]): string[] {
  const items: string[] = [];
  const sentences: string[] = [];
  let inItem = false;
  for (const line of lines) {
    const [, item] = /^\s{0,3}(?:[-*]|\d+[.)])\s+(.*)/.exec(line) ?? [];
    if (item !== undefined) items.push(item);
    else if (inItem && /^\s+\S/.test(line)) items.push(`${items.pop() ?? ''} ${line.trim()}`);
    else if (/^[^\s|#>]/.test(line)) sentences.push(line.trim());
    inItem = item !== undefined || (inItem && /^\s+\S/.test(line));
  }
  return (
    items.length > 0
      ? items
      : sentences
          .join(' ')
          .split(/(?<=[.:])\s+/)
          .filter((sentence) => sentence !== '')
  ).map(plain);
}

/** Without the marks of Markdown. */
function plain(text: string): string {
  return text
    .replace(/\*\*([^*]+)\*\*/g, '$1')
    .replace(/(?<![\w*])\*([^*]+)\*(?![\w*])/g, '$1')
    .trim();
}
