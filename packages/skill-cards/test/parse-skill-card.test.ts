import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSkillCard } from '../src/parse-skill-card.ts';
import { isResourcePath } from '@repertoire/skills-core/provider';
import { serializeSkillCard } from '../src/serialize-skill-card.ts';
import type { SkillCard } from '../src/skill-card.ts';
import { validateSkillCard } from '../src/validate-skill-card.ts';

const tides = {
  id: 'tides',
  version: '2.1.0',
  name: 'Tide Tables',
  description: 'Gives high and low water for a port. Use when someone plans to sail or fish.',
  base_uri: '.',
  files: ['SKILL.md', 'references/ports.md', 'assets/datum.json'],
  mcps: {
    harbor: {
      id: 'harbor',
      version: '1.0.0',
      transport: 'streamable-http',
      url: 'https://mcp.example.com/tides',
      headers: { 'x-client': 'tides' },
    },
    local: {
      id: 'local',
      version: '1.0.0',
      transport: 'stdio',
      command: 'tide-server',
      args: ['--quiet'],
      env: { TZ: 'UTC' },
      cwd: 'server',
    },
    old: { id: 'old', version: '1.0.0', transport: 'sse', url: 'https://mcp.example.com/sse' },
  },
  local_tools: { get_tide: { id: 'get_tide', version: '1.0.0', import_path: './tools.js#getTide' } },
  extensions: [{ uri: 'urn:example:units', description: 'Units of heights.', required: true, params: { heights: ['m', 'ft'], round: 1 } }],
};
const codes = (card: unknown) => parseSkillCard(card).diagnostics.map(({ code, severity }) => `${severity} ${code}`);

