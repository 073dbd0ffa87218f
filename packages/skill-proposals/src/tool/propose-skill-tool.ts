import { SkillError } from '@repertoire/skills-core';
import { loadedSkill, type SkillTool, type SkillToolContext } from '@repertoire/skills-core/adapter';
import { makeTool, readPinnedFiles, type SkillToolHost } from '@repertoire/skills-core/internal';
import { createSkillProposal, type SkillProposalInput } from '../proposal/create-skill-proposal.ts';
import type { SkillProposal } from '../proposal/skill-proposal.ts';
import { statusOf, type SkillProposalStore } from '../store/skill-proposal-store.ts';
import { describeProposalTool, proposalAnswers } from '../prompt/proposal-texts.ts';
import { readRows } from './read-rows.ts';
import type { SkillProposer } from './skill-proposals.ts';

/** What {@link proposeSkillTool} works with. */
export interface ProposeSkillHost {
  readonly store: SkillProposalStore;
  readonly most: number;
  readonly now: () => Date;
  readonly from: () => SkillProposer;
  readonly inTurn: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

/** More proposals than people read. A store that is so full takes no other. */
const mostWaiting = 1_000;

/** `propose_skill`. It reads what the conversation sees anyway, and writes to the store alone. */
export function proposeSkillTool(session: SkillToolHost, host: ProposeSkillHost): SkillTool {
  const { events, names } = session;
  return makeTool(events, describeProposalTool(names), async (fields, context, span) => {
    const skill = fields.requiredText('skill', 'name', 'skill_name').trim();
    span.set({ 'skill.name': skill });
    const files = readRows(names.propose, fields.given, 'files', ['path', 'text'] as const);
    const edits = readRows(names.propose, fields.given, 'edits', ['path', 'old', 'new'] as const);
    const reason = fields.requiredText('reason');
    const base = await baseOf(session, skill, context);
    const proposal = await createSkillProposal({ skill, base, files, edits, reason, created: host.now(), ...host.from() });
    await host.inTurn(async () => {
      context.signal?.throwIfAborted();
      await keep(proposal, host);
    });
    events.emit({ type: 'skill_proposed', skill, proposal: proposal.id });
    return { text: proposalAnswers.noted(skill), events: [] };
  });
}

/** The pinned content that a change is made for; `null` for an unseen name. */
async function baseOf(host: SkillToolHost, skill: string, context: SkillToolContext): Promise<SkillProposalInput['base']> {
  const { catalog, doors, names, provider } = host;
  const isLoaded = loadedSkill(context.state, skill) !== undefined;
  if (!isLoaded) {
    if (!catalog.listed.some(({ name }) => name === skill)) return null;
    throw new SkillError('not-loaded', proposalAnswers.loadFirst(skill, names.load), { skill });
  }
  const inUse = await doors.inUse(skill, context);
  const { files, digest } = await readPinnedFiles(host, inUse, context);
  const { name, origin, version } = inUse.skill;
  return { source: origin?.label ?? provider.label, place: origin?.place ?? name, version, content: digest, files };
}

async function keep(proposal: SkillProposal, { store, most }: ProposeSkillHost): Promise<void> {
  const before = await store.read(proposal.id);
  if (before !== null) {
    const status = statusOf(before);
    // A text that waits is not kept twice; whose it is, nobody is told.
    if (status !== 'rejected' && status !== 'undone') return;
    throw new SkillError('permission-denied', proposalAnswers.turnedDown(proposal.skill), { skill: proposal.skill });
  }
  const ids = await store.list();
  let own = 0;
  let waiting = 0;
  for (const id of ids) {
    const record = await store.read(id).catch(() => null);
    if (record === null || statusOf(record) === 'pending') waiting += 1;
    // A proposal that cannot be read may be of this conversation.
    if (record === null || record.proposal.conversation === proposal.conversation) own += 1;
  }
  if (own >= most) throw new SkillError('limit-exceeded', proposalAnswers.enough(most), { skill: proposal.skill });
  if (waiting >= mostWaiting) throw new SkillError('limit-exceeded', proposalAnswers.enough(0), { skill: proposal.skill });
  await store.add(proposal);
}
