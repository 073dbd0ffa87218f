import { skeletonOf, nearNames } from '@repertoire/skills-core/internal';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import type { SkillFilesByPath } from '../proposal/skill-proposal.ts';
import type { SkillProposalStore } from '../store/skill-proposal-store.ts';
import { anchorOf } from './anchor-of.ts';
import { textOf } from '../proposal/apply-change.ts';
import { linesOf } from '../risk/lines-of.ts';
import { newlyAllowed } from '../risk/newly-allowed.ts';
import { readRisks, type Risk } from '../risk/read-risks.ts';
import type { NewlyAllowed, ProposalFinding } from './proposal-finding.ts';

/** What {@link checkChange} compares. */
export interface CheckChangeInput {
  readonly skill: string;
  /** The files now; `{}` for a new skill. */
  readonly before: SkillFilesByPath;
  readonly after: SkillFilesByPath;
  /** Names of all skills of the library. @default none */
  readonly names?: readonly string[] | undefined;
}

/** What {@link checkChange} found. */
export interface CheckedChange {
  readonly findings: readonly ProposalFinding[];
  readonly allows: readonly NewlyAllowed[];
}

const grabs =
  /\b(?:any|all|every|each|whatever|everything|anything)\b.{0,30}\b(?:requests?|tasks?|questions?|messages?|prompts?|conversations?|turns?|users?\s(?:says?|asks?|wants?))\b|\b(?:always|must)\s(?:be\s)?(?:use|load|invoke|call)(?:d|ed)?\b|\bbefore\s(?:any|all|every|each)\s(?:other|task|answer|response|step)|\binstead\sof\s(?:any|all|every)?\s?(?:the\s)?other\sskills?/i;
const wide = /^(?:\*|Bash|Bash\(\*(?::\*)?\)|Shell|Execute|Write|Edit|WebFetch|\w{1,40}\(\*\)|.{0,40}sudo.{0,40})$/i;

/**
 * Says what a change asks for, by its texts alone: instructions that reach beyond the skill, wider
 * permissions, names and descriptions that take what belongs to other skills. Only what the change
 * brings is told, not what the skill had before; and what several harmless changes make together,
 * by comparing with the files as a person last read them whole, or as they were ten changes ago.
 *
 * @param store where the accepted changes of the skill are
 * @example
 * ```ts
 * import type { ProposedContent, SkillProposalStore } from '@repertoire/skill-proposals';
 * import { checkChange } from '@repertoire/skill-proposals/check';
 *
 * export async function codesOf(store: SkillProposalStore, skill: string, { before, after }: ProposedContent): Promise<string[]> {
 *   const { findings } = await checkChange(store, { skill, before: before?.files ?? {}, after: after.files });
 *   return findings.map(({ code }) => code);
 * }
 * ```
 */
export async function checkChange(store: SkillProposalStore, change: CheckChangeInput): Promise<CheckedChange> {
  return compareChange(change, await anchorOf(store, change.skill));
}

/** The same, with the files that a person last read whole. */
export function compareChange({ skill, before, after, names = [] }: CheckChangeInput, anchor: SkillFilesByPath = before): CheckedChange {
  const allows = newlyAllowed(before, after);
  const findings = [
    ...riskFindings(before, after),
    ...permissionFindings(before, allows),
    ...descriptionFindings(before, after),
    ...(Object.keys(before).length === 0 ? nameFindings(skill, names) : []),
    ...gradualFindings(before, after, anchor),
  ];
  return { findings, allows };
}

function riskFindings(before: SkillFilesByPath, after: SkillFilesByPath): ProposalFinding[] {
  const known = new Map<string, number>();
  for (const risk of risksOf(before)) known.set(keyOf(risk), (known.get(keyOf(risk)) ?? 0) + 1);
  return risksOf(after).flatMap((risk): ProposalFinding[] => {
    const left = known.get(keyOf(risk)) ?? 0;
    known.set(keyOf(risk), left - 1);
    const { code, severity, message, path, line } = risk;
    return left > 0 ? [] : [{ code, severity, message, path, line }];
  });
}

function risksOf(files: SkillFilesByPath): readonly Risk[] {
  const texts = Object.entries(files).flatMap(([path, bytes]) => {
    const text = textOf(bytes);
    return text === null ? [] : [{ path, text }];
  });
  const { metadata } = parseSkillMd(files['SKILL.md'] ?? '');
  return readRisks(texts, { ofChanges: true, description: metadata?.description, whenToUse: metadata?.whenToUse });
}

