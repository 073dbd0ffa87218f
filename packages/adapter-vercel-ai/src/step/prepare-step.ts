import type { SkillSession, Skillset, SkillState } from '@repertoire/skills-core';
import { modelAskedFor } from '@repertoire/skills-core/internal';
import type { PutBackRoom } from '@repertoire/skills-core/adapter';
import type { ToolResultPart } from 'ai';
import type { AiSdkModels, AiSdkPreparedStep, AiSdkPrepareStep, AiSdkReport } from '../ai-sdk-skills-options.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { HostTools } from '../tools/host-tools.ts';
import { endHostCalls, signsThinking } from './end-host-calls.ts';
import { placeInstructions } from './place-instructions.ts';
import { withInstructions } from './with-instructions.ts';
import { withdrawUnloaded } from './withdraw-unloaded.ts';

/** Options of {@link prepareStepOf}. */
export interface PrepareStepOptions {
  readonly skillset: Pick<Skillset, 'toolNames'>;
  readonly session: SkillSession;
  readonly state: ConversationState;
  readonly hostTools: HostTools;
  /** Names of all tools of the call if closed ones are hidden, otherwise `undefined`. */
  readonly shown: readonly string[] | undefined;
  readonly models: AiSdkModels | undefined;
  readonly putBack: PutBackRoom | false;
  readonly withdraw: boolean;
  readonly modelOutput: (text: string) => ToolResultPart['output'];
  readonly report: AiSdkReport;
}

/** Applies what loaded skills mean for a step, without touching prompt caches needlessly. */
export function prepareStepOf(options: PrepareStepOptions): AiSdkPrepareStep {
  const { skillset, session, state, hostTools, models, modelOutput, report } = options;
  return async (step) => {
    // The previous step's results are last; those of earlier requests were checked then.
    if ((step.stepNumber ?? 0) > 0) hostTools.noticeUnguarded(step.messages);
    const standing = options.withdraw ? withdrawUnloaded(step.messages, session, skillset) : step.messages;
    const room = options.putBack === false ? (session.refreshes ? { lost: false } : undefined) : options.putBack;
    const loadTool = skillset.toolNames.load;
    const given = await withInstructions(standing, { session, state, room, loadTool, modelOutput });
    const now = state.of(given);
    const instructions = placeInstructions(step.instructions, await session.activeInstructions(now));
    const model = modelAskedFor(models, await session.model(now), report);
    const messages = signsThinking(model ?? step.model) ? endHostCalls(given, loadTool) : given;
    const prepared: AiSdkPreparedStep = {
      ...(messages !== step.messages && { messages }),
      ...(instructions !== undefined && { instructions }),
      ...(model !== undefined && { model }),
      ...(await shownTools(options, now)),
    };
    return Object.keys(prepared).length === 0 ? undefined : prepared;
  };
}

/** With a full order, everything before an opened tool stays the same. */
async function shownTools(
  { shown, session }: PrepareStepOptions,
  now: SkillState,
): Promise<Pick<AiSdkPreparedStep, 'activeTools' | 'toolOrder'>> {
  if (shown === undefined || !shown.some((name) => session.isGated(name))) return {};
  const visible = await session.visibleTools(shown, now);
  return { activeTools: [...visible] as never[], toolOrder: [...visible, ...shown.filter((name) => !visible.includes(name))] as never[] };
}
