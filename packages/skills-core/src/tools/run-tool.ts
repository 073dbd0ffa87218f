import { isInterrupt } from '../errors/is-interrupt.ts';
import { SkillError } from '../errors/skill-error.ts';
import { sourceFailed } from '../errors/source-failed.ts';
import { questionOf } from '../policy/approvals/skill-question.ts';
import { errorForModel } from '../prompt/source-words.ts';
import { startToolSpan, type SkillSpan } from '../events/skill-spans.ts';
import { eventsOfChange } from './held/skill-changed.ts';
import type { SkillToolContext, SkillToolResult } from './skill-tool.ts';
import type { ToolEnvironment } from './tool-environment.ts';

/** Runs the work of a tool and turns whatever it throws into an answer; an abort and a question to a person go through. */
export async function runTool(
  tool: string,
  environment: ToolEnvironment,
  context: SkillToolContext,
  work: (span: SkillSpan) => Promise<SkillToolResult>,
): Promise<SkillToolResult> {
  context.signal?.throwIfAborted();
  const span = startToolSpan(tool);
  try {
    return await work(span);
  } catch (thrown) {
    if (isInterrupt(thrown)) throw thrown;
    span.fail(SkillError.isInstance(thrown) ? thrown.code : 'source-unavailable');
    context.signal?.throwIfAborted();
    const error = sourceFailed(thrown);
    const question = questionOf(error);
    if (context.onlyAsk !== true && question === undefined)
      environment.emit({ type: 'skill_failed', tool, code: error.code, message: error.message });
    return { text: errorForModel(String(error)), events: eventsOfChange(error), error, ...(question !== undefined && { question }) };
  } finally {
    span.end();
  }
}
