import { listOf, objectOf, textOf, type Json } from '../json-shape.ts';
import type { RecordedDisclosure, RecordedTurn } from '../recording.ts';

interface ToolSpan {
  readonly tool: string;
  readonly startMs: number;
  readonly skill: string;
  readonly path: string;
  readonly error: string;
}

/** The spans of tools in a file: OTLP as JSON, or what the console exporter writes. */
export function spansOf(values: readonly unknown[]): readonly ToolSpan[] {
  const spans = values.map(objectOf).flatMap((value) => ('resourceSpans' in value ? otlpSpans(value) : [value]));
  return spans.flatMap((span) => {
    const attributes = attributesOf(span['attributes']);
    const name = textOf(span['name']);
    const isTool = attributes['gen_ai.operation.name'] === 'execute_tool' || name.startsWith('execute_tool ');
    if (!isTool) return [];
    const tool = textOf(attributes['gen_ai.tool.name']) || name.slice('execute_tool '.length);
    const path = textOf(attributes['skill.path']);
    return [{ tool, startMs: startOf(span), skill: textOf(attributes['skill.name']), path, error: textOf(attributes['error.type']) }];
  });
}

/** Spans in the order in which they began. They name skills and tools, and keep no text. */
export function readSpans(spans: readonly ToolSpan[]): RecordedTurn[] {
  return [...spans]
    .sort((a, b) => a.startMs - b.startMs)
    .map(({ tool, startMs, skill, path, error }, index): RecordedTurn => {
      const at = startMs > 0 ? { at: new Date(startMs).toISOString() } : {};
      const kind = kindOf(tool);
      const result = { id: `span-${index}`, tool, output: error === '' ? '' : `Error (${error})` };
      if (error !== '' || kind === undefined)
        return { role: 'tool', results: [{ ...result, ...(error !== '' && { isFailed: true }) }], ...at };
      const disclosure: RecordedDisclosure = { kind, skill, ...(path !== '' && { path }), tokens: 0 };
      return { role: 'tool', results: [{ ...result, disclosure }], ...at };
    });
}

/** The tools by their default names: a span does not say what a tool does. */
function kindOf(tool: string): RecordedDisclosure['kind'] | undefined {
  if (tool.startsWith('load_skill') && !/resource|asset/.test(tool)) return 'load';
  if (tool === 'unload_skill') return 'unload';
  if (tool === 'search_skills') return 'search';
  if (tool.startsWith('run_skill')) return 'script';
  return tool === 'read_skill_file' || tool.startsWith('load_skill_') ? 'read' : undefined;
}

function otlpSpans(file: Json): Json[] {
  return listOf(file['resourceSpans'])
    .map(objectOf)
    .flatMap(({ scopeSpans }) => listOf(scopeSpans).map(objectOf))
    .flatMap(({ spans }) => listOf(spans).map(objectOf));
}

/** OTLP has a list of keys and typed values; exporters in JavaScript have a map. */
function attributesOf(attributes: unknown): Json {
  if (!Array.isArray(attributes)) return objectOf(attributes);
  return Object.fromEntries(attributes.map(objectOf).map(({ key, value }) => [textOf(key), Object.values(objectOf(value))[0]]));
}

/** Nanoseconds (OTLP), `[seconds, nanoseconds]`, or microseconds (`timestamp`). */
function startOf(span: Json): number {
  const { startTimeUnixNano, startTime, timestamp } = span;
  if (typeof startTimeUnixNano === 'string' || typeof startTimeUnixNano === 'number') return Number(startTimeUnixNano) / 1e6 || 0;
  if (Array.isArray(startTime)) return Number(startTime[0]) * 1000 + Number(startTime[1]) / 1e6 || 0;
  return typeof timestamp === 'number' ? timestamp / 1000 : 0;
}
