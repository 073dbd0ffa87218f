import { SkillError } from '../../errors/skill-error.ts';
import type { Skill } from '../../contract/skill-provider.ts';
import type { SkillChangeReason } from '../../policy/in-force.ts';
import { skillChangedText } from '../../prompt/model-texts.ts';
import type { LoadedSkill, SkillEvent } from '../../state/skill-state.ts';
import { digestsByPath, filesSince } from '../files-since.ts';
import type { ToolEnvironment } from '../tool-environment.ts';
import { contentOfSkill } from './content-of-skill.ts';

/** A difference between what was loaded and what its source has. */
export interface SkillChange {
  readonly name: string;
  readonly loaded: LoadedSkill | undefined;
  readonly reason: SkillChangeReason;
  readonly path?: string | undefined;
}

/** Something needs what was loaded and cannot have it. */
export class SkillChanged extends SkillError {
  /** What it means for the state: the answer of a tool carries it. */
  readonly events: readonly SkillEvent[];

  constructor(message: string, { name, loaded, reason, path }: SkillChange) {
    super('skill-changed', message, { skill: name, path });
    // Another content was seen, so the load is closed for good.
    this.events = loaded !== undefined && reason === 'content' ? [{ type: 'changed', name, revision: loaded.revision }] : [];
  }
}

/** The error of everything that needs what was loaded and cannot have it. The host is told, too. */
export async function changedSkill(
  environment: ToolEnvironment,
  change: SkillChange,
  signal: AbortSignal | undefined,
): Promise<SkillChanged> {
  await tellChanged(environment, change, signal);
  return new SkillChanged(skillChangedText(change.name, change.reason, environment.names), change);
}

/**
 * Tells the host, once in a session, that a loaded skill is no longer what its source has. With a
 * listener, the source is asked what it has instead, and the files are compared where the loaded
 * list is remembered.
 */
export async function tellChanged(
  environment: ToolEnvironment,
  { name, loaded, reason }: SkillChange,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { toldChanges, hasListener, emit } = environment;
  if (loaded === undefined) return;
  const key = JSON.stringify([name, loaded.revision, reason]);
  if (!hasListener || toldChanges.has(key)) return;
  toldChanges.add(key);
  const now = reason === 'content' ? await presentSkill(environment, name, loaded, signal) : undefined;
  const before = await environment.contents.get(loaded.revision);
  emit({
    type: 'skill_changed',
    skill: name,
    version: loaded.version,
    ...(loaded.source !== '' && { source: loaded.source }),
    trusted: loaded.untrusted !== true,
    reason,
    from: loaded.content ?? null,
    to: now?.content ?? null,
    files: before === undefined || now === undefined ? null : filesSince(digestsByPath(before.resources), now.skill.resources),
  });
}

async function presentSkill(
  { provider }: ToolEnvironment,
  name: string,
  { source, place, version }: LoadedSkill,
  signal: AbortSignal | undefined,
): Promise<{ readonly skill: Skill; readonly content: string | null } | undefined> {
  try {
    const skill = await provider.getSkill(name, { version, place, ...(source !== '' && { source }), signal });
    return skill === null ? undefined : { skill, content: await contentOfSkill(provider, skill, { signal }) };
  } catch (thrown) {
    signal?.throwIfAborted();
    if (SkillError.isInstance(thrown)) return undefined;
    throw thrown;
  }
}
