import { fieldOf } from '../../contract/json-object.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import { identityOfSkill } from '../../contract/skill-identity.ts';
import type { Skill, SkillMetadata } from '../../contract/skill-provider.ts';
import type { SkillApprovalActivity } from '../../events/skill-activity.ts';
import { findSnippets } from '../../format/find-snippets.ts';
import { allGrants, type SkillGrant } from '../../policy/approvals/skill-grants.ts';
import type { AskedGrant, AskedSkill, SkillQuestion } from '../../policy/approvals/skill-question.ts';
import { canonicalJson } from '../../providers/digest/canonical-json.ts';
import { hashText } from '../../providers/digest/hash-text.ts';
import { levelOneHash } from '../../state/revision.ts';
import type { LoadedSkill } from '../../state/skill-state.ts';

const maxShown = 100;
const maxFiles = 1_000;
const maxBodyCharacters = 100_000;

/** Everything of a question but its id. */
export type Unasked = Omit<SkillQuestion, 'id'>;

/**
 * The question with its id: a digest of what is asked, for whom and about which call. What changed
 * since is not part of it.
 *
 * @param of scope, conversation and call
 */
export function questionWithId(of: readonly unknown[], asked: Unasked): SkillQuestion {
  const { changes: _changes, ...identified } = asked;
  return { id: hashText(canonicalJson([...of, identified])), ...asked };
}

/** A whole question as it is shown: long lists and texts are cut, and say so. */
export function shownQuestion(whole: SkillQuestion): SkillQuestion {
  const { asks, files = [], body = '', ...rest } = whole;
  if (asks === undefined) return whole;
  return {
    ...rest,
    asks: asks.map(({ grant, what }) => ({
      grant,
      what: what.slice(0, maxShown),
      ...(what.length > maxShown && { more: what.length - maxShown }),
    })),
    files: files.slice(0, maxFiles),
    ...(files.length > maxFiles && { moreFiles: files.length - maxFiles }),
    body: body.slice(0, maxBodyCharacters),
    ...(body.length > maxBodyCharacters && { moreCharacters: body.length - maxBodyCharacters }),
  };
}

/** What is asked about a load, whole. */
export function askedLoad(
  skill: Skill,
  content: string | null,
  more: Pick<SkillQuestion, 'tool' | 'input' | 'grants' | 'whom' | 'asks' | 'signer' | 'changes'>,
): Unasked {
  const files = skill.resources.map(({ path, size, digest }) => ({
    path,
    ...(size !== undefined && { size }),
    ...(digest !== undefined && { digest }),
  }));
  // Level 1 has fields that nobody is shown, and that an answer is about all the same.
  const shown = { ...askedSkill(skill, content), level: levelOneHash(skill) };
  return { kind: 'load', ...more, skills: [shown], canRemember: content !== null, files, body: skill.body };
}

/** A skill as a person is shown it. */
export function askedSkill(skill: SkillMetadata, content: string | null): AskedSkill {
  const { name, version, origin } = skill;
  const uri = origin?.uri;
  return { name, ...identityOfSkill(skill), ...(uri !== undefined && { uri }), version, trusted: isTrusted(skill), content };
}

/** A loaded skill that is not looked at: what its state says, which nobody trusts. */
export function askedLoaded(name: string, { source, place = name, version, content = null }: LoadedSkill): AskedSkill {
  return { name, source, place, version, trusted: false, content };
}

/** What a skill asks for: to be shown, and whatever its fields, files and commands would do. */
export function whatItAsks(skill: Skill): readonly AskedGrant[] {
  const { tools = [], allowedTools = [], model, steps, resources, body } = skill;
  const scripts = resources.filter(({ kind }) => kind === 'script').map(({ path }) => path);
  const asked: readonly (readonly [SkillGrant, readonly string[]])[] = [
    ['tools', tools],
    ['allowed-tools', allowedTools],
    ['scripts', steps === undefined ? scripts : [...scripts, `${steps.length} steps`]],
    ['snippets', findSnippets(body).map(({ command }) => command)],
    ['model', model === undefined || model === 'inherit' ? [] : [model]],
    ['mcp-servers', ofSkill(skill)],
  ];
  const some = asked.filter(([, what]) => what.length > 0);
  return [{ grant: 'load', what: [] }, ...some.map(([grant, what]) => ({ grant, what }))];
}

/** Servers as the skill writes them, whole; of a trusted skill also code of the host's process. */
function ofSkill({ fields = {}, ...skill }: Skill): readonly string[] {
  const all = isTrusted(skill) ? ['mcps', 'local_tools'] : ['mcps'];
  return all.flatMap((field) => Object.entries(fieldOf(fields, field) ?? {}).map(([key, entry]) => `${key}: ${JSON.stringify(entry)}`));
}

/** What events tell of a question. */
export function activityOf({ name, version, source, trusted, content }: AskedSkill, grants: readonly SkillGrant[]): SkillApprovalActivity {
  return { skill: name, version, source, trusted, content, grants: allGrants.filter((grant) => grants.includes(grant)) };
}

/** Larger texts are compared by their ends alone, so that the work stays small. */
const maxCells = 1_000_000;
const context = 2;
const maxLines = 400;

/** Lines that differ, with two around them: `+`, `-` or two blanks before each. */
export function lineDiff(before: string, after: string): string {
  if (before === after) return '';
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const head = old.slice(Math.max(0, start - context), start).map((line) => `  ${line}`);
  const tail = old
    .slice(old.length - end)
    .slice(0, context)
    .map((line) => `  ${line}`);
  const lines = [...head, ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)), ...tail];
  return (lines.length > maxLines ? [...lines.slice(0, maxLines), '…'] : lines).join('\n');
}

/** By the longest common subsequence, or as a whole if that is too much work. */
function middle(old: readonly string[], now: readonly string[]): readonly string[] {
  const removed = (line: string) => `- ${line}`;
  const added = (line: string) => `+ ${line}`;
  if (old.length * now.length > maxCells) return [...old.map(removed), ...now.map(added)];
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: string[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    const [was = '', is = ''] = [old[row], now[column]];
    if (row < old.length && column < now.length && was === is) {
      lines.push(`  ${was}`);
      row += 1;
      column += 1;
    } else if (column >= now.length || (row < old.length && at(row + 1, column) >= at(row, column + 1))) {
      lines.push(removed(was));
      row += 1;
    } else {
      lines.push(added(is));
      column += 1;
    }
  }
  return lines;
}
