import { SkillError } from '@repertoire/skills-core';
import { APICallError, RetryError } from 'ai';
import { keyNames } from './choose-model.ts';

/** What went wrong and what to do, in two sentences. */
export function explainFailure(error: unknown): { readonly message: string; readonly hint: string } {
  const cause = RetryError.isInstance(error) ? error.lastError : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (APICallError.isInstance(cause) || isGatewayError(cause)) {
    const status = cause.statusCode === undefined ? '' : ` (status ${cause.statusCode})`;
    return {
      message: `The model's API refused or did not answer${status}: ${message}`,
      hint: `Check the key in ${keyNames.join(', ')} and the name in REPERTOIRE_MODEL, or add --offline for the stand-in model.`,
    };
  }
  if (cause instanceof TypeError && 'code' in cause && String(cause.code).startsWith('ERR_PARSE_ARGS'))
    return { message, hint: 'See --help.' };
  if (SkillError.isInstance(cause)) return { message: `${cause.code}: ${message}`, hint: 'This is about the skills, not about the model.' };
  return { message: cause instanceof Error ? (cause.stack ?? message) : message, hint: 'This should not happen. Please report it.' };
}

/** The gateway's errors share no class with those of the providers. */
function isGatewayError(error: unknown): error is Error & { readonly statusCode?: number } {
  return error instanceof Error && error.name.startsWith('Gateway');
}
