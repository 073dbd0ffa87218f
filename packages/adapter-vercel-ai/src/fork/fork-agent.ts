import { SkillError } from '@repertoire/skills-core';
import { forkNeedsPersonText, modelNamed } from '@repertoire/skills-core/internal';
import { isStepCount, ToolLoopAgent, type LanguageModel, type StopCondition, type ToolSet } from 'ai';
import type { AiSdkFork, AiSdkModels } from '../ai-sdk-skills-options.ts';

/** Options of {@link forkAgent}. */
export interface ForkAgentOptions {
  readonly model: LanguageModel;
  /** Models that skills may ask for by name. @default none: every skill uses `model` */
  readonly models?: AiSdkModels | undefined;
  /** The system prompt before the catalog. @default none */
  readonly instructions?: string | undefined;
  /**
   * Whether the agent gets all skills of the conversation with their catalog, and not only the
   * forked one.
   * @default false
   */
  readonly inheritSkills?: boolean | undefined;
  /** Tools of this agent in addition to those passed to `aiSdkSkills`. @default none */
  readonly tools?: ToolSet | undefined;
  /** @default 20 steps */
  readonly stopWhen?: StopCondition<ToolSet> | undefined;
}

/**
 * Runs skills with `context: fork` in a `ToolLoopAgent` of their own, and streams its text and tool
 * calls. The agent has the host's tools, which stay gated. The forked skill is loaded from the
 * start, so its tools are open and its files can be read. Nothing is forked again inside. The agent
 * sees neither the conversation nor other skills.
 *
 * If it makes a call that a person must approve, it stops: nobody can be asked inside another call.
 * The skill is then loaded in the conversation, with what was done so far, and the conversation
 * makes that call.
 *
 * @example
 * ```ts
 * import { aiSdkSkills, forkAgent } from '@repertoire/adapter-vercel-ai';
 * import type { Skillset } from '@repertoire/skills-core';
 * import type { LanguageModel } from 'ai';
 *
 * export const withForks = (skillset: Skillset, model: LanguageModel) => aiSdkSkills(skillset, { fork: forkAgent({ model }) });
 * ```
 */
export function forkAgent({
  model,
  models,
  instructions,
  inheritSkills = false,
  tools,
  stopWhen = isStepCount(20),
}: ForkAgentOptions): AiSdkFork {
  return async function* run(fork, { skills, allSkills, abortSignal }) {
    const agent = new ToolLoopAgent<never, ToolSet>({
      model: modelNamed(models, fork.model) ?? model,
      stopWhen,
      // The error is thrown below, so the SDK need not log it.
      onError: () => {},
      ...(inheritSkills ? allSkills : skills).agentSettings({ instructions, tools }),
    });
    const { stream } = await agent.stream({ prompt: fork.prompt, ...(abortSignal !== undefined && { abortSignal }) });
    let [progress, answer] = ['', ''];
    const calls: string[] = [];
    const waiting = new Map<string, string>();
    for await (const part of stream) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'start-step') answer = '';
      if (part.type === 'text-delta') answer += part.text;
      if (part.type === 'tool-approval-request' && part.isAutomatic !== true && !Object.hasOwn(tools ?? {}, part.toolCall.toolName))
        waiting.set(part.toolCall.toolCallId, callText(part.toolCall));
      if (part.type === 'tool-result' || part.type === 'tool-error') calls.push(callText(part));
      if (part.type === 'tool-call') progress += `${answer}${answer === '' ? '' : '\n'}(${part.toolName})\n`;
      if (part.type === 'text-delta' || part.type === 'tool-call') yield part.type === 'tool-call' ? progress : progress + answer;
    }
    abortSignal?.throwIfAborted();
    if (waiting.size > 0) throw new SkillError('needs-approval', forkNeedsPersonText([...waiting.values()], calls));
    yield answer;
  };
}

function callText({ toolName, input }: { readonly toolName: string; readonly input: unknown }): string {
  return `${toolName} ${JSON.stringify(input)}`;
}
