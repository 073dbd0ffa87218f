import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSimpleCommand } from '../../../src/policy/allowed-tools/match-command.ts';
import { matchesAllowedTool } from '../../../src/policy/allowed-tools/matches-allowed-tool.ts';
import { matchWildcard } from '../../../src/policy/allowed-tools/wildcard.ts';

const bash = (pattern: string, command: string, options = {}) => matchesAllowedTool(pattern, { tool: 'Bash', input: { command } }, options);
const edit = (pattern: string, path: string, root?: string) =>
  matchesAllowedTool(`Edit(${pattern})`, { tool: 'Edit', input: { file_path: path } }, { root });

describe('matchesAllowedTool by name', () => {
  it.each([
    ['Read', 'Read', true],
    [' Read ', 'Read', true],
    ['Read', 'read', false],
    ['Read', 'ReadAll', false],
    ['*', 'anything', true],
    ['mcp__*', 'mcp__git__status', true],
    ['mcp__*', 'git', false],
    ['mcp__git__*', 'mcp__git__status', true],
    ['mcp__git__*', 'mcp__github__status', false],
    ['mcp__git', 'mcp__git__status', true],
    ['mcp__git', 'mcp__github__status', false],
    ['mcp__git', 'mcp__git', true],
    ['mcp__git__status', 'mcp__git__status_all', false],
    ['stitch*:*', 'stitch-2:draw', true],
    ['Azure MCP/documentation', 'Azure MCP/documentation', true],
    ['Re.d', 'Read', false],
    ['', '', false],
    ['Read(', 'Read', false],
    ['Read)', 'Read', false],
    ['Read()', 'Read', false],
    ['(x)', '', false],
    ['Bash(git:*) Read', 'Bash', false],
  ])('GOV-2: %j and the tool %s: %s', (pattern, tool, expected) => {
    expect(matchesAllowedTool(pattern, { tool, input: {} })).toBe(expected);
  });

  it("GOV-2: the host's tools go by the names that patterns have for them", () => {
    const aliases = { Bash: ['shell'], Edit: ['write_file', 'patch_file'] };
    expect(matchesAllowedTool('Bash(git:*)', { tool: 'shell', input: { command: 'git status' } }, { aliases })).toBe(true);
    expect(matchesAllowedTool('Bash(git:*)', { tool: 'Bash', input: { command: 'git status' } }, { aliases })).toBe(true);
    expect(matchesAllowedTool('Edit', { tool: 'patch_file' }, { aliases })).toBe(true);
    expect(matchesAllowedTool('Read', { tool: 'patch_file' }, { aliases })).toBe(false);
    expect(matchesAllowedTool('constructor', { tool: 'Bash' }, { aliases })).toBe(false);
  });
});

