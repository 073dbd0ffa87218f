import {
  Runner,
  tool,
  Usage,
  type AgentInputItem,
  type FunctionTool,
  type Model,
  type ModelRequest as AgentsModelRequest,
  type ModelResponse,
} from '@openai/agents-core';
import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
import type { RecordedPart, RecordedTool } from '../recording/recording.ts';
import { conversationRuns, type PlayedAnswer } from '../replay/conversation-runs.ts';
import { turnPlayer, type TurnPlayer } from '../replay/turn-player.ts';
import type { FrameworkReplay, ReplayInput } from './framework-replay.ts';
import type { ModelRequest } from './model-request.ts';

/** What the OpenAI Agents SDK sends to a model, as texts. */
export function openAiAgentsRequest({
  systemInstructions = '',
  input,
  tools,
}: Pick<AgentsModelRequest, 'systemInstructions' | 'input' | 'tools'>): ModelRequest {
  const items: readonly AgentInputItem[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  return {
    system: systemInstructions,
    messages: items.map((item) => JSON.stringify(item)),
    tools: tools.map((each) => JSON.stringify(each)),
  };
}

/** Plays a recording through the Agents SDK: only the model and the host's tools are stand-ins. */
export async function replayOpenAiAgents({ recording, skillset, settings, tools, signal }: ReplayInput): Promise<FrameworkReplay> {
  const player = turnPlayer(recording, 'openai-agents');
  const { isOwn } = player;
  const ids = callIds();
  const model: Model = {
    async getResponse(request): Promise<ModelResponse> {
      noteAnswers(request.input, player, ids);
      return { usage: new Usage(), output: outputOf(player.answer(openAiAgentsRequest(request)), isOwn, ids) };
    },
    getStreamedResponse() {
      throw new Error('A replay does not stream.');
    },
  };
  const skills = openAiAgentsSkills(skillset, { gate: settings.gate });
  const agent = skills.agent({
    name: 'replay',
    model,
    ...(settings.instructions !== '' && { instructions: settings.instructions }),
    tools: tools.map((each) => standIn(each, (id) => player.outputOf(ids.recorded(id)))),
  });
  const { callModelInputFilter } = skills;
  const runner = new Runner({ tracingDisabled: true, callModelInputFilter });
  let history: AgentInputItem[] = [];
  for (const run of conversationRuns(recording)) {
    player.begin(run);
    history.push(...run.user.map(({ text, raw }) => ((isOwn ? raw : undefined) ?? { role: 'user', content: text }) as AgentInputItem));
    if (history.length === 0) continue;
    const { history: after } = await runner.run(agent, history, {
      maxTurns: run.answers.length + 2,
      context: {},
      toolNotFoundBehavior: 'return_error_to_model',
      ...(signal !== undefined && { signal }),
    });
    // The empty message that ends a run was never said.
    history = after.filter((item) => !isEmptyEnd(item));
  }
  return player;
}

/** The SDK refuses an id that was used before, and some models count from the start again. */
interface CallIds {
  /** The id that a call of the recording gets here. */
  given(id: string, turn: number): string;
  /** The id that it has in the recording. */
  recorded(id: string): string;
}

function callIds(): CallIds {
  const recorded = new Map<string, string>();
  return {
    given(id, turn) {
      const own = recorded.has(id) ? `${id}_of_turn_${turn}` : id;
      recorded.set(own, id);
      return own;
    },
    recorded: (id) => recorded.get(id) ?? id,
  };
}

function standIn({ name, description, inputSchema }: RecordedTool, outputFor: (id: string) => string): FunctionTool {
  return tool({
    name,
    description,
    parameters: structuredClone<unknown>(inputSchema) as never,
    strict: false,
    execute: (_input: unknown, _context: unknown, details?: { readonly toolCall?: { readonly callId: string } }) =>
      outputFor(details?.toolCall?.callId ?? ''),
  });
}

function noteAnswers(input: AgentsModelRequest['input'], player: TurnPlayer, ids: CallIds): void {
  if (typeof input === 'string') return;
  const last = input.findLastIndex(({ type }) => type === 'function_call');
  for (const item of input.slice(last + 1)) {
    if (item.type === 'function_call_result') player.note(ids.recorded(item.callId), textOf(item.output));
  }
}

const emptyEnd = {
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: '' }],
} as const satisfies AgentInputItem;

function isEmptyEnd(item: AgentInputItem): boolean {
  return JSON.stringify(item) === JSON.stringify(emptyEnd);
}

function outputOf(played: PlayedAnswer | null, isOwn: boolean, ids: CallIds): ModelResponse['output'] {
  const items = (played?.answer.parts ?? []).flatMap((part) => itemOf(part, isOwn, (id) => ids.given(id, played?.turn ?? 0)));
  return items.length === 0 ? [structuredClone(emptyEnd) as never] : items;
}

function itemOf(part: RecordedPart, isOwn: boolean, idOf: (id: string) => string): ModelResponse['output'] {
  if (isOwn && part.metadata !== undefined) return [structuredClone(part.metadata) as ModelResponse['output'][number]];
  if (part.type === 'call') {
    const { id, tool: name, input } = part;
    return [{ type: 'function_call', callId: idOf(id), name, arguments: JSON.stringify(input ?? {}), status: 'completed' }];
  }
  if (part.type === 'reasoning') return [];
  return [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: part.text }] }];
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('');
  return String((value as { readonly text?: unknown } | null)?.text ?? '');
}
