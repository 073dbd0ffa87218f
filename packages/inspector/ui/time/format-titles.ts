import type { RecordingFormat } from '../../src/recording/recording.ts';

/** What each kind of recording is called. */
export const formatTitles: Readonly<Record<RecordingFormat, string>> = {
  'ai-sdk': 'AI SDK messages',
  langgraph: 'LangGraph',
  'openai-agents': 'OpenAI Agents SDK',
  events: 'events of a skillset',
  spans: 'OpenTelemetry spans',
  'claude-code': 'Claude Code session',
  steps: 'made here',
};
