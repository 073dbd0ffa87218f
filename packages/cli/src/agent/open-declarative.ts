import type * as declarative from '@repertoire/declarative';
import type * as files from '@repertoire/declarative/node';
import { wrongUsage } from '../text/wrong-usage.ts';

/** What `repertoire agent` calls. */
export type Declarative = typeof declarative & typeof files;

/**
 * Imports `@repertoire/declarative`, which is an optional peer: only people with agents as YAML
 * need it and LangGraph.
 *
 * @throws {SkillError} `invalid-options` where it, or one of its own peers, is not installed
 */
export async function openDeclarative(): Promise<Declarative> {
  try {
    return { ...(await import('@repertoire/declarative')), ...(await import('@repertoire/declarative/node')) };
  } catch (cause) {
    throw missingPackages(cause, 'repertoire agent', '@repertoire/declarative @langchain/core @langchain/langgraph zod');
  }
}

/** The error for a missing optional package. An error of another kind is returned as it is. */
export function missingPackages(cause: unknown, wantedBy: string, packages: string): unknown {
  if (!(cause instanceof Error) || (cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') return cause;
  const missing = /package '([^']+)'/.exec(cause.message)?.[1] ?? packages;
  return wrongUsage(`${wantedBy} needs ${missing}, which is not installed. Run: npm install ${packages}`, { cause });
}
