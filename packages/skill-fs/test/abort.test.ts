import fs from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fileSystemSkillProvider } from '../src/index.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

const reason = new Error('Enough.');

describe('aborts and disposal', () => {
  it('CON-1: an aborted signal rejects every method with its reason', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a') });
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    const signal = AbortSignal.abort(reason);
    await expect(provider.listSkills({ signal })).rejects.toBe(reason);
    await expect(provider.getSkill('a', { signal })).rejects.toBe(reason);
    await expect(provider.readResource('a', 'x', { signal })).rejects.toBe(reason);
    await provider.listSkills();
    await expect(provider.listSkills({ signal })).rejects.toBe(reason);
  });

  it('CON-1: an abort ends the waiting at once, also while the disk does not answer', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a') });
    let release = (): void => {};
    const asked = vi.spyOn(fs, 'lstat').mockImplementation(((_path: string, callback: (error: null) => void) => {
      release = () => callback(null);
    }) as never);
    onTestFinished(() => asked.mockRestore());
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    const controller = new AbortController();
    const waiting = [provider.listSkills(controller), provider.getSkill('a', controller), provider.readResource('a', 'b', controller)];
    await vi.waitUntil(() => asked.mock.calls.length > 0, 240_000);
    controller.abort(reason);
    for (const call of waiting) await expect(call).rejects.toBe(reason);
    release();
    asked.mockRestore();
    expect((await provider.listSkills()).skills).toHaveLength(1);
  });

  it('CON-1: one caller that leaves ends nothing for the others', async () => {
    const folder = await temporaryFolder(
      Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`s-${index}/SKILL.md`, skillMd(`s-${index}`)])),
    );
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    const controller = new AbortController();
    const leaving = provider.listSkills(controller);
    const staying = provider.listSkills();
    controller.abort(reason);
    await expect(leaving).rejects.toBe(reason);
    expect((await staying).skills).toHaveLength(50);
  });

  it('CON-1: a scan that nobody waits for any more reads no further file', async () => {
    const folder = await temporaryFolder(
      Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`s-${index}/SKILL.md`, skillMd(`s-${index}`)])),
    );
    const controller = new AbortController();
    const original = fs.openSync as (...all: unknown[]) => number;
    const open = vi.spyOn(fs, 'openSync').mockImplementation((...all: unknown[]) => {
      controller.abort(reason);
      return original(...all);
    });
    onTestFinished(() => open.mockRestore());
    // Each look at the clock is a millisecond later: a slice ends after a few files, however quick the computer is.
    let time = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 1));
    onTestFinished(() => clock.mockRestore());
    await expect(fileSystemSkillProvider({ roots: [folder.path] }).listSkills(controller)).rejects.toBe(reason);
    // A whole scan of another provider takes longer than one more slice of this one.
    const whole = fileSystemSkillProvider({ roots: [folder.path] });
    expect((await whole.listSkills()).skills).toHaveLength(200);
    expect(open.mock.calls.length).toBeLessThan(220);
  });

  it('CON-3: after disposal calls reject, and twice is fine', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a') });
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    const underWay = provider.listSkills();
    const settled = expect(underWay).rejects.toMatchObject({ code: 'source-unavailable' });
    await provider[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
    await settled;
    for (const call of [
      provider.listSkills(),
      provider.getSkill('a'),
      provider.readResource('a', 'x'),
      provider.readResource('a', 'SKILL.md'),
    ]) {
      await expect(call).rejects.toMatchObject({ code: 'source-unavailable' });
    }
    expect(() => provider.watch(() => {})).toThrow(expect.objectContaining({ code: 'source-unavailable' }));
  });
});
