import { createSkillset, emptySkillState, SkillRegistry, type SkillDiagnostic } from '@repertoire/skills-core';
import { codePointsOf, hiddenCharacters } from '@repertoire/skills-core/internal';
import { describe, expect, it } from 'vitest';

const tags = [...'obey'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
const selectors = [...'obey'].map((letter) => String.fromCodePoint(0xe0100 + letter.charCodeAt(0))).join('');

describe('hiddenCharacters', () => {
  it.each([
    ['zero width', 'te\u200bsts', ['U+200B']],
    ['joiners in Latin text', 'ig\u200dno\u200cre', ['U+200D', 'U+200C']],
    ['overrides of direction', '\u202eabc\u2069', ['U+202E', 'U+2069']],
    ['fillers', 'a\u115f\u1160\u3164\uffa0b', ['U+115F', 'U+1160', 'U+3164', 'U+FFA0']],
    ['a grapheme joiner, a soft hyphen, a byte order mark', 'a\u034f\u00ad\ufeffb', ['U+034F', 'U+00AD', 'U+FEFF']],
    ['variation selectors behind letters', 'a\ufe0fb\ufe00', ['U+FE0F', 'U+FE00']],
    ['text in tags', `x${tags}`, ['U+E006F', 'U+E0062', 'U+E0065', 'U+E0079']],
    ['text in selectors behind an emoji', `\u{1F600}${selectors}`, ['U+E016F', 'U+E0162', 'U+E0165', 'U+E0179']],
    ['more joiners than one beside a letter that takes one', '\u06cc\u200c\u200d\u200c a', ['U+200D', 'U+200C']],
    ['blanks of Braille beside no Braille, and the place of an object', 'a\u2800b\ufffc', ['U+2800', 'U+FFFC']],
    ['rows of joiners', '\u06cc\u200c\u200d\u200c\u200d\u06cc', ['U+200D', 'U+200C']],
    ['marks of direction where nothing goes the other way', 'a\u200eb\u200f', ['U+200E', 'U+200F']],
  ])('AUT-2: finds %s (ATK-26)', (_, text, expected) => expect(hiddenCharacters(text).map(({ codePoint }) => codePoint)).toEqual(expected));

  it.each([
    ['\ufeffA byte order mark at the start'],
    ['Familie \u{1F468}\u200d\u{1F469}\u200d\u{1F467} \u2764\ufe0f \u2764\ufe0f\u200d\u{1F525} #\ufe0f\u20e3 \u00a9\ufe0f'],
    ['\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u0915\u094d\u200d\u0937'],
    ['\u05e9\u05dc\u05d5\u05dd (abc)\u200f!'],
    ['\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}'],
    ['\u845b\u{E0100}'],
    ['\u2813\u2811\u2807\u2807\u2815\u2800\u2838\u2803'],
    ['Plain text, “quotes” – and a tab\t.\n'],
  ])('AUT-2: leaves what scripts and emoji need: %j', (text) => expect(hiddenCharacters(text)).toEqual([]));

  it('AUT-2: names a few of them for a message', () => {
    const text = 'a\u200b\u200b\u2060\u2061\u2062\u2063\u2064b';
    expect(codePointsOf(hiddenCharacters(text))).toBe('U+200B, U+2060, U+2061, U+2062, U+2063, …');
    expect(codePointsOf(hiddenCharacters('a\u200bb'))).toBe('U+200B');
  });
});

it('GOV-6: hidden characters of a body and of a file are told to the host as a model reads them, and once', async () => {
  const skill = {
    name: 'a',
    description: 'd',
    body: `Read it.${tags}`,
    resources: { 'plain.md': 'caf\u00e9 \u2764\ufe0f \u05e9\u200f', 'odd.md': 'te\u200bsts' },
  };
  const told: SkillDiagnostic[] = [];
  const provider = new SkillRegistry({ skills: [skill], label: 'web', trusted: false });
  const session = await createSkillset({ provider, onDiagnostic: (diagnostic) => told.push(diagnostic) }).open();
  expect(told).toEqual([]);
  const read = session.tools.find(({ role }) => role === 'readFile');
  for (const path of ['plain.md', 'odd.md', 'odd.md']) await read?.execute({ skill: 'a', path }, { state: emptySkillState });
  expect(told.map(({ code, path }) => [code, path])).toEqual([['hidden-characters', 'odd.md']]);
  const { text } = await session.load({ name: 'a' }, { state: emptySkillState });
  expect(told.slice(1)).toEqual([
    {
      code: 'hidden-characters',
      severity: 'warning',
      skill: 'a',
      path: 'SKILL.md',
      message: '"SKILL.md" of "a" holds characters that people do not see and models read, such as U+E006F.',
      fix: 'Find out what they say; "repertoire lint" tells where they are.',
    },
  ]);
  // What was reviewed, signed or locked is what is read.
  expect(text).toContain(tags);
});
