/**
 * Every code that reading a SKILL.md can report, with what it means. Codes are public API: they are
 * added, never renamed.
 *
 * What a code weighs depends on the profile: under `strict` it is an error where the reference
 * validator of the standard refuses the file; under `lenient` it is an error only where the skill
 * cannot be loaded at all.
 */
export const skillMdDiagnosticCodes = {
  'file-too-large': 'The file is larger than `maxBytes` and was not read.',
  'encoding-utf16': 'The file is UTF-16. SKILL.md is UTF-8.',
  'encoding-invalid': 'The file holds bytes that are not UTF-8; each was read as U+FFFD.',
  'encoding-nul': 'The file holds NUL characters; each was read as U+FFFD.',
  'byte-order-mark': 'The file starts with a byte order mark, which some readers take for text before the frontmatter.',
  'skill-file-missing': 'There is no SKILL.md among the files.',
  'skill-file-name': 'The file is not named exactly SKILL.md, so that other tools do not find it.',
  'resource-path-invalid':
    'The path of a file cannot be used inside a skill, or stands for a file that is already there; the file was left out.',
  'frontmatter-missing': 'The file does not start with a line `---`.',
  'frontmatter-blank-lines': 'There are blank lines before the opening `---`.',
  'frontmatter-comment-before': 'A comment stands before the opening `---`, so that other readers find no frontmatter.',
  'frontmatter-bare': 'The fields stand at the top without a line `---` above them; they were read as the frontmatter.',
  'frontmatter-end-guessed':
    'No line `---` ends the frontmatter; it was taken to end at an indented `---`, at `...` or at the first heading.',
  'frontmatter-unclosed': 'No line `---` ends the frontmatter.',
  'frontmatter-too-large': 'The frontmatter is larger than `maxFrontmatterBytes` and was not read.',
  'control-character': 'The frontmatter has a control character, which YAML does not allow and people do not see.',
  'frontmatter-not-mapping': 'The frontmatter is not a list of `key: value` fields.',
  'yaml-invalid': 'The frontmatter is not valid YAML.',
  'yaml-limit': 'The frontmatter is nested too deeply, or its aliases repeat too much.',
  'yaml-repaired': 'The value of a field is not valid YAML; it was read as plain text.',
  'yaml-text-ignored': 'A line of the frontmatter belongs to no field and was left out.',
  'merge-conflict': 'The frontmatter holds markers of an unresolved merge; the first side was read.',
  'frontmatter-too-complex':
    'The frontmatter needs a YAML parser, and has more brackets, escapes, lines or levels than any real one, so it is not parsed.',
  'yaml-unresolved-alias': 'A value starts with `*`, which is an alias in YAML; nothing has that name, so it was read as text.',
  'yaml-anchor': 'A value starts with `&` or `*`, which names or repeats a value in YAML.',
  'yaml-tag': 'A value starts with `!`, which is a type tag in YAML.',
  'yaml-flow-style': 'A list or map is written with brackets: valid YAML, but the reference validator refuses it.',
  'duplicate-key': 'A key is there twice; the first was read.',
  'inline-comment': 'A ` #` in unquoted text starts a comment, so that the text ends there.',
  'name-missing': 'There is no name.',
  'name-not-text': 'The name is a list or a map.',
  'name-too-long': 'The name has more than 64 characters.',
  'name-not-lowercase': 'The name has capitals.',
  'name-edge-hyphen': 'The name starts or ends with a hyphen.',
  'name-double-hyphen': 'The name has two hyphens in a row.',
  'name-invalid-characters': 'The name has characters other than letters, digits and hyphens.',
  'name-directory-mismatch': 'The name is not that of the folder.',
  'name-normalized': 'The name was brought into Unicode form NFKC, in which names are compared.',
  'name-not-ascii': 'The name has letters outside a-z, which several clients refuse.',
  'name-reserved-word': 'The name contains "anthropic" or "claude", which some hosts keep for themselves.',
  'description-missing': 'There is no description, so that no agent can tell when to use the skill.',
  'description-too-long': 'The description has more than 1024 characters.',
  'compatibility-too-long': '`compatibility` has more than 500 characters.',
  'compatibility-empty': '`compatibility` is there but empty; the specification asks for 1 to 500 characters.',
  'metadata-not-map': '`metadata` is not a map; it is kept in `fields` only.',
  'metadata-not-text': 'A value of `metadata` is not text; it is given as JSON there, and as written in `fields`.',
  'allowed-tools-separator': '`allowed-tools` is not the space-separated string of the specification, but a form that many clients read.',
  'allowed-tools-syntax': 'A part of `allowed-tools` cannot be read; it asks for nothing.',
  'field-not-text': 'A field that holds text is a list or a map; it was read as it is written.',
  'field-invalid-value': 'A field has a value that cannot be used; it is kept in `fields` only.',
  'field-spelling': 'A known field is spelled in another way than documented; it was understood.',
  'field-unknown': 'The standard does not know the field. Under `lenient` it is only reported where it looks like a typo.',
  'diagnostics-cut': 'More was found than is told: a hundred diagnostics a file are kept.',
} as const;

/** One of the documented codes; see {@link skillMdDiagnosticCodes}. */
export type SkillMdDiagnosticCode = keyof typeof skillMdDiagnosticCodes;