describe('parseSkillCard', () => {
  it('FMT-4 SRC-7 SRC-8: a full card, as text or as JSON', () => {
    const { card, diagnostics } = parseSkillCard(JSON.stringify(tides));
    expect(diagnostics).toEqual([]);
    expect(parseSkillCard(tides)).toEqual({ card, diagnostics });
    expect(card).toEqual({
      id: 'tides',
      version: '2.1.0',
      name: 'Tide Tables',
      description: tides.description,
      baseUri: '.',
      files: tides.files,
      mcps: {
        harbor: {
          id: 'harbor',
          version: '1.0.0',
          transport: 'streamable-http',
          url: 'https://mcp.example.com/tides',
          headers: { 'x-client': 'tides' },
        },
        local: {
          id: 'local',
          version: '1.0.0',
          transport: 'stdio',
          command: 'tide-server',
          args: ['--quiet'],
          env: { TZ: 'UTC' },
          cwd: 'server',
        },
        old: { id: 'old', version: '1.0.0', transport: 'sse', url: 'https://mcp.example.com/sse', headers: {} },
      },
      localTools: { get_tide: { id: 'get_tide', version: '1.0.0', importPath: './tools.js#getTide' } },
      extensions: [
        { uri: 'urn:example:units', description: 'Units of heights.', required: true, params: { heights: ['m', 'ft'], round: 1 } },
      ],
    });
  });

  it('FMT-4: the least card, with what is assumed', () => {
    const { card, diagnostics } = parseSkillCard('\uFEFF{"id":"tides","description":"Tides."}');
    expect(card).toEqual({
      id: 'tides',
      name: 'tides',
      description: 'Tides.',
      baseUri: '.',
      files: ['SKILL.md'],
      mcps: {},
      localTools: {},
      extensions: [],
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(['card-field', 'card-file']);
    expect(diagnostics.every(({ skill }) => skill === 'tides')).toBe(true);
  });

  it.each([
    ['not json', 'error card-json'],
    ['[1]', 'error card-shape'],
    ['null', 'error card-shape'],
    [{}, 'error card-shape'],
    [{ id: ' ', description: 'a' }, 'error card-shape'],
    [`"${'x'.repeat(1_100_000)}"`, 'error card-too-large'],
  ])('FMT-4: %j is no card', (input, code) => {
    expect(parseSkillCard(input).card).toBeNull();
    expect(codes(input)).toContain(code);
  });

  it('FMT-4: a bad part costs that part and nothing else', () => {
    const bad = {
      ...tides,
      version: 2,
      files: ['SKILL.md', '../../etc/passwd', './references//ports.md', 'references/ports.md', 7, '/abs', 'a\\b'],
      mcps: {
        'no-url': { transport: 'sse' },
        'bad-url': { transport: 'sse', url: 'file:///etc/passwd' },
        'no-command': { transport: 'stdio' },
        carrier: { transport: 'pigeon', url: 'https://x.example' },
        inherited: { transport: 'toString', url: 'https://x.example' },
        list: [],
        guessed: { command: 'run', args: ['a', 1], env: { A: 1, B: 'b', C: null } },
        alias: { transport: 'streamable_http', url: 'https://x.example' },
      },
      local_tools: { broken: { id: 'x' }, fine: { import_path: 'fine.js#run' } },
      extensions: [{ description: 'no uri' }, 'text', { uri: 'urn:a', required: 'yes', params: [] }],
    };
    const { card, diagnostics } = parseSkillCard(bad, { url: 'https://x.example/skill-card.json' });
    expect(card).toMatchObject({ version: '2', files: ['SKILL.md', 'references/ports.md'] });
    expect(Object.keys(card?.mcps ?? {})).toEqual(['guessed', 'alias']);
    expect(card?.mcps['guessed']).toEqual({ id: 'guessed', transport: 'stdio', command: 'run', args: ['a'], env: { A: '1', B: 'b' } });
    expect(card?.mcps['alias']).toMatchObject({ transport: 'streamable-http' });
    expect(card?.localTools).toEqual({ fine: { id: 'fine', importPath: 'fine.js#run' } });
    expect(card?.extensions).toEqual([{ uri: 'urn:a', required: true }]);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(diagnostics.every(({ path }) => path === 'https://x.example/skill-card.json')).toBe(true);
    const count = (code: string) => diagnostics.filter((diagnostic) => diagnostic.code === code).length;
    expect({
      file: count('card-file'),
      mcp: count('card-mcp'),
      tool: count('card-local-tool'),
      extension: count('card-extension'),
    }).toEqual({ file: 3, mcp: 6, tool: 1, extension: 4 });
  });

  it('FMT-4: unknown fields are kept, whatever their name, and pollute nothing', () => {
    const text = `{"id":"a","name":"A","description":"A.","files":["SKILL.md"],"__proto__":{"polluted":true},"constructor":1,"x-owner":{"team":["b"]},"mcps":{"__proto__":{"url":"https://x.example","transport":"sse","x":1}}}`;
    const { card } = parseSkillCard(text);
    expect(Object.entries(card?.other ?? {})).toEqual([
      ['__proto__', { polluted: true }],
      ['constructor', 1],
      ['x-owner', { team: ['b'] }],
    ]);
    expect(Object.entries(card?.mcps ?? {})).toEqual([
      ['__proto__', { id: '__proto__', transport: 'sse', url: 'https://x.example', headers: {}, other: { x: 1 } }],
    ]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

const text = fc
  .string({ minLength: 1, maxLength: 12 })
  .map((value) => value.trim())
  .filter((value) => value !== '');
const map = fc.dictionary(text, fc.string({ maxLength: 8 }), { maxKeys: 3 });
const other = fc.option(
  fc.dictionary(fc.constantFrom('x-a', 'x-b', '__proto__', 'constructor'), fc.jsonValue(), { minKeys: 1, maxKeys: 3 }),
  { nil: undefined },
);
const base = { id: text, version: fc.option(text, { nil: undefined }), other };
const compactRecord = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Value;
const server = fc
  .oneof(
    fc.record({
      ...base,
      transport: fc.constant('stdio' as const),
      command: text,
      args: fc.array(fc.string(), { maxLength: 3 }),
      env: map,
      cwd: fc.option(text, { nil: undefined }),
    }),
    fc.record({ ...base, transport: fc.constantFrom('sse' as const, 'streamable-http' as const), url: fc.webUrl(), headers: map }),
  )
  .map(compactRecord);
const tool = fc.record({ ...base, importPath: text }).map(compactRecord);
const extension = fc
  .record({
    uri: text,
    description: fc.option(text, { nil: undefined }),
    required: fc.boolean(),
    params: fc.option(fc.dictionary(text, fc.jsonValue(), { maxKeys: 2 }), { nil: undefined }),
  })
  .map(compactRecord);
/** Any path that a file of a skill may have, but for those that look like an escape which was escaped. */
const anyPath = fc.oneof(
  fc.constantFrom(
    'references/a.md',
    'assets/b c.json',
    'references/c#.md',
    'references/why?.md',
    'a%23b.md',
    ' a ',
    '.hidden',
    'constructor',
  ),
  fc
    .string({ unit: 'grapheme', maxLength: 12 })
    .filter((path) => isResourcePath(path) && path.isWellFormed() && !/%(?:2e|2f|5c|00|25)/i.test(path)),
);
const files = fc.uniqueArray(anyPath, { maxLength: 4 }).map((paths) => ['SKILL.md', ...paths]);
const anyCard = fc
  .record({
    ...base,
    name: text,
    description: text,
    baseUri: text,
    files,
    mcps: fc.dictionary(text, server, { maxKeys: 3 }),
    localTools: fc.dictionary(text, tool, { maxKeys: 2 }),
    extensions: fc.array(extension, { maxLength: 2 }),
  })
  .map(compactRecord) as fc.Arbitrary<SkillCard>;

describe('serializeSkillCard', () => {
  it('FMT-4: the order is fixed, and ends with a line end', () => {
    const { card } = parseSkillCard(tides);
    const written = serializeSkillCard(card as SkillCard);
    expect(Object.keys(JSON.parse(written) as object)).toEqual([
      'id',
      'version',
      'name',
      'description',
      'base_uri',
      'files',
      'mcps',
      'local_tools',
      'extensions',
    ]);
    expect(written.endsWith('}\n')).toBe(true);
    const reversed = Object.fromEntries(Object.entries(tides).toReversed());
    expect(
      serializeSkillCard(
        parseSkillCard({ ...reversed, mcps: Object.fromEntries(Object.entries(tides.mcps).toReversed()) }).card as SkillCard,
      ),
    ).toBe(written);
    // Also in fields that the format does not know, however deep.
    const withDeep = (params: object): string =>
      serializeSkillCard(parseSkillCard({ ...tides, extensions: [{ uri: 'https://e.example', params }] }).card as SkillCard);
    expect(withDeep({ b: [{ d: 1, c: null }], a: 2 })).toBe(withDeep({ a: 2, b: [{ c: null, d: 1 }] }));
  });

  it('FMT-4: what is written is read back the same, and written the same again', () => {
    fc.assert(
      fc.property(anyCard, (card) => {
        const written = serializeSkillCard(card);
        const { card: read, diagnostics } = parseSkillCard(written);
        // Through JSON, since a minus zero is a zero there.
        const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
        expect(plain(read)).toEqual(plain(card));
        expect(diagnostics).toEqual([]);
        expect(serializeSkillCard(read as SkillCard)).toBe(written);
      }),
      { numRuns: 500 },
    );
  });

  it('FMT-4: whatever JSON comes, reading it neither throws nor lets a path out', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('id', 'version', 'name', 'description', 'base_uri', 'files', 'mcps', 'local_tools', 'extensions'),
          fc.jsonValue(),
        ),
        fc.array(fc.string()),
        (json, paths) => {
          const { card, diagnostics } = parseSkillCard({ ...json, files: paths });
          if (card === null) expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
          for (const file of card?.files ?? [])
            expect(
              new URL(
                file
                  .split('/')
                  .map((part) => encodeURIComponent(part.toWellFormed()))
                  .join('/'),
                'file:///a/b/',
              ).href.startsWith('file:///a/b/'),
            ).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('validateSkillCard', () => {
  const card = parseSkillCard(tides).card as SkillCard;

  it('FMT-4: a good card has nothing to say, once its extension is known', () => {
    expect(validateSkillCard(card, { knownExtensions: ['urn:example:units'] })).toEqual([]);
    expect(validateSkillCard(card).map(({ code, severity }) => `${severity} ${code}`)).toEqual(['error card-extension']);
  });

  it.each([
    [{ id: 'Tide Tables' }, 'card-name'],
    [{ version: 'next' }, 'card-version'],
    [{ version: undefined }, 'card-version'],
    [{ description: 'x'.repeat(1025) }, 'card-description'],
    [{ files: ['references/ports.md'] }, 'card-file'],
    [{ files: ['SKILL.md', '../x'] }, 'card-file'],
    [{ mcps: { a: { id: 'a', transport: 'sse', url: 'http://mcp.example.com', headers: {} } } }, 'card-mcp'],
    [{ localTools: { a: { id: 'a', importPath: 'my_tools.get_tide' } } }, 'card-local-tool'],
  ] as const)('FMT-4: %j gives %s', (change, code) => {
    const found = validateSkillCard({ ...card, extensions: [], ...change });
    expect(found.map((diagnostic) => diagnostic.code)).toContain(code);
    expect(found.every(({ severity }) => severity === 'warning')).toBe(true);
  });
});

describe('a server without an id', () => {
  it('FMT-4: has that of its key, read as any other text: what is written reads back as the same', () => {
    const { card } = parseSkillCard('{"id":"a","description":"b","mcps":{"\u2028far ":{"url":"https://x.example/mcp"}}}');
    expect(card?.mcps['\u2028far ']?.id).toBe('far');
    expect(parseSkillCard(serializeSkillCard(card!)).card).toEqual(card);
  });
});

describe('a card that is nested without end', () => {
  it('FMT-4: is no card, and says so, instead of breaking the reader', () => {
    const deep = `{"id":"a","description":"b","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const { card, diagnostics } = parseSkillCard(deep);
    expect(card).toBeNull();
    expect(diagnostics.map(({ code }) => code)).toEqual(['card-shape']);
  });
});
