import { approvedRunner, type ApprovalRequest } from '@repertoire/skill-runner';
import { sha256Hex, type SkillRunner, type SkillRunRequest, type SkillRunResult } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';
import { requestOf } from './support/skill-files.ts';

const result = { exitCode: 0, stdout: 'ran' } as SkillRunResult;

function recording() {
  const requests: SkillRunRequest[] = [];
  const runner: SkillRunner = {
    label: 'inner',
    run: async (request) => {
      requests.push(request);
      return result;
    },
  };
  return { runner, requests };
}

describe('approvedRunner', () => {
  it('SRC-10: asks with the skill, the script, its digest and the arguments', async () => {
    const { runner, requests } = recording();
    const asked: ApprovalRequest[] = [];
    const approved = approvedRunner(runner, (question) => {
      asked.push(question);
      return true;
    });
    const origin = { kind: 'fs', label: 'team', trusted: true };
    const request = await requestOf(
      { 'scripts/a.sh': 'echo', 'b.txt': 'b' },
      { skill: { name: 'a', version: '1.0.0', origin }, arguments: ['--all'], stdin: 'ä', env: { KEY: 'secret' } },
    );
    expect(await approved.run(request)).toBe(result);
    expect(asked).toEqual([
      {
        question: expect.stringMatching(/^[0-9a-f]{64}$/),
        skill: 'a',
        version: '1.0.0',
        source: 'team',
        script: 'scripts/a.sh',
        command: undefined,
        text: 'echo',
        scriptDigest: await sha256Hex('echo'),
        digest: request.digest,
        arguments: ['--all'],
        stdinBytes: 2,
        stdin: 'ä',
        stdinDigest: await sha256Hex('ä'),
        inputs: [],
        env: ['KEY'],
        runner: 'inner',
        signal: undefined,
      },
    ]);
    expect(requests).toMatchObject([{ script: 'scripts/a.sh', arguments: ['--all'], env: { KEY: 'secret' } }]);
    await approved.run(await requestOf({}, { command: 'git log' }));
    expect(asked[1]).toMatchObject({ command: 'git log', script: undefined, text: undefined, scriptDigest: undefined });
    expect(approved.label).toBe('inner');
  });

  it.each([
    false,
    undefined,
    null,
    'yes',
    1,
    {},
    { approved: false, reason: 'not today' },
    { approved: 'true' },
    Object.create({ approved: true }),
  ])('SRC-10: %j is a no', async (answer) => {
    const { runner, requests } = recording();
    const approved = approvedRunner(runner, () => answer as boolean);
    const reason = (answer as { reason?: string } | null | undefined)?.reason ?? '';
    await expect(approved.run(await requestOf({ 'a.sh': '' }))).rejects.toMatchObject({
      code: 'permission-denied',
      message: expect.stringContaining(reason),
      path: 'a.sh',
    });
    expect(requests).toEqual([]);
  });

  it('SRC-10: where the question fails, nothing runs', async () => {
    const { runner, requests } = recording();
    const approved = approvedRunner(runner, () => Promise.reject(new Error('closed')));
    await expect(approved.run(await requestOf({ 'a.sh': '' }))).rejects.toThrow('closed');
    expect(requests).toEqual([]);
  });

  it('SRC-10: a yes is for what was shown: later changes do not run', async () => {
    const { runner, requests } = recording();
    const request = await requestOf({ 'a.sh': 'echo' }, { arguments: ['one'], stdin: new Uint8Array([1]) });
    const approved = approvedRunner(runner, () => {
      request.files['a.sh']?.fill(0);
      (request.arguments as string[])[0] = 'two';
      (request.stdin as Uint8Array).fill(0);
      return { approved: true };
    });
    await approved.run(request);
    expect(new TextDecoder().decode(requests[0]?.files['a.sh'])).toBe('echo');
    expect(requests).toMatchObject([{ arguments: ['one'], stdin: new Uint8Array([1]) }]);
  });

  it('SRC-10: the question covers all that a run depends on, and an answer to another one runs nothing', async () => {
    const { runner, requests } = recording();
    const seen = new Set<string>();
    const approved = approvedRunner(runner, ({ question }) => {
      seen.add(question);
      return { approved: true, question: [...seen][0] };
    });
    const files = { 'a.sh': 'echo', 'b.txt': 'b' };
    const bytes = (text: string) => new TextEncoder().encode(text);
    const first = { arguments: ['x'], stdin: 'one', env: { KEY: 'a' }, inputs: { 'in.txt': bytes('in') } };
    const base = await requestOf(files, first);
    await approved.run(base);
    const others = [
      await requestOf({ ...files, 'b.txt': 'c' }, first),
      ...(await Promise.all(
        [
          { arguments: ['x', 'y'] },
          { stdin: 'two' },
          { env: { KEY: 'b' } },
          { inputs: { 'in.txt': bytes('other') } },
          { cwd: 'x' },
          { skill: { name: 'a', version: null, origin: { kind: 'fs', label: 'elsewhere', trusted: true } } },
        ].map((change) => requestOf(files, { ...first, ...change })),
      )),
    ];
    for (const other of others) await expect(approved.run(other)).rejects.toMatchObject({ code: 'digest-mismatch' });
    expect([seen.size, requests.length]).toEqual([others.length + 1, 1]);
    await approved.run(base);
    expect(requests).toHaveLength(2);
  });

  it('SRC-10: files that are not those of the digest are not asked about', async () => {
    const { runner } = recording();
    const asked: unknown[] = [];
    const approved = approvedRunner(runner, (question) => asked.push(question) > 0);
    const request = await requestOf({ 'a.sh': 'echo' });
    await expect(approved.run({ ...request, digest: '0'.repeat(64) })).rejects.toMatchObject({ code: 'digest-mismatch' });
    expect(asked).toEqual([]);
  });

  it('SRC-10: an abort takes the question back', async () => {
    const { runner, requests } = recording();
    const controller = new AbortController();
    const approved = approvedRunner(runner, () => {
      controller.abort(new Error('never mind'));
      return new Promise<never>(() => {});
    });
    await expect(approved.run(await requestOf({ 'a.sh': '' }, { signal: controller.signal }))).rejects.toThrow('never mind');
    expect(requests).toEqual([]);
  });
});
