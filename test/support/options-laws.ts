import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** An option whose docstring gives a default that can be written out: a word, a number, true or false. */
interface DocumentedDefault {
  /** The option, with the one that it is nested in: `limits.files`. */
  readonly option: string;
  readonly value: string | number | boolean;
}

const root = join(import.meta.dirname, '../..');

/**
 * Tests that each default which the docstrings of `type` write out is the one that is used, and
 * that each limit can be 1 and not 0.
 *
 * @param settings what a function makes of its options, besides those that it always needs
 */
export function testDefaults(title: string, packageName: string, type: string, settings: (options: object) => unknown): void {
  const documented = documentedDefaults(packageName, type);
  it.each(documented)(`${title}: without $option it does the same as with $value`, ({ option, value }) => {
    expect(settings(withOption(option, value))).toEqual(settings({}));
  });
  for (const { option } of documented.filter((limit) => limit.option.startsWith('limits.'))) {
    const least = option === 'limits.depth' && packageName === 'skill-fs' ? 0 : 1;
    it(`${title}: ${option} is at least ${least}`, () => {
      expect(() => settings(withOption(option, least))).not.toThrow();
      expect(() => settings(withOption(option, least - 1))).toThrow(`"${option}"`);
    });
  }
}

/** What the docstrings of an interface of options say about defaults, with nested limits. */
function documentedDefaults(packageName: string, type: string): readonly DocumentedDefault[] {
  const texts = globSync(`packages/${packageName}/src/**/*.ts`, { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
  const found = read(texts, type, '');
  if (found.length === 0) throw new Error(`No docstring of ${type} in ${packageName} gives a default.`);
  return found;
}

function read(texts: readonly string[], type: string, above: string): DocumentedDefault[] {
  const body = texts
    .map((text) => new RegExp(`^export interface ${type}\\b[^{]*\\{\\n(?<body>.*?)^\\}`, 'ms').exec(text)?.groups?.['body'])
    .find((found) => found !== undefined);
  if (body === undefined) throw new Error(`There is no interface ${type}.`);
  return [...body.matchAll(/\/\*\*(?<doc>(?:(?!\*\/).)*)\*\/\s*readonly (?<name>\w+)\??: (?<kind>[^;]*);/gs)].flatMap(({ groups }) => {
    const { doc = '', name = '', kind = '' } = groups ?? {};
    const nested = /^Partial<(?<limits>\w+)>/.exec(kind)?.groups?.['limits'];
    if (nested !== undefined) return read(texts, nested, `${above}${name}.`);
    const written = /@default[\s*]+(?<value>'[^']*'|[\d_,]+|true\b|false\b|Infinity\b)/.exec(doc)?.groups?.['value'];
    return written === undefined ? [] : [{ option: above + name, value: valueOf(written) }];
  });
}

function valueOf(written: string): string | number | boolean {
  if (written.startsWith("'")) return written.slice(1, -1);
  if (written === 'true' || written === 'false') return written === 'true';
  return Number(written.replaceAll(/[_,]/g, ''));
}

/** Options with one of them set: `{ limits: { files: 1 } }`. */
function withOption(option: string, value: unknown): Record<string, unknown> {
  const [first = '', ...rest] = option.split('.');
  return { [first]: rest.length === 0 ? value : withOption(rest.join('.'), value) };
}
