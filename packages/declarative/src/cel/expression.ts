import type { ASTNode, ParseResult } from '@marcbachmann/cel-js';
import { didYouMean, quote } from '../document/hints.ts';
import { knownFunctions, templateVariable, type ExpressionEnvironment } from './expression-environment.ts';
import { messageFields } from './message-view.ts';
import { meteredSource, nodesOf } from './metered-source.ts';
import { usualMistake } from './usual-mistake.ts';
import { fromExpressionValue } from './values.ts';

/** What is wrong with an expression, and where. */
export class ExpressionProblem extends Error {
  readonly start: number;
  readonly fix: string | undefined;

  constructor(message: string, start: number, fix?: string) {
    super(message);
    this.start = start;
    this.fix = fix;
  }
}

/** A type that a place requires; `any` accepts all. */
export type ExpressionKind = 'string' | 'int' | 'double' | 'bool' | 'list' | 'map' | 'any';

/** The names that an expression may use. */
export interface ExpressionNames {
  readonly variables: readonly string[];
  readonly channels: readonly string[];
  /** Maps whose keys are known: their keys, and the keys of each entry. */
  readonly entries: Readonly<
    Record<
      string,
      {
        readonly ids: readonly string[] | null;
        readonly fields: readonly string[];
        /** The texts of the entries, if they are templates. */
        readonly texts?: Readonly<Record<string, string>> | undefined;
      }
    >
  >;
}

/** A checked expression. */
export interface Expression {
  readonly source: string;
  /** Names of the variables that it reads. */
  readonly uses: ReadonlySet<string>;
  /**
   * Evaluates it.
   *
   * @param variables as `toExpressionValue` returns them
   * @throws {ExpressionProblem} if it fails or costs too much
   */
  evaluate(variables: Readonly<Record<string, unknown>>): unknown;
}

const maxMessage = 300;

/**
 * Checks an expression and compiles it.
 *
 * @throws {ExpressionProblem} if it does not parse or type-check, uses an unknown name, or returns
 *   another type than the place requires
 */
export function compileExpression(
  { environment, running, meter }: ExpressionEnvironment,
  source: string,
  kinds: readonly ExpressionKind[],
  names: ExpressionNames,
): Expression {
  const checked = attempt(() => environment.check(source));
  const functions = () => knownFunctions(environment);
  if (checked instanceof Error) throw problemOf(checked, { names, functions, source });
  if (!checked.valid)
    throw problemOf(
      checked.error,
      { names, functions, source },
      attempt(() => environment.parse(source).ast),
    );
  const { ast } = environment.parse(source);
  const uses = new Set<string>();
  for (const node of nodesOf(ast)) {
    refuse(node);
    checkKey(node, names);
    checkTemplate(node, names);
    if (node.op === 'id') uses.add(node.args);
  }
  const type = checked.type ?? 'dyn';
  if (!fits(type, kinds)) {
    throw new ExpressionProblem(`The expression gives ${quote(type)}, and ${kinds.join(' or ')} is needed here.`, 0, hintFor(type, kinds));
  }
  const metered = meteredSource(source, ast);
  const run = attempt((): ParseResult => running.parse(metered.text));
  if (run instanceof Error)
    throw new ExpressionProblem('The expression is too large.', 0, 'Split it: write parts of it to the state first.');

  return {
    source,
    uses,
    evaluate(variables) {
      meter.start();
      const tooMuch = () =>
        new ExpressionProblem('The expression costs too much: its loops or the values that it makes are too large.', 0, 'Make it smaller.');
      try {
        const value: unknown = run(variables);
        if (!meter.left || !meter.weigh(value)) throw tooMuch();
        return fromExpressionValue(value);
      } catch (error) {
        if (error instanceof ExpressionProblem) throw error;
        if (!meter.left) throw tooMuch();
        const problem = problemOf(error, { names, functions });
        throw new ExpressionProblem(problem.message, metered.originalOffset(problem.start), problem.fix);
      }
    },
  };
}

