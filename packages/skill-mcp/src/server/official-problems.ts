import { SkillCatalogError, skillEntry } from '@modelcontextprotocol/server/ext/skills';
import { isJsonObject } from '@repertoire/skills-core/internal';
import { startOfMessage } from '../provider/mcp-call.ts';

/** The key of a field, which no reader takes for anything but a text. */
const plainKey = /^ *(?!(?:null|Null|NULL|true|True|TRUE|false|False|FALSE):)[A-Za-z][\w-]*:/;

/** Behind the key, on one line: a text that stands for itself or in quotes without escapes. */
const plainValue = /^(?: *| +(?:[\w(].*|"[^"\\]*" *|'[^']*' *))$/;

/** Behind the key, where the text stands below it, by two spaces further in. */
const blockValue = /^ [|>]-?$/;

/** What most files have none of, and is found in a fraction of the time. */
const notAscii = /[^\n\x20-\x7E]/;

/** Characters that end a line or hide for some readers. */
const unusual = /[^\n\P{C}]|[\p{Zl}\p{Zp}]/u;

/**
 * Why official clients would reject a `SKILL.md` whose frontmatter keeps to the rules. Their parser
 * supports a part of YAML, and rejects the whole listing for one entry that breaks a rule of the
 * format.
 *
 * @param head the start of the file, to the end of its frontmatter
 */
export async function officialProblems(
  name: string,
  head: string,
  frontmatter: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  if (isPlainToAll(head, frontmatter)) return [];
  try {
    const entry = await skillEntry(name, { 'SKILL.md': head });
    const isSame = sorted(entry.frontmatter) === sorted(frontmatter);
    return isSame ? [] : ['official clients read its frontmatter in another way'];
  } catch (error) {
    if (error instanceof SkillCatalogError) return error.problems.map(({ message }) => message);
    return [startOfMessage(error)];
  }
}

/**
 * Whether frontmatter has a form that every reader reads the same or refuses. Then the official
 * parser need not be asked, which hashes what it reads by a thread: that takes longer than all the
 * rest of an entry.
 */
export function isPlainToAll(head: string, frontmatter: Readonly<Record<string, unknown>>): boolean {
  const [first, ...lines] = head.trimEnd().split('\n');
  if (
    first !== '---' ||
    lines.pop() !== '---' ||
    (notAscii.test(head) && unusual.test(head)) ||
    !Object.values(frontmatter).every((value) => typeof value === 'boolean' || isTexts(value))
  )
    return false;
  let isBlock = false;
  return lines.every((line) => {
    if (isBlock && (line === '' || /^ {2}[^ ]/.test(line))) return true;
    const [key] = plainKey.exec(line) ?? [];
    if (key === undefined) return false;
    const value = line.slice(key.length);
    isBlock = blockValue.test(value) && !key.startsWith(' ');
    return isBlock || plainValue.test(value);
  });
}

function isTexts(value: unknown): boolean {
  return typeof value === 'string' || (isJsonObject(value) && Object.values(value).every(isTexts));
}

/** The order of keys does not matter. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
