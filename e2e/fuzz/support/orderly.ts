import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { skillErrorCodes } from '../../../packages/skills-core/src/errors/skill-error.ts';

/** The longest sentence that an error or a diagnostic may be, whatever names it carries. */
const maxMessage = 8_000;
/** What an answer, or all diagnostics of an input, may have besides so many times its own length: YAML may repeat a text ten times, and fields stand in an answer four times. */
const freeCharacters = 65_536;
const charactersPerByte = 64;

/** The answer, or `undefined` where the input was refused as inputs are: by a `SkillError` with a known code and a sentence of bounded length. */
export async function refusedOr<Answer>(work: () => Answer | Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!SkillError.isInstance(error)) throw error;
    if (!Object.hasOwn(skillErrorCodes, error.code)) throw new Error(`The error has the unknown code ${error.code}.`, { cause: error });
    checkSentence(error.message);
    return undefined;
  }
}

/** Checks that problems are told as they should be: with a code, in sentences of bounded length, and not more than the input can be worth. */
export function checkDiagnostics(diagnostics: readonly Pick<SkillDiagnostic, 'code' | 'message' | 'fix'>[], input: Uint8Array): void {
  let characters = 0;
  for (const { code, message, fix = '' } of diagnostics) {
    if (code === '') throw new Error('A diagnostic has no code.');
    checkSentence(message);
    checkSentence(`${message}${fix}`);
    characters += message.length + fix.length;
  }
  if (characters > freeCharacters + charactersPerByte * input.length)
    throw new Error(`${diagnostics.length} diagnostics have ${characters} characters for ${input.length} bytes.`);
}

/** Checks that an answer is not much more than what it was made of. */
export function checkSize(answer: unknown, input: Uint8Array): void {
  const { length } = JSON.stringify(answer) ?? '';
  if (length > freeCharacters + charactersPerByte * input.length)
    throw new Error(`The answer has ${length} characters for ${input.length} bytes.`);
}

/** What is thrown where two things are not the same that should be. */
export function checkSame(what: string, one: unknown, other: unknown): void {
  const [first, second] = [JSON.stringify(one), JSON.stringify(other)];
  if (first !== second) throw new Error(`${what}: ${first?.slice(0, 300)} is not ${second?.slice(0, 300)}`);
}

function checkSentence(sentence: string): void {
  if (sentence === '' || sentence.length > maxMessage)
    throw new Error(`A message has ${sentence.length} characters: ${sentence.slice(0, 200)}`);
}
