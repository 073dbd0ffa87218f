import path from 'node:path';
import { isForPeople } from './files-for-people.ts';
import { linksIn, type MarkdownLink } from './markdown/links-in.ts';
import { pathMentions } from './path-mentions.ts';
import type { LintSkill } from './lint-rule.ts';
import { hasFile } from './skill-places.ts';

/** A link or a path that a text of a skill has, and where it leads inside the skill. */
export interface SkillReference {
  readonly kind: 'link' | 'path';
  /** Path inside the skill of the text that has it. @default SKILL.md */
  readonly file?: string | undefined;
  readonly target: string;
  /** Relative to the skill's folder; `''` is the skill itself, and `..` leads out of it. */
  readonly inside: string;
  readonly fragment: string;
  readonly line: number;
  readonly column?: number | undefined;
}

const isProgram = /\.(?:py|sh|bash|zsh|[cm]?js|[cm]?ts|rb|pl|ps1|go|rs)$/i;
const kept = new WeakMap<LintSkill, Promise<readonly SkillReference[]>>();

/**
 * The links of a skill's instructions and references to relative paths, and the paths in the code
 * and prose of its instructions. If all links of a text lead to files of the skill, they may be
 * missing: no rule asks for them.
 */
export async function referencesOf(skill: LintSkill): Promise<readonly SkillReference[]> {
  const before = kept.get(skill);
  if (before !== undefined) return await before;
  const found = findReferences(skill);
  kept.set(skill, found);
  return await found;
}

/** A Markdown text of a skill that agents read. */
export interface InstructionText {
  /** Path inside the skill. @default SKILL.md */
  readonly file?: string | undefined;
  readonly text: string;
  /** Line of the file in which the text begins, from 1. */
  readonly firstLine: number;
}

/** Texts of templates and examples are about other places. */
const otherPlaces = /(?:^|\/)(?:assets|templates?|examples?|samples?|boilerplates?|starters?|snippets|skills|plugins)\//i;

/** The instructions, and the Markdown files that agents read beside them. */
function instructionTexts({ parsed: { body }, bodyLine, files }: LintSkill): InstructionText[] {
  const others = files.flatMap(({ path: file, text }) =>
    // recheck: a path of a file.
    text === null || !/\.md$/i.test(file) || otherPlaces.test(file) || /template[^/]*$/i.test(file) || isForPeople(file)
      ? []
      : [{ file, text, firstLine: 1 }],
  );
  return [{ text: body, firstLine: bodyLine }, ...others];
}

async function findReferences(skill: LintSkill): Promise<readonly SkillReference[]> {
  const linkReferred = (await linkedTexts(skill)).flatMap((text) => linkReferences(skill, text));
  // A file that is linked, too, is told once.
  const linked = new Set(linkReferred.map(({ inside }) => inside));
  return [...linkReferred, ...pathReferences(skill).filter(({ inside }) => !linked.has(inside))];
}

/** Links to other places of this machine than the skill: what the rule about machines looks at. */
export function isMachineTarget(target: string): boolean {
  return /^(?:file:|~\/|\/(?:Users|home)\/|[A-Za-z]:[\\/])/.test(target);
}

/**
 * Where a link of a text leads inside the skill. Authors also write links of references as they are
 * written in SKILL.md; agents find both.
 */
function placeOf(skill: LintSkill, file: string | undefined, named: string): string {
  const folder = file === undefined ? '.' : path.posix.dirname(file);
  const [beside, below] = [path.posix.join(folder, named), path.posix.normalize(named)];
  return folder !== '.' && !hasFile(skill, beside) && hasFile(skill, below) ? below : beside;
}

const links = new WeakMap<LintSkill, Promise<readonly (InstructionText & { readonly links: readonly MarkdownLink[] })[]>>();

/**
 * The texts of a skill with their links, for every rule that asks. If all links of a text lead to
 * files of the skill, they may be missing: no rule asks for them.
 */
