import { checkWorkflow, parseWorkflow } from '@repertoire/skill-workflow';
import { workflowSource } from '@repertoire/skill-workflow/source';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import type { FuzzTarget } from '../../../tools/fuzz/fuzz-target.ts';
import { bytesOf, textOf } from '../support/bytes.ts';
import { checkDiagnostics, checkSize, refusedOr } from '../support/orderly.ts';
import { skillTexts, skillWords } from '../support/skill-texts.ts';

/** Reading the steps of a skill, with the places of what is wrong in them. */
export const target: FuzzTarget = {
  form: 'text',
  words: skillWords,
  seeds: () => bytesOf(...skillTexts.filter((text) => text.includes('steps:'))),
  budget: { freeMs: 60, msPerKib: 6 },
  async run(input) {
    const text = textOf(input);
    const { metadata } = parseSkillMd(text);
    if (metadata === null) return;
    const problems = checkWorkflow(metadata, {
      source: workflowSource(text),
      inputs: ['destination'],
      tools: ['get-weather', 'search-flights'],
    });
    checkDiagnostics(
      problems.map(({ message, fix }) => ({ code: 'step', message, fix })),
      input,
    );
    const workflow = await refusedOr(() => parseWorkflow(metadata, { allowUntrusted: true }));
    if (workflow !== undefined) checkSize(workflow, input);
  },
};
