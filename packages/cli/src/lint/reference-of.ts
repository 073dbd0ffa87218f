import path from 'node:path';
import { linksIn } from './markdown/links-in.ts';
import { pathMentions } from './path-mentions.ts';
import type { LintSkill } from './lint-rule.ts';
import { hasFile } from './skill-places.ts';

/** A link or a path that a `SKILL.md` has, and where it leads inside the skill. */
export interface SkillReference {
  readonly kind: 'link' | 'path';
  readonly target: string;
  /** Relative to the skill's folder; `''` is the skill itself, and `..` leads out of it. */
  readonly inside: string;
  readonly fragment: string;
  readonly line: number;
  readonly column?: number | undefined;
}

const kept = new WeakMap<LintSkill, Promise<readonly SkillReference[]>>();

/**
 * The links of a skill's instructions to relative paths, and the paths in their code and prose. If
 * all of its links lead to its files, they may be missing: no rule asks for them.
 */
export async function referencesOf(skill: LintSkill): Promise<readonly SkillReference[]> {
  const before = kept.get(skill);
  if (before !== undefined) return await before;
  const found = findReferences(skill);
  kept.set(skill, found);
  return await found;
}

async function findReferences(skill: LintSkill): Promise<readonly SkillReference[]> {
  const links = await linkReferences(skill);
  // A file that is linked, too, is told once.
  const linked = new Set(links.map(({ inside }) => inside));
  return [...links, ...pathReferences(skill).filter(({ inside }) => !linked.has(inside))];
}

/** Links to other places of this machine than the skill: what the rule about machines looks at. */
export function isMachineTarget(target: string): boolean {
  return /^(?:file:|~\/|\/(?:Users|home)\/|[A-Za-z]:[\\/])/.test(target);
}

async function linkReferences(skill: LintSkill): Promise<SkillReference[]> {
  const { parsed, bodyLine } = skill;
  return (await linksIn(parsed.body, (target) => hasFile(skill, path.posix.normalize(target)))).flatMap(({ target, line }) => {
    const [before = '', ...rest] = target.split('#');
    const named = (before.split('?', 1)[0] ?? '').trim();
    if (!isRelativePath(named)) return [];
    const joined = path.posix.normalize(named === '' ? '.' : named).normalize('NFC');
    const inside = joined === '.' || joined === './' ? '' : joined.replace(/^\.\//, '');
    return [{ kind: 'link' as const, target, inside, fragment: rest.join('#'), line: line + bodyLine - 1 }];
  });
}

function pathReferences({ parsed: { body }, bodyLine, name, files }: LintSkill): SkillReference[] {
  // A skill about skills is full of examples of paths.
  if (/skill|plugin|agent-md|claude-md/.test(name)) return [];
  const folders = new Set(files.map(({ path: file }) => file.split('/', 1)[0] ?? ''));
  const present = new Set(files.map(({ path: file }) => file.normalize('NFC')));
  return pathMentions(body, folders, (target) => present.has(target.normalize('NFC'))).map(({ target, inside, line, column }) => ({
    kind: 'path' as const,
    target,
    inside: path.posix.normalize(inside).normalize('NFC'),
    fragment: '',
    line: line + bodyLine - 1,
    column,
  }));
}

function isRelativePath(target: string): boolean {
  if (target.startsWith('/') || target.startsWith('~') || /^[a-z][a-z0-9+.-]*:/i.test(target)) return false;
  // A placeholder: `{name}.md`, `$FILE`, `<path>`, `...`, `*.md`, `link`, `url`.
  if (/[{}$<>*|\\,\s()[\]]|\.\.\.|…/.test(target) && !/^[\w ./-]+\.\w{1,5}$/.test(target)) return false;
  return !/^(?:urls?|links?|path|placeholder|todo|#|x|xxx|href|src|image-url|image_url|file)$/i.test(target);
}
