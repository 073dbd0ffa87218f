import type { LintRule } from './lint-rule.ts';
import { bodyLength } from './rules/body-rules.ts';
import { descriptionLength, descriptionWhen, similarDescriptions } from './rules/description-rules.ts';
import { deadLink, outsideLink, scriptNotExecutable, unmentionedFile } from './rules/file-rules.ts';
import { invalidFormat, invalidSteps, unknownField, wrongTool } from './rules/format-rules.ts';
import { hiddenCharacter, instructionInDescription, secret } from './rules/safety-rules.ts';

/** Every rule. Ids are public: they are added, never renamed. */
export const lintRules: readonly LintRule[] = [
  invalidFormat,
  unknownField,
  wrongTool,
  invalidSteps,
  deadLink,
  outsideLink,
  hiddenCharacter,
  secret,
  instructionInDescription,
  similarDescriptions,
  scriptNotExecutable,
  descriptionWhen,
  descriptionLength,
  bodyLength,
  unmentionedFile,
];
