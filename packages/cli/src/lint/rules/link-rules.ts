import { existsSync } from 'node:fs';
import path from 'node:path';
import { anchorsOf, hasAnchor } from '../markdown/anchors-of.ts';
import { linesOf } from '../markdown/lines-of.ts';
import { brokenLinks, linksIn, undefinedLabels } from '../markdown/links-in.ts';
import { isForPeople } from '../files-for-people.ts';
import type { LintFacts, LintFinding, LintReference, LintRule, LintSkill } from '../lint-rule.ts';
import { isMachineTarget, linkedTexts, referencesOf, type SkillReference } from '../reference-of.ts';
import { siblingOf } from '../sibling-of.ts';
import { hasFile, namedAlike } from '../skill-places.ts';

/** A link to a file that is not there. */
export const deadLink: LintRule = {
  id: 'dead-link',
  kind: 'correctness',
  severity: 'error',
  summary: 'A link leads to a file that does not exist, to the root of the machine, or to a label that nothing defines.',
  check: async (skill) => {
    const found: LintFinding[] = [];
    for (const { file, text, firstLine, links } of await linkedTexts(skill)) {
      const place = (line: number): Pick<LintFinding, 'file' | 'line'> => ({
        ...(file !== undefined && { file }),
        line: line + firstLine - 1,
      });
      for (const { target, line } of links) {
        const [inside = ''] = target.slice(1).split(/[?#]/, 1);
        if (!target.startsWith('/') || inside === '' || inside.startsWith('/') || !isOfSkill(skill, inside)) continue;
        found.push({
          ...place(line),
          message: `The link to ${JSON.stringify(target)} begins with "/", so that it leads to the root of the machine or the site.`,
          fix: `Write it relative to the file: ${JSON.stringify(target.slice(1))}.`,
        });
      }
      for (const { written, why, target, line } of brokenLinks(text)) {
        if (!isOfSkill(skill, path.posix.join(path.posix.dirname(file ?? 'SKILL.md'), target))) continue;
        const [message, fix] = brokenTexts[why];
        found.push({ ...place(line), message: `The link to ${JSON.stringify(written)} ${message}, so that it is none.`, fix: fix(target) });
      }
      for (const { text: shown, label, line } of undefinedLabels(text))
        found.push({
          ...place(line),
          message: `The link ${JSON.stringify(`[${shown}][${label}]`)} leads nowhere: nothing defines ${JSON.stringify(label)}.`,
          fix: `Add a line "[${label}]: path", or write the path in parentheses.`,
        });
    }
    return found;
  },
  checkAll: (skills) =>
    referencesAmong(skills, 'link', ({ inside, target }, sibling) => {
      if (sibling?.exists === true) return null;
      if (inside.startsWith('..') && sibling === null) return null;
      const where = sibling === null ? 'nowhere' : `to a file that the skill ${JSON.stringify(sibling.name)} does not have`;
      return { message: `The link to ${JSON.stringify(target)} leads ${where}.`, fix: 'Correct the path, or add the file.' };
    }),
};

const brokenTexts: Readonly<Record<ReturnType<typeof brokenLinks>[number]['why'], readonly [string, (target: string) => string]>> = {
  blank: ['has a blank in its target', (target) => `Write it between angle brackets: (<${target}>).`],
  backslash: ['has backslashes in its target', (target) => `Write it with "/": ${JSON.stringify(target)}.`],
  open: ['has no closing parenthesis', (target) => `Write (${target}).`],
};

/** A path in code or prose that is not there. */
export const deadPath: LintRule = {
  id: 'dead-path',
  kind: 'correctness',
  severity: 'error',
  summary: 'SKILL.md tells an agent to use a file that does not exist, or runs a script at a place where it is not.',
  check: (skill) =>
    bareScripts(skill).map(({ name, inside, line }) => ({
      line,
      message: `${JSON.stringify(name)} is run from the folder of the skill, and the file is ${JSON.stringify(inside)}.`,
      fix: `Write ${inside}.`,
    })),
  checkAll: (skills) =>
    referencesAmong(skills, 'path', ({ target }, sibling) =>
      sibling?.exists === true
        ? null
        : {
            message: `The skill has no file ${JSON.stringify(target)}, and its instructions say to use it.`,
            fix: 'Correct the path, or add the file.',
          },
    ),
};

/** A link to a file of a skill beside it. */
export const siblingLink: LintRule = {
  id: 'sibling-link',
  kind: 'correctness',
  severity: 'warning',
  summary: 'A link leads to another skill, which need not be installed at that place.',
  checkAll: (skills) =>
    referencesAmong(skills, 'link', ({ target }, sibling) =>
      sibling?.exists !== true
        ? null
        : {
            message: `The link to ${JSON.stringify(target)} leads to the skill ${JSON.stringify(sibling.name)}. Agents read nothing outside of a skill's folder.`,
            fix: `Name the other skill instead: "use the skill ${sibling.name}".`,
          },
    ),
};

/** A link out of the skill's folder. */
export const outsideLink: LintRule = {
  id: 'outside-link',
  kind: 'correctness',
  severity: 'error',
  summary: 'A link leaves the folder of the skill.',
  checkAll: (skills) =>
    referencesAmong(skills, 'link', ({ inside, target }, sibling) =>
      !inside.startsWith('..') || sibling !== null
        ? null
        : {
            message: `The link to ${JSON.stringify(target)} leaves the folder of the skill. Agents read nothing outside of it.`,
            fix: 'Copy the file into the skill, or name the other skill by its name.',
          },
    ),
};

/** A path that only systems find that do not tell capitals from small letters. */
export const wrongCase: LintRule = {
  id: 'wrong-case',
  kind: 'correctness',
  severity: 'error',
  summary: 'A link or path has other capitals than the file.',
  check: async (skill) =>
    (await referencesOf(skill)).flatMap((reference) => {
      if (hasFile(skill, reference.inside)) return [];
      const real = namedAlike(skill, reference.inside);
      if (real === undefined) return [];
      return [
        {
          ...fileOf(reference),
          message: `${JSON.stringify(reference.target)} is written ${JSON.stringify(real)} on disk, so that Linux and other agents do not find it.`,
          ...placeOf(reference),
          fix: `Write ${JSON.stringify(real)}.`,
        },
      ];
    }),
};

/** A link to a section that is not there. */
export const deadAnchor: LintRule = {
  id: 'dead-anchor',
  kind: 'correctness',
  severity: 'warning',
  summary: 'A link leads to a section that no heading has.',
  check: async (skill) => {
    // Many links of a skill lead to the same few files.
    const anchors = new Map<string, ReadonlySet<string> | null>();
    return (await referencesOf(skill)).flatMap((reference) => {
      const { kind, inside, fragment } = reference;
      if (kind !== 'link' || fragment === '') return [];
      if (!anchors.has(inside)) {
        const text = textOf(skill, inside);
        anchors.set(inside, text === null ? null : anchorsOf(text));
      }
      const there = anchors.get(inside) ?? null;
      if (there === null || hasAnchor(there, fragment)) return [];
      return [
        {
          ...fileOf(reference),
          message: `The link to ${JSON.stringify(reference.target)} leads to a section that does not exist.`,
          ...placeOf(reference),
          fix: 'Write the words of the heading, with hyphens between them.',
        },
      ];
    });
  },
};

/** Placeholders, and people that images of containers have. */
const nobody: ReadonlySet<string> = new Set(['user', 'username', 'users', 'you', 'me', 'name', 'someone', 'shared', 'runner', 'node', 'ubuntu', 'vscode', 'app', 'coder', 'root', 'dev', 'developer', 'claude', 'agent', 'sandbox', 'jovyan', 'gitpod', 'codespace', 'linuxbrew', 'pi', 'ec2-user', 'admin', 'public', 'example', 'foo', 'xx', 'xxx', 'home', 'project', 'path']); // prettier-ignore
const isNobody = (name: string): boolean => nobody.has(name.toLowerCase()) || /^(?:your|my)/i.test(name);
const machinePath =
  // recheck: each part is bounded, and it starts at a fixed text.
  /(?<![\w/.$}:-])(?:file:\/\/)?\/(?:Users|home)\/([A-Za-z][\w.-]{0,40})(?:\/[^\s`"'<>)\]]{0,200})?|(?<![\w])[A-Za-z]:\\{1,2}Users\\{1,2}([A-Za-z][\w. -]{0,40})\\{1,2}[^\s`"'<>)\]]{0,200}/g;

/** Text blocks in which a path is a sample: data, and what a program printed. */
const samples: ReadonlySet<string> = new Set(['json', 'jsonc', 'json5', 'yaml', 'yml', 'toml', 'xml', 'text', 'txt', 'output', 'log', 'logs', 'diff', 'dockerfile', 'docker', 'csv', 'http', 'plaintext', 'plain', 'ini', 'env', 'markdown', 'md']); // prettier-ignore
/** Said of a path that is an example, in the same line or the one above a block. */
const exampleWords =
  /\b(?:examples?|e\.g\.|such\sas|for\sinstance|like|sample|outputs?|prints?|shows?|returns?|looks?\slike|instead\sof|not|never|redact|avoid|bad|wrong|ENV\sHOME|HOME=)(?=[\s:,.]|$)/i;
const scripts = /\.(?:py|sh|bash|zsh|[cm]?js|[cm]?ts|rb|pl|ps1)$/i;

/** A path that only its author has. */
export const machinePathRule: LintRule = {
  id: 'machine-path',
  kind: 'correctness',
  severity: 'error',
  summary: 'A text or script names a path of one machine: of a home folder, or a file: link.',
  check: async (skill) => {
    const { parsed, bodyLine } = skill;
    const found = new Map<string, LintFinding>();
    const isLikely = (text: string): boolean => /[\\/](?:Users|home)[\\/]/.test(text);
    if (isLikely(parsed.body)) {
      let above = '';
      for (const { text: line, number, fence } of linesOf(parsed.body)) {
        const isSample = (fence !== null && samples.has(fence)) || exampleWords.test(line) || (fence !== null && exampleWords.test(above));
        if (fence === null && line.trim() !== '') above = line.slice(0, 300);
        if (line.length > 5_000 || isSample) continue;
        for (const match of line.matchAll(machinePath)) {
          const person = match[1] ?? match[2] ?? '';
          if (!isNobody(person) && !found.has(person)) found.set(person, machineFinding(match[0], number + bodyLine - 1, match.index + 1));
        }
      }
    }
    for (const { path: file, text } of skill.files) {
      if (text === null || !scripts.test(file) || isForPeople(file) || !isLikely(text)) continue;
      for (const [index, line] of text.split('\n').entries()) {
        // A comment or a text of help tells of a path; only code uses it.
        if (line.length > 1_000 || /^\s{0,40}(?:#|\/\/|\*|"""|--)/.test(line) || exampleWords.test(line)) continue;
        for (const match of line.matchAll(machinePath)) {
          const person = match[1] ?? match[2] ?? '';
          if (!isNobody(person) && !found.has(person)) found.set(person, { file, ...machineFinding(match[0], index + 1, match.index + 1) });
        }
      }
    }
    const { body } = parsed;
    if (/\]\(\s?<?(?:file:|~\/|[A-Za-z]:\\)|\]:\s{1,4}(?:file:|~\/)/.test(body)) {
      for (const { target, line } of await linksIn(body)) {
        const isTold = [...found.values()].some((finding) => finding.line === line + bodyLine - 1);
        if (isMachineTarget(target) && !isTold && !/[<{$]/.test(target)) found.set(target, machineFinding(target, line + bodyLine - 1));
      }
    }
    return [...found.values()];
  },
};

/** Scripts that a block of shell runs by their bare names, though they lie in a folder. */
function bareScripts(skill: LintSkill): { readonly name: string; readonly inside: string; readonly line: number }[] {
  const inFolders = new Map<string, string | null>();
  for (const { path: file } of skill.files) {
    const name = path.posix.basename(file);
    if (scripts.test(name)) inFolders.set(name, inFolders.has(name) || !file.includes('/') ? null : file);
  }
  if (inFolders.size === 0 || /\bcd\s+\S*scripts\b/.test(skill.parsed.body)) return [];
  const told = new Set<string>();
  return linesOf(skill.parsed.body).flatMap(({ text, number, fence }) => {
    if (fence === null || !/^(?:bash|sh|shell|zsh|console)?$/.test(fence)) return [];
    const name =
      /^\s{0,8}(?:\$\s)?(?:python3?|bash|sh|node|uv run|npx tsx|ruby|perl)\s(?:-\w{1,3}\s)?([\w-]{1,60}\.\w{1,4})(?:\s|$)/.exec(
        text,
      )?.[1] ?? '';
    const inside = inFolders.get(name) ?? null;
    if (inside === null || told.has(name)) return [];
    told.add(name);
    return [{ name, inside, line: number + skill.bodyLine - 1 }];
  });
}

/** What of a skill leads to none of its files, for the rules that compare skills. */
export async function unresolvedReferences(skill: LintSkill): Promise<LintReference[]> {
  return (await referencesOf(skill))
    .filter(({ inside }) => !hasFile(skill, inside) && namedAlike(skill, inside) === undefined)
    .filter(({ kind, inside }) => kind === 'link' || !isOfProject(skill, inside))
    .map(({ kind, file, target, inside, line, column }) => ({
      kind,
      ...(file !== undefined && { file }),
      target,
      inside,
      line,
      ...(column !== undefined && { column }),
    }));
}

/** Whether the project around a skill has the file: then its instructions are about that. */
function isOfProject({ folder }: LintSkill, inside: string): boolean {
  let above = folder ?? '/';
  for (let depth = 0; depth < 6 && above !== path.dirname(above); depth += 1) {
    above = path.dirname(above);
    if (existsSync(path.join(above, inside))) return true;
  }
  return false;
}

function referencesAmong(
  skills: readonly LintFacts[],
  kind: LintReference['kind'],
  judge: (reference: LintReference, sibling: ReturnType<typeof siblingOf>) => LintFinding | null,
): (readonly [number, LintFinding])[] {
  return skills.flatMap((skill, index) =>
    skill.references
      .filter((reference) => reference.kind === kind)
      .flatMap((reference) => {
        const finding = judge(reference, siblingOf(skill, reference, skills));
        return finding === null ? [] : [[index, { ...fileOf(reference), ...finding, ...placeOf(reference) }] as const];
      }),
  );
}

function machineFinding(target: string, line: number, column?: number): LintFinding {
  return {
    message: `${JSON.stringify(target)} is a path of one machine, which nobody else has.`,
    line,
    ...(column !== undefined && { column }),
    fix: 'Write a path relative to the skill, or say how to find the folder.',
  };
}

/** Whether a path is surely meant as one of the skill: `references/rules.md`. */
function isOfSkill(skill: LintSkill, inside: string): boolean {
  return hasFile(skill, inside) || /^(?:references?|scripts|assets)\/[\w./-]{1,200}\.\w{1,10}$/.test(inside);
}

function fileOf({ file }: Pick<SkillReference, 'file'>): Pick<LintFinding, 'file'> {
  return file === undefined ? {} : { file };
}

function placeOf({ line, column }: Pick<SkillReference, 'line' | 'column'>): Pick<LintFinding, 'line' | 'column'> {
  return { line, ...(column !== undefined && { column }) };
}

/** The text of a linked Markdown file; `null` for others, whose fragments differ. */
function textOf({ text, files }: LintSkill, inside: string): string | null {
  if (inside === '' || inside === 'SKILL.md') return text;
  if (path.posix.extname(inside).toLowerCase() !== '.md') return null;
  return files.find(({ path: file }) => file.normalize('NFC') === inside)?.text ?? null;
}
