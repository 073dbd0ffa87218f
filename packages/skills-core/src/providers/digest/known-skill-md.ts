/** What follows from the bytes of a `SKILL.md` alone. */
export interface KnownSkillMd {
  /** The name that `parseSkillMd` reads in them, with its usual limits. */
  readonly name: string;
  /** SHA-256 of the bytes, if it was computed. */
  readonly digest: string | undefined;
}

const known = new WeakMap<Uint8Array, KnownSkillMd>();

/**
 * Tells those who publish a skill what is known of its `SKILL.md`, so that they need not parse and
 * hash it again. Only for bytes that were just read, and are handed over as they are. Whoever
 * verifies bytes does not ask for it.
 */
export function noteSkillMd(bytes: Uint8Array, facts: KnownSkillMd): void {
  known.set(bytes, facts);
}

/**
 * What the source of these very bytes noted; `undefined` for a copy of them, and for all others.
 */
export function knownSkillMd(bytes: Uint8Array): KnownSkillMd | undefined {
  return known.get(bytes);
}
