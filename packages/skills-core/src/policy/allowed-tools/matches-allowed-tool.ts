import { matchCommand, type CommandShell } from './match-command.ts';
import { matchPath } from './match-path.ts';
import { matchWildcard } from './wildcard.ts';

/** A call of a tool that is about to be made. */
export interface AllowedToolCall {
  /** Name of the tool. */
  readonly tool: string;
  /**
   * What it is called with. Of an object, `command` or `cmd`, `file_path`, `filePath`,
   * `notebook_path` or `path`, and `url` are what a pattern speaks of. Another field with text,
   * such as `env`, `cwd` or `paths`, could change what the call does, so that no pattern is sure of
   * it; see `plainFields`.
   */
  readonly input?: unknown;
  /** Id of the call, for answers of people. Patterns do not see it. */
  readonly id?: string | undefined;
  /** The shell command, where the host knows better than the input tells. */
  readonly command?: string | undefined;
  /** The path, where the host knows better than the input tells. */
  readonly path?: string | undefined;
}

/** Options of {@link matchesAllowedTool}. */
export interface AllowedToolOptions {
  /**
   * Tools of the host by the name that patterns have for them:
   * `{ Bash: ['shell'], Edit: ['write_file', 'patch_file'] }`. The name itself always counts too.
   * @default none
   */
  readonly aliases?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The folder of relative paths and patterns. @default unknown: absolute paths match none */
  readonly root?: string | undefined;
  /** Which shell reads commands. @default 'posix' */
  readonly shell?: CommandShell | undefined;
  /**
   * Further fields of inputs that never change what a call reaches: what is written, searched for,
   * or said. Always among them are `content`, `old_string`, `new_string`, `description`, `prompt`,
   * `query`, `pattern` and the like.
   * @default none
   */
  readonly plainFields?: readonly string[] | undefined;
}

/**
 * Whether a call fits one pattern of `allowed-tools`.
 *
 * | pattern | fits |
 * |---|---|
 * | `Read` | every call of `Read`. Case counts |
 * | `mcp__*`, `mcp__git__*` | tools by a part of their name; `mcp__git` alone is every tool of that server |
 * | `Bash(git:*)`, `Bash(git *)` | the command `git`, with or without arguments |
 * | `Bash(npm run test)` | this command and no other |
 * | `Edit(src/**)`, `Read(*.md)` | a path |
 * | `WebFetch(domain:example.com)` | a URL of this host; `domain:*.example.com` for those below it |
 * | `Bash(*)` | like `Bash` |
 *
 * It declines where it is not sure: a compound command (`;`, `&&`, `|`, `$(`, a redirection, a
 * second line) fits no pattern with a star; an input in which a command and a path, or two paths,
 * could be meant, or with further text that could change what the call does (`env`, `cwd`,
 * `paths`), fits no pattern with parentheses; what is no pattern fits nothing.
 */
export function matchesAllowedTool(pattern: string, call: AllowedToolCall, options: AllowedToolOptions = {}): boolean {
  const read = readToolPattern(pattern);
  if (read === null || !namesOf(read.tool, options).some((name) => matchName(name, call.tool))) return false;
  const { argument } = read;
  if (argument === undefined || argument === '*') return true;
  const subject = subjectOf(call, options);
  switch (subject?.kind) {
    case 'command':
      return matchCommand(argument, subject.text, options.shell ?? 'posix');
    case 'path':
      return matchPath(argument, subject.text, options.root);
    case 'url':
      return matchDomain(argument, subject.text);
    default:
      return false;
  }
}

function namesOf(tool: string, { aliases = {} }: AllowedToolOptions): readonly string[] {
  return Object.hasOwn(aliases, tool) ? [tool, ...(aliases[tool] ?? [])] : [tool];
}

function matchName(name: string, tool: string): boolean {
  if (/^mcp__(?:(?!__)[^*])+$/.test(name) && tool.startsWith(`${name}__`)) return true;
  return matchWildcard(name, tool);
}

interface Subject {
  readonly kind: 'command' | 'path' | 'url';
  readonly text: string;
}

const subjectFields: Readonly<Record<string, Subject['kind']>> = {
  command: 'command',
  cmd: 'command',
  file_path: 'path',
  filePath: 'path',
  notebook_path: 'path',
  path: 'path',
  url: 'url',
};

/** Fields whose text does not decide what a call reaches. */
const plainFields: ReadonlySet<string> = /* @__PURE__ */ new Set(
  /* @__PURE__ */ 'content contents text old_string new_string oldString newString new_source edit_mode cell_type description prompt query pattern output_mode'.split(
    ' ',
  ),
);

/** What the parentheses speak of; `undefined` where it is unclear. */
function subjectOf({ input, command, path }: AllowedToolCall, options: AllowedToolOptions): Subject | undefined {
  if (command !== undefined) return { kind: 'command', text: command };
  if (path !== undefined) return { kind: 'path', text: path };
  if (typeof input !== 'object' || input === null) return undefined;
  const found = Object.entries(subjectFields).filter(
    ([field]) => Object.hasOwn(input, field) && (input as Record<string, unknown>)[field] !== undefined,
  );
  const [only] = found;
  if (only === undefined || found.length > 1 || hasMoreText(input, only[0], options)) return undefined;
  const text = (input as Record<string, unknown>)[only[0]];
  return typeof text === 'string' ? { kind: only[1], text } : undefined;
}

/** Whether another field could change what the call does: texts and lists may. */
function hasMoreText(input: object, subject: string, { plainFields: more = [] }: AllowedToolOptions): boolean {
  return Object.entries(input).some(([field, value]) => {
    if (field === subject || plainFields.has(field) || more.includes(field)) return false;
    return typeof value === 'string' || (typeof value === 'object' && value !== null);
  });
}

function matchDomain(argument: string, url: string): boolean {
  if (!argument.startsWith('domain:') || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return /^https?:$/.test(protocol) && matchWildcard(argument.slice('domain:'.length).trim().toLowerCase(), hostname);
}

/** One element of `allowed-tools`, taken apart. */
interface ToolPattern {
  /** Name of the tool; may hold `*`. */
  readonly tool: string;
  /** What stands in parentheses; `undefined` where there are none. */
  readonly argument: string | undefined;
}

/** Matching takes time by the length, and patterns come from skills. */
const maxPatternLength = 1_000;

/** `Bash(git:*)` → `Bash` and `git:*`. `null` for what is no pattern. */
function readToolPattern(pattern: string): ToolPattern | null {
  if (pattern.length > maxPatternLength) return null;
  const text = pattern.trim();
  const open = text.indexOf('(');
  if (open < 0) return text === '' || text.includes(')') ? null : { tool: text, argument: undefined };
  const tool = text.slice(0, open).trim();
  const argument = text.slice(open + 1, -1).trim();
  return tool === '' || argument === '' || !text.endsWith(')') ? null : { tool, argument };
}
