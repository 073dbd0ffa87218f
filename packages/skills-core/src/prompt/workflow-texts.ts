import { listWords, quoteWord } from './source-words.ts';

/** Above the input schema of a loaded skill that has steps. */
export function workflowText(skill: string, steps: readonly string[], runWorkflow: string): string {
  const count = steps.length === 1 ? 'one step' : `${steps.length} steps`;
  return (
    `This skill is a workflow of ${count}: ${listWords(steps)}. Run all of it with one call of ${runWorkflow} (skill: ${quoteWord(skill)}); ` +
    `do not do its steps yourself. JSON Schema of its input:`
  );
}
