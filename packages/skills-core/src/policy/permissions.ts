import type { SkillMetadata } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { quoteWord } from '../prompt/source-words.ts';

/** What is asked of a {@link SkillPermissions} hook. */
export interface SkillPermissionRequest<Context> {
  /** `list`: see it. `load`: get the instructions. `read`: read a file. Each is asked alone. */
  readonly action: 'list' | 'load' | 'read';
  readonly skill: SkillMetadata;
  /** The file, for `read`. */
  readonly path?: string | undefined;
  /** What the host gave to `skillset.open({ context })`: the tenant, the role, the request. */
  readonly context: Context;
}

/** Yes, no, or no with a reason for the model. Only `true` and `{ allowed: true }` are a yes. */
export type SkillPermissionAnswer = boolean | { readonly allowed: boolean; readonly reason?: string | undefined };

/** Decides who may do what. An error, or more than 10 seconds, means no. */
export type SkillPermissions<Context> = (
  request: SkillPermissionRequest<Context>,
) => SkillPermissionAnswer | Promise<SkillPermissionAnswer>;

const maxCheckMs = 10_000;

/** Calls the function, and treats every failure as a no. */
export async function isAllowed<Context>(
  permissions: SkillPermissions<Context> | undefined,
  request: SkillPermissionRequest<Context>,
): Promise<{ readonly allowed: boolean; readonly reason: string }> {
  if (permissions === undefined) return { allowed: true, reason: '' };
  try {
    const answer = await inTime(permissions(request));
    if (typeof answer === 'boolean') return { allowed: answer, reason: '' };
    // A hook written in JavaScript may forget to answer; that is no yes.
    return { allowed: answer?.allowed === true, reason: answer?.reason ?? '' };
  } catch {
    return { allowed: false, reason: 'the permission check failed' };
  }
}

async function inTime(answer: SkillPermissionAnswer | Promise<SkillPermissionAnswer>): Promise<SkillPermissionAnswer> {
  if (typeof answer === 'boolean') return answer;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<SkillPermissionAnswer>((resolve) => {
    timer = setTimeout(() => resolve({ allowed: false, reason: 'the permission check took too long' }), maxCheckMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function permissionDenied(
  { action, skill, path }: Pick<SkillPermissionRequest<unknown>, 'action' | 'skill' | 'path'>,
  reason: string,
): SkillError {
  const what = path === undefined ? `Skill ${quoteWord(skill.name)}` : `${quoteWord(path)} of skill ${quoteWord(skill.name)}`;
  return new SkillError(
    'permission-denied',
    `${what} may not be ${action === 'read' ? 'read' : 'loaded'} here${reason === '' ? '' : `: ${reason}`}. Go on without it, or ask the user.`,
    { skill: skill.name, path },
  );
}
