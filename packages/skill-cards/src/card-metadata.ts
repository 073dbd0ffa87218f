import type { Skill, SkillMetadata } from '@repertoire/skills-core';
import { cardToolsOf } from '@repertoire/skills-core/adapter';
import {
  assertKnownOptions,
  fieldOf,
  isJsonObject,
  metadataShapes,
  type JsonObject,
  type OtherMetadataField,
  type OptionRules,
  type SkillFieldValue,
} from '@repertoire/skills-core/internal';
import type { SkillCard, SkillCardExtension } from './skill-card.ts';

/** The extension for fields of a SKILL.md that a card has no place for. */
export const frontmatterExtensionUri = 'urn:repertoire:skill-card:frontmatter';

const carriedFields: readonly (readonly [OtherMetadataField, string])[] = [
  ['license', 'license'],
  ['compatibility', 'compatibility'],
  ['metadata', 'metadata'],
  ['allowedTools', 'allowed-tools'],
  ['whenToUse', 'when_to_use'],
  ['tools', 'tools'],
  ['autoActivate', 'autoActivate'],
  ['disableModelInvocation', 'disable-model-invocation'],
  ['userInvocable', 'user-invocable'],
  ['argumentHint', 'argument-hint'],
  ['arguments', 'arguments'],
  ['model', 'model'],
  ['context', 'context'],
  ['agent', 'agent'],
  ['steps', 'steps'],
  ['fields', 'fields'],
];

const cardFields = ['base_uri', 'mcps', 'local_tools', 'extensions'];

/**
 * Returns level 1 of a card's skill. Its `id` is the name, its name for people is `metadata.title`,
 * its local tools are among `tools`, and `fields` has `mcps`, `local_tools` and `extensions` as the
 * card has them (see `cardToolsOf`). No origin: that is the provider's to say.
 *
 * @example
 * ```ts
 * import { metadataOfCard, type SkillCard } from '@repertoire/skill-cards';
 * import type { SkillMetadata } from '@repertoire/skills-core';
 *
 * export const levelOne = (card: SkillCard): SkillMetadata => metadataOfCard(card);
 * ```
 */
export function metadataOfCard(card: SkillCard): SkillMetadata {
  const carried = carriedOf(card);
  const metadata = card.name === card.id ? carried.metadata : { ...carried.metadata, title: card.name };
  const tools = [...new Set([...(carried.tools ?? []), ...Object.keys(card.localTools)])];
  const fields = { ...carried.fields, ...fieldsOfCard(card) };
  return {
    ...carried,
    name: card.id,
    description: card.description,
    version: card.version ?? null,
    ...(metadata !== undefined && { metadata }),
    ...(tools.length > 0 && { tools }),
    ...(Object.keys(fields).length > 0 && { fields }),
  };
}

/**
 * Level 1 of a `SKILL.md` and of its card (`metadataOfCard`): where both say something, the card
 * wins; lists and maps are put together. Without a card, it is the skill as it is.
 */