interface Hints {
  readonly names: ExpressionNames;
  readonly functions: () => readonly string[];
  /** The expression, where it is wrong as it is written, and not by its values. */
  readonly source?: string;
}

/** The library's own errors have a position; internal errors and those of functions have none. */
function problemOf(error: unknown, hints: Hints, ast?: unknown): ExpressionProblem {
  const { code, summary, message, range } = error as {
    readonly code?: string;
    readonly summary?: string;
    readonly message?: string;
    readonly range?: { readonly start: number };
  };
  const text = (summary ?? message ?? String(error)).slice(0, maxMessage);
  const usual = hints.source === undefined ? undefined : usualMistake(hints.source, hints.names.variables);
  const fix = fixFor(code, text, range?.start, hints, ast, usual);
  return new ExpressionProblem(`${text.replace(/\.$/, '')}.`, range?.start ?? 0, fix);
}

function fixFor(
  code: string | undefined,
  text: string,
  start: number | undefined,
  { names, functions, source }: Hints,
  ast: unknown,
  usual: string | undefined,
): string | undefined {
  const named = /: ([\w-]+)$/.exec(text)?.[1];
  if (code === 'unknown_variable' && named !== undefined) return usual ?? unknownVariable(named, names.variables, source);
  if (code === 'no_such_key' && named !== undefined && ast !== undefined) {
    const owner = [...nodesOf(ast)].find(
      (node) => node.op === '.' && node.args[1] === named && node.range.end === (start ?? 0) + named.length,
    );
    const isState = owner?.op === '.' && owner.args[0].op === 'id' && owner.args[0].args === 'state';
    return didYouMean(named, isState ? names.channels : Object.keys(messageFields));
  }
  if (code === 'no_matching_overload' || code === 'no_such_overload') {
    const called = /'((?:[^']*\.)?)(\w+)\(/.exec(text);
    if (called?.[2] !== undefined) {
      const name = `${called[1] === '' ? '' : '.'}${called[2]}()`;
      const known = functions();
      if (!known.includes(name)) return usual ?? didYouMean(name, known, known.length);
      return 'It takes other values. Make text with string(), and numbers with int() or double().';
    }
    if (/[!=]= null|null [!=]=/.test(text)) return 'A value of this type is never null. Compare it with its default, such as "" or 0.';
    return 'Both sides need one type. Make text with string(), and numbers of text with int() or double().';
  }
  if (text.startsWith('List index')) return usual ?? 'A list takes a number: list[0]. A map takes a text: map["key"].';
  if (text.startsWith('Invalid escape')) return 'Write \\\\ for a backslash.';
  if (code === 'limit_exceeded') return 'Split the expression: write parts of it to the state first.';
  return usual;
}

/** A single word may be a text that was not quoted. */
function unknownVariable(named: string, variables: readonly string[], source: string | undefined): string {
  const hint = didYouMean(named, variables);
  return source?.trim() === named && !hint.startsWith('Did')
    ? `${hint} If it is text, quote it inside the expression: '"${named}"'.`
    : hint;
}

function refuse(node: ASTNode): void {
  const name = node.op === 'call' || node.op === 'rcall' ? node.args[0] : undefined;
  const { start } = node.range;
  if (name === 'matches') {
    throw new ExpressionProblem(
      'matches() is not available: a pattern could run for hours.',
      start,
      'Use contains, startsWith or endsWith.',
    );
  }
  if (node.op === '[]' && node.args[1].op === '-_')
    throw new ExpressionProblem(
      'A list is counted from its start.',
      node.args[1].range.start,
      'Write list[size(list) - 1] for the last one.',
    );
  if (name === 'bind') throw new ExpressionProblem('cel.bind is not available.', start, 'Write the part out.');
  const written = name ?? (node.op === 'id' ? node.args : undefined);
  if (written?.startsWith('__') === true)
    throw new ExpressionProblem(`${written} is not available.`, start, 'Names with two underscores first are reserved.');
}

