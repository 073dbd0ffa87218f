import type { SkillListing } from '../../contract/skill-provider.ts';
import type { SkillError } from '../../errors/skill-error.ts';
import type { ComposedSource } from './composed-source.ts';
import type { SkillCollisionRule } from './merge-listings.ts';
import { parseQualifiedName } from './qualified-name.ts';

/** The sources of one composition, and its rules. */
export interface Composition {
  readonly label: string;
  /** Labels of the sources in the order of the host. */
  readonly labels: readonly string[];
  /** The sources, best first. */
  readonly byPrecedence: readonly ComposedSource[];
  readonly onCollision: SkillCollisionRule;
  /**
   * Whether a source that fails and has never answered keeps all sources behind it from being
   * asked.
   */
  readonly withholds: boolean;
}

/** What a source answered to a question for its listing. */
export type SourceAnswer =
  | { readonly source: ComposedSource; readonly listing: SkillListing }
  | { readonly source: ComposedSource; readonly listing?: undefined; readonly error: SkillError };

/** The sources that may have a skill, and its name there. */
export interface Candidates {
  readonly among: readonly ComposedSource[];
  readonly ownName: string;
}

/** @param asked the label of the source that a call names */
export function candidatesFor({ labels, byPrecedence }: Composition, name: string, asked: string | undefined): Candidates {
  const qualified = parseQualifiedName(name, labels);
  const own = byPrecedence.find((source) => source.label === (qualified?.label ?? asked));
  return { among: own === undefined ? byPrecedence : [own], ownName: qualified?.name ?? name };
}
