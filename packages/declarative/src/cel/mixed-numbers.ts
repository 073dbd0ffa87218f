import type { Environment } from '@marcbachmann/cel-js';

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
export function withMixedNumbers(environment: Environment): Environment {
  for (const [sign, of] of Object.entries(calculate)) {
    const run = (left: unknown, right: unknown): number => of(Number(left), Number(right));
    environment.registerOperator(`int ${sign} double: double`, run).registerOperator(`double ${sign} int: double`, run);
  }
  return environment;
}