describe('matchesAllowedTool by command', () => {
  it.each([
    ['git:*', 'git', true],
    ['git:*', 'git status', true],
    ['git:*', '  git\tstatus\n', true],
    ['git:*', 'gitk', false],
    ['git:*', 'Git status', false],
    ['git:*', 'sudo git status', false],
    ['git:*', 'X=1 git status', false],
    ['git:*', '/usr/bin/git status', false],
    ['git *', 'git', true],
    ['git *', 'git push origin main', true],
    ['git *', 'gitk', false],
    ['git add *', 'git add .', true],
    ['git add *', 'git commit', false],
    ['git*', 'gitk --all', true],
    ['git * main', 'git push origin main', true],
    ['git * main', 'git push origin mainline', false],
    ['git * main:*', 'git push origin main --force', true],
    ['npm run test:*', 'npm run test', true],
    ['npm run test:*', 'npm run test --watch', true],
    ['npm run test:*', 'npm run test:unit', false],
    ['npm run test', 'npm run test', true],
    ['npm run test', 'npm run test --watch', false],
    ['git add . && git commit', 'git add . && git commit', true],
    ['*', 'rm -rf / ; anything', true],
    [':*', 'git', false],
    ['${CLAUDE_SKILL_DIR}/run.sh:*', '/skills/a/run.sh', false],
  ])('GOV-2: Bash(%s) and %j: %s', (argument, command, expected) => {
    expect(bash(`Bash(${argument})`, command)).toBe(expected);
  });

  it.each([
    'git commit -m "fix; stuff & more | (all) > of `it"'.replace('`', ''),
    "git commit -m 'costs $(nothing) `at all`; really'",
    'git log --format="%h $HOME"',
    'git log --grep=a\\;b',
    'git log -- $FILE',
    'git log --grep "a \\" ; b"',
    'git log --grep "$x costs 5$"',
    'git add *.ts {a,b}.js [ab].md',
    'git show HEAD~2 # a note',
  ])('GOV-2: %j is one command of git', (command) => {
    expect(bash('Bash(git:*)', command)).toBe(true);
    expect(bash('Bash(git*)', command)).toBe(true);
  });

  it.each([
    'git status; rm -r .',
    'git status && rm -r .',
    'git status || rm -r .',
    'git status & rm -r .',
    'git log | sh',
    'git log > ~/.profile',
    'git log >> x',
    'git apply < x',
    'git log $(rm -r .)',
    'git log "$(rm -r .)"',
    'git log `rm -r .`',
    'git log "`rm -r .`"',
    'git log ${x@P}',
    'git log "${x@P}"',
    'git log $[1+1]',
    'git log <(rm x)',
    'git status\nrm -r .',
    'git status\r\nrm -r .',
    'git status \\\nrm',
    "git log # '\nrm -r . #'",
    "git log $'\\'' ; rm -r . '",
    'git log $"x"',
    "git log 'a\\'; rm -r . ; echo '",
    'git log "unclosed',
    "git log 'unclosed",
    'git log \\',
    '(git log)',
    'git log (a)',
    'git log \u0000x',
  ])('GOV-2 EDGE-44: %j is more than one command, or not surely one, and is declined', (command) => {
    for (const pattern of ['Bash(git:*)', 'Bash(git *)', 'Bash(git*)', 'Bash(*git*)']) expect(bash(pattern, command)).toBe(false);
    expect(bash('Bash', command)).toBe(true);
    expect(bash('Bash(*)', command)).toBe(true);
  });

  it('GOV-2: where the shell is not known, no quote is trusted', () => {
    const options = { shell: 'unknown' };
    expect(bash('Bash(git:*)', 'git push origin main --tags', options)).toBe(true);
    expect(bash('Bash(git:*)', 'git -C src\\app status', options)).toBe(true);
    for (const command of ["git 'a & calc'", 'git "\\" ; calc ; "\\""', 'git %PATH%', 'git ^& x', 'git $x', 'git "a"'])
      expect(bash('Bash(git:*)', command, options)).toBe(false);
  });

  it('GOV-2: whatever is appended with an operator outside quotes, a prefix does not fit', () => {
    const word = fc.stringMatching(/^[a-z./=-]{1,8}$/);
    const argument = fc.oneof(word, fc.stringMatching(/^'[a-z ;&|$`()<>]{0,8}'$/), fc.stringMatching(/^"[a-z ;&|()<>]{0,8}"$/));
    const operator = fc.constantFrom(';', '&&', '||', '|', '&', '\n', '>', '>>', '<', '$(', '`', '<(', '\r\n', ';;', '|&', '&>');
    fc.assert(
      fc.property(
        fc.array(argument, { maxLength: 4 }),
        operator,
        fc.array(argument, { maxLength: 4 }),
        fc.boolean(),
        (before, between, after, spaced) => {
          const [left, right] = [['git', ...before].join(' '), after.join(' ')];
          expect(bash('Bash(git:*)', left)).toBe(true);
          const gap = spaced ? ' ' : '';
          // A line end at the very end of a command separates nothing.
          fc.pre(right.trim() !== '' || between.trim() !== '');
          expect(bash('Bash(git:*)', `${left}${gap}${between}${gap}${right}`)).toBe(false);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('GOV-2: a command that is simple without quotes in mind is simple with them', () => {
    const text = fc
      .array(fc.constantFrom('a', ' ', '-', '/', "'", '"', '\\', '$', '(', ';', '|', '\n', '{', '`', '#'), { maxLength: 14 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (command) => {
        if (isSimpleCommand(command, 'unknown') && !command.endsWith('\\')) expect(isSimpleCommand(command, 'posix')).toBe(true);
        if (isSimpleCommand(command)) expect(isSimpleCommand(`${command} ; x`)).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });

  it('GOV-2: a hostile pattern or command costs no more than its length', () => {
    expect(bash(`Bash(${'*a'.repeat(200)}b)`, 'a'.repeat(20_000))).toBe(false);
    expect(bash('Bash(git:*)', `git ${'"a" '.repeat(20_000)}`)).toBe(true);
    expect(bash('Bash(git:*)', `git ${'a'.repeat(200_000)}`)).toBe(false);
  });
});

describe('matchesAllowedTool by path', () => {
  it.each([
    ['src/**', 'src/a.ts', true],
    ['src/**', 'src/a/b/c.ts', true],
    ['src/**', './src//a.ts', true],
    ['src/**', 'src', false],
    ['src/**', 'src/', false],
    ['src/', 'src/a/b.ts', true],
    ['src/*', 'src/a.ts', true],
    ['src/*', 'src/a/b.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/a/b/c.ts', true],
    ['src/**/*.ts', 'src/a/b/c.js', false],
    ['./src/*.ts', 'src/a.ts', true],
    ['*.md', 'docs/deep/a.md', true],
    ['*.md', 'a.mdx', false],
    ['**', 'any/thing', true],
    ['docs/[id].tsx', 'docs/[id].tsx', true],
    ['docs/[id].tsx', 'docs/i.tsx', false],
    ['src/**', 'src/../secret', false],
    ['src/**', 'src/a/../b', false],
    ['**', '../secret', false],
    ['**', '~/secret', false],
    ['**', '/etc/passwd', false],
    ['**', 'C:/windows/x', false],
    ['**', 'C:secret', false],
    ['**', '\\\\server\\x', false],
    ['src/**', 'src\\..\\x', false],
    ['**', 'a\u0000b', false],
    ['**', 'file:///etc/passwd', false],
    ['**', '//server/x', false],
    ['**', '', false],
    ['**', '.', false],
    ['../**', '../x', false],
    ['~/**', '~/x', false],
    ['/etc/**', '/etc/passwd', true],
    ['//etc/**', '/etc/passwd', true],
    ['/server/**', '//server/x', false],
    ['//server/**', '//server/x', false],
    ['/etc/**', 'etc/passwd', false],
    ['SRC/**', 'src/a', false],
  ])('GOV-2: Edit(%s) and %j: %s', (pattern, path, expected) => {
    expect(edit(pattern, path)).toBe(expected);
  });

  it('GOV-2: with a root, absolute and relative paths meet', () => {
    const root = '/srv/app/';
    expect(edit('src/**', '/srv/app/src/a.ts', root)).toBe(true);
    expect(edit('/srv/app/src/**', 'src/a.ts', root)).toBe(true);
    expect(edit('**', '/srv/app-private/a.ts', root)).toBe(false);
    expect(edit('**', '/srv/app', root)).toBe(false);
    expect(edit('**', '/srv/app/../b', root)).toBe(false);
    expect(edit('src/**', 'C:/app/src/a.ts', 'C:/app')).toBe(true);
  });

  it('GOV-2: a path that fits stays inside, whatever it holds', () => {
    const piece = fc.constantFrom('..', '.', '/', '\\', 'src', 'a', '~', 'C:', '%2e', ' ', '\n');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const path = pieces.join('');
        if (edit('src/**', path))
          expect(new URL(path.split('/').map(encodeURIComponent).join('/'), 'file:///r/').pathname).toMatch(/^\/r\/+src\/+./);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('matchesAllowedTool by what a call is about', () => {
  it('GOV-2: nothing fits where two things could be meant, or nothing is known', () => {
    expect(matchesAllowedTool('Edit(src/**)', { tool: 'Edit', input: { command: 'create', path: 'src/a' } })).toBe(false);
    expect(matchesAllowedTool('Edit(src/**)', { tool: 'Edit', input: { path: 'src/a', file_path: '/etc/passwd' } })).toBe(false);
    for (const input of [undefined, null, 'src/a', ['src/a'], { file: 'src/a' }, { path: ['src/a'] }, Object.create({ path: 'src/a' })]) {
      expect(matchesAllowedTool('Edit(src/**)', { tool: 'Edit', input })).toBe(false);
      expect(matchesAllowedTool('Edit', { tool: 'Edit', input })).toBe(true);
    }
  });

  it('GOV-2: two things that could be meant fit nothing, also where the first of them would', () => {
    const call = (input: object) => matchesAllowedTool('Bash(git:*)', { tool: 'Bash', input });
    expect(call({ command: 'git status' })).toBe(true);
    for (const other of [{ cmd: 'rm -r .' }, { path: '/etc/passwd' }, { url: 'https://example.com' }, { file_path: 'a' }])
      expect(call({ command: 'git status', ...other })).toBe(false);
    expect(call({ command: 'git status', path: undefined })).toBe(true);
  });

  it('GOV-2: a host that knows better says so', () => {
    expect(matchesAllowedTool('Edit(src/**)', { tool: 'Edit', path: 'src/a', input: { command: 'create', path: 'x' } })).toBe(true);
    expect(matchesAllowedTool('Run(git:*)', { tool: 'Run', command: 'git status', input: { argv: ['git', 'status'] } })).toBe(true);
  });

  it.each([
    ['domain:example.com', 'https://example.com/a?b', true],
    ['domain:Example.com', 'https://EXAMPLE.com:8443/', true],
    ['domain:example.com', 'https://www.example.com/', false],
    ['domain:*.example.com', 'https://www.example.com/', true],
    ['domain:*.example.com', 'https://example.com/', false],
    ['domain:example.com', 'https://example.com@evil.example/', false],
    ['domain:example.com', 'https://evil.example/example.com', false],
    ['domain:example.com', 'ftp://example.com/', false],
    ['domain:example.com', 'example.com', false],
    ['example.com', 'https://example.com/', false],
  ])('GOV-2: WebFetch(%s) and %s: %s', (argument, url, expected) => {
    expect(matchesAllowedTool(`WebFetch(${argument})`, { tool: 'WebFetch', input: { url } })).toBe(expected);
  });
});

describe('matchWildcard', () => {
  it('GOV-2: says what the same pattern as a regular expression says', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '.'), { maxLength: 8 }).map((parts) => parts.join(''));
    const pattern = fc.array(fc.constantFrom('a', 'b', '.', '*'), { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, text, (written, value) => {
        const expression = new RegExp(`^${written.replaceAll('.', '\\.').replaceAll('*', '[^]*')}$`);
        expect(matchWildcard(written, value)).toBe(expression.test(value));
      }),
      { numRuns: 5000 },
    );
  });
});

describe('inputs with more than the subject', () => {
  const git = (input: Record<string, unknown>, options = {}) =>
    matchesAllowedTool('Bash(git:*)', { tool: 'Bash', input: { command: 'git status', ...input } }, options);

  it.each([
    ['env', { GIT_SSH_COMMAND: 'rm -rf .' }],
    ['args', ['--upload-pack=evil']],
    ['cwd', '/etc'],
    ['stdin', 'x'],
    ['anything_else', 'x'],
  ])('GOV-5: %s could change what the call does, so no pattern is sure (ATK-47)', (field, value) => {
    expect(git({ [field]: value })).toBe(false);
    expect(git({ [field]: value }, { plainFields: [field] })).toBe(true);
    expect(matchesAllowedTool('Bash', { tool: 'Bash', input: { command: 'git status', [field]: value } })).toBe(true);
  });

  it('GOV-5: numbers, switches and what is only written or said do no harm', () => {
    expect(git({ timeout: 1_000, run_in_background: true, description: 'Shows the state.', env: undefined })).toBe(true);
    const change = { file_path: 'src/a.ts', old_string: '/etc/passwd', new_string: 'b', replace_all: true };
    expect(matchesAllowedTool('Edit(src/**)', { tool: 'Edit', input: change })).toBe(true);
    expect(matchesAllowedTool('Edit(src/**)', { tool: 'Edit', input: { ...change, paths: ['/etc/passwd'] } })).toBe(false);
  });

  it.each([
    ['file_path', '/etc/passwd'],
    ['path', 7],
    ['url', true],
  ])('GOV-5: a command beside %s could be about either, so no pattern is sure, whatever the host calls plain', (field, value) => {
    expect(git({ [field]: value })).toBe(false);
    expect(git({ [field]: value }, { plainFields: [field] })).toBe(false);
  });

  it('GOV-5: what the host says the call is about counts, whatever else is in the input', () => {
    expect(matchesAllowedTool('Bash(git:*)', { tool: 'Bash', input: { cwd: '/' }, command: 'git status' })).toBe(true);
  });
});
