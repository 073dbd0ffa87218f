import { isInterrupt } from '../errors/is-interrupt.ts';
import { SkillError } from '../errors/skill-error.ts';
import { sourceFailed } from '../errors/source-failed.ts';
import { UnansweredCall } from '../policy/approvals/skill-question.ts';
import { failureText } from '../prompt/source-words.ts';
import { startToolSpan, type SkillSpan } from '../events/skill-spans.ts';
import { SkillChanged } from './pinned/skill-changed.ts';
import type { SkillToolDescription } from './describe-tool.ts';
import type { SkillTool, SkillToolContext, SkillToolResult } from './skill-tool.ts';
import type { ToolEnvironment } from './tool-environment.ts';
import { ToolInput } from './tool-input.ts';

/** The most characters of one answer, about 100,000 tokens. */
const maxAnswerCharacters = 400_000;

/** A tool of a model: what it is told of it, and what it does with the model's arguments. */
export function makeTool(
  environment: ToolEnvironment,
  description: SkillToolDescription,
  work: (fields: ToolInput, context: SkillToolContext, span: SkillSpan) => Promise<SkillToolResult>,
): SkillTool {
  const { name, inputSchema } = description;
  const without = inputSchema.required.length === 0 ? {} : undefined;
  return {
    ...description,
    execute: (input = without, context) =>
      runTool(name, environment, context, async (span) => work(new ToolInput(name, input), context, span)),
  };
}

/** Turns errors into answers; aborts and questions to a person go through. */
export async function runTool(
  tool: string,
  environment: ToolEnvironment,
  context: SkillToolContext,
  work: (span: SkillSpan) => Promise<SkillToolResult>,
): Promise<SkillToolResult> {
  context.signal?.throwIfAborted();
  const span = startToolSpan(tool);
  try {
    return bounded(tool, await work(span));
  } catch (thrown) {
    if (isInterrupt(thrown)) throw thrown;
    span.fail(SkillError.isInstance(thrown) ? thrown.code : 'source-unavailable');
    context.signal?.throwIfAborted();
    const error = sourceFailed(thrown);
    const question = error instanceof UnansweredCall ? error.question : undefined;
    if (context.onlyAsk !== true && question === undefined)
      environment.emit({ type: 'skill_failed', tool, code: error.code, message: error.message });
    const events = error instanceof SkillChanged ? error.events : [];
    return { text: failureText(error), events, error, ...(question !== undefined && { question }) };
  } finally {
    span.end();
  }
}

/** An answer is given whole or not at all: a skill whose text is too long is not loaded. */
function bounded(tool: string, result: SkillToolResult): SkillToolResult {
  const { length } = result.text;
  if (length <= maxAnswerCharacters) return result;
  throw new SkillError(
    'limit-exceeded',
    `The answer of ${tool} would have ${length} characters, and one answer has at most ${maxAnswerCharacters}. Nothing was loaded or changed. Go on without it.`,
  );
}
