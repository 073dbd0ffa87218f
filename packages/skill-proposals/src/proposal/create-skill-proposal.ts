import { SkillError } from '@repertoire/skills-core';
import { checkSkillName, sha256Hex } from '@repertoire/skills-core/provider';
import { parseSkillMd, type SkillMdDiagnostic } from '@repertoire/skills-core/skill-md';
import { applyChange, textOf } from './apply-change.ts';
import { digestOfChange } from './digest-of-change.ts';
import { refusePaths } from './refuse-paths.ts';
import { proposalLimits, type SkillEdit, type SkillFilesByPath, type SkillProposal, type SkillProposalBase } from './skill-proposal.ts';

/** What {@link createSkillProposal} makes a proposal of. */
export interface SkillProposalInput {
  readonly skill: string;
  /** What the change is made for, with all files of that content; `null` for a new skill. */
  readonly base: (SkillProposalBase & { readonly files: SkillFilesByPath }) | null;
  /** Whole files of text. @default none */
  readonly files?: readonly { readonly path: string; readonly text: string }[] | undefined;
  /** Changes of files of the base. @default none */
  readonly edits?: readonly SkillEdit[] | undefined;
  readonly reason: string;
  readonly conversation?: string | null | undefined;
  readonly model?: string | null | undefined;
  readonly author?: string | null | undefined;
  /** When it is proposed. */
  readonly created: Date;
}

const encoder = new TextEncoder();

/**
 * Makes a proposal, if it can be one: bounded, with paths inside the skill, edits that fit exactly
 * once, and a `SKILL.md` that the standard allows. The messages are for whoever proposes, so that a
 * model can correct itself. What a proposal asks for is judged later.
 *
 * @throws {SkillError} `invalid-input`, `invalid-path`, `limit-exceeded`
 */
export async function createSkillProposal(input: SkillProposalInput): Promise<SkillProposal> {
  const { skill, base, files = [], edits = [], reason } = input;
  refuseNames(input);
  refuseSizes(input);
  refusePaths(
    [...files, ...edits].map(({ path }) => path),
    skill,
  );
  if (new Set(files.map(({ path }) => path)).size < files.length) throw wrong(skill, 'A file is given twice');
  if (edits.some(({ path }) => files.some((file) => file.path === path))) throw wrong(skill, 'A file is both edited and given whole');
  if (edits.some(({ old }) => old === '')) throw wrong(skill, 'An edit has no old text');
  if (base === null && edits.length > 0) throw wrong(skill, 'A new skill has no text to edit. Give its files');
  if (files.length + edits.length === 0) throw wrong(skill, 'There is nothing proposed. Give files or edits');
  if (reason.trim() === '') throw wrong(skill, 'There is no reason');

  const before = base?.files ?? {};
  refusePaths([...new Set([...Object.keys(before).filter((path) => isOrdinary(path)), ...files.map(({ path }) => path)])], skill);
  const replaced = await Promise.all(
    files.map(async ({ path, text }) => {
      const there = Object.hasOwn(before, path) ? before[path] : undefined;
      return { path, text: text.toWellFormed(), replaces: there === undefined ? null : await sha256Hex(there) };
    }),
  );
  const change = {
    files: replaced,
    edits: edits.map(({ path, old, new: by }) => ({ path, old: old.toWellFormed(), new: by.toWellFormed() })),
  };
  const applied = await applyChange(before, change);
  if ('problem' in applied) throw wrong(skill, applied.problem);
  refuseFormat(skill, before, applied.files);
  const digest = await digestOfChange(skill, change);
  return {
    id: `${skill}-${digest.slice(0, 16)}`,
    digest,
    skill,
    base: base === null ? null : { source: base.source, place: base.place, version: base.version, content: base.content },
    ...change,
    reason: reason.toWellFormed(),
    conversation: input.conversation ?? null,
    model: input.model ?? null,
    author: input.author ?? null,
    created: input.created.toISOString(),
  };
}

/** Paths of a base may be any that a source has: only what a proposal adds is refused by itself. */
function isOrdinary(path: string): boolean {
  try {
    refusePaths([path], '');
    return true;
  } catch {
    return false;
  }
}

function refuseNames({ skill, conversation, model, author }: SkillProposalInput): void {
  const [issue] = checkSkillName(skill);
  if (issue !== undefined) throw new SkillError('invalid-input', `The name ${JSON.stringify(skill.slice(0, 100))} ${issue.message}.`);
  for (const word of [conversation, model, author]) {
    if ((word?.length ?? 0) > proposalLimits.wordCharacters)
      throw new SkillError(
        'limit-exceeded',
        `A conversation, a model or an author has more than ${proposalLimits.wordCharacters} characters.`,
      );
  }
}

function refuseSizes({ skill, files = [], edits = [], reason }: SkillProposalInput): void {
  const most = proposalLimits;
  const tooMuch = (what: string): SkillError =>
    new SkillError('limit-exceeded', `The proposal has more than ${what}. Propose less.`, { skill });
  if (files.length > most.files) throw tooMuch(`${most.files} files`);
  if (edits.length > most.edits) throw tooMuch(`${most.edits} edits`);
  if (reason.length > most.reasonCharacters) throw tooMuch(`${most.reasonCharacters} characters in its reason`);
  let left = most.textBytes;
  for (const text of [...files.map((file) => file.text), ...edits.flatMap((edit) => [edit.old, edit.new])]) {
    // The length bounds the bytes from below, so a huge text is never encoded.
    left -= text.length > left ? text.length : encoder.encode(text).length;
    if (left < 0) throw tooMuch(`${most.textBytes} bytes of text`);
  }
}

/** What the skill breaks already, a change need not repair. */
function refuseFormat(skill: string, before: SkillFilesByPath, files: SkillFilesByPath): void {
  const main = textOf(files['SKILL.md']);
  if (main === null) throw wrong(skill, 'There is no SKILL.md');
  const errorsOf = (text: string): readonly SkillMdDiagnostic[] =>
    parseSkillMd(text, { directoryName: skill, profile: 'strict' }).diagnostics.filter(({ severity }) => severity === 'error');
  const old = textOf(before['SKILL.md']);
  const known = new Set((old === null ? [] : errorsOf(old)).map(({ code, message }) => `${code} ${message}`));
  const errors = errorsOf(main).filter(({ code, message }) => !known.has(`${code} ${message}`));
  const { metadata } = parseSkillMd(main, { directoryName: skill });
  if (metadata === null || errors.length > 0)
    throw wrong(
      skill,
      `SKILL.md is not as the standard wants it: ${errors
        .slice(0, 3)
        .map(({ message, fix }) => `${message}${fix === undefined ? '' : ` ${fix}`}`)
        .join(' ')}`,
    );
  if (metadata.name !== skill)
    throw wrong(skill, `SKILL.md has the name ${JSON.stringify(metadata.name)}, and the proposal ${JSON.stringify(skill)}`);
}

function wrong(skill: string, what: string): SkillError {
  return new SkillError('invalid-input', /[.!?]$/.test(what) ? what : `${what}.`, { skill });
}