/** The key of `prompts["plan"]` or `prompts.plan` is known when the file is read. */
function checkKey(node: ASTNode, { entries }: ExpressionNames): void {
  const access = keyOf(node);
  if (access === null) return;
  const { owner, key, start } = access;
  if (owner.op === 'id') {
    const known = Object.hasOwn(entries, owner.args) ? entries[owner.args] : undefined;
    if (known === undefined || known.ids === null || known.ids.includes(key)) return;
    throw new ExpressionProblem(`There is no ${quote(key)} in ${owner.args}.`, start, didYouMean(key, known.ids));
  }
  const outer = keyOf(owner);
  const known = outer?.owner.op === 'id' && Object.hasOwn(entries, outer.owner.args) ? entries[outer.owner.args] : undefined;
  if (known === undefined || known.fields.includes(key)) return;
  throw new ExpressionProblem(`There is no ${quote(key)} there.`, start, didYouMean(key, known.fields));
}

/** Each `${name}` of a template that is known when the file is read needs a value. */
function checkTemplate(node: ASTNode, { entries }: ExpressionNames): void {
  if (node.op !== 'call' || node.args[0] !== 'template') return;
  const [text, values] = node.args[1];
  if (text === undefined || values?.op !== 'map') return;
  const template = textOf(text, entries['prompts']?.texts ?? {});
  const keys = values.args.map(([key]) => (key.op === 'value' && typeof key.args === 'string' ? key.args : null));
  if (template === undefined || keys.includes(null)) return;
  for (const [, name = ''] of template.matchAll(templateVariable)) {
    if (keys.includes(name)) continue;
    const known = keys.filter((key) => key !== null);
    const fix = known.length === 0 ? `Add it: {"${name}": …}.` : `Add it: {"${name}": …}. ${didYouMean(name, known)}`;
    throw new ExpressionProblem(`The template has \${${name}}, and no value is given for it.`, values.range.start, fix);
  }
}

function textOf(node: ASTNode, texts: Readonly<Record<string, string>>): string | undefined {
  if (node.op === 'value') return typeof node.args === 'string' ? node.args : undefined;
  const field = keyOf(node);
  const prompt = field?.key === 'instructions' ? keyOf(field.owner) : null;
  const isPrompt = prompt?.owner.op === 'id' && prompt.owner.args === 'prompts';
  return isPrompt && Object.hasOwn(texts, prompt.key) ? texts[prompt.key] : undefined;
}

function keyOf(node: ASTNode): { readonly owner: ASTNode; readonly key: string; readonly start: number } | null {
  if (node.op === '.') return { owner: node.args[0], key: node.args[1], start: node.range.end - node.args[1].length };
  if (node.op !== '[]') return null;
  const [owner, key] = node.args;
  return key.op === 'value' && typeof key.args === 'string' ? { owner, key: key.args, start: key.range.start } : null;
}

function fits(type: string, kinds: readonly ExpressionKind[]): boolean {
  if (type === 'dyn' || kinds.includes('any')) return true;
  return kinds.some((kind) => {
    if (kind === 'list' || kind === 'map') return type === kind || type.startsWith(`${kind}<`);
    if (kind === 'double') return type === 'double' || type === 'int';
    return type === kind;
  });
}

function hintFor(type: string, kinds: readonly ExpressionKind[]): string | undefined {
  const [kind] = kinds;
  if (kind === 'list') return type === 'Message' ? 'Put it into a list: [llm_response].' : 'Put it into a list: [value].';
  if (kind === 'string') return 'Make text of it with string().';
  if (kind === 'int' || kind === 'double') return `Make a number of it with ${kind}().`;
  if (kind === 'bool') return 'Compare it: state.topic == "money", or state.count > 0.';
  return kind === 'map' ? 'Write a map: {"key": value}.' : undefined;
}

function attempt<Value>(action: () => Value): Value | Error {
  try {
    return action();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
