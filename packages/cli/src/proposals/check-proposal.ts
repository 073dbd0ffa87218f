import { createSkillset, type Skill, type SkillProvider } from '@repertoire/skills-core';
import {
  statusOf,
  type ProposedContent,
  type SkillProposal,
  type SkillProposalRecord,
  type SkillProposalStatus,
  type SkillProposalStore,
} from '@repertoire/skill-proposals';
import { contentToReview } from '@repertoire/skill-proposals/internal';
import { checkChange, type NewlyAllowed, type ProposalFinding } from '@repertoire/skill-proposals/check';
import { readLibrary, type TestedLibrary } from '../evals/read-library.ts';
import { baselineOf, compareRouting, type RoutingBaseline } from '../routing/baseline.ts';
import { routeLibrary } from '../routing/route-library.ts';
import { shareText } from '../model/wilson.ts';
import { lintFiles } from './lint-files.ts';
import { measureEvidence, type EvidenceSettings, type ProposalEvidence } from './measure-evidence.ts';
import { proposedProvider } from './proposed-provider.ts';

/** What a proposal is checked against. Made once for many proposals. */
export interface CheckedLibrary {
  readonly provider: SkillProvider;
  readonly store: SkillProposalStore;
  readonly library: TestedLibrary;
  readonly routing: RoutingBaseline;
  /** How answers are compared; `null` without a model. */
  readonly evidence?: EvidenceSettings | null;
}

/** What is known of a proposal before a person decides. */
export interface CheckedProposal {
  readonly id: string;
  readonly skill: string;
  readonly status: SkillProposalStatus;
  readonly rebased: boolean;
  readonly findings: readonly ProposalFinding[];
  readonly allows: readonly NewlyAllowed[];
  /** Answers with and without the change; `null` without a model, or without a case. */
  readonly evidence: ProposalEvidence | null;
  /** Estimated tokens of `SKILL.md`. */
  readonly tokens: { readonly before: number; readonly after: number };
}

const { countTokens } = createSkillset({ skills: [] });

/** Reads the library that proposals are for. */
export async function openCheckedLibrary(provider: SkillProvider, store: SkillProposalStore, signal: AbortSignal): Promise<CheckedLibrary> {
  const library = await readLibrary(provider, { progress: () => undefined }, signal);
  return { provider, store, library, routing: baselineOf(await routeLibrary(library.skills, library.items, { signal })) };
}

/** Checks what a proposal asks for, new lint findings, and, with a model, its answers. */
export async function checkProposal(record: SkillProposalRecord, context: CheckedLibrary, signal: AbortSignal): Promise<CheckedProposal> {
  const { proposal } = record;
  const { id, skill } = proposal;
  const status = statusOf(record);
  const { made, stale } = await contentToReview(record, { provider: context.provider, signal });
  if (made === null) {
    // One that is being written may be written already.
    const isStale = status === 'pending' && stale !== null;
    const findings: ProposalFinding[] = isStale ? [{ code: 'stale-base', severity: 'error', message: stale }] : [];
    return { id, skill, status, rebased: false, findings, allows: [], evidence: null, tokens: { before: 0, after: 0 } };
  }
  const [before, after] = [made.before?.files ?? {}, made.after.files];
  const names = context.library.skills.map(({ name }) => name);
  const { findings, allows } = await checkChange(context.store, { skill, before, after, names });
  const linted = await newFindings(skill, made, signal);
  const routed = await routingFindings(skill, made, context, signal);
  const measured = await evidenceOf(proposal, made, context, signal);
  return {
    id,
    skill,
    status,
    rebased: made.rebased,
    findings: [...findings, ...linted, ...routed, ...measured.findings].sort(
      (a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'),
    ),
    allows,
    evidence: measured.evidence,
    tokens: { before: tokensOf(before['SKILL.md']), after: tokensOf(after['SKILL.md']) },
  };
}

async function newFindings(skill: string, { before, after }: ProposedContent, signal: AbortSignal): Promise<ProposalFinding[]> {
  const old = before === null ? [] : await lintFiles(skill, before.files, signal);
  // A skill that was too long is not newly too long by a line more.
  const keyOf = ({ code, message, severity }: ProposalFinding): string =>
    `${code} ${severity === 'error' ? message : message.replace(/\d+/g, '#')}`;
  const known = new Set(old.map(keyOf));
  return (await lintFiles(skill, after.files, signal)).filter((finding) => !known.has(keyOf(finding)));
}

async function routingFindings(
  skill: string,
  { after }: ProposedContent,
  { library, routing }: CheckedLibrary,
  signal: AbortSignal,
): Promise<ProposalFinding[]> {
  const proposed = await proposedProvider(skill, after.files).getSkill(skill, { signal });
  if (proposed === null || proposed.disableModelInvocation === true) return [];
  const skills: readonly Skill[] = [...library.skills.filter(({ name }) => name !== skill), proposed];
  const { taken, collisions } = compareRouting(routing, await routeLibrary(skills, library.items, { signal }));
  return [
    ...taken
      .filter(({ by }) => by === skill)
      .map(({ skill: from, prompt }): ProposalFinding => {
        return {
          code: 'takes-requests',
          severity: 'error',
          message: `It takes the request ${JSON.stringify(prompt.slice(0, 120))} from the skill ${JSON.stringify(from)}.`,
          path: 'SKILL.md',
        };
      }),
    ...collisions
      .filter((collision) => collision.skills.includes(skill))
      .map(({ skills: pair, words }): ProposalFinding => {
        const other = pair.find((name) => name !== skill) ?? '';
        return {
          code: 'collision',
          severity: 'warning',
          message: `Its description claims what the skill ${JSON.stringify(other)} is for: ${words.join(', ')}.`,
          path: 'SKILL.md',
        };
      }),
  ];
}

async function evidenceOf(
  proposal: SkillProposal,
  made: ProposedContent,
  { provider, evidence: settings }: CheckedLibrary,
  signal: AbortSignal,
): Promise<{ readonly evidence: ProposalEvidence | null; readonly findings: readonly ProposalFinding[] }> {
  if (settings === undefined || settings === null) return { evidence: null, findings: [] };
  const evidence = await measureEvidence(proposal, made, provider, settings, signal);
  const finding = (code: string, severity: ProposalFinding['severity'], message: string): ProposalFinding => ({
    code,
    severity,
    message,
    path: 'SKILL.md',
  });
  if (evidence === null)
    return { evidence, findings: [finding('no-evidence', 'warning', 'There is no case that it does not quote. Give some with --cases.')] };
  const { verdict, withSkill, withoutSkill } = evidence;
  const shares = `${shareText(withSkill)} of what is asserted holds with it, ${shareText(withoutSkill)} without it.`;
  return { evidence, findings: verdict === 'harms' ? [finding('worse-answers', 'error', `Answers get worse: ${shares}`)] : [] };
}

function tokensOf(bytes: Uint8Array | undefined): number {
  return bytes === undefined ? 0 : countTokens(new TextDecoder().decode(bytes));
}
