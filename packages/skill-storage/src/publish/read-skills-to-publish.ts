import { SkillError, type SkillDiagnostic, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { forEachBounded } from '@repertoire/skills-core/provider';
import type { ReleasedSkill } from '../form/release.ts';
import { readSkillToPublish } from './read-skill-to-publish.ts';
import { refuseFaults } from './refuse-faults.ts';
import type { Uploader } from './uploader.ts';

interface ReadSkillsOptions {
  readonly uploader: Uploader;
  /** Whether an unreadable skill is left out and reported. */
  readonly lenient: boolean;
  readonly concurrency: number;
  readonly signal: AbortSignal | undefined;
  /** Called after each skill. */
  readonly onSkill: () => void;
}

/**
 * Reads every listed skill completely, passes the files to the uploader, and reports what was left
 * out.
 *
 * @throws {SkillError} for anything that must not be left out: every fault unless `lenient`, and
 *   always a source that does not answer now
 */
export async function readSkillsToPublish(
  provider: SkillProvider,
  listed: readonly SkillMetadata[],
  { uploader, lenient, concurrency, signal, onSkill }: ReadSkillsOptions,
): Promise<{ readonly skills: readonly ReleasedSkill[]; readonly diagnostics: readonly SkillDiagnostic[] }> {
  const released: (ReleasedSkill | null)[] = listed.map(() => null);
  const diagnostics: SkillDiagnostic[] = [];
  const lost: SkillDiagnostic[] = [];
  const read = async (skill: SkillMetadata, index: number): Promise<void> => {
    try {
      const { faults, ...stored } = await readSkillToPublish(provider, skill, uploader, signal);
      released[index] = stored;
      lost.push(...faults);
    } catch (error) {
      signal?.throwIfAborted();
      if (!lenient || !isAboutSkill(error)) throw error;
      diagnostics.push(leftOut(skill, error));
    }
    onSkill();
  };
  await forEachBounded(listed, concurrency, read, signal);

  refuseFaults(provider, lost, lenient);
  diagnostics.push(...lost);
  return { skills: released.filter((skill) => skill !== null), diagnostics };
}

/** Whether the error is about the skill. Outages must not drop a skill. */
function isAboutSkill(error: unknown): error is SkillError {
  return SkillError.isInstance(error) && error.source !== undefined && error.code !== 'source-unavailable' && error.code !== 'timeout';
}

function leftOut({ name, version }: SkillMetadata, { message }: SkillError): SkillDiagnostic {
  return {
    code: 'skill-not-published',
    severity: 'error',
    message: `${JSON.stringify(name)}${version === null ? '' : ` ${version}`} is not published: ${message}`,
    skill: name,
    fix: 'Fix the skill or its source, and publish again.',
  };
}
