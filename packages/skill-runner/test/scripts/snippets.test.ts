import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandSnippets, type ExpandSnippetsOptions } from '@repertoire/skill-runner/scripts';
import { findSnippets } from '@repertoire/skills-core/provider';
import { SkillError } from '@repertoire/skills-core';
import { skillDigest, type SkillRunner, type SkillRunRequest, type SkillRunResult } from '@repertoire/skills-core/provider';

const trusted = { kind: 'code', label: 'own', trusted: true };
const skill = { name: 'info', version: null, origin: trusted };
const files = { VERSION: new TextEncoder().encode('1.2.3\n') };
const digest = await skillDigest(files);

const ended: SkillRunResult = {
  exitCode: 0,
  endedBy: 'exit',
  stdout: '',
  stderr: '',
  truncated: false,
  durationMs: 0,
  filesWritten: [],
  confinement: { kind: 'scripted', holds: [] },
};

/** A runner whose commands answer as the test says, and that remembers what it was asked. */
function scripted(answer: (command: string, request: SkillRunRequest) => Partial<SkillRunResult> | Promise<Partial<SkillRunResult>>) {
  const requests: SkillRunRequest[] = [];
  const runner: SkillRunner = {
    label: 'scripted',
    run: async (request) => {
      requests.push(request);
      return { ...ended, ...(await answer(request.command ?? '', request)) };
    },
  };
  return { runner, requests };
}

function expand(body: string, runner: SkillRunner, options: Partial<ExpandSnippetsOptions> = {}) {
  return expandSnippets(body, { runner, skill, digest, files, ...options });
}

