import { messageOf } from '@repertoire/skills-core/internal';
import { Environment, EvaluationError } from '@marcbachmann/cel-js';
import { MessageView, messageFields } from './message-view.ts';
import { Meter, type ExpressionLimits } from './meter.ts';
import { expressionText, toExpressionValue } from './values.ts';

/** How expressions are compiled: their variables, their functions, and the meter of their cost. */
export interface ExpressionEnvironment {
  /** For checking expressions as they are written. */
  readonly environment: Environment;
  /** With calls of the meter, which count nothing against the limits themselves. */
  readonly running: Environment;
  readonly meter: Meter;
}

/** Names and types of variables: a CEL type, or a map of types for `state`. */
export type VariableTypes = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** The functions and methods that expressions can call, for hints. */
export function knownFunctions(environment: Environment): readonly string[] {
  const hidden = /^(?:__|matches$|bind$|uint$|bytes$|optional)/;
  const names = environment.getDefinitions().functions.flatMap(({ name, receiverType }) => {
    if (hidden.test(name) || /bytes|Timestamp|Duration|[Oo]ptional|cel/.test(receiverType ?? '')) return [];
    return [receiverType === null || receiverType === undefined ? `${name}()` : `.${name}()`];
  });
  return [...new Set([...names, ...macros])].toSorted();
}

const macros = ['has()', '.map()', '.filter()', '.all()', '.exists()', '.exists_one()'];

/** Functions that only the metered source may call; see `metered-source.ts`. */
export const meterFunctions = {
  left: '__left',
  none: '__none',
  weigh: '__weigh',
  weighText: '__weigh_text',
  separator: '__separator',
} as const;

/** A place of a template, with the name of its value. */
export const templateVariable: RegExp = /\$\{([A-Za-z_]\w{0,127})\}/g;

const maxSeparator = 100;
const meteredLimits = { maxAstNodes: 5_000, maxDepth: 400, maxListElements: 100, maxMapEntries: 100, maxCallArguments: 8 };
const limits = { maxAstNodes: 500, maxDepth: 40, maxListElements: 100, maxMapEntries: 100, maxCallArguments: 8 };

/** An environment with the functions of the file format and no variables. */
export function expressionEnvironment(cost: ExpressionLimits): ExpressionEnvironment {
  const meter = new Meter(cost);
  const weighed = <Value>(value: Value): Value => {
    if (!meter.weigh(value)) throw failure('cost_limit', 'The expression costs too much.');
    return value;
  };
  const asText = (value: unknown): string => weighed(expressionText(weighed(value)));
  const environment = withMixedNumbers(new Environment({ homogeneousAggregateLiterals: false, limits }))
    .registerType('Message', { ctor: MessageView, fields: { ...messageFields } })
    .registerFunction('template(string, map<string, dyn>): string', (text: string, values: unknown) =>
      weighed(fillTemplate(text, values, asText, (part) => weighed(part))),
    )
    .registerFunction('json(string): dyn', (text: string) => parseJson(weighed(text)))
    .registerFunction('json(list): dyn', (content: unknown) => parseJson(textOf(weighed(content))))
    .registerFunction('string(map): string', asText)
    .registerFunction('string(list): string', asText)
    .registerFunction('string(list<Message>): string', asText)
    .registerFunction('string(Message): string', asText)
    .registerFunction('string(null): string', () => 'null')
    .registerFunction(`${meterFunctions.left}(): bool`, () => meter.step())
    .registerFunction(`${meterFunctions.none}(): dyn`, () => null)
    .registerFunction(`${meterFunctions.weigh}(dyn): dyn`, (value: unknown) => weighed(value))
    .registerFunction(`${meterFunctions.weighText}(dyn): dyn`, (value: unknown) => {
      if (!meter.weighText(value)) throw failure('cost_limit', 'The expression costs too much.');
      return value;
    })
    .registerFunction(`${meterFunctions.separator}(string): string`, (text: string) => {
      // The result of a join cannot be measured before it exists.
      if (text.length > maxSeparator) throw failure('separator', `A separator has at most ${maxSeparator} characters.`);
      return text;
    });
  return { environment, running: environment, meter };
}

/** The same environment with variables. */
export function withVariables({ environment, meter }: ExpressionEnvironment, variables: VariableTypes): ExpressionEnvironment {
  const own = environment.clone();
  for (const [name, type] of Object.entries(variables)) {
    if (typeof type === 'string') own.registerVariable(name, type);
    else own.registerVariable({ name, schema: { ...type } });
  }
  return { environment: own, running: own.clone({ limits: meteredLimits }), meter };
}

function failure(code: string, message: string): EvaluationError {
  return new EvaluationError({ code, message });
}

/** Replaces `${name}`. A name without a value is an error. Inserted text is not scanned again. */
function fillTemplate(text: string, values: unknown, asText: (value: unknown) => string, weighed: (part: string) => string): string {
  const valueOf = (name: string): unknown => {
    if (values instanceof Map) return values.get(name) as unknown;
    return typeof values === 'object' && values !== null && Object.hasOwn(values, name)
      ? (values as Record<string, unknown>)[name]
      : undefined;
  };
  return text.replaceAll(templateVariable, (_, name: string) => {
    const value = valueOf(name);
    if (value === undefined) throw failure('template', `The template has no value for \${${name}}.`);
    return weighed(asText(value));
  });
}

function parseJson(text: string): unknown {
  try {
    return toExpressionValue(JSON.parse(text));
  } catch (error) {
    throw failure('json', `This is not JSON: ${JSON.stringify(text.slice(0, 80))} (${messageOf(error)})`);
  }
}

/** A message's content may be a list of blocks. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw failure('json', 'json() takes text, or the content of a message.');
  const texts = content.map((block: unknown) => (typeof block === 'object' && block !== null && 'text' in block ? block.text : block));
  return texts.filter((text) => typeof text === 'string').join('');
}

const calculate: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
};

/**
 * Lets whole numbers and doubles be calculated with each other, as comparisons do already. JSON has
 * one type of number, so whether `json(text).score * 100.0` works must not depend on whether the
 * score is 1 or 1.5.
 */
function withMixedNumbers(environment: Environment): Environment {
  for (const [sign, of] of Object.entries(calculate)) {
    const run = (left: unknown, right: unknown): number => of(Number(left), Number(right));
    environment.registerOperator(`int ${sign} double: double`, run).registerOperator(`double ${sign} int: double`, run);
  }
  return environment;
}
