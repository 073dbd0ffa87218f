import { fileApprovalStore } from '@repertoire/skill-fs';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { createSkillset, emptySkillState, skillApprovals } from '@repertoire/skills-core';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

describe('APR-13: repertoire approve and approvals', () => {
  it('APR-13: what the command approves counts in an application, until a file changes or somebody revokes it', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a', 'tools: [pay]', 'Do it.'), 'skills/a/x.md': 'X' });
    const cli = (...argv: string[]) => runCli(folder.path, argv);
    /** The application: a process that shares nothing but the file. */
    const app = async () => {
      const provider = fileSystemSkillProvider({ label: 'vendor', roots: [folder.at('skills')], trusted: false });
      const store = fileApprovalStore(folder.at('approvals.json'));
      const session = await createSkillset({ provider, approvals: skillApprovals({ store }) }).open();
      const verdict = await session.judgeCall(emptySkillState, { tool: 'load_skill', input: { name: 'a' } });
      return verdict.decision === 'needs-approval' ? (verdict.question.changes ?? verdict.decision) : verdict.decision;
    };
    expect(await app()).toBe('needs-approval');
    expect((await cli('approvals', 'list')).stdout).toBe('Nothing is approved.\n');
    expect(await cli('approvals', 'why', 'a', 'skills', '--label', 'vendor')).toMatchObject({
      code: 1,
      stdout: 'Nobody approved a of vendor.\n',
    });

    const done = JSON.parse((await cli('approve', 'skills', '--label', 'vendor', '--by', 'Ada', '--json')).stdout) as {
      approved: object[];
    };
    expect(done.approved).toEqual([
      {
        skill: 'a',
        source: 'vendor',
        place: 'skills/a',
        version: null,
        content: expect.stringMatching(/^[0-9a-f]{64}$/),
        grants: ['load', 'tools'],
      },
    ]);
    expect(await app()).toBe('allowed');
    expect((await cli('approvals', 'list')).stdout).toMatch(/load tools .* Ada$/m);
    const { approvals } = JSON.parse((await cli('approvals', 'list', '--json')).stdout) as { approvals: object[] };
    expect(approvals.map((each) => Object.keys(each).toSorted())).toEqual([
      ['at', 'by', 'content', 'grants', 'name', 'place', 'scope', 'source', 'version'],
    ]);
    expect(await cli('approvals', 'why', 'a', 'skills', '--label', 'vendor')).toMatchObject({
      code: 0,
      stdout: 'a is approved as it is now: load, tools.\n',
    });

    await writeFile(folder.at('skills/a/x.md'), 'Y, and longer');
    expect((await cli('approvals', 'why', 'a', 'skills', '--label', 'vendor')).stdout).toMatch(
      /^a changed since it was approved at .*: x\.md\.\n$/,
    );
    expect(await app()).toMatchObject({ changed: ['x.md'], added: [], removed: [] });

    await cli('approve', 'skills', '--label', 'vendor', '--grant', 'load');
    expect(await app()).toBe('allowed');
    expect(await cli('approvals', 'revoke', 'a')).toMatchObject({ code: 0, stdout: 'Revoked: 1 approval of a.\n' });
    expect(await app()).not.toBe('allowed');
    expect(await cli('approvals', 'revoke', 'a')).toMatchObject({ code: 1 });
  });

  it('APR-13: a damaged file and a wrong grant are told', async () => {
    const folder = await temporaryFolder({ 'approvals.json': '[]' });
    expect(await runCli(folder.path, ['approvals', 'list'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no file of approvals'),
    });
    expect(await runCli(folder.path, ['approve', '.', '--grant', 'all'])).toMatchObject({ code: 2 });
    expect(await runCli(folder.path, ['approvals', 'revoke'])).toMatchObject({ code: 2 });
  });
});
