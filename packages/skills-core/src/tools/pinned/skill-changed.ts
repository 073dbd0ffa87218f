import { SkillError } from '../../errors/skill-error.ts';
import type { SkillChangeReason } from '../../policy/in-force.ts';
import { skillChangedText } from '../../prompt/model-texts.ts';
import type { LoadedSkill, SkillEvent } from '../../state/skill-state.ts';
import type { ToolEnvironment } from '../tool-environment.ts';

const events = new WeakMap<SkillError, readonly SkillEvent[]>();

/** A difference between what was loaded and what its source has. */
export interface SkillChange {
  readonly name: string;
  readonly loaded: LoadedSkill | undefined;
  readonly reason: SkillChangeReason;
  readonly path?: string | undefined;
}

/** The error of everything that needs what was loaded and cannot have it. */
export function skillChanged({ names }: Pick<ToolEnvironment, 'names'>, { name, loaded, reason, path }: SkillChange): SkillError {
  const error = new SkillError('skill-changed', skillChangedText(name, reason, names), { skill: name, path });
  // Another content was seen, so the load is closed for good.
  if (loaded !== undefined && reason === 'content') events.set(error, [{ type: 'changed', name, revision: loaded.revision }]);
  return error;
}

/** What an error means for the state: the answer of a tool carries it. */
export function eventsOfChange(error: SkillError): readonly SkillEvent[] {
  return events.get(error) ?? [];
}
