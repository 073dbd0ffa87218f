import { firstInvisible } from '../prompt/escape.ts';
import type { ToolEnvironment } from './tool-environment.ts';

/**
 * Tells the host where a text that a model is about to read holds what people do not see. It is
 * read as it was reviewed, signed or locked.
 */
export function reportInvisible({ report }: Pick<ToolEnvironment, 'report'>, skill: string, path: string, text: string): void {
  const codePoint = firstInvisible(text);
  if (codePoint === undefined) return;
  report({
    code: 'hidden-characters',
    severity: 'warning',
    skill,
    path,
    message: `${JSON.stringify(path)} of ${JSON.stringify(skill)} holds characters that people do not see and models read, such as ${codePoint}.`,
    fix: 'Find out what they say; "repertoire lint" tells where they are.',
  });
}