describe('findSnippets', () => {
  it.each([
    ['Version: !`cat VERSION`', ['cat VERSION']],
    ['!`a` and !`b`!`c`', ['a', 'b', 'c']],
    ['```\n!`git diff`\n```', ['git diff']],
    ['**!`a`** (!`b`) x=!`c`', ['a', 'b', 'c']],
    ['! `a`', []],
    ['\\!`a`', []],
    ['\\\\!`a`', ['a']],
    ['`` !`a` `` shows it', []],
    ['!``a``', []],
    ['!`` ` ``', []],
    ['!`a\nb`', []],
    ['!` `', []],
    ['`!`a`', []],
    ['`x` then !`a`', ['a']],
    ['!`a', []],
  ])('SRC-3: %j holds %j', (body, commands) => {
    expect(findSnippets(body).map(({ command }) => command)).toEqual(commands);
  });

  it('SRC-3: every snippet stands where it says', () => {
    const text = fc.string({ unit: fc.constantFrom('!', '`', '\\', 'a', ' ', '\n') });
    fc.assert(
      fc.property(text, (body) => {
        let from = 0;
        for (const { start, end, command } of findSnippets(body)) {
          expect(start).toBeGreaterThanOrEqual(from);
          expect(body.slice(start, end)).toMatch(/^!`[^`\n]+`$/);
          expect(body.slice(start + 2, end - 1).trim()).toBe(command);
          from = end;
        }
      }),
      { seed: 7 },
    );
  });
});

describe('expandSnippets', () => {
  it('SRC-3: replaces each snippet by its output, in the order of the body, in the folder of the skill', async () => {
    const { runner, requests } = scripted((command) => ({ stdout: `<${command}>\n\n` }));
    expect(await expand('a !`one`\n```\n!`two`\n```\n', runner, { env: { TZ: 'UTC' } })).toEqual({
      body: 'a <one>\n```\n<two>\n```\n',
      ran: 2,
      diagnostics: [],
    });
    expect(requests.map(({ command, cwd, env, timeoutMs, arguments: given }) => ({ command, cwd, env, timeoutMs, given }))).toEqual([
      { command: 'one', cwd: undefined, env: { TZ: 'UTC' }, timeoutMs: 10_000, given: undefined },
      { command: 'two', cwd: undefined, env: { TZ: 'UTC' }, timeoutMs: 10_000, given: undefined },
    ]);
    expect(requests.every((request) => request.files === files && request.digest === digest)).toBe(true);
  });

  it('SRC-3: runs nothing of a source that is not trusted, or does not say', async () => {
    for (const origin of [{ ...trusted, trusted: false }, undefined]) {
      const { runner, requests } = scripted(() => ({ stdout: 'x' }));
      const expanded = await expand('!`cat VERSION`', runner, { skill: { name: 'info', version: null, origin } });
      expect(expanded).toMatchObject({ body: '!`cat VERSION`', ran: 0, diagnostics: [{ code: 'snippets-untrusted', skill: 'info' }] });
      expect(requests).toEqual([]);
    }
  });

  it('SRC-3: arguments are put in after the commands ran, and never into a command or an output', async () => {
    const { runner, requests } = scripted((command) => ({ stdout: `${command} gave $0 and $ARGUMENTS` }));
    const body = 'Fix $0: !`show $0 $ARGUMENTS`';
    const { body: expanded, diagnostics } = await expand(body, runner, { arguments: '42`;!`rm`' });
    expect(expanded).toBe('Fix 42`;!`rm`: show $0 $ARGUMENTS gave $0 and $ARGUMENTS');
    expect(requests.map(({ command }) => command)).toEqual(['show $0 $ARGUMENTS']);
    expect(diagnostics).toMatchObject([{ code: 'snippet-reads-arguments', line: 1 }]);
  });

  it('SRC-3: an output that looks like a snippet is text', async () => {
    const { runner, requests } = scripted(() => ({ stdout: '!`rm -rf x`' }));
    expect((await expand('!`a`', runner)).body).toBe('!`rm -rf x`');
    expect(requests).toHaveLength(1);
  });

  it.each<[string, Partial<SkillRunResult>, string]>([
    [
      'an exit code',
      { exitCode: 128, stderr: 'fatal: not a git repository\n' },
      '[error: "git log" ended with exit code 128: fatal: not a git repository]',
    ],
    ['an exit code without a word', { exitCode: 1 }, '[error: "git log" ended with exit code 1]'],
    ['a timeout', { exitCode: null, endedBy: 'timeout' }, '[error: "git log" did not end within 10000 ms]'],
    ['too many files', { exitCode: null, endedBy: 'files' }, '[error: "git log" wrote too much]'],
  ])('SRC-3: %s becomes an error in its place', async (_name, result, text) => {
    const { runner } = scripted((command) => (command === 'git log' ? result : { stdout: 'fine' }));
    const { body, diagnostics } = await expand('1 !`git log`\n2 !`b`', runner);
    expect(body).toBe(`1 ${text}\n2 fine`);
    expect(diagnostics).toMatchObject([{ code: 'snippet-failed', message: text, line: 1 }]);
  });

  it('SRC-3: what the runner refuses becomes an error that says why', async () => {
    const { runner } = scripted(() => {
      throw new SkillError('digest-mismatch', 'The files changed.');
    });
    expect((await expand('!`a`', runner)).body).toBe('[error: "a" was not run: The files changed.]');
    const { runner: broken } = scripted(() => Promise.reject(new Error('password=1')));
    expect((await expand('!`a`', broken)).body).toBe('[error: "a" was not run: the runner failed]');
  });

  it('SRC-3: a runner that never answers is left behind', async () => {
    const { runner } = scripted(() => new Promise<never>(() => {}));
    expect((await expand('!`a` b', runner, { timeoutMs: 1 })).body).toBe('[error: "a" did not end within 1 ms] b');
  });

  it('SRC-3: is bounded in number, output and time of all commands', async () => {
    const { runner, requests } = scripted(() => ({ stdout: 'äöü\n' }));
    expect((await expand('!`a`,!`b`,!`c`', runner, { maxSnippets: 2 })).body).toBe(
      'äöü,äöü,[error: not run: at most 2 commands of a skill are run]',
    );
    expect((await expand('!`a`', runner, { maxOutputBytes: 3 })).body).toBe('ä\n[output cut after 3 bytes]');
    expect((await expand('!`a`,!`b`,!`c`', runner, { maxTotalOutputBytes: 8 })).body).toContain(
      'äöü,ä\n[output cut after 2 bytes],[error: not run: the output',
    );
    let clock = 0;
    requests.length = 0;
    const slow = scripted(() => {
      clock += 700;
      return { stdout: 'x' };
    });
    const { body, ran } = await expand('!`a`,!`b`,!`c`', slow.runner, { totalTimeoutMs: 1_000, now: () => clock });
    expect(body).toBe('x,x,[error: not run: the commands of this skill took more than 1000 ms together]');
    expect(ran).toBe(2);
    expect(slow.requests.map(({ timeoutMs }) => timeoutMs)).toEqual([1_000, 300]);
  });

  it('SRC-3: output that the runner cut says so; control characters are left out', async () => {
    const { runner } = scripted(() => ({ stdout: '\u001B[31mred\u001B[0m\r\nx\0', truncated: true, endedBy: 'output', exitCode: null }));
    expect((await expand('!`a`', runner)).body).toBe('red\nx\n[output cut after 16384 bytes]');
  });

  it('SRC-3: an abort rejects with its reason', async () => {
    const controller = new AbortController();
    const { runner } = scripted(() => {
      controller.abort(new Error('enough'));
      return new Promise<never>(() => {});
    });
    await expect(expand('!`a`', runner, { signal: controller.signal })).rejects.toThrow('enough');
  });

  it('SRC-3: refuses limits that cannot work', async () => {
    const { runner } = scripted(() => ({}));
    await expect(expand('x', runner, { timeoutMs: 0 })).rejects.toMatchObject({ code: 'invalid-options' });
  });
});
