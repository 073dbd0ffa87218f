import type { SkillDiagnostic } from '@repertoire/skills-core';
import {
  assertKnownOptions,
  CardReader,
  maxDescriptionLength,
  parseLocalToolReference,
  preview,
  suggestSkillName,
  type OptionRules,
} from '@repertoire/skills-core/internal';
import { checkSkillName } from '@repertoire/skills-core/provider';
import { parseSkillCard } from './parse-skill-card.ts';
import { unknownExtension } from './read-card.ts';
import { serializeSkillCard } from './serialize-skill-card.ts';
import type { SkillCard } from './skill-card.ts';

const semver = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** Options of {@link validateSkillCard}. */
export interface ValidateSkillCardOptions {
  /** Where the card is: stands in diagnostics. @default not known */
  readonly url?: string | undefined;
  /** Known extensions by uri; another required one is an error. @default our own */
  readonly knownExtensions?: readonly string[] | undefined;
}

const knownOptions: OptionRules<ValidateSkillCardOptions> = {
  url: 'string',
  knownExtensions: 'string[]',
};

/**
 * Reports what is wrong with a card, by the strict rules for authors: everything that reading it
 * would fix, and besides the name, the length of the description, the version, references to local
 * tools, unencrypted servers, and extensions that must be understood. None for a good card.
 *
 * Codes beside those of `parseSkillCard`: `card-name`, `card-description`, `card-version`.
 *
 * @example
 * ```ts
 * import { validateSkillCard, type SkillCard } from '@repertoire/skill-cards';
 *
 * export const problems = (card: SkillCard): string[] => validateSkillCard(card).map(({ message }) => message);
 * ```
 */
export function validateSkillCard(card: SkillCard, options: ValidateSkillCardOptions = {}): SkillDiagnostic[] {
  assertKnownOptions('validateSkillCard', options, knownOptions);
  const reader = new CardReader(options.url);
  reader.named(card.id);
  checkIdentity(card, reader);

  for (const [key, server] of Object.entries(card.mcps)) {
    if (server.transport !== 'stdio' && /^http:/i.test(server.url)) {
      reader.report('warning', 'card-mcp', `card.mcps.${key} is reached without encryption: ${preview(server.url)}.`, 'Use https:.');
    }
  }
  for (const [key, { importPath }] of Object.entries(card.localTools)) {
    if (parseLocalToolReference(importPath) !== null) continue;
    const message = `card.local_tools.${key} cannot be imported from ${preview(importPath)}; only a host's map can supply it.`;
    reader.report('warning', 'card-local-tool', message, 'Give "./module.js#export" or "package#export".');
  }
  const unknown = unknownExtension(card, options.knownExtensions);
  if (unknown !== undefined) {
    const message = `The card requires the extension ${preview(unknown)}, which is not known here.`;
    reader.report('error', 'card-extension', message, 'Support the extension, or leave the skill alone.');
  }
  return [...parseSkillCard(serializeSkillCard(card), { url: options.url }).diagnostics, ...reader.diagnostics];
}

function checkIdentity({ id, version, description }: SkillCard, reader: CardReader): void {
  for (const issue of checkSkillName(id)) {
    const suggestion = suggestSkillName(id);
    const message = `The id ${preview(id)} ${issue.message}.`;
    reader.report('warning', 'card-name', message, suggestion === '' ? undefined : `Try ${JSON.stringify(suggestion)}.`);
  }
  const length = [...description].length;
  if (length > maxDescriptionLength) {
    const message = `The description has ${length} characters, more than ${maxDescriptionLength}.`;
    reader.report('warning', 'card-description', message, 'Say what the skill does and when to use it, and no more.');
  }
  if (version === undefined || !semver.test(version)) {
    const message = version === undefined ? 'The card has no version.' : `The version ${preview(version)} is not of the form 1.2.3.`;
    reader.report('warning', 'card-version', message, 'Give a semantic version.');
  }
}
