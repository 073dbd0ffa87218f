import fc from 'fast-check';

/** Bits of YAML that mean something, next to texts that mean nothing. */
const pieces = [
  'a', 'key', 'key: ', 'key:', ':', ' ', '  ', '\n', '\n\n', '- ', '-', '"', "'", '#', ' #', '1.10', 'x: y', '|', '>', '|-', '>-', '|+', '>2', '>-\n', '|\n', '>\n', '[', ']',
  '{', '}', '&', '*', '!', '%', '@', '`', ',', '? ', '?', '~', '...', '---', '\t', 'é', '世', '\u00A0', '\u0085', '\u2028', '\u3000', '\\', '\\n', '\\"', '/', '(', '$', '<', '=', 'k: v\n', 'm:\n',
  'n: >-\n', 'l: |\n', '  s: t\n', '  u:\n', '  w: >\n', '  - i\n', '- i\n', '- "q"\n', '  text: here\n', '  text here\n', '  more text\n', '    deeper\n', '   odd\n', ' # c\n', '  # c\n', '  "q"\n',
  '"q: r"\n', "'it''s'\n", '"b\\n"\n', '\u{1F600}', 'null', 'true', '__proto__: x\n', 'steps: s\n', 'p: one\n', '  two\n', '\n  three\n', 'https://x.y/z', 'Use when: x', 'trailing \n', '  spaced  \n',
]; // prettier-ignore

/** Texts that are somewhat like frontmatter: most lines are fields or belong to one, and any may be off. */
const value = fc.oneof(
  fc.constantFrom('plain text', 'Use it when: asked', 'a # b', '"quoted: text"', "'it''s'", '"a \\"b\\" c\\n"', '"open', "'open", '[a, b', '{a, b', '&a &b c', '!t !u', '! ! !', '%a', '"a" b c', "'a' b", '&x', '&Co text', '!t a # b', '*x y', '', ' ', '[a, b]', '{a: b}', '*x', '&x y', '!t z', '- x', '-1', '1.10', 'yes', 'a:b', 'ends:', '"a" b', '"a" # b', '| # c', '@at', '`tick`', '%', '?', ': x', ', x', '~', '"\\u0041"', '"\\x41"', '"tab\\t"'), // prettier-ignore
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('').replaceAll('\n', ' ')),
);
const indent = fc.constantFrom('', ' ', '  ', '    ');
const field = fc.tuple(fc.constantFrom('name', 'description', 'a', 'b', 'c', 'm', 'x-y', 'x.y', '1k', '"q"', 'two words'), fc.constantFrom(': ', ':', ':  ', ' : ', ':\t'), value).map((parts) => parts.join('')); // prettier-ignore
const line = fc.oneof(
  { weight: 5, arbitrary: field },
  { weight: 2, arbitrary: fc.tuple(indent, field).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: fc.tuple(indent, fc.constantFrom('- ', '-', '-  '), value).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: fc.tuple(indent, value).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('', '  '), fc.constantFrom('f', 'g', 'h'), fc.constantFrom(': |', ': >', ': |-', ': >-', ': |+', ': >+', ': >2', ':')).map((parts) => parts.join('')) }, // prettier-ignore
  { weight: 1, arbitrary: fc.constantFrom('', '', ' ', '  ', '# comment', '  # comment', '---', '...', '? x', '[a]', '{}') },
);
const lines = fc.array(line, { minLength: 1, maxLength: 7 }).map((all) => `${all.join('\n')}\n`);
const joined = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 }).map((parts) => `k0: v\n${parts.join('')}\n`);
const well = fc
  .uniqueArray(fc.constantFrom('name', 'description', 'license', 'a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 })
  .chain((keys) =>
    fc.tuple(
      ...keys.map((key) =>
        fc.oneof(
          fc.constantFrom('plain text', '"quoted: text # x"', "'it''s'", '"b\\n"', 'one\n  two\n  three', '>-\n  one\n  two\n\n  three', '|\n  one\n   two\n\n\n  three', '>\n  one\n\n\n', '\n  s: t\n  u: "v"\n  w: one\n    two', '\n  s:\n  t: |\n    x\n    y', '\n- i\n- "j"', '\n  - i\n\n  - j', '', 'text  ', 'one\n  "two"', 'a\n\n  b', '|\n  x\n\n   \n  y', '>\n  x\n   y', '>\n  x \n  y', '|\n  x \n  y\n z', '\n  s: t\n u: v', '\n   - i\n  - j', '\n  s: x\n  - y',
            '[a, b]', '["a", \'b\', c d]', '{"a":{"b":["c"]},"d": 1}', '{a: b, c: [d, {e: f}]}', '[a,]', '[]', '{}', '[a: b]', '[a, # c\n  b]', '[\n  a,\n  b\n]', '\n  {\n    "a": "b",\n    "c": [d]\n  }', '{\n  "a":\n    b\n}', '[a\n  b]', '{"a" :b}', '[a]b', '{a: b}}', '["a"b]', '[a, , b]', '{"a": "b" # c\n  }',
            '\n  s:\n    t:\n      - u\n      - v: w\n        x: y\n  z: z', '\n  s:\n    t: u\n   v: w', '\n- s: t\n  u:\n  - v\n- w', '\n- s: t\n u: v', '\n  - s:\n      t\n    u: |\n      v', '\n  -\n    s: t', '\n  - - s', '\n  a b\n  c', '\n  "q"\n', '\n  a: b\n\n\n  c: [d]', '|+\n  x\n\n', '>2\n   x\n  y', '|1-\n x\n  y').map((text) => `${key}: ${text}`), // prettier-ignore
          value.map((text) => `${key}: ${text}`),
        ),
      ),
    ),
  )
  .map((all) => `${all.join('\n')}\n`);

/** Texts between which and the plain subset of YAML the border runs. */
export const frontmatterTexts: fc.Arbitrary<string> = fc.oneof(lines, joined, { weight: 3, arbitrary: well });
