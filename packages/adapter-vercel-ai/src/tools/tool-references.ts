import type { SkillSession, Skillset } from '@repertoire/skills-core';
import { skillEventOf } from '@repertoire/skills-core/internal';
import type { ToolResultPart } from 'ai';

/**
 * The result of a load in the form of Anthropic's API: references to the deferred tools that the
 * skill opens, then the text. The references put the tools into the model's context at this
 * position. A text that loads nothing stays a text.
 */
export function withToolReferences(
  { toolNames }: Pick<Skillset, 'toolNames'>,
  session: SkillSession,
  deferred: readonly string[],
): (text: string) => ToolResultPart['output'] {
  return (text) => {
    const event = skillEventOf({ tool: toolNames.load, input: {}, output: text }, toolNames);
    const opened = event?.type === 'loaded' ? deferred.filter((tool) => session.openedBy(tool).includes(event.name)) : [];
    if (opened.length === 0) return { type: 'text', value: text };
    return {
      type: 'content',
      value: [
        ...opened.map((toolName) => ({ type: 'custom' as const, providerOptions: { anthropic: { type: 'tool-reference', toolName } } })),
        { type: 'text', text },
      ],
    };
  };
}
