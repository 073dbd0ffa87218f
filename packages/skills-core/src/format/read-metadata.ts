import { isPlainName, normalizeSkillName } from '../contract/skill-name.ts';
import type { SkillFieldValue, SkillMetadata } from '../contract/skill-provider.ts';
import { parseAllowedTools } from './allowed-tools.ts';
import { checkCompatibility, checkDescription, checkDirectoryName, checkName } from './check-standard.ts';
import { quote, type DiagnosticLog } from './diagnostic-log.ts';
import { nearestFieldKey, skillFieldLike, skillFieldOf, type SkillField } from './skill-fields.ts';
import type { YamlEntry } from './yaml-reading.ts';

const nameField = /* @__PURE__ */ skillFieldOf('name');
const descriptionField = /* @__PURE__ */ skillFieldOf('description');

type Draft = { -readonly [Key in keyof SkillMetadata]: SkillMetadata[Key] };

interface Reader {
  readonly log: DiagnosticLog;
  readonly draft: Draft;
  /** Made when the first field goes there; without a prototype, as its keys are anybody's. */
  fields: Record<string, SkillFieldValue> | undefined;
}

/**
 * Makes level 1 of the fields of a frontmatter. Reports every field that is not as the standard or
 * its tool asks for.
 *
 * @returns `null` where nothing can be loaded: no description, or no name and no folder to take it
 *   from
 */
export function readMetadata(entries: readonly YamlEntry[], directoryName: string | undefined, log: DiagnosticLog): SkillMetadata | null {
  const fields = assignFields(entries, log);
  const name = readName(entries[fields.indexOf(nameField)], directoryName, log);
  const description = readDescription(entries[fields.indexOf(descriptionField)], entries, log);
  const draft: Draft = { name: name ?? '', description: description ?? '', version: null };
  const reader: Reader = { log, draft, fields: undefined };
  entries.forEach((entry, index) => {
    const field = fields[index];
    if (field === undefined || field.kind === 'carried') keep(entry, reader);
    else readField(field, entry, reader);
  });
  if (name === undefined || description === undefined) return null;
  if (reader.fields !== undefined) draft.fields = reader.fields;
  return draft;
}

function readName(entry: YamlEntry | undefined, directoryName: string | undefined, log: DiagnosticLog): string | undefined {
  const written = entry?.value;
  const name = typeof written !== 'string' ? '' : isPlainName(written) ? written : normalizeSkillName(written);
  if (entry !== undefined && typeof written === 'string' && name !== '') {
    if (name !== written.trim()) {
      log.report({
        code: 'name-normalized',
        message: `The name ${quote(written)} is used as ${quote(name)}.`,
        fix: 'Write it in this form (Unicode NFKC).',
        offset: entry.offset,
      });
    }
    checkName(name, entry.offset, log);
    if (directoryName !== undefined && directoryName !== '') checkDirectoryName(name, directoryName, entry.offset, log);
    return name;
  }
  const fallback = log.profile === 'lenient' ? normalizeSkillName(directoryName ?? '') : '';
  const isNotText = entry !== undefined && typeof written !== 'string';
  const problem = isNotText
    ? `The name is no text: ${quote(entry.written)}`
    : entry === undefined
      ? 'There is no name'
      : 'The name is empty';
  log.report({
    code: isNotText ? 'name-not-text' : 'name-missing',
    severity: fallback === '' ? 'error' : 'warning',
    message: fallback === '' ? `${problem}.` : `${problem}; that of the folder is used, ${quote(fallback)}.`,
    fix: fallback === '' ? 'Add a line such as "name: my-skill", with the name of the folder.' : `Set "name: ${fallback}".`,
    offset: entry?.offset,
  });
  if (fallback === '') return undefined;
  checkName(fallback, entry?.offset, log);
  return fallback;
}

