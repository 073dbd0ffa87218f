import type { LintRule } from './lint-rule.ts';
import { bodyLength } from './rules/body-rules.ts';
import { descriptionLength, descriptionPerson, descriptionWhen, descriptionWorkflow, vagueDescription } from './rules/description-rules.ts';
import { strayFile, unmentionedFile } from './rules/file-rules.ts';
import { extensionField, invalidFormat, invalidSteps, standardFormat, unknownField, wrongName, wrongTool } from './rules/format-rules.ts';
import { duplicateName, lookAlikeName, similarDescriptions } from './rules/library-rules.ts';
import { deadAnchor, deadLink, deadPath, machinePathRule, outsideLink, siblingLink, wrongCase } from './rules/link-rules.ts';
import { invalidPlugin, pluginAdvice } from './rules/plugin-rules.ts';
import { riskRules } from './rules/safety-rules.ts';
import { missingModule, scriptInterpreter, scriptNotExecutable, scriptSyntax } from './rules/script-rules.ts';
import { secret } from './rules/secret-rule.ts';
import { unfilledTemplate } from './rules/template-rules.ts';
import { wrongValue } from './rules/value-rules.ts';

/** Every rule. Ids are public: they are added, never renamed. */
export const lintRules: readonly LintRule[] = [
  invalidFormat,
  standardFormat,
  wrongName,
  duplicateName,
  lookAlikeName,
  unknownField,
  wrongTool,
  wrongValue,
  invalidSteps,
  deadLink,
  deadPath,
  wrongCase,
  deadAnchor,
  siblingLink,
  outsideLink,
  machinePathRule,
  ...riskRules,
  secret,
  vagueDescription,
  descriptionPerson,
  descriptionWorkflow,
  similarDescriptions,
  unfilledTemplate,
  bodyLength,
  scriptNotExecutable,
  scriptInterpreter,
  scriptSyntax,
  missingModule,
  strayFile,
  invalidPlugin,
  pluginAdvice,
  descriptionWhen,
  descriptionLength,
  unmentionedFile,
  extensionField,
];
