import type { Framework } from '../prompt/prompt-settings.ts';
import type { RecordingFormat } from './recording.ts';

/** The framework that a recording comes from; `otherwise` where the format says none. */
export function frameworkOf(format: RecordingFormat, otherwise: Framework): Framework {
  if (format === 'ai-sdk' || format === 'openai-agents') return format;
  return format === 'langgraph' ? 'langchain' : otherwise;
}
