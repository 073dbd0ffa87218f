import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseByLibrary } from '../../src/format/parse-yaml.ts';
import { readPlainFields } from '../../src/format/read-plain-fields.ts';
import { repairFrontmatter } from '../../src/format/repair-frontmatter.ts';
import { parseSkillFrontmatter, parseSkillMd, serializeSkillMd } from '@repertoire/skills-core/skill-md';
import { scanFrontmatter } from '@repertoire/skills-core/provider';

const corpus = join(import.meta.dirname, '../../../../../shared/corpus');
const files = existsSync(corpus) ? globSync('**/[Ss][Kk][Ii][Ll][Ll].[Mm][Dd]', { cwd: corpus }).sort() : [];

const typedKeys = new Set(['steps', 'hooks']);

// Real skills of many authors, kept beside the repository, not in it.
describe('published skills', () => {
  beforeEach((context) => context.skip(files.length === 0, 'the corpus of published skills is not beside the project (../shared/corpus)'));

  const read = files.map((file) => ({
    file,
    bytes: new Uint8Array(readFileSync(join(corpus, file))),
    directoryName: basename(dirname(file)),
  }));

  it('FMT-3: each loads, or has an error that says what to change', () => {
    const refused: string[] = [];
    expect(read.length).toBeGreaterThan(0);
    for (const { file, bytes, directoryName } of read) {
      const { metadata, diagnostics } = parseSkillMd(bytes, { directoryName });
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      expect(metadata === null, file).toBe(errors.length > 0);
      for (const diagnostic of diagnostics) {
        expect(diagnostic.fix, file).not.toBe('');
        expect(diagnostic.line, file).toBeGreaterThan(0);
      }
      if (metadata === null) refused.push(`${errors.map(({ code }) => code).join()} ${file}`);
    }
    expect(
      refused.every((entry) => entry.startsWith('frontmatter-missing ')),
      refused.join('\n'),
    ).toBe(true);
    expect(refused.length / read.length).toBeLessThan(0.02);
  });

  it('FMT-3: level 1 is the same from a first part of the file', () => {
    expect(read.length).toBeGreaterThan(0);
    for (const { file, bytes, directoryName } of read) {
      const scan = scanFrontmatter(bytes);
      const head = scan.status === 'complete' ? bytes.subarray(0, scan.end) : bytes;
      const { body: _, ...whole } = parseSkillMd(bytes, { directoryName });
      expect(parseSkillFrontmatter(head, { directoryName }), file).toEqual(whole);
    }
  });

  it('FMT-1: nearly all are read without the YAML parser, and as it reads them', () => {
    let [framed, plain] = [0, 0];
    for (const { file, bytes } of read) {
      const text = new TextDecoder().decode(bytes).replace(/\r\n?/g, '\n');
      const scan = scanFrontmatter(text);
      if (scan.status !== 'complete') continue;
      framed += 1;
      const yaml = text.slice(scan.yamlStart, scan.yamlEnd);
      const reading = readPlainFields(yaml, typedKeys);
      if (reading === null) continue;
      plain += 1;
      expect(reading, file).toEqual(parseByLibrary(yaml, typedKeys));
    }
    expect(plain / framed).toBeGreaterThan(0.99);
  });

  it('EDGE-49 FMT-2: each reads back as the same skill when it is written', () => {
    expect(read.length).toBeGreaterThan(0);
    for (const { file, bytes, directoryName } of read) {
      const { metadata, body } = parseSkillMd(bytes, { directoryName });
      if (metadata === null) continue;
      const again = parseSkillMd(serializeSkillMd({ ...metadata, body }), { directoryName });
      expect({ ...again.metadata, body: again.body }, file).toEqual({ ...metadata, body });
    }
  });
});

const shapesFile = join(import.meta.dirname, '../../../../../shared/trials/frontmatter/shapes.json');
const shapes = existsSync(shapesFile) ? (JSON.parse(readFileSync(shapesFile, 'utf8')) as readonly string[]) : [];

// Frontmatter of libraries that nobody tuned on, with its form and other words.
describe("other people's frontmatter", () => {
  beforeEach((context) => context.skip(shapes.length === 0, 'its forms are not beside the project (../shared/trials/frontmatter)'));

  it('FMT-1: at most 3 of 100 need the YAML parser, and the others are read as it reads them', () => {
    // One half was looked at while the reader was written.
    const byParser = [0, 0];
    for (const [index, shape] of shapes.entries()) {
      const yaml = `${shape.replace(/\r\n?/g, '\n')}\n`;
      const reading = readPlainFields(yaml, typedKeys, true);
      if (reading === null) byParser[index % 2] = (byParser[index % 2] ?? 0) + 1;
      else {
        const whole = parseByLibrary(yaml, typedKeys);
        expect(reading, yaml).toEqual(whole.status === 'invalid' ? repairFrontmatter(yaml, typedKeys, whole) : whole);
      }
    }
    expect(Math.max(...byParser) / (shapes.length / 2)).toBeLessThan(0.03);
  });
});
