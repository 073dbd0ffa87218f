import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSkillVerifier, type SkillVerifier } from '../src/index.ts';
import { readSkillFolder } from '../src/node.ts';
import { bytes, signatureName, text, verdict } from './support/signed-skills.ts';

const signed = resolve(import.meta.dirname, '../../../../shared/signed');
const here = existsSync(signed);
const skills = here
  ? readdirSync(signed, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
  : [];

/** Known not to verify, with the reason. All others do. */
const refused: Readonly<Record<string, string>> = {
  'amc-run-rtsp-calibration': 'chain-untrusted',
  'earth2studio-create-diagnostic': 'file-changed SKILL.md',
};
// Certificates end; what is tested here does not.
const at = new Date('2026-11-21T00:00:00Z');

describe('GOV-12: skills as their publisher signed them', () => {
  beforeEach((context) => context.skip(!here, 'the signed skills are not beside the project (../shared/signed)'));
  const verifier = (): SkillVerifier => createSkillVerifier({ roots: [readFileSync(join(signed, 'nv-agent-root-cert.pem'), 'utf8')], at });

  it('verify, or are refused for the reason that is known', async () => {
    const verdicts = await Promise.all(
      skills.map(async (name) => [name, await verdict(verifier(), await readSkillFolder(join(signed, name)))]),
    );
    expect(Object.fromEntries(verdicts)).toEqual(Object.fromEntries(skills.map((name) => [name, refused[name] ?? 'verified'])));
    expect(skills.length).toBeGreaterThan(Object.keys(refused).length);
  });

  it('are refused with any file changed, added, removed or renamed', async () => {
    expect(skills.length).toBeGreaterThan(Object.keys(refused).length);
    for (const name of skills.filter((skill) => refused[skill] === undefined)) {
      const files = new Map(await readSkillFolder(join(signed, name)));
      expect(await verdict(verifier(), new Map(files).set('agents/openai.yaml', bytes('')))).toBe('file-extra agents/openai.yaml');
      for (const [path, content] of files) {
        if (path === signatureName) continue;
        const removed = new Map(files);
        removed.delete(path);
        expect(await verdict(verifier(), removed)).toBe(`file-missing ${path}`);
        expect(await verdict(verifier(), new Map(removed).set(`${path}~`, content))).toBe(`file-missing ${path}; file-extra ${path}~`);
        expect(await verdict(verifier(), new Map(files).set(path, bytes(`${text(content)} `)))).toBe(`file-changed ${path}`);
        expect(await verdict(verifier(), new Map(files).set(path, null))).toBe(`file-irregular ${path}`);
      }
    }
  });
});
