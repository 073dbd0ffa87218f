import { createSkillset, SkillError, type Skill, type SkillProvider } from '@repertoire/skills-core';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';
import { statusOf, type SkillFilesByPath, type SkillProposalRecord, type SkillProposalStore } from '@repertoire/skill-proposals';
import { contentToReview, proposalOrders, proposalRow, shownBytes, type ReviewedLibrary } from '@repertoire/skill-proposals/internal';
import { checkChange, type NewlyAllowed, type ProposalFinding } from '@repertoire/skill-proposals/check';
import { alikeSkills } from '@repertoire/skill-search/analysis';
import type { ProposalRow, ProposalsView, ProposalTokens, ProposalView, ProposedFileView } from './views.ts';

/** What agents proposed, and how the host checks it. */
export interface InspectedProposals {
  readonly store: SkillProposalStore;
  /** The checks of the host. @default `checkChange` */
  readonly check?: ((record: SkillProposalRecord, options: { readonly signal: AbortSignal }) => Promise<CheckedByHost>) | undefined;
}

/** What the checks of a host found. */
export interface CheckedByHost {
  readonly findings: readonly ProposalFinding[];
  readonly allows: readonly NewlyAllowed[];
}

const mostRows = 1_000;
const mostAlike = 5;
const leastLikeness = 0.1;
const { countTokens } = createSkillset({ skills: [] });

interface InspectedLibrary {
  readonly provider: SkillProvider;
  readonly skills: readonly Skill[];
}

/**
 * Every proposal with what the checks of its texts found, the worst first. One that is damaged
 * hides no other.
 */
export async function listProposals(
  { store }: InspectedProposals,
  library: InspectedLibrary,
  signal?: AbortSignal,
): Promise<ProposalsView> {
  const ids = (await store.list()).toSorted();
  const reviewed = reviewedBy(store, library, signal);
  const rows = await Promise.all(
    ids.slice(0, mostRows).map(async (id): Promise<ProposalRow> => {
      try {
        const record = await store.read(id);
        return record === null
          ? { ...unread, id, problem: 'It is not there any more.' }
          : { ...(await proposalRow(record, reviewed)), problem: null };
      } catch (error) {
        if (!SkillError.isInstance(error)) throw error;
        return { ...unread, id, problem: error.message };
      }
    }),
  );
  return { proposals: rows.sort(proposalOrders.found), left: Math.max(0, ids.length - mostRows) };
}

function reviewedBy(store: SkillProposalStore, { provider, skills }: InspectedLibrary, signal: AbortSignal | undefined): ReviewedLibrary {
  return { store, provider, names: skills.map(({ name }) => name), signal };
}

const unread = { skill: '', status: 'unreadable', isNew: false, created: '', reason: '', errors: [], warnings: [] };

/** What a person decides by. Nothing of the proposal runs. */
export async function readProposal(
  { store, check }: InspectedProposals,
  id: string,
  library: InspectedLibrary,
  signal: AbortSignal,
): Promise<ProposalView | null> {
  const record = await store.read(id);
  if (record === null) return null;
  const { proposal, decisions } = record;
  const { skill, base, created, reason, author, conversation, model } = proposal;
  const about = {
    id,
    skill,
    status: statusOf(record),
    isNew: base === null,
    created,
    reason,
    problem: null,
    errors: [],
    warnings: [],
    author,
    conversation,
    model,
    decisions: decisions.map((decision) => ({
      type: decision.type,
      by: decision.by,
      at: decision.at,
      reason: decision.type === 'rejected' ? decision.reason : null,
    })),
  };
  const reviewed = reviewedBy(store, library, signal);
  const { made, stale } = await contentToReview(record, reviewed);
  if (made === null) {
    const [none, noTokens] = [
      { allows: [], findings: [], alike: [] },
      { before: null, after: null },
    ];
    return { ...about, content: null, stale, rebased: false, files: asProposed(record), tokens: noTokens, ...none };
  }
  const [before, after] = [made.before?.files ?? {}, made.after.files];
  const { findings, allows } =
    check === undefined ? await checkChange(store, { skill, before, after, names: reviewed.names }) : await check(record, { signal });
  return {
    ...about,
    content: made.after.content,
    stale: null,
    rebased: made.rebased,
    files: await filesOf(before, after),
    allows,
    findings: findings.map(({ code, severity, message, path = null, line = null }) => ({ code, severity, message, path, line })),
    tokens: { before: made.before === null ? null : tokensOf(skill, before), after: tokensOf(skill, after) },
    alike: await alikeTo(skill, after, library.skills),
  };
}

async function filesOf(before: SkillFilesByPath, after: SkillFilesByPath): Promise<ProposedFileView[]> {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  const changed = paths.filter((path) => {
    const [was, is] = [before[path], after[path]];
    return was === undefined || is === undefined || Buffer.compare(was, is) !== 0;
  });
  const textOf = async (path: string, bytes: Uint8Array | undefined): Promise<string> => {
    if (bytes === undefined) return '';
    const shown = await shownBytes(path, bytes);
    return 'text' in shown ? shown.text : shown.about;
  };
  return await Promise.all(
    changed.map(async (path) => ({
      path,
      change: before[path] === undefined ? 'added' : after[path] === undefined ? 'removed' : 'changed',
      before: await textOf(path, before[path]),
      after: await textOf(path, after[path]),
    })),
  );
}

/** The texts of a proposal alone, where there is nothing that it could be made in. */
function asProposed({ proposal: { files, edits } }: SkillProposalRecord): ProposedFileView[] {
  return [
    ...edits.map(({ path, old, new: by }) => ({ path, change: 'changed' as const, before: old, after: by })),
    ...files.map(({ path, text, replaces }) => ({
      path,
      change: replaces === null ? ('added' as const) : ('changed' as const),
      before: '',
      after: text,
    })),
  ];
}

function tokensOf(skill: string, files: SkillFilesByPath): ProposalTokens | null {
  const { definition } = skillFromFiles(files, { directoryName: skill });
  if (definition === null) return null;
  const others = Object.entries(files).filter(([path]) => path !== 'SKILL.md');
  return {
    line: countTokens(`${definition.name}: ${definition.description}`),
    body: typeof definition.body === 'string' ? countTokens(definition.body) : 0,
    files: others.reduce((sum, [, bytes]) => sum + Math.ceil(bytes.length / 4), 0),
  };
}

async function alikeTo(skill: string, files: SkillFilesByPath, skills: readonly Skill[]): Promise<ProposalView['alike']> {
  const { definition } = skillFromFiles(files, { directoryName: skill });
  if (definition === null) return [];
  const others = skills.filter(({ name }) => name !== skill).map(({ name, description, metadata }) => ({ name, description, metadata }));
  const pairs = await alikeSkills([...others, { name: skill, description: definition.description }], {
    least: leastLikeness,
    limit: 100_000,
  });
  return pairs
    .filter(({ skills: pair }) => pair.includes(skill))
    .slice(0, mostAlike)
    .map(({ skills: pair, likeness, shared }) => ({
      name: pair.find((name) => name !== skill) ?? '',
      likeness,
      shared: shared.slice(0, 6).map(({ word }) => word),
    }));
}
