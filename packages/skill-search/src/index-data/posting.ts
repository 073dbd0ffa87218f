import type { SkillSearchField } from '@repertoire/skills-core/discovery';

/** The parts of a skill, which are weighed apart. */
export const skillFields: readonly SkillSearchField[] = ['name', 'description', 'headings', 'body'];

/** How one part of a skill is measured and kept. */
interface FieldRule {
  /** Terms of a usual text. The lengths of others are measured by it. */
  readonly usualLength: number;
  /** First bit and number of bits of it in a code. */
  readonly shift: number;
  readonly bits: number;
}

/**
 * The usual lengths are constants and not averages of the library. So what is known of a skill depends on the skill alone: it can be made once, kept, moved and
 * taken out again without touching any other.
 */
export const fieldRules: Readonly<Record<SkillSearchField, FieldRule>> = {
  name: { usualLength: 3, shift: 0, bits: 4 },
  description: { usualLength: 50, shift: 4, bits: 6 },
  headings: { usualLength: 60, shift: 10, bits: 5 },
  body: { usualLength: 600, shift: 15, bits: 7 },
};

/** The bits of each field in a code. */
export const fieldMasks: Readonly<Record<SkillSearchField, number>> = Object.fromEntries(
  skillFields.map((field) => [field, ((1 << fieldRules[field].bits) - 1) << fieldRules[field].shift]),
) as Record<SkillSearchField, number>;

/** BM25: how soon more of the same word counts no more, and how much longer texts pay for their length. */
const saturation = 1.2;
const lengthPenalty = 0.75;
/** What BM25 gives a word at most, whatever its frequency. */
const mostSaturated = saturation + 1;

/** A posting is a code of 22 bits, above the 10 bits of a place in a segment. */
export const placeBits = 10;
export const placeMask: number = (1 << placeBits) - 1;

/** The part of a code that a word gets by standing `count` times in a field of `length` words; at least 1. */
export function fieldCode(field: SkillSearchField, count: number, length: number): number {
  const { usualLength, shift, bits } = fieldRules[field];
  const room = saturation * (1 - lengthPenalty + (lengthPenalty * length) / usualLength);
  const saturated = (count * mostSaturated) / (count + room);
  const most = (1 << bits) - 1;
  return Math.max(1, Math.round((saturated / mostSaturated) * most)) << shift;
}

/** What a code says of a field, from 0 (absent) to 2.2. */
export function fieldStrength(field: SkillSearchField, code: number): number {
  const { shift, bits } = fieldRules[field];
  const most = (1 << bits) - 1;
  return (((code >>> shift) & most) / most) * mostSaturated;
}
