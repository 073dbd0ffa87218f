import type { SkillCatalog, Skillset } from '@repertoire/skills-core';
import { loadedSkillNames } from '@repertoire/skills-core/state';
import type { ToolResultPart } from 'ai';

/**
 * The result of a load as Anthropic's API takes it: references to the deferred tools that the skill opens, which put them into the model's context at this place,
 * then the text. A text that loads nothing stays a text.
 */
export function withToolReferences<Context>(
  skillset: Pick<Skillset<Context>, 'state' | 'toolNames'>,
  catalog: SkillCatalog<Context>,
  deferred: Iterable<string>,
): (text: string) => ToolResultPart['output'] {
  const names = [...deferred];
  return (text) => {
    const [loaded] = loadedSkillNames(skillset.state([{ tool: skillset.toolNames.load, input: {}, output: text }]));
    const opened = names.filter((tool) => catalog.listed.some((skill) => skill.name === loaded && skill.tools?.includes(tool)));
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
