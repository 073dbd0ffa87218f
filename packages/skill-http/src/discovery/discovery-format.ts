/** `$schema` of the current discovery index, compared as text and never fetched. */
export const discoverySchema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

/** Folder of the index 0.2.0, below the place that publishes. */
export const discoveryFolder = '.well-known/agent-skills';

/** Folder of the index 0.1.0, which lists files and has no digests. */
export const legacyFolder = '.well-known/skills';

/** Name of the index in both folders. */
export const indexFile = 'index.json';

/** Name of the signature of an index with this digest, beside it. */
export const signatureFile = (digest: string): string => `index.${digest}.sig`;

/** Name of a skill card. */
export const cardFile = 'skill-card.json';

/**
 * Field of an index entry for what the format has no place for. Our handler writes it; other
 * readers ignore it, as the format requires.
 *
 * | key | what |
 * |---|---|
 * | `metadata` | level 1 as `SkillMetadata` has it, so that all of it is known from the index alone |
 * | `versions` | entries of the older versions of the skill, newest first |
 */
export const extensionField = 'x-repertoire';

/** The name rule of the format, which is narrower than that of the standard's reference library. */
export function isDiscoveryName(name: string): boolean {
  return name.length <= 64 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
}

/** The most characters (Unicode code points) of a description in an index. */
export const maxIndexDescription = 1024;
