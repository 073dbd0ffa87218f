import {
  listWords,
  quoteWord,
  textArgument,
  toolDescription,
  type SkillToolDescription,
  type SkillToolNames,
} from '@repertoire/skills-core/internal';

/** What the tool is for, and its arguments. */
const workflowToolTexts = {
  description: (load: string): string =>
    `Runs the workflow of a skill from its first step to its last, and returns the output of the last. ${load} tells the steps of a skill and the input that they need.`,
  skill: 'Name of the skill.',
  input: 'Input of the workflow, as its JSON Schema says.',
};

/** Above the input schema of a loaded skill that has steps. */
export function workflowText(skill: string, steps: readonly string[], runWorkflow: string): string {
  const count = steps.length === 1 ? 'one step' : `${steps.length} steps`;
  return (
    `This skill is a workflow of ${count}: ${listWords(steps)}. Run all of it with one call of ${runWorkflow} (skill: ${quoteWord(skill)}); ` +
    `do not do its steps yourself. JSON Schema of its input:`
  );
}

/** What a model is told of the tool that runs workflows. */
export const describeWorkflowTool = (names: SkillToolNames): SkillToolDescription => {
  const { description, skill, input } = workflowToolTexts;
  return toolDescription('runWorkflow', names, description(names.load), {
    properties: { skill: textArgument(skill), input: { type: 'object', description: input } },
    required: ['skill', 'input'],
  });
};
