import * as z from 'zod/v4';
import { agentSchema } from './agent-schema.ts';

/** The part of JSON Schema that is used here. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
}

let schema: JsonSchema | undefined;

/**
 * Returns the JSON Schema (2020-12) of the file, for editors and other tools. It is also in the
 * package as `dist/agent.schema.json`; a file refers to it in its first line:
 * `# yaml-language-server: $schema=…`. `checkAgent` checks what a schema cannot express, such as
 * whether a node exists.
 *
 * @example
 * ```ts
 * import { agentJsonSchema } from '@repertoire/declarative';
 *
 * export const text = JSON.stringify(agentJsonSchema(), null, 2);
 * ```
 */
export function agentJsonSchema(): Record<string, unknown> {
  return structuredClone(wholeSchema()) as Record<string, unknown>;
}

function wholeSchema(): JsonSchema {
  // As input, so that a key with a default is not required.
  schema ??= { ...z.toJSONSchema(agentSchema, { target: 'draft-2020-12', io: 'input' }), title: 'An agent of Repertoire' } as JsonSchema;
  return schema;
}

/** The part of the schema that applies to a path of a document. */
export function schemaAt(path: readonly PropertyKey[], document: unknown): JsonSchema | undefined {
  let part: JsonSchema | undefined = wholeSchema();
  let value = document;
  for (const step of path) {
    if (part === undefined) return undefined;
    const forms = part.oneOf;
    part = alternative(part, value);
    // It is not known yet which alternative is meant, so any of their types is valid.
    if (step === 'type' && part.oneOf !== undefined) return { enum: forms?.map(({ properties }) => properties?.['type']?.const) ?? [] };
    const known = typeof step === 'string' ? part.properties : undefined;
    const rest = typeof part.additionalProperties === 'object' ? part.additionalProperties : undefined;
    part = typeof step === 'number' ? part.items : known !== undefined && Object.hasOwn(known, step) ? known[String(step)] : rest;
    value = typeof value === 'object' && value !== null ? (value as Readonly<Record<PropertyKey, unknown>>)[step] : undefined;
  }
  return part === undefined ? undefined : alternative(part, value);
}

/** The alternative that is meant: by its `type`, or by whether the value is a list. */
function alternative(part: JsonSchema, value: unknown): JsonSchema {
  const forms = part.oneOf ?? part.anyOf;
  if (forms === undefined) return part;
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  const found = forms.every(({ properties }) => properties?.['type']?.const !== undefined)
    ? forms.find(({ properties }) => properties?.['type']?.const === type)
    : forms.find(({ items }) => (items !== undefined) === Array.isArray(value));
  return found ?? part;
}
