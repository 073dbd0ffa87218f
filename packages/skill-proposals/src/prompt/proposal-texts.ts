import { quoteWord, textArgument, toolDescription, type SkillToolDescription, type SkillToolNames } from '@repertoire/skills-core/internal';

/** What the tool is for, and its arguments. */
const proposalToolTexts = {
  description: (load: string): string =>
    `Proposes a new skill, or a change of a skill that you loaded with ${load}. A person looks at it later; nothing changes in this conversation. ` +
    `Propose what you learned from work that comes back: what to do, in which order, what to check. No secrets, no data of people, no task of the moment.`,
  skill: 'Name of the new skill, in lower-case letters, digits and hyphens, or of the loaded skill to change.',
  reason: 'Why the skill is needed, or what is wrong with it: what happened, in a few sentences.',
  files:
    'Whole files. A new skill needs SKILL.md: frontmatter with name and description (what it does and when to use it), then instructions.',
  edits: 'Changes of files of a loaded skill.',
  path: 'Path of the file inside the skill, such as SKILL.md or references/guide.md.',
  text: 'The whole text of the file.',
  old: 'Text that stands in the file exactly once, as it is there.',
  new: 'What takes its place; empty to remove it.',
};

/** Answers to a proposal. */
export const proposalAnswers = {
  /** A proposal that waits for a person now. */
  noted: (skill: string): string =>
    `The proposal for skill ${quoteWord(skill)} is noted. A person will look at it; until then nothing changes. Go on with your task.`,
  /** A change of a skill that the conversation has not loaded. */
  loadFirst: (skill: string, load: string): string =>
    `There is a skill ${quoteWord(skill)}, and it is not loaded. To change it, call ${load} first; for a new skill, take another name.`,
  /** One proposal too many. */
  enough: (most: number): string =>
    `${most === 1 ? 'One proposal is' : `${most} proposals are`} all that a conversation may make. Go on without it.`,
  /** A text that a person has turned down. */
  turnedDown: (skill: string): string =>
    `This text for skill ${quoteWord(skill)} was proposed before, and a person turned it down. Do not propose it again.`,
} as const;

/** What a model is told of the tool that proposes skills. */
export const describeProposalTool = (names: SkillToolNames): SkillToolDescription => {
  const texts = proposalToolTexts;
  return toolDescription('propose', names, texts.description(names.load), {
    properties: {
      skill: textArgument(texts.skill),
      reason: textArgument(texts.reason),
      files: records(texts.files, { path: texts.path, text: texts.text }),
      edits: records(texts.edits, { path: texts.path, old: texts.old, new: texts.new }),
    },
    required: ['skill', 'reason'],
  });
};

function records(description: string, fields: Readonly<Record<string, string>>): SkillToolDescription['inputSchema']['properties'][string] {
  return {
    type: 'array',
    description,
    items: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(fields).map(([field, about]) => [field, { type: 'string', description: about }])),
      required: Object.keys(fields),
      additionalProperties: false,
    },
  };
}
