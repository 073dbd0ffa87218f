import type { ParsedQuery } from './parse-query.ts';
import { addAcceptedCounts, addFieldCounts } from './field-counts.ts';
import { fieldMasks, fieldRules, fieldStrength, placeBits, placeMask, skillFields } from './posting.ts';
import type { SkillSearchField } from '@repertoire/skills-core/internal';
import { searchWeights, type SearchWeights } from './search-weights.ts';
import { codeAt, findTerm, type PostingRange, type Segment } from './segment.ts';

/** The weight of a term in a library: the more skills contain it, the lower. */
export interface TermWeight {
  readonly text: string;
  readonly isPhrase: boolean;
  /** Weight of the field × rarity of the term in that field. */
  readonly weights: Readonly<Record<SkillSearchField, number>>;
  /** Location of its postings, by segment. */
  readonly ranges: readonly (PostingRange | null)[];
}

/** The part of one term in a score. */
export interface TermScore {
  readonly text: string;
  readonly isPhrase: boolean;
  readonly fields: Readonly<Partial<Record<SkillSearchField, number>>>;
  readonly score: number;
}

/** Options of {@link scoreSegments}. */
export interface ScoringOptions {
  /** For each segment, a 1 at the places of the skills that are looked at. @default all */
  readonly accepted?: readonly Uint8Array[] | undefined;
  readonly rules?: SearchWeights | undefined;
}

interface CountedSegment {
  readonly segment: Segment;
  readonly size: number;
  readonly mask: Uint8Array | undefined;
}

/** A request's terms in a library, and the score of each skill, by segment and place. */
export interface ScoredSegments {
  readonly terms: readonly TermWeight[];
  readonly scores: readonly Float32Array[];
}

/** Strengths by part of a code. Constants, because the loop over postings is most of a search. */
const [nameStrengths, descriptionStrengths, headingStrengths, bodyStrengths, referenceStrengths] = [
  strengthsOf('name'),
  strengthsOf('description'),
  strengthsOf('headings'),
  strengthsOf('body'),
  strengthsOf('references'),
];
/** The weight of a word of the context, relative to a word of the request. */
const contextShare = 0.2;
const { name: nameMask, description: descriptionMask, headings: headingMask, body: bodyMask, references: referenceMask } = fieldMasks;
const descriptionShift = fieldRules.description.shift;
const headingShift = fieldRules.headings.shift;
const bodyShift = fieldRules.body.shift;
const referenceShift = fieldRules.references.shift;
const besideBody = nameMask | descriptionMask | headingMask | referenceMask;

/**
 * BM25 of each field, weighted and added, times the share of the request's words that were found,
 * to the power of 1/4.
 *
 * Rarity differs by field, and is that among the accepted skills: "email" occurs in many bodies,
 * but is significant in a description.
 */
export function scoreSegments(
  segments: readonly Segment[],
  query: ParsedQuery,
  { accepted, rules = searchWeights }: ScoringOptions = {},
): ScoredSegments {
  const counted = segments.map((segment, index): CountedSegment => {
    const mask = accepted?.[index];
    const size = mask?.reduce((sum, bit) => sum + bit, 0) ?? segment.size;
    // Without a mask, counts need no loop over postings.
    return { segment, size, mask: size === segment.size ? undefined : mask };
  });
  const total = counted.reduce((sum, { size }) => sum + size, 0);
  const words = query.words.flatMap((term) => weighTerm(counted, total, term, rules, false));
  const phrases = query.phrases.flatMap((term) => weighTerm(counted, total, term, rules, true));
  const context = (query.context ?? []).flatMap((term) => weighTerm(counted, total, term, rules, false));
  const factors = Float32Array.from({ length: words.length + 1 }, (_, found) => (found / Math.max(1, words.length)) ** rules.coverage);
  const scores = segments.map((segment, index) => {
    const sums = new Float32Array(segment.size);
    const found = new Uint16Array(segment.size);
    for (const term of words) addTerm(segment, term, index, sums, found);
    for (const term of phrases) addTerm(segment, term, index, sums, null);
    for (let place = 0; place < sums.length; place += 1)
      sums[place] = (sums[place] as number) * (factors[found[place] as number] as number);
    if (context.length > 0) addContext(segment, context, index, sums);
    return sums;
  });
  return { terms: [...words, ...phrases], scores };
}

