import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSkillset, SkillRegistry, type SkillDiagnostic } from '@repertoire/skills-core';
import { adapterReporter } from '@repertoire/skills-core/adapter';
import { fixedSkillProvider, printDiagnostic, toolDescription, type SkillToolNames } from '@repertoire/skills-core/internal';
import { skillMdDiagnosticCodes } from '../../src/format/diagnostic-codes.ts';

const describeWorkflowTool = (names: SkillToolNames) =>
  toolDescription('runWorkflow', names, 'Runs steps.', { properties: {}, required: [] });

afterEach(() => vi.restoreAllMocks());

/** What is printed while the callback runs. */
async function printed(run: () => unknown): Promise<string[]> {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  warn.mockClear();
  await run();
  return warn.mock.calls.map(([line]) => String(line));
}

/** A source with one diagnostic that no other test has. */
const sourceWith = (message: string, severity: SkillDiagnostic['severity'] = 'warning') => ({
  ...fixedSkillProvider([{ name: 'haiku', description: 'Writes haiku.', body: 'Five, seven, five.' }]),
  listSkills: async () => ({ skills: [], diagnostics: [{ code: 'odd-file', severity, message, fix: 'Mend it.' }], complete: true }),
});

describe('diagnostics that nobody listens to', () => {
  it('DIS-20: warnings and errors are printed once in a process, with the fix and the code', async () => {
    const lines = await printed(async () => {
      for (let request = 0; request < 2; request += 1) await createSkillset({ provider: sourceWith('File one is odd.') }).open();
    });
    expect(lines).toContain('[repertoire] warning: File one is odd. Mend it. (odd-file)');
    expect(lines.filter((line) => line.includes('File one'))).toHaveLength(1);
    expect(await printed(() => createSkillset({ provider: sourceWith('File two is odd.', 'info') }).open())).not.toContainEqual(
      expect.stringContaining('File two'),
    );
  });

  it('DIS-20: a listener of the skillset, of the session or of the adapter, and "silent", turn it off', async () => {
    const heard: string[] = [];
    const onDiagnostic = ({ message }: SkillDiagnostic) => heard.push(message);
    const lines = await printed(async () => {
      await createSkillset({ provider: sourceWith('File three is odd.'), onDiagnostic }).open();
      await createSkillset({ provider: sourceWith('File four is odd.'), onDiagnostic: 'silent' }).open();
      const skillset = createSkillset({ provider: sourceWith('File five is odd.') });
      await skillset.open({ onDiagnostic });
      adapterReporter(skillset, onDiagnostic).report({ code: 'odd-file', severity: 'error', message: 'File six is odd.' });
    });
    expect(lines).toEqual([]);
    expect(heard.filter((message) => message.startsWith('File'))).toEqual(['File three is odd.', 'File five is odd.', 'File six is odd.']);
    const unheard = adapterReporter(createSkillset({ skills: [] }), undefined);
    expect(await printed(() => unheard.report({ code: 'odd-file', severity: 'error', message: 'File seven is odd.' }))).toEqual([
      '[repertoire] error: File seven is odd. (odd-file)',
    ]);
    expect(() => createSkillset({ skills: [], onDiagnostic: 'quiet' as 'silent' })).toThrow(/silent/);
  });

  it('DIS-20: what a source adds to a listing that it gave before is heard, too', async () => {
    const diagnostics: SkillDiagnostic[] = [{ code: 'odd-file', severity: 'warning', message: 'File eight is odd.' }];
    const listing = { skills: [], diagnostics, complete: true };
    const heard: string[] = [];
    const skillset = createSkillset({
      provider: { ...fixedSkillProvider([]), listSkills: async () => listing },
      onDiagnostic: ({ message }) => heard.push(message),
    });
    await skillset.open();
    diagnostics.push({ code: 'odd-file', severity: 'warning', message: 'File nine is odd.' });
    await skillset.open();
    expect(heard.filter((message) => message.startsWith('File'))).toEqual(['File eight is odd.', 'File nine is odd.']);
  });

  it('DIS-20: a library of bad files prints a few lines, and no file writes into the terminal', async () => {
    const lines = await printed(() => {
      for (let index = 0; index < 100; index += 1)
        printDiagnostic({ code: 'bad-entry', severity: 'error', message: `Entry ${index}\n\u001B[2J is bad.`, fix: 'Mend it.' });
    });
    expect(lines[0]).toBe('[repertoire] error: Entry 0 [2J is bad. Mend it. (bad-entry)');
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe(
      '[repertoire] Further diagnostics bad-entry are not printed. To get all, give createSkillset an onDiagnostic.',
    );
  });

  it('DIS-20: files of others that deviate are one line, few of them are told in full, and a listener gets all', async () => {
    const named = (name: string, count: number): SkillDiagnostic[] =>
      Array.from({ length: count }, (_, index) => ({
        code: index === 0 ? 'frontmatter-missing' : 'field-spelling',
        severity: index === 0 ? 'error' : 'warning',
        skill: `${name}-${index >> 1}`,
        message: `Skill ${name}-${index} is odd.`,
      }));
    const open = (diagnostics: SkillDiagnostic[], onDiagnostic?: (diagnostic: SkillDiagnostic) => void) => async () => {
      const provider = { ...fixedSkillProvider([]), listSkills: async () => ({ skills: [], diagnostics, complete: true }) };
      await createSkillset({ provider, ...(onDiagnostic && { onDiagnostic }) }).open();
    };
    const odd = (lines: readonly string[]) => lines.filter((line) => /odd|deviate/.test(line));
    expect(odd(await printed(open(named('few', 3))))).toHaveLength(3);
    const many = named('many', 60);
    expect(odd(await printed(open(many)))).toEqual([
      '[repertoire] warning: 30 skills deviate from the standard, and 1 of them cannot be used. To see how: repertoire check <source>, or give createSkillset an onDiagnostic.',
    ]);
    expect(odd(await printed(open(many)))).toEqual([]);
    const heard: string[] = [];
    expect(odd(await printed(open(many, ({ message }) => heard.push(message))))).toEqual([]);
    expect(heard).toEqual(expect.arrayContaining(many.map(({ message }) => message)));
  });

  it('DIS-20: every code of the parser counts as such a deviation, and none of a source', async () => {
    const lines = await printed(async () => {
      for (const code of Object.keys(skillMdDiagnosticCodes)) printDiagnostic({ code, severity: 'warning', skill: code, message: 'x' });
      for (const code of ['skill-shadowed', 'skill-look-alike', 'skill-withheld', 'root-missing', 'link-outside-root', 'catalog-name-only'])
        printDiagnostic({ code, severity: 'warning', skill: code, message: 'Of a source.' });
      await Promise.resolve();
    });
    expect(lines.filter((line) => line.includes('Of a source.'))).toHaveLength(6);
    expect(lines.at(-1)).toContain(`${Object.keys(skillMdDiagnosticCodes).length} skills deviate`);
    expect(lines).toHaveLength(7);
  });

  it('FLW-1: steps that nothing runs are reported, those of untrusted skills are not', async () => {
    const skill = { name: 'trip', description: 'Books.', body: 'Book.', steps: [{ name: 'one', tool: 'book' }] };
    const codes = async (options: Partial<Parameters<typeof createSkillset>[0]>) =>
      (await createSkillset({ onDiagnostic: 'silent', ...options }).open()).diagnostics.map(({ code }) => code);
    expect(await codes({ skills: [skill] })).toEqual(['steps-without-workflows']);
    expect(await codes({ provider: new SkillRegistry({ skills: [skill], trusted: false }) })).toEqual([]);
    const workflows = {
      tool: () => Promise.reject(new Error('not asked')) as never,
      describe: () => '',
      describeTool: describeWorkflowTool,
    };
    expect(await codes({ skills: [{ ...skill, steps: undefined }] })).toEqual([]);
    expect(await codes({ skills: [], workflows })).toEqual(['catalog-empty']);
  });
});
