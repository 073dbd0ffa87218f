import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { SystemMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { assertKnownOptions } from '@repertoire/skills-core/internal';
import { assertNoOtherSkillTools, closingIfFailed, type BoundTools } from '../binding/bound-tools.ts';
import type { SkillsConversation } from '../binding/skills-conversation.ts';
import { runOf } from '../binding/skills-run.ts';
import { endHostCalls } from '../messages/end-host-calls.ts';
import { updatedState, updateOf } from '../state/graph-state.ts';
import { bindTools } from './bind-tools.ts';
import { modelNodeRules, type ModelNodeOptions } from './model-node-options.ts';
import type { SkillsNodeUpdate } from './node-update.ts';
import { renewSkills } from './renew-skills.ts';
import type { SkillsState } from './skills-graph-state.ts';

/** The node that calls the model. See {@link LangGraphSkills.modelNode}. */
export function modelNode<Context, State extends SkillsState>(
  bound: BoundTools<Context>,
  model: BaseChatModel,
  options: ModelNodeOptions<State>,
): (state: State, config?: RunnableConfig) => Promise<SkillsNodeUpdate> {
  assertKnownOptions('modelNode', options, modelNodeRules);
  assertNoOtherSkillTools(bound, options.tools ?? []);
  const { base, ...bindOptions } = options;
  const { binding } = bound;
  return async (state, config) => {
    const run = runOf(config);
    return closingIfFailed(binding, state, run, async () => {
      const before = await binding.enter(state, run);
      const renewed = await renewSkills(binding, before);
      const conversation = renewed === null ? before : await binding.enter(updatedState(state, renewed), run);
      const withTools = await bindTools(bound, model, conversation, bindOptions);
      const system = await instructionsOf(conversation, typeof base === 'function' ? await base(state) : base);
      const { messages } = await conversation.shown();
      const seen = endHostCalls(messages, model, binding.skillset.toolNames.load);
      const answer = await withTools.invoke([...(system === '' ? [] : [new SystemMessage(system)]), ...seen], config);
      const kept = binding.read(state).kept === undefined && updateOf(binding.channels, { _skill_session: conversation.session.kept });
      return { ...renewed, messages: [...(renewed?.messages ?? []), answer], ...kept };
    });
  };
}

/** The system prompt with the catalog and the texts of loaded skills at its end. */
export async function instructionsOf(conversation: SkillsConversation, base: string | undefined): Promise<string> {
  const { session, signal } = conversation;
  const active = await session.activeInstructions(conversation.skills(), { signal });
  return [session.instructions(base), active].filter((part) => part !== '').join('\n\n');
}