function readDescription(entry: YamlEntry | undefined, entries: readonly YamlEntry[], log: DiagnosticLog): string | undefined {
  const written = entry === undefined ? '' : readText('description', entry, log, 'error');
  if (entry !== undefined && written.trim() !== '') {
    reportComment(entry, log);
    checkDescription(written, entry.offset, log);
    return written.trim();
  }
  const slip = entries.find((candidate) => candidate !== entry && nearestFieldKey(candidate.key) === 'description');
  const problem =
    entry === undefined
      ? 'There is no description'
      : entry.comment === undefined
        ? 'The description is empty'
        : `The description is empty, since ${quote(entry.comment)} is a comment`;
  log.report({
    code: 'description-missing',
    message: `${problem}, so that the skill cannot be loaded.`,
    fix:
      slip !== undefined
        ? `Rename ${quote(slip.key)} to "description".`
        : 'Add "description:" with what the skill does and when to use it.',
    offset: entry?.offset,
  });
  return undefined;
}

function readField(field: SkillField, entry: YamlEntry, reader: Reader): void {
  const { log, draft } = reader;
  const { value } = entry;
  switch (field.kind) {
    case 'text': {
      const written = readText(field.key, entry, log, field.key === 'compatibility' ? 'error' : 'warning');
      if (field.key === 'compatibility') checkCompatibility(written, entry.offset, log);
      if (field.key === 'when_to_use') reportComment(entry, log);
      if (written.trim() !== '') set(draft, field, written.trim());
      return;
    }
    case 'boolean': {
      const flag = typeof value === 'string' ? booleanOf(value) : undefined;
      if (flag === undefined) refuse(field, entry, 'true or false', reader);
      else set(draft, field, flag);
      return;
    }
    case 'names': {
      const names = namesOf(value);
      if (names === undefined) refuse(field, entry, 'a list of names', reader);
      else set(draft, field, names);
      return;
    }
    case 'patterns':
      return readAllowedTools(entry, reader);
    case 'metadata':
      return readMetadataField(entry, reader);
    case 'activation': {
      const folded = typeof value === 'string' ? value.toLowerCase().replace(/[-_\s]/g, '') : '';
      if (folded === 'currentskill' || folded === 'always') set(draft, field, folded === 'always' ? 'always' : 'currentSkill');
      else refuse(field, entry, '"currentSkill" or "always"', reader);
      return;
    }
    case 'steps':
      if (Array.isArray(entry.typed)) set(draft, field, entry.typed);
      else refuse(field, entry, 'a list of steps', reader);
      return;
    default:
  }
}

/** Text as written, also where YAML reads a list or map: `argument-hint: [issue]`. */
function readText(key: string, entry: YamlEntry, log: DiagnosticLog, strictSeverity: 'error' | 'warning'): string {
  if (typeof entry.value === 'string') return entry.value;
  const written = entry.written
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
  log.report({
    code: 'field-not-text',
    severity: log.profile === 'strict' ? strictSeverity : 'warning',
    message: `${key} is a list or a map to YAML; it was read as the text ${quote(written)}.`,
    fix: `Put it in quotes: ${key}: ${quote(written)}`,
    offset: entry.offset,
  });
  return written;
}

function reportComment(entry: YamlEntry, log: DiagnosticLog): void {
  if (entry.comment === undefined) return;
  log.report({
    code: 'inline-comment',
    message: `${entry.key} ends before ${quote(entry.comment)}, which is a comment to YAML.`,
    fix: 'Put the whole text in quotes if "#" belongs to it.',
    offset: entry.offset,
  });
}

function readAllowedTools(entry: YamlEntry, reader: Reader): void {
  const { patterns, form, issues } = parseAllowedTools(entry.value);
  const toolless = patterns.filter((pattern) => !namesTool(pattern)).map((pattern) => `${quote(pattern)} names no tool.`);
  for (const message of [...issues.map((issue) => issue.message), ...toolless]) {
    reader.log.report({
      code: 'allowed-tools-syntax',
      message: `allowed-tools: ${message}`,
      fix: 'Write patterns separated by spaces, such as "Read Bash(git:*)".',
      offset: entry.offset,
    });
  }
  if (form !== 'space' && form !== 'none') {
    const what = form === 'list' ? 'a list' : 'separated by commas';
    reader.log.report({
      code: 'allowed-tools-separator',
      message: `allowed-tools is ${what}; the specification asks for one text separated by spaces.`,
      fix: `Write it as: allowed-tools: ${patterns.join(' ')}`,
      offset: entry.offset,
    });
  }
  reader.draft.allowedTools = patterns;
  if (issues.length > 0) keep(entry, reader, 'allowed-tools');
}

