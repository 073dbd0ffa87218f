import type { SkillCatalog, SkillDiagnostic, Skillset } from '@repertoire/skills-core';
import type { ReattachedSkill, ReattachOptions } from '@repertoire/skills-core/state';
import type { ModelMessage, ToolResultPart } from 'ai';
import type { ConversationState } from '../state/conversation-state.ts';
import { estimateTokens } from '../state/estimate-tokens.ts';
import { hostCallMessages, isHostCall } from './skill-call-messages.ts';

/** What is put back, and how. */
export interface PutBackSkills<Context> {
  readonly skillset: Skillset<Context>;
  readonly catalog: SkillCatalog<Context>;
  readonly state: ConversationState;
  readonly options: Omit<ReattachOptions, 'names' | 'signal'>;
  readonly modelOutput: (text: string) => ToolResultPart['output'];
  readonly report: (diagnostic: SkillDiagnostic) => void;
}

/**
 * The messages with the instructions of loaded skills whose own were cut, as calls of the load tool and their results: before the first message of the model, where
 * they stay while the conversation grows, else at the end.
 */
export async function putBackLost<Context>(messages: ModelMessage[], work: PutBackSkills<Context>): Promise<ModelMessage[]> {
  const names = Object.entries(work.state.withPutBack(messages).loaded).flatMap(([name, { inContext }]) => (inContext ? [] : [name]));
  if (names.length === 0) return messages;
  const pairs = await textsOf(names, messages, 'lost', work);
  const first = messages.findIndex(({ role }) => role === 'assistant');
  return first === -1 ? [...messages, ...pairs] : [...messages.slice(0, first), ...pairs, ...messages.slice(first)];
}

/**
 * The messages with instructions repeated at every place where the skillset's refresh policy has them due. The places follow from the messages alone, so the next
 * request repeats them at the same ones and the prompt only grows.
 */
export async function putBackDue<Context>(messages: ModelMessage[], work: PutBackSkills<Context>): Promise<ModelMessage[]> {
  const { skillset, catalog, state } = work;
  let result: ModelMessage[] = [];
  for (const [index, message] of messages.entries()) {
    result.push(message);
    const behind = messages[index + 1]?.role;
    if (message.role === 'assistant' || message.role === 'system' || behind === 'tool') continue;
    const place = `due-${result.length}`;
    // An earlier step of this call did it; the SDK carries messages on.
    if (isHostCall(messages[index + 1], skillset.toolNames.load, place)) continue;
    const due = skillset.dueForRefresh(catalog, state.withPutBack(result), estimateTokens(result));
    if (due.length === 0) continue;
    const pairs = await textsOf(due, result, place, work);
    // A source that fails now is not asked again for each message; what stands in the messages stays.
    if (pairs.length === 0) return [...result, ...messages.slice(index + 1)];
    result = [...result, ...pairs];
  }
  return result.length === messages.length ? messages : result;
}

async function textsOf<Context>(
  names: readonly string[],
  messages: readonly ModelMessage[],
  place: string,
  { skillset, catalog, state, options, modelOutput, report }: PutBackSkills<Context>,
): Promise<ModelMessage[]> {
  const { skills, omitted, events } = await skillset.reattachSkills(catalog, state.of(messages), { ...options, names });
  state.accept(events);
  for (const { name, reason } of omitted) {
    report({
      severity: 'warning',
      code: 'skill-not-put-back',
      skill: name,
      message: `The instructions of the loaded skill ${JSON.stringify(name)} could not be put back (${reason}). The skill stays loaded, and the model can load it again.`,
      fix: reason === 'budget' ? 'Give `reattach` more room.' : 'Look at the source of the skill.',
    });
  }
  const tool = skillset.toolNames.load;
  return skills.flatMap(({ input, text }: ReattachedSkill) =>
    hostCallMessages({ tool, input: { ...input }, output: modelOutput(text), place }),
  );
}
