/**
 * Spans for OpenTelemetry without depending on it. Its API package registers itself under a
 * well-known global symbol, for exactly this: libraries that were built apart share one tracer.
 * Where it is not there, nothing happens and nothing is loaded.
 *
 * @see OpenTelemetry JS API, `internal/global-utils`: `Symbol.for('opentelemetry.js.api.1')`
 */
interface ApiGlobal {
  readonly trace?: { getTracer(name: string): Tracer };
}

interface Tracer {
  startSpan(name: string, options: { readonly kind: number; readonly attributes: Attributes }): Span;
}

interface Span {
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
  end(): void;
}

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** `SpanKind.INTERNAL` and `SpanStatusCode.ERROR` of the API. */
const internal = 0;
const failed = 2;

/** What a span may be told while it runs; texts of skills and arguments never go into one. */
export interface SkillSpan {
  set(attributes: Readonly<Record<string, string | number | boolean | undefined>>): void;
  fail(code: string): void;
  end(): void;
}

const none: SkillSpan = { set: () => {}, fail: () => {}, end: () => {} };

/** Starts a span by the GenAI semantic conventions for the execution of a tool. */
export function startToolSpan(tool: string): SkillSpan {
  try {
    const api = (globalThis as Record<symbol, unknown>)[Symbol.for('opentelemetry.js.api.1')] as ApiGlobal | undefined;
    const span = api?.trace?.getTracer('@repertoire/skills-core').startSpan(`execute_tool ${tool}`, {
      kind: internal,
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool, 'gen_ai.tool.type': 'function' },
    });
    return span === undefined ? none : guarded(span);
  } catch {
    // Telemetry that is set up wrongly must not break an agent.
    return none;
  }
}

function guarded(span: Span): SkillSpan {
  const quietly = (work: () => unknown): void => {
    try {
      work();
    } catch {
      // As above.
    }
  };
  return {
    set: (attributes) =>
      quietly(() =>
        span.setAttributes(
          Object.fromEntries(
            Object.entries(attributes).filter((entry): entry is [string, string | number | boolean] => entry[1] !== undefined),
          ),
        ),
      ),
    fail: (code) => quietly(() => (span.setAttributes({ 'error.type': code }), span.setStatus({ code: failed, message: code }))),
    end: () => quietly(() => span.end()),
  };
}
