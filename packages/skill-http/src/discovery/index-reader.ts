import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { DiagnosticList } from '@repertoire/skills-core/internal';
import { checkUrl, type UrlPolicy } from '../http/url-policy.ts';

/** What reading an index needs to know. */
export interface IndexContext {
  readonly policy: UrlPolicy;
  /** Where the index came from. */
  readonly url: string;
  readonly profile: 'lenient' | 'strict';
  readonly maxSkills: number;
  /** Files that a skill may have. */
  readonly maxFiles: number;
}

/** Records the problems of an index, and resolves its URLs. */
export class IndexReader {
  readonly context: IndexContext;
  readonly #diagnostics = new DiagnosticList();

  constructor(context: IndexContext) {
    this.context = context;
  }

  get diagnostics(): readonly SkillDiagnostic[] {
    return this.#diagnostics.all;
  }

  report(severity: SkillDiagnostic['severity'], code: string, message: string, skill?: string, fix?: string): void {
    this.#diagnostics.add({
      code,
      severity,
      message,
      ...(skill !== undefined && { skill }),
      path: this.context.url,
      ...(fix !== undefined && { fix }),
    });
  }

  /** An entry that is left out. */
  skip(code: string, skill: string | undefined, why: string, fix?: string): null {
    this.report('error', code, `${skill === undefined ? 'An entry' : `The entry ${quote(skill)}`} is left out: ${why}`, skill, fix);
    return null;
  }

  /** A URL of an entry, or `null` where it may not be asked. */
  resolve(reference: string, skill: string): string | null {
    try {
      return checkUrl(reference, this.context.policy, { base: this.context.url }).href;
    } catch (error) {
      if (!SkillError.isInstance(error)) throw error;
      return this.skip('index-entry-url', skill, error.message, 'Let the entry name an https: URL of this origin, or allow its origin.');
    }
  }
}

/** A value as it stands in a message. */
export function quote(value: unknown): string {
  const text = jsonOf(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // The value is nested too deeply for the stack. `JSON.parse` has no such limit, so a document
    // can contain it.
    return Array.isArray(value) ? 'a list' : 'an object';
  }
}
