import { SkillError } from '../errors/skill-error.ts';
import type { SkillToolContext, SkillToolResult } from './skill-tool.ts';
import type { ToolEnvironment } from './tool-environment.ts';

/** Runs the work of a tool and turns whatever it throws into an answer; an abort goes through. */
export async function runTool(tool: string, { emit }: ToolEnvironment, context: SkillToolContext, work: () => Promise<SkillToolResult>): Promise<SkillToolResult> {
  context.signal?.throwIfAborted();
  try {
    return await work();
  } catch (thrown) {
    context.signal?.throwIfAborted();
    const error = SkillError.isInstance(thrown)
      ? thrown
      : new SkillError('source-unavailable', 'The source of the skill failed. Try once more; if it fails again, go on without it and say so.', { cause: thrown });
    emit({ type: 'skill_failed', tool, code: error.code, message: error.message });
    return { text: errorText(error), events: [], error };
  }
}

/** How an error reads for a model. */
export function errorText(error: SkillError): string {
  return `Error (${error.code}): ${error.message}`;
}