/** What was there before is not told again, unless it asks now for what it told of. */
function keyOf({ code, severity, path, found }: Risk): string {
  return [code, severity, path, found].join('\0');
}

function permissionFindings(before: SkillFilesByPath, allows: readonly NewlyAllowed[]): ProposalFinding[] {
  const isChange = Object.keys(before).length > 0;
  return allows.flatMap(({ kind, what }): ProposalFinding[] => {
    if (kind === 'host' || kind === 'command' || kind === 'script') return [];
    const isWide = kind === 'allowed-tools' && wide.test(what);
    const isEffect =
      kind === 'field' && /^(?:hooks|mcps|local_tools|mcp_servers|mcpServers|permissions|env|shell|autoActivate|model):/.test(what);
    const message = `The skill would newly ask for ${kind} ${JSON.stringify(what.slice(0, 200))}.`;
    return [{ code: 'wider-permissions', severity: isChange || isWide || isEffect ? 'error' : 'warning', message, path: 'SKILL.md' }];
  });
}

function descriptionFindings(before: SkillFilesByPath, after: SkillFilesByPath): ProposalFinding[] {
  const of = (files: SkillFilesByPath): string => {
    const { metadata } = parseSkillMd(files['SKILL.md'] ?? '');
    return `${metadata?.description ?? ''}\n${metadata?.whenToUse ?? ''}`.slice(0, 2_000);
  };
  const now = of(after);
  if (now === of(before)) return [];
  const found = grabs.exec(now)?.[0];
  if (found === undefined) return [];
  const message = `The description claims more than a skill can be for: ${JSON.stringify(found)}.`;
  return [{ code: 'grabbing-description', severity: 'error', message, path: 'SKILL.md' }];
}

function nameFindings(skill: string, names: readonly string[]): ProposalFinding[] {
  const others = names.filter((name) => name !== skill);
  const same = others.find((name) => skeletonOf(name) === skeletonOf(skill) || name.replaceAll('-', '') === skill.replaceAll('-', ''));
  const name = `The name ${JSON.stringify(skill)}`;
  if (same !== undefined)
    return [{ code: 'look-alike-name', severity: 'error', message: `${name} looks like that of the skill ${JSON.stringify(same)}.` }];
  const near = nearNames(skill, others).find((other) => isTypo(skill, other));
  if (near === undefined) return [];
  return [{ code: 'near-name', severity: 'error', message: `${name} is one slip away from the skill ${JSON.stringify(near)}.` }];
}

function isTypo(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return Math.max(left.length, right.length) <= 1 || (left.length === 2 && right === [...left].reverse().join(''));
}

/** Below this share of kept words, a skill became another one. */
const leastKept = 0.5;

function gradualFindings(before: SkillFilesByPath, after: SkillFilesByPath, anchor: SkillFilesByPath): ProposalFinding[] {
  if (anchor === before || Object.keys(anchor).length === 0) return [];
  const step = new Set(newlyAllowed(before, after).map(({ kind, what }) => `${kind} ${what}`));
  const together = newlyAllowed(anchor, after).filter(({ kind, what }) => kind !== 'script' && !step.has(`${kind} ${what}`));
  const messages: string[] = [];
  const told = together.slice(0, 10).map(({ kind, what }) => `${kind} ${JSON.stringify(what.slice(0, 100))}`);
  if (together.length > 0)
    messages.push(`Together with the changes since it was last read whole, the skill newly asks for ${told.join(', ')}.`);
  const kept = shareKept(anchor, after);
  if (kept < leastKept && shareKept(before, after) >= leastKept)
    messages.push(`Of what was last read whole, ${Math.round(kept * 100)} % is left. Read the whole skill, not only what changes.`);
  return messages.map((message) => ({ code: 'gradual-change', severity: 'error', message }));
}

function shareKept(from: SkillFilesByPath, to: SkillFilesByPath): number {
  const there = new Set(Array.from(linesOf(to), ({ path, text }) => `${path}\0${text.trim()}`));
  let all = 0;
  let kept = 0;
  for (const { path, text } of linesOf(from)) {
    if (text.trim() === '') continue;
    all += 1;
    if (there.has(`${path}\0${text.trim()}`)) kept += 1;
  }
  return all === 0 ? 1 : kept / all;
}
