/** The kind of file. `steps` comes from the conversation stepper of the page. */
export type RecordingFormat = 'ai-sdk' | 'langgraph' | 'openai-agents' | 'events' | 'spans' | 'claude-code' | 'steps';

/** A piece of what a model answered, in the order in which it said it. */
export type RecordedPart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string; readonly metadata?: unknown }
  | { readonly type: 'call'; readonly id: string; readonly tool: string; readonly input: unknown; readonly metadata?: unknown };

/** What a result disclosed of a skill, where the format says it in words of its own. */
export interface RecordedDisclosure {
  readonly kind: 'load' | 'read' | 'unload' | 'search' | 'script' | 'restored';
  readonly skill: string;
  readonly path?: string | undefined;
  /** Who asked. @default the model */
  readonly by?: 'model' | 'user' | 'host' | undefined;
  /** What it cost, where the text itself was not recorded. */
  readonly tokens?: number | undefined;
  /** SHA-256 of the text, where it was recorded instead of the text. */
  readonly digest?: string | undefined;
}

/** The answer of one tool call. */
export interface RecordedResult {
  readonly id: string;
  readonly tool: string;
  /** What the model read. Empty where the format does not keep it. */
  readonly output: string;
  readonly isFailed?: boolean | undefined;
  /** The result as the framework keeps it, for a replay of the same framework. */
  readonly raw?: unknown;
  readonly disclosure?: RecordedDisclosure | undefined;
}

/** One message of a conversation, in no framework's shape. */
export type RecordedTurn =
  | { readonly role: 'user'; readonly text: string; readonly at?: string | undefined; readonly raw?: unknown }
  | { readonly role: 'assistant'; readonly parts: readonly RecordedPart[]; readonly at?: string | undefined }
  | { readonly role: 'tool'; readonly results: readonly RecordedResult[]; readonly at?: string | undefined };

/** A tool of the host, as a model was told of it. */
export interface RecordedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A conversation that somebody recorded. */
export interface Recording {
  readonly format: RecordingFormat;
  readonly turns: readonly RecordedTurn[];
  /** The system prompt before the catalog, where it was recorded. */
  readonly instructions?: string | undefined;
  /** Definitions of the host's tools, where they were recorded. */
  readonly tools?: readonly RecordedTool[] | undefined;
  /** Whether texts were recorded, so that requests can be replayed. Events and spans keep none. */
  readonly hasTexts: boolean;
  /** How many lines of the file are no JSON, and were left out. @default none */
  readonly unreadLines?: number | undefined;
}

/**
 * Adds results to the last turn if it has some, and otherwise as a turn: those of one step are one.
 */
export function addResults(turns: RecordedTurn[], results: readonly RecordedResult[], at: { readonly at?: string } = {}): void {
  const last = turns.at(-1);
  if (last?.role === 'tool') turns[turns.length - 1] = { ...last, results: [...last.results, ...results] };
  else turns.push({ role: 'tool', results, ...at });
}

/** The tool calls of a turn. */
export function callsOf(turn: RecordedTurn): readonly Extract<RecordedPart, { type: 'call' }>[] {
  return turn.role === 'assistant' ? turn.parts.filter((part) => part.type === 'call') : [];
}
