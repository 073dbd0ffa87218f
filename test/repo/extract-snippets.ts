import { includeComment } from '../../tools/include-code.ts';

/** A block of TypeScript in a document or a docstring. */
export interface Snippet {
  /** Path of the document, from the root of the repository. */
  readonly path: string;
  /** Line of the first line of code in the document, from 1. */
  readonly line: number;
  readonly code: string;
  /** Code that the reader does not see: from a comment `<!-- setup: … -->` right above the block. */
  readonly setup: string;
  /** Why it is not run: from a comment `<!-- not run: … -->` above the block. @default it is run */
  readonly notRun?: string;
}

/** What was found in one document. */
export interface ExtractedSnippets {
  readonly snippets: readonly Snippet[];
  /** Blocks that would escape the check. */
  readonly problems: readonly string[];
}

const fence = /^(?<indent>\s*(?:\*\s*)?)```(?<info>.*)$/;
/** Words by which a block of code may be marked in place of `ts`, and would not be checked. */
const unchecked = /^(?:typescript|tsx|js|jsx|javascript|mjs|mts)\b|^ts\s+\S/;

/**
 * The blocks marked `ts` of a Markdown file, or of the docstrings of a TypeScript file (where `*` stands before each line).
 */
export function extractSnippets(path: string, text: string): ExtractedSnippets {
  const lines = text.split('\n');
  const docstrings = path.endsWith('.ts');
  const snippets: Snippet[] = [];
  const problems: string[] = [];

  for (let index = 0; index < lines.length; index++) {
    const open = fence.exec(lines[index] ?? '')?.groups;
    if (open === undefined || (docstrings && !open['indent']?.includes('*'))) continue;
    const info = open['info']?.trim() ?? '';
    const end = lines.findIndex((line, at) => at > index && fence.exec(line)?.groups?.['info']?.trim() === '');
    if (end === -1) {
      problems.push(`${path}:${index + 1}: the block does not end.`);
      break;
    }
    if (unchecked.test(info) && !isIncluded(lines, index))
      problems.push(`${path}:${index + 1}: mark the block \`ts\`, and nothing else, so that it is checked; it says \`${info}\`.`);
    if (info === 'ts' && !isIncluded(lines, index)) {
      const code = lines
        .slice(index + 1, end)
        .map((line) => (docstrings ? line.replace(/^\s*\*( |$)/, '') : withoutIndent(line, open['indent'] ?? '')));
      snippets.push({ path, line: index + 2, code: code.join('\n'), setup: '', ...(!docstrings && notesAbove(lines, index)) });
    }
    index = end;
  }
  return { snippets, problems };
}

/**
 * The files that a page shows: blocks with a comment `<!-- file: path -->` above them. Its snippets find them in their folder.
 */
export function filesOfPage(text: string): Readonly<Record<string, string>> {
  const shown = text.matchAll(/<!-- file: (?<path>\S+) -->\n+(?<ticks>```+)\w*\n(?<content>.*?)\n\k<ticks>\n/gs);
  return Object.fromEntries([...shown].map(({ groups }) => [groups?.['path'] ?? '', `${groups?.['content'] ?? ''}\n`]));
}

function withoutIndent(line: string, indent: string): string {
  return line.startsWith(indent) ? line.slice(indent.length) : line;
}

/** A block that is a file is checked and run by the tests of that file. */
function isIncluded(lines: readonly string[], fenceIndex: number): boolean {
  const above = lines.slice(0, fenceIndex).findLast((line) => line.trim() !== '');
  return above !== undefined && includeComment.test(above);
}

/** A comment may stand on several lines; blank lines may stand between it, the next one and the block. */
function notesAbove(lines: readonly string[], fenceIndex: number): Partial<Pick<Snippet, 'setup' | 'notRun'>> {
  const notes: Record<string, string> = {};
  let above = lines.slice(0, fenceIndex).join('\n').trimEnd();
  while (above.endsWith('-->')) {
    const start = above.lastIndexOf('<!--');
    const [key, ...text] = above.slice(start + 4, -3).split(':');
    const name = { setup: 'setup', 'not run': 'notRun' }[key?.trim() ?? ''];
    if (name === undefined) break;
    notes[name] = text.join(':').trim();
    above = above.slice(0, start).trimEnd();
  }
  return notes;
}
