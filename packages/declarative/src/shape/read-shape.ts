import type * as z from 'zod/v4';
import type { AgentDocument, DocumentPath, ProblemPlace } from '../document/agent-document.ts';
import { didYouMean, quote } from '../document/hints.ts';
import { schemaAt, type JsonSchema } from './agent-json-schema.ts';
import { agentSchema } from './agent-schema.ts';
import type { AgentShape } from './agent-shape.ts';

const maxPath = 200;

type Issue = z.core.$ZodIssue;

/** Keys from other formats, and what to write instead. */
const elsewhere: Readonly<Record<string, string>> = {
  import_path: 'A file cannot bring code. Give the tool to compileAgent: tools: [...].',
  agents: 'A file is one agent: put state, nodes and edges at the top.',
  graph: 'Put nodes and edges at the top.',
  entry_point: 'Write an edge: { source: START, target: … }.',
  hooks: 'Hooks are code: give them to compileAgent, in skillset.',
  values: 'Did you mean "state_updates"?',
  when: 'Did you mean "condition"?',
  from: 'Did you mean "source"?',
  to: 'Did you mean "target"?',
  use_tools_from_registry: 'Name the tools: tools: [{ id: … }].',
};

/** Checks a document against the schema. Reports problems, and returns `null` if there are any. */
export function readShape(document: AgentDocument): AgentShape | null {
  const result = agentSchema.safeParse(document.value);
  if (result.success) return result.data;
  if (document.value === null) {
    document.report('agent-shape', [], 'The file is empty.', 'Write at least `nodes`.');
    return null;
  }
  for (const issue of result.error.issues) reportIssue(document, issue, []);
  return null;
}

function reportIssue(document: AgentDocument, issue: Issue, base: DocumentPath): void {
  const path = [...base, ...(issue.path as DocumentPath)];
  const value = valueAt(document.value, path);
  const expected = schemaAt(path, document.value);
  const report = (place: ProblemPlace | DocumentPath, message: string, fix?: string) => document.report('agent-shape', place, message, fix);

  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(expected?.properties ?? {});
    const free = known.filter((key) => valueAt(value, [key]) === undefined);
    for (const key of issue.keys) {
      const fix = Object.hasOwn(elsewhere, key) && !known.includes(key) ? elsewhere[key] : didYouMean(key, free.length > 0 ? free : known);
      report({ path: [...path, key], key: true }, `The key ${quote(key)} is unknown ${at(path)}.`, fix);
    }
    return;
  }
  if (issue.code === 'invalid_key') {
    const fix = 'Use letters, digits and "_", a letter or "_" first.';
    report({ path, key: true }, `${quote(path.at(-1))} cannot be the name of a channel.`, fix);
    return;
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const forms = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a));
    const [deepest] = forms;
    if (deepest !== undefined && depthOf(deepest) > 0) {
      for (const inner of deepest) reportIssue(document, inner, path);
      return;
    }
  }
  if (value === undefined) {
    report(path.slice(0, -1), `${quote(path.at(-1))} is missing ${at(path.slice(0, -1))}.`, wayOut(expected));
    return;
  }
  const options = optionsOf(expected);
  if (options.length > 0 && (typeof value !== 'string' || !options.includes(value))) {
    report(path, `${quote(value)} cannot stand ${at(path)}.`, didYouMean(typeof value === 'string' ? value : '', options));
    return;
  }
  if (typeof value === 'number' && expected?.['type'] === 'string') {
    report(path, `${quote(value)} is read as a number ${at(path)}, and text is needed.`, `Put it into quotes, as it is to be read.`);
    return;
  }
  report(path, `${quote(value)} cannot stand ${at(path)}.`, wayOut(expected, issue, value));
}

function depthOf(issues: readonly Issue[]): number {
  return Math.max(0, ...issues.map(({ path }) => path.length));
}

function at(path: DocumentPath): string {
  if (path.length === 0) return 'at the top';
  const written = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return `at ${written.slice(1, maxPath)}`;
}

function optionsOf(schema: JsonSchema | undefined): string[] {
  return [...(schema?.enum ?? []), ...(schema?.const === undefined ? [] : [schema.const])].map(String);
}

function wayOut(schema: JsonSchema | undefined, issue?: Issue, value?: unknown): string {
  const what = typeof schema?.['description'] === 'string' ? ` ${schema['description']}` : '';
  if (issue?.code === 'too_big') return `It may have at most ${issue.maximum}.${what}`;
  if (issue?.code === 'too_small') return `It has to have at least ${issue.minimum}.${what}`;
  if (issue?.code === 'invalid_format' && 'pattern' in issue) return `It has to match ${issue.pattern}.${what}`;
  const options = optionsOf(schema);
  if (options.length > 0) return `Write one of ${options.map(quote).join(', ')}.${what}`;
  const [field, ...fields] = schema?.required ?? [];
  // Most often a reference by its id alone.
  if (schema?.type === 'object' && field !== undefined && fields.length === 0 && typeof value === 'string')
    return `Write { ${field}: ${value.slice(0, 64)} } there.${what}`;
  const type = schema?.anyOf === undefined ? words[String(schema?.['type'])] : 'text or a list';
  return `Write ${type ?? 'a value'} there.${what}`;
}

const words: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'a list',
  object: 'a map',
  boolean: 'true or false',
  number: 'a number',
};

function valueAt(value: unknown, path: DocumentPath): unknown {
  let found = value;
  for (const step of path)
    found = typeof found === 'object' && found !== null ? (found as Readonly<Record<string | number, unknown>>)[step] : undefined;
  return found;
}
