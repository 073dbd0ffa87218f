import type { SkillSession, SkillState } from '@repertoire/skills-core';
import { modelAskedFor, renewSkills, restoreSkills, withInserted } from '@repertoire/skills-core/adapter';
import type { RestoredSkill } from '@repertoire/skills-core/internal';
import type { ModelMessage, ToolSet } from 'ai';
import type { AiSdkPreparedStep, AiSdkPrepareStep } from '../ai-sdk-skills-options.ts';
import type { SkillsOfCalls } from '../skills-of-calls.ts';
import { turnsOfMessages } from '../state/messages.ts';
import { endHostCalls, hostCallMessages, signsThinking } from './host-calls.ts';
import { placeInstructions } from './place-instructions.ts';
import { withdrawUnloaded } from './withdraw-unloaded.ts';

/**
 * Applies what loaded skills mean for a step, without touching prompt caches needlessly.
 *
 * @param shown names of all tools of the call if closed ones are hidden, otherwise `undefined`
 */
export function prepareStepOf<TOOLS extends ToolSet, Context>(
  { parts, state, hostTools, modelOutput }: SkillsOfCalls<TOOLS, Context>,
  shown: readonly string[] | undefined,
): AiSdkPrepareStep {
  const { skillset, session, options, report } = parts;
  const { models, restore = {}, withdraw = false } = options;
  const loadTool = skillset.toolNames.load;
  const room = restore === false ? (session.refreshes ? { lost: false } : undefined) : restore;
  const pairOf = ({ toolCallId, input, text }: Pick<RestoredSkill, 'toolCallId' | 'input' | 'text'>): ModelMessage[] =>
    hostCallMessages({ toolCallId, tool: loadTool, input: { ...input }, output: modelOutput(text) });

  /**
   * The messages with the instructions that the session inserts again. A saved state records them,
   * so that their texts are known as given. Returns the same array if there are none.
   */
  async function withRestored(messages: ModelMessage[]): Promise<ModelMessage[]> {
    if (room === undefined) return messages;
    const back = await restoreSkills(session, turnsOfMessages(messages, session), { ...room, state: state.saved });
    if (back.length === 0) return messages;
    await state.record(back.flatMap(({ events }) => events));
    return withInserted(messages, back, pairOf);
  }

  /** The same with those that the session renews, at the end. */
  async function withRenewed(messages: ModelMessage[]): Promise<ModelMessage[]> {
    if (!session.renewsChanged) return messages;
    const renewed = await renewSkills(session, state.of(messages), { at: state.lengthOf(messages) });
    if (renewed.length === 0) return messages;
    await state.record(renewed.flatMap(({ events }) => events));
    return [...messages, ...renewed.flatMap(pairOf)];
  }

  return async (step) => {
    // The previous step's results are last; those of earlier requests were checked then.
    if ((step.stepNumber ?? 0) > 0) hostTools.noticeUnguarded(step.messages);
    const standing = withdraw ? withdrawUnloaded(step.messages, session, skillset) : step.messages;
    const given = await withRenewed(await withRestored(standing));
    const now = state.of(given);
    const instructions = placeInstructions(step.instructions, await session.activeInstructions(now));
    const model = modelAskedFor(models, await session.model(now), report);
    const messages = signsThinking(model ?? step.model) ? endHostCalls(given, loadTool) : given;
    const prepared: AiSdkPreparedStep = {
      ...(messages !== step.messages && { messages }),
      ...(instructions !== undefined && { instructions }),
      ...(model !== undefined && { model }),
      ...(await shownTools(session, shown, now)),
    };
    return Object.keys(prepared).length === 0 ? undefined : prepared;
  };
}

/** With a full order, everything before an opened tool stays the same. */
async function shownTools(
  session: SkillSession,
  shown: readonly string[] | undefined,
  now: SkillState,
): Promise<Pick<AiSdkPreparedStep, 'activeTools' | 'toolOrder'>> {
  if (shown === undefined || !shown.some((name) => session.isGated(name))) return {};
  const visible = await session.visibleTools(shown, now);
  return { activeTools: [...visible] as never[], toolOrder: [...visible, ...shown.filter((name) => !visible.includes(name))] as never[] };
}
