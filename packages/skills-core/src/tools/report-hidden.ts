import { codePointsOf, hiddenCharacters } from '../prompt/hidden-characters.ts';
import type { ToolEnvironment } from './tool-environment.ts';

/** Tells the host where a text that a model is about to read holds what people do not see. */
export function reportHidden({ report }: Pick<ToolEnvironment, 'report'>, skill: string, path: string, text: string): void {
  const found = hiddenCharacters(text);
  if (found.length === 0) return;
  report({
    code: 'hidden-characters',
    severity: 'warning',
    skill,
    path,
    message: `${JSON.stringify(path)} of skill ${JSON.stringify(skill)} has ${found.length} characters that people do not see and models read: ${codePointsOf(found)}.`,
    fix: 'Look at what they say before you trust the skill; "repertoire lint --fix" removes those of its SKILL.md.',
  });
}
