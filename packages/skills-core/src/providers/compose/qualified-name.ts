import type { SkillMetadata, SkillOrigin } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';

/** A name of a composition that says which source is meant: `acme:billing`. */
export interface QualifiedName {
  readonly label: string;
  readonly name: string;
}

/** `label:name`, which always finds a source's skill. The standard allows no `:` in names. */
export function qualifiedName(label: string, name: string): string {
  return `${label}:${name}`;
}

/** Takes a qualified name apart; `null` for any other name. */
export function parseQualifiedName(name: string, labels: readonly string[]): QualifiedName | null {
  const label = labels.find((candidate) => name.startsWith(`${candidate}:`));
  return label === undefined ? null : { label, name: name.slice(label.length + 1) };
}

/**
 * Checks that labels can be told apart, also in front of a name.
 *
 * @throws {SkillError} `invalid-options`
 */
export function checkLabels(labels: readonly string[]): void {
  for (const [index, label] of labels.entries()) {
    if (typeof label !== 'string' || label === '')
      throw new SkillError('invalid-options', `Source ${index + 1} of the composition has no label. Give each provider one.`);
    if (labels.indexOf(label) !== index) {
      throw new SkillError(
        'invalid-options',
        `Two sources of the composition have the label "${label}". Give each provider a label of its own.`,
        { source: label },
      );
    }
    const longer = labels.find((other) => other.startsWith(`${label}:`));
    if (longer !== undefined) {
      throw new SkillError(
        'invalid-options',
        `The labels "${label}" and "${longer}" cannot be told apart in front of a skill's name. Rename one of the providers.`,
        { source: longer },
      );
    }
  }
}

/** Returns a skill under the name that it is listed with, with an origin. */
export function asListed<Level extends SkillMetadata>(skill: Level, name: string, label: string): Level {
  if (skill.name === name && skill.origin !== undefined) return skill;
  const origin: SkillOrigin = skill.origin ?? { kind: 'unknown', label, trusted: false };
  const isRenamed = skill.name !== name && origin.place === undefined;
  return { ...skill, name, origin: isRenamed ? { ...origin, place: skill.name } : origin };
}