export function metadataWithCard<Metadata extends SkillMetadata>(skill: Metadata, card: SkillMetadata | null): Metadata {
  if (card === null) return skill;
  const tools = [...new Set([...(skill.tools ?? []), ...(card.tools ?? [])])];
  const metadata = { ...skill.metadata, ...card.metadata };
  const fields = { ...skill.fields, ...card.fields };
  return {
    ...skill,
    ...card,
    version: card.version ?? skill.version,
    ...(tools.length > 0 && { tools }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(Object.keys(fields).length > 0 && { fields }),
  };
}

/** Options of {@link cardOfSkill}. */
export interface CardOfSkillOptions {
  /** `base_uri` of the card. @default '.', the card lies beside SKILL.md */
  readonly baseUri?: string | undefined;
}

const knownOptions: OptionRules<CardOfSkillOptions> = {
  baseUri: 'string',
};

/**
 * Makes the card of a skill, for publishing. `metadata.title` becomes the name for people; `mcps`,
 * `local_tools` and `extensions` of its `fields` become the card's own; the other fields of level 1
 * travel in an extension, so that `metadataOfCard` gives back the same level 1, and a reader sees
 * from the card alone what the model may not start.
 *
 * @example
 * ```ts
 * import { cardOfSkill, serializeSkillCard } from '@repertoire/skill-cards';
 * import type { Skill } from '@repertoire/skills-core';
 *
 * export const cardText = (skill: Skill): string => serializeSkillCard(cardOfSkill(skill));
 * ```
 */
export function cardOfSkill(skill: Skill, options: CardOfSkillOptions = {}): SkillCard {
  assertKnownOptions('cardOfSkill', options, knownOptions);
  const { mcps, localTools } = cardToolsOf(skill);
  return {
    id: skill.name,
    ...(skill.version !== null && { version: skill.version }),
    name: skill.metadata?.['title'] ?? skill.name,
    description: skill.description,
    baseUri: options.baseUri ?? '.',
    files: ['SKILL.md', ...skill.resources.map(({ path }) => path)],
    mcps,
    localTools,
    extensions: [...ownExtensions(skill), ...frontmatterExtension(skill, Object.keys(localTools))],
  };
}

function carriedOf(card: SkillCard): Partial<SkillMetadata> {
  const params: JsonObject = card.extensions.find(({ uri }) => uri === frontmatterExtensionUri)?.params ?? {};
  const entries = carriedFields.flatMap(([key, field]) => {
    const value = fieldOf(params, field);
    return value !== undefined && metadataShapes[key](value) ? [[key, structuredClone(value)]] : [];
  });
  return Object.fromEntries(entries) as Partial<SkillMetadata>;
}

function fieldsOfCard(card: SkillCard): Record<string, SkillFieldValue> {
  const extensions = card.extensions.filter(({ uri }) => uri !== frontmatterExtensionUri);
  const mcps = Object.entries(card.mcps).map(([key, { other, ...server }]) => [key, { ...other, ...server }]);
  const tools = Object.entries(card.localTools).map(([key, { other, importPath, ...tool }]) => [
    key,
    { ...other, ...tool, import_path: importPath },
  ]);
  return {
    ...(mcps.length > 0 && { mcps: fieldValue(Object.fromEntries(mcps)) }),
    ...(tools.length > 0 && { local_tools: fieldValue(Object.fromEntries(tools)) }),
    ...(extensions.length > 0 && { extensions: fieldValue(extensions) }),
  };
}

function ownExtensions({ fields }: SkillMetadata): SkillCardExtension[] {
  const value = fields === undefined ? undefined : fieldOf(fields, 'extensions');
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown): SkillCardExtension[] => {
    if (!isJsonObject(entry) || typeof entry['uri'] !== 'string' || entry['uri'] === frontmatterExtensionUri) return [];
    const { uri, description, required, params } = entry;
    return [
      {
        uri,
        ...(typeof description === 'string' && { description }),
        required: required === true || required === 'true',
        ...(isJsonObject(params) && { params }),
      },
    ];
  });
}

function frontmatterExtension(skill: Skill, localTools: readonly string[]): SkillCardExtension[] {
  const fields = Object.fromEntries(Object.entries(skill.fields ?? {}).filter(([name]) => !cardFields.includes(name)));
  // What the card says in its own place is not said twice.
  const { title: _title, ...metadata } = skill.metadata ?? {};
  const tools = skill.tools?.filter((tool) => !localTools.includes(tool));
  const source: SkillMetadata = { ...skill, metadata, tools, fields };
  const params = Object.fromEntries(
    carriedFields.flatMap(([key, field]) => (isEmpty(source[key]) ? [] : [[field, structuredClone(source[key])]])),
  );
  if (Object.keys(params).length === 0) return [];
  return [{ uri: frontmatterExtensionUri, description: 'Fields of SKILL.md that a card has no place for.', required: false, params }];
}

/** Scalars are text in `fields`, as everywhere in the contract. */
function fieldValue(value: unknown): SkillFieldValue {
  if (Array.isArray(value)) return value.map(fieldValue);
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).flatMap(([key, entry]) => (entry === undefined ? [] : [[key, fieldValue(entry)]])));
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (isJsonObject(value) && Object.keys(value).length === 0) || (Array.isArray(value) && value.length === 0);
}
