import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyArguments, takesArguments } from '../../../src/tools/arguments/apply-arguments.ts';
import { splitArguments } from '../../../src/tools/arguments/split-arguments.ts';

describe('splitArguments', () => {
  it.each([
    ['', []],
    ['  a  b ', ['a', 'b']],
    [`one "two words" 'three $1 words'`, ['one', 'two words', 'three $1 words']],
    [`a"b c"d`, ['ab cd']],
    [String.raw`a\ b \"c\" 'd\e'`, ['a b', '"c"', String.raw`d\e`]],
    [`"" ''`, ['', '']],
    [`it's open`, ['its open']],
    ['trailing\\', ['trailing\\']],
  ])('DIS-9: %j', (text, expected) => {
    expect(splitArguments(text)).toEqual(expected);
  });
});

describe('applyArguments', () => {
  it.each([
    ['Fix GitHub issue $ARGUMENTS now.', '123', 'Fix GitHub issue 123 now.'],
    ['From $ARGUMENTS[0] to $ARGUMENTS[1].', 'a b', 'From a to b.'],
    ['From $0 to $1.', `'x y' z`, 'From x y to z.'],
    ['Nothing to fill.', 'a b', 'Nothing to fill.\n\nARGUMENTS: a b'],
    ['Nothing to fill.', undefined, 'Nothing to fill.'],
    ['', 'a', 'ARGUMENTS: a'],
    ['Focus on $ARGUMENTS if given.', undefined, 'Focus on  if given.'],
    ['First $0, third $2.', 'a b', 'First a, third $2.'],
    [String.raw`\$0 and \\$0 and \$ARGUMENTS of $0`, 'a', String.raw`$0 and \\a and $ARGUMENTS of a`],
    ['$ARGUMENTS[1] $ARGUMENTS_X $ARGUMENTSX', 'a b', 'b $ARGUMENTS_X $ARGUMENTSX'],
    ['Costs $1.00 for $0', 'a b', 'Costs $1.00 for a'],
    ['Run `gh issue view $0` for $0', '7', 'Run `gh issue view 7` for 7'],
  ])('DIS-9: %j with %j', (body, given, expected) => {
    expect(applyArguments({ body }, given)).toBe(expected);
  });

  it('DIS-9: names stand for positions; a longer name wins; a name without a value is empty', () => {
    const skill = { body: 'Issue $issue in $issue-repo by $who; $issue_id and $issues stay.', arguments: ['issue', 'issue-repo', 'who'] };
    expect(applyArguments(skill, '7 acme/site')).toBe('Issue 7 in acme/site by ; $issue_id and $issues stay.');
    expect(applyArguments({ body: 'a $a.b[c]* b', arguments: ['a.b[c]*'] }, 'x')).toBe('a x b');
  });

  it('EDGE-42 DIS-9: what only looks like a placeholder survives in a skill that takes no arguments', () => {
    const body = 'It costs $1.00 or $5,50.\n\n```sh\nawk \'{print $1}\' $PATH "$0" ${HOME}\n```\nUse `echo $1` and \\$2.';
    expect(takesArguments({ body })).toBe(false);
    expect(applyArguments({ body }, undefined)).toBe(body);
    expect(applyArguments({ body }, 'x y')).toBe(`${body}\n\nARGUMENTS: x y`);
  });

  it('EDGE-42 DIS-9: a price and the field of an awk program neither take an argument nor keep the rest from being appended', () => {
    const code = "Run:\n```sh\nawk '{print $1}' f\n```\n";
    for (const prose of ['', 'It costs $5.', 'It costs $5 per seat.', 'Plans: $5, $9.', 'Or `awk "{ $1 = 2 }"`.']) {
      const body = code + prose;
      expect(applyArguments({ body }, 'A B')).toBe(`${body}\n\nARGUMENTS: A B`);
      expect(applyArguments({ body, argumentHint: '[file]' }, 'A B')).toBe(`${body}\n\nARGUMENTS: A B`);
      expect(applyArguments({ body: `${body} Then $1.` }, 'A B')).toBe(`${body} Then B.`);
    }
    expect(applyArguments({ body: 'Use {$0}.\n```sh\nf() {\n  echo $1 }\n```', argumentHint: 'x' }, 'A B')).toBe(
      'Use {A}.\n```sh\nf() {\n  echo B }\n```',
    );
  });

  it.each([[{ body: 'x', arguments: ['a'] }], [{ body: 'x', argumentHint: '[a]' }], [{ body: 'x $ARGUMENTS' }], [{ body: 'Fix $0 now' }]])(
    'DIS-9: %j takes arguments',
    (skill) => {
      expect(takesArguments(skill)).toBe(true);
    },
  );

  it('DIS-9: an argument is never expanded again, and `$&` in it is text', () => {
    expect(applyArguments({ body: '[$0] [$1] [$ARGUMENTS]' }, `$1 "$&$'"`)).toBe(`[$1] [$&$'] [$1 "$&$'"]`);
    const argument = fc.constantFrom('$0', '$1', '$ARGUMENTS', '$ARGUMENTS[0]', '$&', "$'", '\\$0', '$$', 'plain');
    fc.assert(
      fc.property(fc.array(argument, { minLength: 1, maxLength: 4 }), (values) => {
        const typed = values.map((value) => `'${value.replaceAll("'", `'"'"'`)}'`).join(' ');
        const body = values.map((_, index) => `<$${index}>`).join('');
        expect(applyArguments({ body: `\n ${body}`, argumentHint: 'x' }, typed)).toBe(`\n ${values.map((value) => `<${value}>`).join('')}`);
      }),
    );
  });

  it('DIS-9: takes linear time on hostile bodies', () => {
    const body = `${'`'.repeat(200_000)}${'```\n'.repeat(100_001)}${'`a``b'.repeat(50_000)}${'$'.repeat(200_000)}${'\\\\'.repeat(100_000)}$0`;
    expect(takesArguments({ body })).toBe(false);
    expect(applyArguments({ body, argumentHint: 'x' }, 'a').endsWith('\\a')).toBe(true);
  });
});

it('EDGE-20: arguments that a skill repeats add a million characters at most, and what adds more is refused', () => {
  const body = '$ARGUMENTS '.repeat(1_000);
  expect(applyArguments({ body }, 'x'.repeat(1_000))).toHaveLength(1_001_000);
  expect(() => applyArguments({ body }, 'x'.repeat(1_001))).toThrow(
    expect.objectContaining({ code: 'limit-exceeded', message: expect.stringMatching(/Give shorter ones\.$/) as string }) as Error,
  );
  // Without the limit, this is half a gigabyte.
  expect(() => applyArguments({ body: '$ARGUMENTS'.repeat(10_000) }, 'x'.repeat(60_000))).toThrow(/more than 1000000 characters/);
});
