import { SkillError } from '@repertoire/skills-core';
import { readAiSdkMessages } from './formats/ai-sdk.ts';
import { isClaudeCodeLine, readClaudeCode } from './formats/claude-code.ts';
import { isActivity, readEvents } from './formats/events.ts';
import { isLangGraphMessage, langGraphMessages, readLangGraphMessages } from './formats/langgraph.ts';
import { openAiAgentsItems, readOpenAiAgentsItems } from './formats/openai-agents.ts';
import { readSpans, spansOf } from './formats/spans.ts';
import { listOf, objectOf, textOf, type Json } from './json-shape.ts';
import type { RecordedTool, RecordedTurn, Recording } from './recording.ts';

/** The most characters of a recording. */
export const maxRecordingCharacters: number = 64 * 1024 * 1024;

/**
 * Reads a recorded conversation, whatever wrote it: messages of the AI SDK, messages or checkpoints
 * of LangGraph, items of the OpenAI Agents SDK, our events, spans of OpenTelemetry, or a session
 * file of Claude Code. The file is JSON, or one JSON value a line.
 *
 * An object may hold the messages together with what they do not say:
 * `{ messages, instructions, tools }`.
 *
 * @throws {SkillError} `invalid-options` for text that is none of these
 */
export function readRecording(text: string): Recording {
  if (text.length > maxRecordingCharacters)
    throw refused(`It has ${text.length} characters; the limit is ${maxRecordingCharacters}. Cut it before you open it.`);
  const { value, unreadLines } = parse(text);
  return { ...recordingOf(value), ...(unreadLines > 0 && { unreadLines }) };
}

function recordingOf(value: unknown): Recording {
  const values = Array.isArray(value) ? value : [value];
  const first = objectOf(values[0]);
  const steps = objectOf(value)['turns'];
  if (Array.isArray(steps)) return { format: 'steps', turns: steps as RecordedTurn[], ...envelope(value), hasTexts: true };
  if (values.some((line) => isClaudeCodeLine(objectOf(line))))
    return { format: 'claude-code', turns: readClaudeCode(values), hasTexts: true };
  const spans = spansOf(values);
  if (spans.length > 0) return { format: 'spans', turns: readSpans(spans), hasTexts: false };
  if (isActivity(first)) return { format: 'events', turns: readEvents(values), hasTexts: false };
  const graph = langGraphMessages(value);
  if (graph !== undefined) return { format: 'langgraph', turns: readLangGraphMessages(graph), ...envelope(value), hasTexts: true };
  const items = openAiAgentsItems(value);
  if (items !== undefined) return { format: 'openai-agents', turns: readOpenAiAgentsItems(items), ...envelope(value), hasTexts: true };
  const messages = listOf(Array.isArray(value) ? value : first['messages']);
  if (messages.length > 0 && messages.every(isAiSdkMessage)) {
    return { format: 'ai-sdk', turns: readAiSdkMessages(messages), ...envelope(value, messages), hasTexts: true };
  }
  throw refused(
    'It is none of: AI SDK messages, LangGraph messages or checkpoints, items of the OpenAI Agents SDK, events of a skillset, OpenTelemetry spans, a Claude Code session.',
  );
}

/** JSON, or a value a line. The last line may be cut; other bad lines are counted if few. */
function parse(text: string): { readonly value: unknown; readonly unreadLines: number } {
  try {
    return { value: JSON.parse(text) as unknown, unreadLines: 0 };
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (lines.length === 0) throw refused('It is empty.');
    const values: unknown[] = [];
    const unread: number[] = [];
    for (const [index, line] of lines.entries()) {
      try {
        values.push(JSON.parse(line));
      } catch {
        if (index < lines.length - 1 || index === 0) unread.push(index + 1);
      }
    }
    if (unread.length >= values.length) throw refused(`It is neither JSON nor JSON lines: line ${unread[0] ?? 1} cannot be read.`);
    return { value: values, unreadLines: unread.length };
  }
}

function isAiSdkMessage(value: unknown): boolean {
  const { role, content, parts } = objectOf(value);
  return (
    typeof role === 'string' &&
    !isLangGraphMessage(value) &&
    (typeof content === 'string' || Array.isArray(content) || Array.isArray(parts))
  );
}

/** A system message at the head of the messages is the system prompt. */
function envelope(value: unknown, messages: readonly unknown[] = []): Pick<Recording, 'instructions' | 'tools'> {
  const { instructions, tools } = objectOf(value);
  const system = messages.map(objectOf).find(({ role }) => role === 'system');
  const said = typeof instructions === 'string' ? instructions : textOf(system?.['content']);
  const defined = listOf(tools).map(objectOf).filter(isTool);
  return { ...(said !== '' && { instructions: said }), ...(Array.isArray(tools) && { tools: defined }) };
}

function isTool(tool: Json): tool is Json & RecordedTool {
  return typeof tool['name'] === 'string' && typeof tool['description'] === 'string' && typeof tool['inputSchema'] === 'object';
}

function refused(why: string): SkillError {
  return new SkillError('invalid-options', `This is no recording that can be read. ${why}`);
}