export async function linkedTexts(skill: LintSkill): Promise<readonly (InstructionText & { readonly links: readonly MarkdownLink[] })[]> {
  const before = links.get(skill);
  if (before !== undefined) return await before;
  const found = Promise.all(
    instructionTexts(skill).map(async (each) => ({
      ...each,
      links: await linksIn(each.text, (target) => !target.startsWith('/') && hasFile(skill, placeOf(skill, each.file, target))),
    })),
  );
  links.set(skill, found);
  return await found;
}

function linkReferences(
  skill: LintSkill,
  { file, firstLine, links: all }: InstructionText & { readonly links: readonly MarkdownLink[] },
): SkillReference[] {
  return all.flatMap(({ target, line }) => {
    const [before = '', ...rest] = target.split('#');
    const named = (before.split('?', 1)[0] ?? '').trim();
    if (!isRelativePath(named) || isPlaceholder(named)) return [];
    // A skill about skills shows what others would link to.
    if (isAboutSkills(skill.name) && (file !== undefined || !hasFolderOf(skill, placeOf(skill, file, named)))) return [];
    const joined = named === '' ? (file ?? '.') : placeOf(skill, file, named).normalize('NFC');
    const inside = joined === '.' || joined === './' ? '' : joined.replace(/^\.\//, '');
    const found = { kind: 'link' as const, target, inside, fragment: rest.join('#'), line: line + firstLine - 1 };
    return [file === undefined ? found : { ...found, file }];
  });
}

function pathReferences({ parsed: { body }, bodyLine, name, files }: LintSkill): SkillReference[] {
  // A skill about skills is full of examples of paths.
  if (isAboutSkills(name)) return [];
  const programs = files.filter(({ path: file, text }) => text !== null && isProgram.test(file)).map(({ text }) => text ?? '');
  const folders = new Set(files.map(({ path: file }) => file.split('/', 1)[0] ?? ''));
  const present = new Set(files.map(({ path: file }) => file.normalize('NFC')));
  const mentions = pathMentions(body, name, folders, (target) => present.has(target.normalize('NFC')));
  // What a script of the skill names, it may well make.
  const missing = mentions.filter(({ inside }) => !programs.some((text) => text.includes(path.posix.basename(inside))));
  return missing.map(({ target, inside, line, column }) => ({
    kind: 'path' as const,
    target,
    inside: path.posix.normalize(inside).normalize('NFC'),
    fragment: '',
    line: line + bodyLine - 1,
    column,
  }));
}

function isAboutSkills(name: string): boolean {
  return /skill|plugin|agent-md|claude-md|documentation|docs?-writ/i.test(name);
}

/** Whether the skill has the folder in which a file would be. */
function hasFolderOf(skill: LintSkill, inside: string): boolean {
  const [first = '', ...rest] = inside.replace(/^\.\//, '').split('/');
  return first !== '..' && (rest.length === 0 || hasFile(skill, first));
}

/** A name that stands for any: `./path.md`, `../related-skill-1/`. */
function isPlaceholder(target: string): boolean {
  const stem = path.posix.basename(target.replace(/\/$/, '')).replace(/\.\w{1,5}$/, '');
  return (
    /^(?:path|file|foo|bar|xxx?|(?:your|my|some|related)-[\w-]{1,40}|(?:skill|doc|page|file|example)-\d)$/i.test(stem) &&
    !/\d{2}/.test(stem)
  );
}

function isRelativePath(target: string): boolean {
  if (target.startsWith('/') || target.startsWith('~') || /^[a-z][a-z0-9+.-]*:/i.test(target)) return false;
  // A placeholder: `{name}.md`, `$FILE`, `<path>`, `...`, `*.md`, `link`, `url`.
  if (/[{}$<>*|\\,\s()[\]]|\.\.\.|…/.test(target) && !/^[\w ./-]+\.\w{1,5}$/.test(target)) return false;
  return !/^(?:urls?|links?|path|placeholder|todo|#|x|xxx|href|src|image-url|image_url|file)$/i.test(target);
}
