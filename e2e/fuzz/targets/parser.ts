import type { SkillMetadata } from '@repertoire/skills-core';
import { frontmatterCost } from '@repertoire/skills-core/internal';
import { parseSkillFrontmatter, parseSkillMd, serializeSkillMd, type ParsedSkillMd } from '@repertoire/skills-core/skill-md';
import { scanFrontmatter } from '@repertoire/skills-core/provider';
import { parseByLibrary, parseYaml } from '../../../packages/skills-core/src/format/parse-yaml.ts';
import { readPlainFields } from '../../../packages/skills-core/src/format/read-plain-fields.ts';
import { repairFrontmatter } from '../../../packages/skills-core/src/format/repair-frontmatter.ts';
import type { FuzzTarget } from '../../../tools/fuzz/fuzz-target.ts';
import { bytesOf, textOf } from '../support/bytes.ts';
import { checkDiagnostics, checkSame, checkSize } from '../support/orderly.ts';
import { skillTexts, skillWords } from '../support/skill-texts.ts';

/** Reading a SKILL.md, in both profiles; what was read can be written, and reads back as the same. */
export const target: FuzzTarget = {
  form: 'text',
  words: skillWords,
  seeds: () => bytesOf(...skillTexts),
  // A frontmatter that has to be mended is read several times; 16 KiB of it are the most.
  budget: { freeMs: 40, msPerKib: 12 },
  run: (input) => parseSkillMd(input, { directoryName: 'billing' }),
  check(answer, input) {
    const lenient = answer as ParsedSkillMd;
    checkParsed(lenient, input);
    checkSame('Frontmatter alone', parseSkillFrontmatter(input, { directoryName: 'billing' }).metadata, lenient.metadata);
    if (lenient.metadata !== null) checkWritten(lenient, lenient.metadata);
    checkParsed(parseSkillMd(input, { profile: 'strict' }), input);
    checkPlainReader(textOf(input));
  },
};

const typedKeys = new Set(['steps', 'hooks']);

/** What is read without the YAML library, whole or up to the first field that needs it, is what the library reads alone. */
function checkPlainReader(text: string): void {
  const scan = scanFrontmatter(text);
  if (scan.status !== 'complete') return;
  const yaml = text.slice(scan.yamlStart, scan.yamlEnd).replaceAll(/\r\n?/g, '\n');
  if (frontmatterCost(yaml) !== undefined) return;
  const whole = parseByLibrary(yaml, typedKeys);
  const { readFrom: _, ...reading } = parseYaml(yaml, typedKeys);
  checkSame('The reader of plain fields', reading, whole);
  const repaired = readPlainFields(yaml, typedKeys, true);
  if (repaired !== null)
    checkSame('The plain repair', repaired, whole.status === 'invalid' ? repairFrontmatter(yaml, typedKeys, whole) : whole);
}

function checkParsed(parsed: ParsedSkillMd, input: Uint8Array): void {
  checkDiagnostics(parsed.diagnostics, input);
  checkSize(parsed, input);
  const hasError = parsed.diagnostics.some(({ severity }) => severity === 'error');
  if (hasError !== (parsed.metadata === null)) throw new Error('There is metadata beside an error, or none without one.');
}

function checkWritten({ body }: ParsedSkillMd, metadata: SkillMetadata): void {
  const again = parseSkillMd(serializeSkillMd({ ...metadata, body }), { maxFrontmatterBytes: 2 ** 22, maxBytes: 2 ** 23 });
  // What is written can be too much for a reader; that is told where it is read.
  if (again.diagnostics.some(({ code }) => code === 'frontmatter-too-complex')) return;
  const levelOne = ({ name, description, version }: SkillMetadata): unknown => [name, description, version];
  checkSame('Written and read', again.metadata && levelOne(again.metadata), levelOne(metadata));
}
