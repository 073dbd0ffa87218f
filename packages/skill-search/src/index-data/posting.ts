import type { SkillSearchField } from '@repertoire/skills-core/internal';

/** The parts of a skill, which have separate weights. */
export const skillFields: readonly SkillSearchField[] = ['name', 'description', 'headings', 'body', 'references'];

interface FieldRule {
  /** Typical number of terms. Text lengths are relative to it. */
  readonly usualLength: number;
  /** First bit and number of bits in a code. */
  readonly shift: number;
  readonly bits: number;
}

/**
 * The typical lengths are constants, not averages of the library. What is stored of a skill
 * therefore depends on that skill alone: it can be computed once, cached, moved and removed without
 * affecting others.
 */
export const fieldRules: Readonly<Record<SkillSearchField, FieldRule>> = {
  name: { usualLength: 3, shift: 0, bits: 4 },
  description: { usualLength: 50, shift: 4, bits: 6 },
  headings: { usualLength: 60, shift: 10, bits: 5 },
  body: { usualLength: 600, shift: 15, bits: 7 },
  references: { usualLength: 1_000, shift: 22, bits: 2 },
};

/** The bits of each field in a code. */
export const fieldMasks: Readonly<Record<SkillSearchField, number>> = Object.fromEntries(
  skillFields.map((field) => [field, ((1 << fieldRules[field].bits) - 1) << fieldRules[field].shift]),
) as Record<SkillSearchField, number>;

/** BM25: how fast repeated words stop counting, and how much long texts are penalized. */
const saturation = 1.2;
const lengthPenalty = 0.75;
/** The maximum BM25 value of a word, whatever its frequency. */
const mostSaturated = saturation + 1;

/** A posting consists of a code of 24 bits, and a place in the segment in the lower 8 bits. */
export const placeBits = 8;
export const placeMask: number = (1 << placeBits) - 1;

/** The part of a code for a word that occurs `count` times in a field of `length` words. */
export function fieldCode(field: SkillSearchField, count: number, length: number): number {
  const { usualLength, shift, bits } = fieldRules[field];
  const room = saturation * (1 - lengthPenalty + (lengthPenalty * length) / usualLength);
  const saturated = (count * mostSaturated) / (count + room);
  const most = (1 << bits) - 1;
  return Math.max(1, Math.round((saturated / mostSaturated) * most)) << shift;
}

/** Returns the strength of a field in a code, from 0 (absent) to 2.2. */
export function fieldStrength(field: SkillSearchField, code: number): number {
  const { shift, bits } = fieldRules[field];
  const most = (1 << bits) - 1;
  return (((code >>> shift) & most) / most) * mostSaturated;
}
