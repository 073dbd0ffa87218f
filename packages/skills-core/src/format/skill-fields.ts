import { editsBetween } from '../contract/edits-between.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';

/** How a field is read: see `read-metadata.ts`. `carried` fields stay in `fields`. */
export type SkillFieldKind =
  | 'name'
  | 'description'
  | 'text'
  | 'boolean'
  | 'names'
  | 'patterns'
  | 'metadata'
  | 'activation'
  | 'steps'
  | 'carried';

/** A field of the frontmatter that the standard or several tools know. */
export interface SkillField {
  /** The key as it is documented and written. */
  readonly key: string;
  readonly kind: SkillFieldKind;
  /** Where its value goes in {@link SkillMetadata}; none for `carried` fields. */
  readonly property?: keyof SkillMetadata;
  /** Whether the Agent Skills specification names it. */
  readonly standard?: true;
  /** Other keys that are documented somewhere and mean the same. */
  readonly aliases?: readonly string[];
}

/** All known fields, in the order in which they are written. */
export const skillFields: readonly SkillField[] = [
  { key: 'name', kind: 'name', property: 'name', standard: true },
  { key: 'description', kind: 'description', property: 'description', standard: true },
  { key: 'license', kind: 'text', property: 'license', standard: true },
  { key: 'compatibility', kind: 'text', property: 'compatibility', standard: true },
  { key: 'allowed-tools', kind: 'patterns', property: 'allowedTools', standard: true },
  { key: 'metadata', kind: 'metadata', property: 'metadata', standard: true },
  { key: 'version', kind: 'text', property: 'version' },
  { key: 'when_to_use', kind: 'text', property: 'whenToUse' },
  { key: 'tools', kind: 'names', property: 'tools' },
  { key: 'autoActivate', kind: 'activation', property: 'autoActivate', aliases: ['auto-activate'] },
  { key: 'disable-model-invocation', kind: 'boolean', property: 'disableModelInvocation' },
  { key: 'user-invocable', kind: 'boolean', property: 'userInvocable' },
  { key: 'argument-hint', kind: 'text', property: 'argumentHint' },
  { key: 'arguments', kind: 'names', property: 'arguments' },
  { key: 'model', kind: 'text', property: 'model' },
  { key: 'context', kind: 'text', property: 'context' },
  { key: 'agent', kind: 'text', property: 'agent' },
  { key: 'steps', kind: 'steps', property: 'steps' },
  // Understood by Claude Code; nothing here acts on them.
  { key: 'disallowed-tools', kind: 'carried' },
  { key: 'effort', kind: 'carried' },
  { key: 'background', kind: 'carried' },
  { key: 'hooks', kind: 'carried' },
  { key: 'paths', kind: 'carried' },
  { key: 'shell', kind: 'carried' },
];

/** Fields whose values are also read with the types of YAML's core schema. */
export const typedKeys: ReadonlySet<string> = new Set(['steps', 'hooks']);

const byKey = /* @__PURE__ */ mapByKey();
const byFoldedKey = /* @__PURE__ */ mapByFoldedKey();

function mapByKey(): ReadonlyMap<string, SkillField> {
  return new Map(skillFields.flatMap((field) => [field.key, ...(field.aliases ?? [])].map((key) => [key, field] as const)));
}

function mapByFoldedKey(): ReadonlyMap<string, SkillField> {
  return new Map(skillFields.map((field) => [fold(field.key), field]));
}

/** The field with this key, in a documented spelling. */
export function skillFieldOf(key: string): SkillField | undefined {
  return byKey.get(key);
}

/** The field that is meant by a key in snake, camel or kebab case, or in capitals. */
export function skillFieldLike(key: string): SkillField | undefined {
  return byFoldedKey.get(fold(key));
}

/** The known key of which an unknown key is most likely a typo. */
export function nearestFieldKey(key: string): string | undefined {
  const variant = skillFieldLike(key);
  if (variant !== undefined) return variant.key;
  if (key.length < 5) return undefined;
  const folded = key.toLowerCase();
  // The cheap conditions first: most frontmatters have some unknown field.
  return skillFields.find(
    (field) =>
      field.key[0] === folded[0] &&
      Math.abs(field.key.length - folded.length) <= 1 &&
      editsBetween(field.key, folded) <= (folded.length < 9 ? 1 : 2),
  )?.key;
}

function fold(key: string): string {
  return key.toLowerCase().replace(/[-_ ]/g, '');
}
