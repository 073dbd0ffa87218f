import type { PrepareStepFunction, ToolSet } from 'ai';
import type { AiSdkPrepareStep } from '../ai-sdk-skills-options.ts';

/**
 * Two in one: the host's goes first, and the skills' works on what it answers. Where both want something, messages and instructions are those of the host with the
 * skills' in them, tools are those that both show and the skill tools, and everything else is the host's.
 */
export function composePrepareStep<TOOLS extends ToolSet, RUNTIME extends Record<string, unknown>>(
  skills: AiSdkPrepareStep,
  own: PrepareStepFunction<TOOLS, RUNTIME>,
  skillTools: readonly string[],
): PrepareStepFunction<TOOLS, RUNTIME> {
  return async (step) => {
    const mine = await own(step);
    const theirs = await skills({
      messages: mine?.messages ?? step.messages,
      instructions: mine?.instructions ?? mine?.system ?? step.instructions,
      stepNumber: step.stepNumber,
    });
    const shown: readonly string[] | undefined = theirs?.activeTools;
    const both = mine?.activeTools?.filter((name) => shown?.includes(name) ?? true);
    // The catalog speaks of the skill tools, so that they are there whatever the host shows.
    const activeTools = both === undefined ? theirs?.activeTools : ([...new Set([...skillTools, ...both])] as typeof both);
    if (theirs === undefined && activeTools === undefined) return mine;
    return {
      ...theirs,
      ...mine,
      ...(activeTools !== undefined && { activeTools }),
      ...(theirs?.messages !== undefined && { messages: theirs.messages }),
      ...(theirs?.instructions !== undefined && { instructions: theirs.instructions }),
    };
  };
}
