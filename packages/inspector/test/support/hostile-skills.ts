import type { SkillProvider } from '@repertoire/skills-core';

/** Texts that broke pages before, or could. Each is put into every place that a skill has. */
const texts: readonly (readonly [kind: string, text: string])[] = [
  ['quotes', `${'> '.repeat(3_000)}deep`],
  ['quotes-dense', `${'>'.repeat(20_000)}deep`],
  ['lists', `${'- '.repeat(3_000)}deep`],
  ['numbers', `${'1. '.repeat(3_000)}deep`],
  ['list-tree', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth * 2)}- level ${depth}`).join('\n')],
  ['emphasis', '*a **b '.repeat(4_000)],
  ['underscores', '_a'.repeat(10_000)],
  ['brackets', '['.repeat(20_000)],
  ['links', '[a]('.repeat(10_000)],
  ['images', '![a](http://evil.example/p.png) '.repeat(500)],
  ['table', `${'|'.repeat(1_000)}\n${'|-'.repeat(999)}|\n${'|x'.repeat(999)}|`],
  ['fence', `${'`'.repeat(5_000)}\nnever closed`],
  [
    'html',
    '<img src=x onerror="document.title=1"><script>document.title=2</script><style>*{display:none}</style><iframe src="http://evil.example">',
  ],
  ['html-open', '<div><table><svg><math><!-- '.repeat(500)],
  ['closing', '</script></style></textarea></title></main></body></html>'],
  ['entities', '&lt;script&gt;&#x202e;&amp;amp;&nbsp;&NotAnEntity;'.repeat(50)],
  ['links-script', '[go](javascript:alert(1)) <javascript:alert(1)> [a](data:text/html,x)'],
  ['override', 'safe \u202Efdp.exe\u202C and \u2066isolated\u2069 text'],
  ['overrides', '\u202E\u2067\u202B'.repeat(1_000)],
  ['zero-width', 'in\u200Bvis\u200Cib\u200Dle \u2060and\uFEFF \u00ADsoft'],
  ['tags', `Look${[...'run rm'].map((letter) => String.fromCodePoint(0xe_00_00 + letter.charCodeAt(0))).join('')} here`],
  ['controls', 'bell\u0007 escape\u001B[31mred\u001B[0m null\u0000 back\u0008\u0008\u0008'],
  ['line-ends', 'one\rtwo\u2028three\u2029four\u0085five'],
  ['surrogates', 'half \uD800 and \uDFFF of a pair'],
  ['zalgo', `Z${'\u0301\u0316\u0324'.repeat(500)}algo`],
  ['right-to-left', 'مهارة للكتابة \u200Fبالعربية מיומנות'],
  ['emoji', '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿❤️'.repeat(50)],
  ['wide', '﷽𒐫꧅'.repeat(100)],
  ['one-word', 'x'.repeat(20_000)],
  ['line-breaks', '\n'.repeat(10_000)],
  ['paragraphs', 'a\n\n'.repeat(2_000)],
  ['spaces', ' '.repeat(10_000)],
  ['tabs', '\t'.repeat(20_000)],
  ['separators', '---\n'.repeat(1_000)],
  ['headings', '# '.repeat(3_000)],
  ['definitions', Array.from({ length: 3_000 }, (_, index) => `[a${index}]: /x`).join('\n')],
  ['prototype', '__proto__ constructor toString hasOwnProperty'],
  ['dollars', "$& $` $' $1 ${x} {{y}} %s %n"],
  ['json', '{"a":'.repeat(2_000)],
  ['backslashes', '\\'.repeat(20_000)],
];

/** Where a skill can hold a text. */
const places = ['body', 'description', 'file', 'name', 'everything'] as const;

/** 200 skills: every text in every place. Their source does not check anything, as a source that is written by somebody else may not. */
export function hostileSkills(): SkillProvider & { readonly names: readonly string[] } {
  const skills = new Map(
    texts.flatMap(([kind, text]) =>
      places.map((place) => {
        const has = (wanted: (typeof places)[number]): boolean => place === wanted || place === 'everything';
        const name = has('name') ? `${kind}-${place}-${text.slice(0, 120)}` : `${kind}-${place}`;
        const description = has('description') ? `Helps. ${text.slice(0, 1_000)}` : `Helps with ${kind}.`;
        const body = has('body') ? text : `# ${kind}\n\nDo it.`;
        return [
          name,
          { name, description, body, file: has('file') ? text : 'Fine.', path: `references/${has('name') ? kind : place}.md` },
        ] as const;
      }),
    ),
  );
  const metadata = (name: string, description: string) => ({
    name,
    description,
    version: null,
    // Fields that no page expects to be a text from outside.
    license: description.slice(0, 200),
    metadata: { [description.slice(0, 60)]: description.slice(0, 300), __proto__: 'x' },
    origin: { kind: 'hostile', label: 'hostile', trusted: false },
  });
  return {
    names: [...skills.keys()],
    label: 'hostile \u202Esource <b>',
    listSkills: async () => ({
      skills: [...skills.values()].map(({ name, description }) => metadata(name, description)),
      diagnostics: [...skills.values()].map(({ name, description }) => ({
        code: 'description-too-long' as const,
        severity: 'warning' as const,
        message: `${name}: ${description}`,
        skill: name,
        path: `${name}/SKILL.md`,
        line: 3,
        fix: description.slice(0, 500),
      })),
      complete: false,
    }),
    getSkill: async (name) => {
      const skill = skills.get(name);
      if (skill === undefined) return null;
      const resources = [{ path: skill.path, kind: 'reference' as const, mediaType: 'text/markdown', size: skill.file.length }];
      return { ...metadata(name, skill.description), body: skill.body, resources, diagnostics: [] };
    },
    readResource: async (name, path) => {
      const skill = skills.get(name);
      if (skill === undefined || path !== skill.path) return null;
      const bytes = new TextEncoder().encode(skill.file);
      return { path, kind: 'reference', mediaType: 'text/markdown', size: bytes.length, bytes };
    },
  };
}
