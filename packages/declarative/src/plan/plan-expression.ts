import { SkillError } from '@repertoire/skills-core';
import { withVariables, type ExpressionEnvironment, type VariableTypes } from '../cel/expression-environment.ts';
import { compileExpression, ExpressionProblem, type ExpressionKind, type ExpressionNames } from '../cel/expression.ts';
import type { AgentDocument, DocumentPath } from '../document/agent-document.ts';
import { quote } from '../document/hints.ts';
import { fitsChannel } from './plan-state.ts';

/** A compiled expression of the file. */
export interface PlannedExpression {
  /** Names of the variables that it reads. */
  readonly uses: ReadonlySet<string>;
  /** @throws {SkillError} `agent-failed`, with the position in the file */
  evaluate(variables: Readonly<Record<string, unknown>>): unknown;
}

/** Variables that exist only in some places. */
export type OwnVariable = 'llm_response' | 'answer' | 'workflow_result';

/** Where an expression is, and what it must return. */
export interface ExpressionPlace {
  readonly path: DocumentPath;
  readonly source: string;
  readonly kinds: readonly ExpressionKind[];
  readonly variable?: OwnVariable | undefined;
  /** What failed, for errors at run time: `node "plan"`. */
  readonly owner: string;
}

/** Compiles the expressions of one file. Problems are reported; the result is then `null`. */
export type ExpressionCompiler = (place: ExpressionPlace) => PlannedExpression | null;

const ownTypes: Readonly<Record<OwnVariable, string>> = { llm_response: 'Message', answer: 'dyn', workflow_result: 'dyn' };

export function expressionCompiler(
  document: AgentDocument,
  base: ExpressionEnvironment,
  types: VariableTypes,
  names: Omit<ExpressionNames, 'variables'>,
): ExpressionCompiler {
  const environments = new Map<OwnVariable | undefined, ExpressionEnvironment>();
  const environmentOf = (own: OwnVariable | undefined): ExpressionEnvironment => {
    const made = environments.get(own) ?? withVariables(base, { ...types, ...(own !== undefined && { [own]: ownTypes[own] }) });
    environments.set(own, made);
    return made;
  };

  return ({ path, source, kinds, variable, owner }) => {
    const variables = [...Object.keys(types), ...(variable === undefined ? [] : [variable])];
    try {
      const expression = compileExpression(environmentOf(variable), source, kinds, { ...names, variables });
      return {
        uses: expression.uses,
        evaluate(values) {
          try {
            const value = expression.evaluate(values);
            if (kinds.some((kind) => fitsChannel(kind, value))) return value;
            // Only a value whose type was not known statically gets here.
            throw new ExpressionProblem(`It gives ${quote(value)}, and ${kinds.join(' or ')} is needed.`, 0);
          } catch (error) {
            if (!(error instanceof ExpressionProblem)) throw error;
            const place = document.locate({ path, offset: error.start });
            const text = `${place} The expression of ${owner} failed: ${error.message}${error.fix === undefined ? '' : ` ${error.fix}`}`;
            throw new SkillError('agent-failed', `${text} It is ${quote(source)}.`, { cause: error });
          }
        },
      };
    } catch (error) {
      if (!(error instanceof ExpressionProblem)) throw error;
      document.report('agent-expression', { path, offset: error.start }, error.message, error.fix);
      return null;
    }
  };
}