/** Returns the parts of one skill's score before the coverage factor, strongest first. */
export function explainScore(segment: Segment, index: number, place: number, terms: readonly TermWeight[]): TermScore[] {
  const parts: TermScore[] = [];
  for (const { text, isPhrase, weights, ranges } of terms) {
    const range = ranges[index] ?? null;
    const code = range === null ? 0 : codeAt(segment, range, place);
    if (code === 0) continue;
    const fields: Partial<Record<SkillSearchField, number>> = {};
    let score = 0;
    for (const field of skillFields) {
      const part = fieldStrength(field, code) * weights[field];
      if (part === 0) continue;
      fields[field] = part;
      score += part;
    }
    parts.push({ text, isPhrase, fields, score });
  }
  return parts.sort((a, b) => b.score - a.score);
}

function weighTerm(
  segments: readonly CountedSegment[],
  total: number,
  { hash, text }: { readonly hash: number; readonly text: string },
  rules: SearchWeights,
  isPhrase: boolean,
): TermWeight[] {
  const having = skillFields.map(() => 0);
  let known = false;
  const ranges = segments.map(({ segment, size, mask }) => {
    const range = size === 0 ? null : findTerm(segment, hash);
    if (range === null) return null;
    if (mask === undefined) addFieldCounts(segment, range, having);
    else if (!addAcceptedCounts(segment, range, mask, having)) return null;
    known = true;
    return range;
  });
  if (!known) return [];
  const weigh = (field: SkillSearchField) => {
    const skills = having[skillFields.indexOf(field)] ?? 0;
    return (isPhrase ? rules.phrase : rules[field]) * Math.log(1 + (total - skills + 0.5) / (skills + 0.5));
  };
  const weights = {
    name: weigh('name'),
    description: weigh('description'),
    headings: weigh('headings'),
    body: weigh('body'),
    references: weigh('references'),
  };
  return [{ text, isPhrase, weights, ranges }];
}

function addTerm(
  { postings }: Segment,
  { ranges, weights }: TermWeight,
  index: number,
  sums: Float32Array,
  found: Uint16Array | null,
): void {
  const range = ranges[index] ?? null;
  if (range === null) return;
  const { name, description, headings, body, references } = weights;
  for (let at = range.from; at < range.to; at += 1) {
    const posting = postings[at] as number;
    const place = posting & placeMask;
    const code = posting >>> placeBits;
    let sum = (sums[place] as number) + (bodyStrengths[(code & bodyMask) >>> bodyShift] as number) * body;
    // Most terms of most skills occur only in the body.
    if ((code & besideBody) !== 0) {
      sum +=
        (nameStrengths[code & nameMask] as number) * name +
        (descriptionStrengths[(code & descriptionMask) >>> descriptionShift] as number) * description +
        (headingStrengths[(code & headingMask) >>> headingShift] as number) * headings +
        (referenceStrengths[(code & referenceMask) >>> referenceShift] as number) * references;
    }
    sums[place] = sum;
    if (found !== null) found[place] = (found[place] as number) + 1;
  }
}

/** Adds the reduced scores of the words of the context to skills that the request found. */
function addContext(segment: Segment, context: readonly TermWeight[], index: number, sums: Float32Array): void {
  const beside = new Float32Array(segment.size);
  for (const term of context) addTerm(segment, term, index, beside, null);
  for (let place = 0; place < sums.length; place += 1)
    if ((sums[place] as number) > 0) sums[place] = (sums[place] as number) + (beside[place] as number) * contextShare;
}

function strengthsOf(field: SkillSearchField): Float32Array {
  const { bits, shift } = fieldRules[field];
  return Float32Array.from({ length: 1 << bits }, (_, value) => fieldStrength(field, value << shift));
}
