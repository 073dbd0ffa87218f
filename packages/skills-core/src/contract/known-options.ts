import { SkillError } from '../errors/skill-error.ts';
import { nearNames } from './near-names.ts';

/**
 * What each option of `Options` may be, as the compiler derives it from their types: a word of a
 * closed set as it is, and a kind: `boolean`, `number`, `string`, `string[]`, `[]` (a list),
 * `iterable`, `()` (a function), `{}` (an object). Several of them are the keys of an object, in
 * which `{}` may have the rules of the nested options. A new option, or a new word of one, does not
 * compile until its rule is written.
 */
export type OptionRules<Options> = { readonly [Option in keyof Options]-?: OptionRule<Exclude<Options[Option], undefined>> };

/** `true`: anything, or a number that `numberOption` checks with its range. */
type OptionRule<Value> = unknown extends Value
  ? true
  : KindOf<Value, Value> extends infer Kind extends string
    ? (IsOne<Kind> extends true ? Kind : never) | ('number' extends Kind ? true : never) | AnyOf<Value, Kind>
    : never;
type AnyOf<Value, Kind extends string> = {
  readonly [One in Kind]: One extends '{}' ? true | OptionRules<Exclude<Value, string | boolean | number | null>> : true;
};
type IsOne<Kind, All = Kind> = [Kind] extends [never] ? false : Kind extends unknown ? ([All] extends [Kind] ? true : false) : never;
type KindOf<Value, All> = Value extends (...given: never) => unknown
  ? '()'
  : Value extends boolean
    ? boolean extends All
      ? 'boolean'
      : `${Value}`
    : Value extends number
      ? 'number'
      : Value extends string
        ? // oxlint-disable-next-line typescript/no-generated-empty-object-type -- a record whose keys are a pattern, such as `sha256-…`, needs none of them
          Record<never, true> extends Record<Value, true>
          ? 'string'
          : Value
        : Value extends null
          ? 'null'
          : Value extends readonly string[]
            ? 'string[]'
            : Value extends readonly unknown[]
              ? '[]'
              : Value extends Iterable<unknown>
                ? 'iterable'
                : '{}';

type AnyRules = Readonly<Record<string, true | string | Readonly<Record<string, true | object>>>>;

/** Every kind, as a message names it. Every other word of a rule is a word that may be given. */
const kinds: Readonly<Record<string, { readonly called: string; readonly is: (value: unknown) => boolean }>> = {
  boolean: { called: 'true or false', is: (value) => typeof value === 'boolean' },
  true: { called: 'true', is: (value) => value === true },
  false: { called: 'false', is: (value) => value === false },
  number: { called: 'a number of at least 0', is: (value) => typeof value === 'number' && value >= 0 },
  string: { called: 'a string', is: (value) => typeof value === 'string' },
  null: { called: 'null', is: (value) => value === null },
  '()': { called: 'a function', is: (value) => typeof value === 'function' },
  '[]': { called: 'a list', is: (value) => Array.isArray(value) },
  'string[]': { called: 'a list of strings', is: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string') },
  iterable: { called: 'a list, a set or a map', is: (value) => typeof value === 'object' && value !== null && Symbol.iterator in value },
  '{}': {
    called: 'an object',
    is: (value) => (typeof value === 'object' && value !== null && !Array.isArray(value)) || typeof value === 'function',
  },
};

/**
 * Refuses unknown options, and values of a wrong kind or outside of a closed set, so that a typo is
 * noticed immediately, also without TypeScript. Every public function with options calls it before
 * it does anything.
 *
 * @param of the function whose options these are, such as `createSkillset`
 * @param rules a rule for every option; type it as `OptionRules<Options>`, so that the compiler
 *   notices one that is missing
 * @throws {SkillError} `invalid-options` with the nearest option, or the nearest word
 */
export function assertKnownOptions(of: string, options: object, rules: AnyRules): void {
  if (!kinds['{}']?.is(options)) throw invalid(`${of} takes an object of options, and got ${shown(options)}.`);
  check(of, '', options, rules);
}

function check(of: string, path: string, options: object, rules: AnyRules): void {
  for (const [option, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, option) ? rules[option] : undefined;
    if (rule === undefined) throw invalid(`${of} has no option ${JSON.stringify(path + option)}.${hint(option, Object.keys(rules))}`);
    if (value === undefined || rule === true) continue;
    const allowed = typeof rule === 'string' ? [rule] : Object.keys(rule);
    const kind = allowed.find((word) => (Object.hasOwn(kinds, word) ? kinds[word]?.is(value) === true : word === value));
    if (kind === undefined) {
      const words = allowed.map((word) => kinds[word]?.called ?? JSON.stringify(word));
      const [near] =
        typeof value === 'string'
          ? nearNames(
              value,
              allowed.filter((word) => !Object.hasOwn(kinds, word)),
            )
          : [];
      const meant = near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`;
      const list =
        typeof value === 'string' && allowed.some((word) => word.endsWith('[]')) ? ` Write ${JSON.stringify([value.slice(0, 100)])}.` : '';
      throw invalid(`Option "${path}${option}" of ${of} is ${shown(value)}.${meant} Give ${words.join(' or ')}.${list}`);
    }
    const nested = typeof rule === 'string' || kind !== '{}' ? true : rule[kind];
    if (typeof nested === 'object') check(of, `${path}${option}.`, value as object, nested as AnyRules);
  }
}

function hint(option: string, known: readonly string[]): string {
  const [near] = nearNames(option, known);
  return near === undefined ? ` It has: ${known.join(', ')}.` : ` Did you mean ${JSON.stringify(near)}?`;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 100));
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : typeof value === 'function' ? 'a function' : String(value);
}

function invalid(message: string): SkillError {
  return new SkillError('invalid-options', message);
}
