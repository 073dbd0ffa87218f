import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSkillset, SkillRegistry, type SkillDiagnostic } from '@repertoire/skills-core';
import { adapterReporter, describeWorkflowTool, fixedSkillProvider, printDiagnostic } from '@repertoire/skills-core/internal';

afterEach(() => vi.restoreAllMocks());

/** What is printed while the callback runs. */
async function printed(run: () => unknown): Promise<string[]> {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
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
