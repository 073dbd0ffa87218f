import { firstInvisible } from '../prompt/escape.ts';
import type { ToolEnvironment } from './tool-environment.ts';

/** Reports what people do not see in a text. The text itself stays as reviewed. */
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