/** A number or a YAML word, as a slip leaves them, would match nothing and nobody would know. */
function namesTool(pattern: string): boolean {
  // The letters of all scripts take a while to load.
  return (/[A-Za-z_*]/.test(pattern) || /\p{L}/u.test(pattern)) && !/^(?:true|false|null)$/i.test(pattern);
}

function readMetadataField(entry: YamlEntry, reader: Reader): void {
  const { value, offset } = entry;
  if (typeof value === 'string' || isList(value)) {
    // A key without a value is an empty map to most tools.
    if (typeof value === 'string' && ['', '~', 'null'].includes(value.trim())) return;
    reader.log.report({
      code: 'metadata-not-map',
      message: `metadata is no map: ${quote(value)}.`,
      fix: 'Write "key: value" lines below it, indented.',
      offset,
    });
    keep(entry, reader, 'metadata');
    return;
  }
  if (isTextMap(value)) {
    reader.draft.metadata = value;
    return;
  }
  const metadata = Object.create(null) as Record<string, string>;
  const converted: string[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (typeof item !== 'string') converted.push(key);
    metadata[key] = typeof item === 'string' ? item : JSON.stringify(item);
  }
  reader.draft.metadata = metadata;
  keep(entry, reader, 'metadata');
  reader.log.report({
    code: 'metadata-not-text',
    message: `metadata has values that are no text: ${converted.map((key) => quote(key)).join(', ')}.`,
    fix: 'The standard allows text only: write them as text, or in a file of the skill.',
    offset,
  });
}

/** Whether every value is a text already. */
function isTextMap(value: Readonly<Record<string, SkillFieldValue>>): value is Readonly<Record<string, string>> {
  for (const key in value) if (typeof value[key] !== 'string') return false;
  return true;
}

function refuse(field: SkillField, entry: YamlEntry, expected: string, reader: Reader): void {
  keep(entry, reader);
  reader.log.report({
    code: 'field-invalid-value',
    message: `${field.key} is ${quote(entry.written)}, where ${expected} is expected; it has no effect.`,
    fix: `Write ${expected}, or remove it.`,
    offset: entry.offset,
  });
}

function keep(entry: YamlEntry, reader: Reader, key: string = entry.key): void {
  reader.fields ??= Object.create(null) as Record<string, SkillFieldValue>;
  reader.fields[key] = entry.value;
}

function booleanOf(value: string): boolean | undefined {
  const text = value.trim().toLowerCase();
  if (['true', 'yes', 'on', '1'].includes(text)) return true;
  return ['false', 'no', 'off', '0'].includes(text) ? false : undefined;
}

function namesOf(value: SkillFieldValue): string[] | undefined {
  if (typeof value !== 'string' && !(isList(value) && value.every((item) => typeof item === 'string'))) return undefined;
  return parseAllowedTools(value).patterns;
}

function isList(value: SkillFieldValue): value is readonly SkillFieldValue[] {
  return Array.isArray(value);
}

function set(draft: Record<string, unknown>, { property }: SkillField, value: unknown): void {
  if (property !== undefined) draft[property] = value;
}

/**
 * Decides which entry is which field: the documented spelling wins over variants, and the first
 * variant over later ones. Reports fields that the profile does not know; `strict` knows those of
 * the standard only.
 *
 * @returns the field of each entry, by its position; `undefined` for one that is no field, or is
 *   not read
 */
function assignFields(entries: readonly YamlEntry[], log: DiagnosticLog): readonly (SkillField | undefined)[] {
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
