/** A shell snippet of a body: where it stands, and the command between its backticks. */
export interface SkillSnippet {
  /** Index of its `!` in the body. */
  readonly start: number;
  /** Index behind its closing backtick. */
  readonly end: number;
  /** The command, without surrounding spaces. */
  readonly command: string;
}

/**
 * Finds the snippets of a body: `` !`command` ``, on one line. Code fences make no difference,
 * since authors put output into fences.
 *
 * Three spellings are text and never commands: `` \!`…` `` with a backslash, a code span between
 * two or more backticks (which is how Markdown shows a backtick), and an empty command.
 *
 * Runs in linear time.
 *
 * @example
 * ```ts
 * import { findSnippets } from '@repertoire/skills-core/provider';
 *
 * findSnippets('Version: !`cat VERSION`').map(({ command }) => command); // ['cat VERSION']
 * ```
 */
export function findSnippets(body: string): readonly SkillSnippet[] {
  const snippets: SkillSnippet[] = [];
  let lineStart = 0;
  while (lineStart <= body.length) {
    const lineFeed = body.indexOf('\n', lineStart);
    const lineEnd = lineFeed < 0 ? body.length : lineFeed;
    snippets.push(...inLine(body.slice(lineStart, lineEnd), lineStart));
    lineStart = lineEnd + 1;
  }
  return snippets;
}

function inLine(line: string, offset: number): SkillSnippet[] {
  if (!line.includes('!`')) return [];
  const runs = Array.from(line.matchAll(/`+/g), ({ index, 0: { length } }) => ({ index, length }));
  const lastOfLength = new Map(runs.map(({ length }, position) => [length, position]));
  const found: SkillSnippet[] = [];
  for (let position = 0; position < runs.length; position += 1) {
    const run = runs[position];
    if (run === undefined) break;
    const last = lastOfLength.get(run.length) ?? position;
    if (last === position) continue;
    let close = position + 1;
    while (runs[close]?.length !== run.length) close += 1;
    const end = runs[close]?.index ?? line.length;
    const command = line.slice(run.index + 1, end).trim();
    if (run.length === 1 && isMarked(line, run.index) && command !== '')
      found.push({ start: offset + run.index - 1, end: offset + end + 1, command });
    position = close;
  }
  return found;
}

/** Whether an exclamation mark stands before the backtick that no backslash takes its meaning. */
function isMarked(line: string, backtick: number): boolean {
  if (line[backtick - 1] !== '!') return false;
  let slashes = 0;
  while (line[backtick - 2 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 0;
}
