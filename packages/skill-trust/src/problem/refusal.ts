import { signatureProblem, type SignatureProblem, type SignatureProblemCode } from './signature-problem.ts';

/** Carries a problem out of a parser. It never leaves the package. */
export class Refusal extends Error {
  readonly problem: SignatureProblem;

  constructor(problem: SignatureProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

export function refuse(code: SignatureProblemCode, message: string, path?: string): never {
  throw new Refusal(signatureProblem(code, message, path));
}

/** Returns the problem that stopped the work. Other errors are rethrown. */
export async function catchRefusal<Value>(work: () => Promise<Value>): Promise<Value | SignatureProblem> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return error.problem;
    throw error;
  }
}

/** Shortens an external value for a message. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}
