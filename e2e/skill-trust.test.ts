import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SkillFiles } from '@repertoire/skill-trust';
import { readSkillFolder } from '@repertoire/skill-trust/node';
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyKinds, now, pem } from '../packages/skill-trust/test/support/certificates.ts';
import { bytes, publisher, signatureName, skillFiles } from '../packages/skill-trust/test/support/signed-skills.ts';
import { bundleTestWorker } from './bundle-test-worker.ts';
import { openWorkerd } from './open-workerd.ts';

const published = resolve(import.meta.dirname, '../../shared/signed');

describe('GOV-12: in workerd without nodejs_compat', () => {
  let runtime: Miniflare;
  beforeAll(async () => {
    const code = await bundleTestWorker(`export { default } from './workers/skill-trust-worker.ts';`);
    runtime = openWorkerd(code);
  });
  afterAll(() => runtime.dispose());

  async function ask(path: string, files: SkillFiles, root: string, at: Date = now): Promise<unknown> {
    const encoded = [...files].map(([name, content]) => [name, Buffer.from(content ?? []).toString('base64')]);
    const body = JSON.stringify({ files: Object.fromEntries(encoded), roots: [root], at: at.getTime() });
    return await (await runtime.dispatchFetch(`http://localhost${path}`, { method: 'POST', body })).json();
  }

  it.each(keyKinds)('verifies a chain of %s that was signed outside, and refuses what was changed', async (kind) => {
    const own = await publisher(kind);
    const [root, signed] = [pem(own.root), await own.sign(skillFiles())];
    const check = async (files: SkillFiles, at?: Date): Promise<unknown> => await ask('/verify', files, root, at);
    expect(await check(signed)).toMatch(/^certificate:[0-9a-f]{64}:C=US, O=Example, CN=Signer$/);
    expect(await check(new Map(signed).set('scripts/run.sh', bytes('x')))).toBe('file-changed scripts/run.sh');
    expect(await check(new Map(signed).set('agents/openai.yaml', bytes('')))).toBe('file-extra agents/openai.yaml');
    expect(await check(signed, new Date('2040-01-01'))).toBe('certificate-expired');
    expect(await ask('/verify', signed, pem((await publisher(kind)).root))).toBe('chain-untrusted');
    const other = await own.sign(skillFiles('refunds'));
    expect(await check(new Map(signed).set(signatureName, other.get(signatureName)!))).toBe('file-changed SKILL.md');
  });

  it('signs with every kind of key', async () => {
    expect(await (await runtime.dispatchFetch('http://localhost/sign')).json()).toEqual(
      Object.fromEntries(keyKinds.map((kind) => [kind, 'key:, file-changed SKILL.md'])),
    );
  });

  it('serves a signed skill from its signed bytes, and no other', async () => {
    const own = await publisher();
    const signed = await own.sign(skillFiles());
    expect(await ask('/serve?name=billing', signed, pem(own.root))).toEqual({
      descriptions: ['Does billing. Use it for billing.'],
      codes: [],
      files: 3,
    });
    expect(await ask('/serve?name=refunds', signed, pem(own.root))).toEqual({ descriptions: [], codes: ['name-mismatch'], files: 0 });
    expect(await ask('/serve?name=billing', skillFiles(), pem(own.root))).toEqual({ descriptions: [], codes: ['unsigned'], files: 0 });
  });

  it('tells published skills apart as Node does', async (context) => {
    context.skip(!existsSync(published), 'the signed skills are not beside the project (../shared/signed)');
    const root = readFileSync(join(published, 'nv-agent-root-cert.pem'), 'utf8');
    const names = readdirSync(published, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
    const said: Record<string, unknown> = {};
    for (const name of names)
      said[name] = await ask('/verify', await readSkillFolder(join(published, name)), root, new Date('2026-11-21T00:00:00Z'));
    expect(Object.entries(said).filter(([, text]) => !/^certificate:.*CN=NVIDIA Agent Skills Signing 001$/.test(String(text)))).toEqual([
      ['amc-run-rtsp-calibration', 'chain-untrusted'],
      ['earth2studio-create-diagnostic', 'file-changed SKILL.md'],
    ]);
  });
});
