import { quote, type DiagnosticLog } from './diagnostic-log.ts';
import type { YamlEntry } from './yaml-reading.ts';
import { nearestFieldKey, skillFieldLike, skillFieldOf, type SkillField } from './skill-fields.ts';

/**
 * Decides which entry is which field: the documented spelling wins over variants, and the first
 * variant over later ones. Reports fields that the profile does not know; `strict` knows those of
 * the standard only.
 *
 * @returns the field of each entry, by its position; `undefined` for one that is no field, or is
 *   not read
 */
export function assignFields(entries: readonly YamlEntry[], log: DiagnosticLog): readonly (SkillField | undefined)[] {
  const assigned: (SkillField | undefined)[] = [];
  for (const { key } of entries) {
    const field = skillFieldOf(key);
    const isRefused = log.profile === 'strict' && field?.standard !== true;
    assigned.push(field === undefined || isRefused || assigned.includes(field) ? undefined : field);
  }
  if (!assigned.includes(undefined)) return assigned;
  entries.forEach((entry, index) => {
    if (assigned[index] !== undefined) return;
    if (log.profile === 'strict') {
      reportUnknown(entry, log);
      return;
    }
    const field = skillFieldOf(entry.key) ?? skillFieldLike(entry.key);
    if (field === undefined) {
      if (nearestFieldKey(entry.key) !== undefined) reportUnknown(entry, log);
      return;
    }
    const isUsed = !assigned.includes(field);
    if (isUsed) assigned[index] = field;
    const outcome = !isUsed
      ? `was not read: ${quote(field.key)} is there as well`
      : field.kind === 'carried'
        ? `is documented as ${quote(field.key)}`
        : `was read as ${quote(field.key)}`;
    log.report({
      code: 'field-spelling',
      message: `${quote(entry.key)} ${outcome}.`,
      fix: isUsed ? `Write it ${quote(field.key)}.` : 'Remove one of the two.',
      offset: entry.offset,
    });
  });
  return assigned;
}

function reportUnknown({ key, offset }: YamlEntry, log: DiagnosticLog): void {
  const nearest = nearestFieldKey(key);
  const isKnown = skillFieldOf(key) !== undefined;
  log.report({
    code: 'field-unknown',
    message: isKnown
      ? `The field ${quote(key)} is known to some tools, but is none of the standard's.`
      : `The field ${quote(key)} is not one that the standard knows.`,
    fix:
      nearest !== undefined && nearest !== key ? `Did you mean ${quote(nearest)}?` : 'Move it under "metadata", which is open to any key.',
    offset,
  });
}
