import { getConformanceSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import { expect, it } from 'vitest';
import { expressionEnvironment, withVariables } from '../src/cel/expression-environment.ts';
import { meteredSource } from '../src/cel/metered-source.ts';
import { defaultExpressionLimits } from '../src/cel/meter.ts';

/** A test of the official suite, as far as it is read here. */
interface OfficialTest {
  readonly expr: string;
  readonly container: string;
  readonly checkOnly: boolean;
  readonly bindings: object;
  readonly resultMatcher: { readonly case?: string | undefined; readonly value?: unknown };
}

interface Suite {
  readonly tests: readonly { readonly original: unknown }[];
  readonly suites: readonly Suite[];
}

function* testsOf({ tests, suites }: Suite): Generator<OfficialTest> {
  for (const { original } of tests) yield original as OfficialTest;
  for (const suite of suites) yield* testsOf(suite);
}

const { environment, running, meter } = withVariables(expressionEnvironment(defaultExpressionLimits), {});

/** A value as text, the same for the official form and for ours; `null` for what a state cannot hold anyway. */
function official(value: unknown): string | null {
  const { case: kind, value: inner } = (value as { readonly kind: { readonly case: string; readonly value: unknown } }).kind;
  if (kind === 'nullValue') return 'null';
  if (kind === 'doubleValue') return `d${String(inner)}`;
  if (kind === 'int64Value' || kind === 'boolValue') return String(inner);
  if (kind === 'stringValue') return JSON.stringify(inner);
  if (kind !== 'listValue') return null;
  const items = (inner as { readonly values: readonly unknown[] }).values.map(official);
  return items.includes(null) ? null : `[${items.join()}]`;
}

function ours(value: unknown): string {
  if (typeof value === 'number') return `d${String(value)}`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(ours).join()}]`;
  if (value instanceof Map) return `{${[...value].map(([key, item]) => `${ours(key)}:${ours(item)}`).join()}}`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, item]) => `${ours(key)}:${ours(item)}`)
      .join()}}`;
  return String(value);
}

function outcome(evaluate: () => unknown): string {
  try {
    return ours(evaluate());
  } catch {
    return 'error';
  }
}

const cases = [...testsOf(getConformanceSuite())].filter(
  ({ expr, container, checkOnly, bindings }) => !checkOnly && container === '' && Object.keys(bindings).length === 0 && isValid(expr),
);

/** What an agent may not use is left out. */
function isValid(expression: string): boolean {
  if (expression.includes('cel.bind')) return false;
  try {
    return environment.check(expression).valid;
  } catch {
    return false;
  }
}

it('DEC-1: the meter changes no value: every official test of CEL that type-checks here gives the same with it', () => {
  const different: string[] = [];
  for (const { expr } of cases) {
    const { ast } = environment.parse(expr);
    const metered = meteredSource(expr, ast);
    meter.start();
    const [plain, measured] = [outcome(() => environment.parse(expr)({})), outcome(() => running.parse(metered.text)({}))];
    if (plain !== measured) different.push(`${expr} ⇒ ${metered.text}: ${plain}, ${measured}`);
  }
  expect(different).toEqual([]);
  expect(cases.length).toBeGreaterThan(900);
});

// One more would be `[].map(n, n / 2)`: with numbers of two types, the type of an element of an empty list is not known.
it('DEC-1: so many official tests of CEL give the official value; fewer after an update of the library are a loss', () => {
  const results = cases.flatMap(({ expr, resultMatcher }) => {
    const expected = resultMatcher.case === 'value' ? official(resultMatcher.value) : null;
    return expected === null ? [] : [{ expr, right: outcome(() => environment.parse(expr)({})) === expected }];
  });
  expect([results.filter(({ right }) => right).length, results.length]).toEqual([743, 765]);
});
