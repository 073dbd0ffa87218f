import { boundedMessage } from './bounded-message.ts';
import { withoutCredentials } from './without-credentials.ts';

/** Every code of a {@link SkillError}. Codes are added, never renamed. */
export const skillErrorCodes = {
  'invalid-options': 'The host called something with options that cannot work. Fix the call.',
  'invalid-skill': 'A skill breaks the rules of the format. The message lists each rule that it breaks.',
  'duplicate-skill': 'Two skills of one source have the same name and version.',
  'skill-not-found': 'No skill has this name (or this version) in the catalog.',
  'resource-not-found': 'The skill has no such file, or the path is not one that may be read.',
  'invalid-path': 'The path is absolute, climbs out of the skill with `..`, or holds characters no file name may hold.',
  'invalid-input': 'A model called a skill tool with arguments that do not fit its schema.',
  'skill-changed': 'The skill is not what this conversation loaded: its content changed, or it is gone from its source. Load it again.',
  'not-loaded': 'The skill must be loaded before this can be done.',
  'needs-approval': 'A person must say yes first: to this content of a skill, or to this call while the skill stands in the context.',
  'permission-denied': 'The host does not allow this skill, file or tool in this context.',
  'reserved-tool-name': 'A tool of the host has the name of one of the skill tools.',
  'limit-exceeded': 'Something is larger than its limit. The message names the limit and how to raise it.',
  'digest-mismatch': 'Bytes are not those that were promised: damaged in transit, or changed after they were pinned.',
  'signature-refused': 'The signature of a skill is missing, does not verify, or is not by a signer that the host accepts.',
  'source-unavailable': 'The source as a whole cannot answer: the folder, server or store is missing, down or refuses.',
  timeout: 'The source did not answer in the time that the host allows.',
  unsupported: 'The source cannot do what was asked.',
  'invalid-agent':
    'The file of a declarative agent is wrong, or asks for what the host does not give. The message lists each problem with its place.',
  'agent-failed':
    'A declarative agent failed while it ran: an expression of a node, an answer that has not the form that it asks for, its model or its framework. The message names it.',
  'step-failed': 'A step of a workflow failed. The message names the step and what its tool or model said.',
  'workflow-changed': 'A run of a workflow was resumed, and its record is not that of this run, so nothing more of it runs.',
  'runner-failed': 'The runner could not start a script, or lost it. Whether it did anything is not known.',
  conflict: 'Somebody else has done or changed it meanwhile, so it is not done. Read what there is now.',
  unexpected: 'A command met an error that it does not know. The message is that of the error, and says nothing of a source.',
} as const;

/** One of the documented error codes; see {@link skillErrorCodes}. */
export type SkillErrorCode = keyof typeof skillErrorCodes;

/** What a {@link SkillError} is about. Each field is there only where it is known. */
export interface SkillErrorDetails {
  /** Name of the skill. */
  readonly skill?: string | undefined;
  /** Path of the resource inside the skill, or of the file outside one. */
  readonly path?: string | undefined;
  /** Label of the source. */
  readonly source?: string | undefined;
  /** The error underneath. */
  readonly cause?: unknown;
}

// Shared by every copy of the package, which a class is not.
const marker = Symbol.for('@repertoire/skills-core.SkillError');

/**
 * The one error of the library. Its message says what failed, on what value, and what to do about
 * it; its `code` is what a program branches on. Of a URL in it, passwords and queries are left out.
 *
 * An abort is not an error of ours: it is rethrown as the signal's own reason.
 *
 * @example
 * ```ts
 * import { SkillError } from '@repertoire/skills-core';
 *
 * export function isMissing(error: unknown): boolean {
 *   return SkillError.isInstance(error) && error.code === 'skill-not-found';
 * }
 * ```
 */
export class SkillError extends Error {
  override readonly name = 'SkillError';
  /** What went wrong, for programs; see {@link skillErrorCodes}. */
  readonly code: SkillErrorCode;
  /** Name of the skill, where one is concerned. */
  readonly skill: string | undefined;
  /** Path of the file, where one is concerned. */
  readonly path: string | undefined;
  /** Label of the source, where one is concerned. */
  readonly source: string | undefined;

  constructor(code: SkillErrorCode, message: string, details: SkillErrorDetails = {}) {
    super(boundedMessage(message), details.cause === undefined ? undefined : { cause: details.cause });
    Object.defineProperty(this, marker, { value: true });
    this.code = code;
    this.skill = details.skill;
    this.path = details.path && withoutCredentials(details.path);
    this.source = details.source;
  }

  /** `Error (not-loaded): …`, as a model reads it. Not every model API marks errors. */
  override toString(): string {
    return `Error (${this.code}): ${this.message}`;
  }

  /** Whether a value is a `SkillError`, also of another copy of the package. */
  static isInstance(value: unknown): value is SkillError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true;
  }
}
