import { signatureProblem, type SignatureProblem, type SignatureProblemCode } from './signature-problem.ts';

/** Carries a problem from deep inside a parser to the function that returns it. It never leaves the package. */
export class Refusal extends Error {
  readonly problem: SignatureProblem;

  constructor(problem: SignatureProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Stops the verification with one problem. */
export function refuse(code: SignatureProblemCode, message: string, path?: string): never {
  throw new Refusal(signatureProblem(code, message, path));
}

/** Runs work and returns the problem that stopped it. What is no refusal is a fault of ours or the platform, and is thrown on. */
export async function catchRefusal<Value>(work: () => Promise<Value>): Promise<Value | SignatureProblem> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return error.problem;
    throw error;
  }
}

/** A value from outside, short enough for a message. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}
