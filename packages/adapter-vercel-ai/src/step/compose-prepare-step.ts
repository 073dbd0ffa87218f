import type { PrepareStepFunction, ToolSet } from 'ai';
import type { AiSdkPrepareStep } from '../ai-sdk-skills-options.ts';

/**
 * Combines two `prepareStep` functions. The host's runs first, and the skills' works on its result.
 * If both change something, messages and instructions are those of the host with the skills'
 * insertions, visible tools are those that both show plus the skill tools, and everything else is
 * the host's.
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
    // The catalog refers to the skill tools, so they stay visible whatever the host shows.
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
