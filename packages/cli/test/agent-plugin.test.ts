import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SkillLock } from '@repertoire/skills-core';
import { createSkillVerifier } from '@repertoire/skill-trust';
import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';
import { serving } from './serving.ts';
import { temporaryFolder } from './temporary-folder.ts';

describe('PLG-8: repertoire plugin', () => {
  it('makes a plugin, of which check finds only what is left to fill in', async () => {
    const { path: cwd } = await temporaryFolder();
    expect(await runCli(cwd, ['plugin', 'new', 'plugins/acme.billing'])).toMatchObject({ code: 0 });
    const { code, stdout } = await runCli(cwd, ['plugin', 'check', 'plugins/acme.billing', '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { ok: true, name: 'acme.billing', skills: ['skills/acme-billing'], servers: [], diagnostics: [] },
    ]);
    expect((await runCli(cwd, ['plugin', 'new', 'plugins/acme.billing'])).stderr).toContain('duplicate-skill');
    expect((await runCli(cwd, ['plugin', 'new', 'plugins/Acme'])).code).toBe(2);
    expect((await runCli(cwd, ['list', 'plugin:plugins'])).stdout).toContain('acme-billing');
  });

  it('says what clients leave out and what authors should fix, with sections', async () => {
    const { path: cwd } = await temporaryFolder();
    await runCli(cwd, ['plugin', 'new', 'billing']);
    const manifest = JSON.parse(await readFile(path.join(cwd, 'billing/plugin.json'), 'utf8')) as Record<string, unknown>;
    await writeFile(path.join(cwd, 'billing/plugin.json'), JSON.stringify({ ...manifest, version: 'soon', hooks: './hooks.json' }));
    const servers = { good: { type: 'stdio', command: 'node', env: { API_KEY: 'x' } }, bad: { type: 'stdio', command: 'npx -y x' } };
    await writeFile(
      path.join(cwd, 'billing/mcp.json'),
      JSON.stringify({ $schema: 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json', mcpServers: servers }),
    );
    await mkdir(path.join(cwd, 'billing/skills/billing/inner'), { recursive: true });
    await writeFile(path.join(cwd, 'billing/skills/billing/inner/SKILL.md'), '---\nname: inner\ndescription: Deep.\n---\n');
    const { code, stdout } = await runCli(cwd, ['plugin', 'check', 'billing', '--json']);
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; message: string; fix: string }[] };
    expect(code).toBe(1);
    expect(diagnostics.map((one) => one.code).sort()).toEqual([
      'plugin-field-unknown',
      'plugin-secret',
      'plugin-server-command',
      'plugin-skill-too-deep',
      'plugin-version',
    ]);
    expect(diagnostics.every(({ message, fix }) => /section \d/.test(message) && fix !== '')).toBe(true);
    // People read each of them, however many there are.
    const told = await runCli(cwd, ['plugin', 'check', 'billing']);
    for (const { message } of diagnostics) expect(told.stderr).toContain(message);
    expect((await runCli(cwd, ['plugin', 'pack', 'billing'])).code).toBe(1);
    const lint = await runCli(cwd, ['lint', 'billing']);
    expect(lint.code).toBe(1);
    expect(lint.stdout).toContain('"bad" of plugin "billing" is skipped');
    expect(lint.stdout).toContain('plugin.json has the field "hooks"');
  });

  it('says in JSON, too, that clients refuse a plugin', async () => {
    const { path: cwd } = await temporaryFolder({ 'broken/plugin.json': '{' });
    const { code, stdout } = await runCli(cwd, ['plugin', 'check', 'broken', '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      { ok: false, name: null, skills: [], servers: [], digest: null, diagnostics: [{ code: 'plugin-manifest-json' }] },
    ]);
  });

  it('says what clients take and an author would rather have', async () => {
    const $schema = 'https://agent-plugins.org/schemas/1.0.0';
    const { path: cwd } = await temporaryFolder({
      'bare/plugin.json': JSON.stringify({ $schema: `${$schema}/plugin.schema.json`, name: 'bare' }),
      'servers/plugin.json': JSON.stringify({ $schema: `${$schema}/plugin.schema.json`, name: 'servers' }),
      'servers/mcp.json': JSON.stringify({
        $schema: `${$schema}/mcp.schema.json`,
        mcpServers: { pay: { type: 'stdio', command: 'node' } },
      }),
    });
    const codesOf = async (folder: string): Promise<string[]> => {
      const { stdout } = await runCli(cwd, ['plugin', 'check', folder, '--json']);
      return (JSON.parse(stdout) as { diagnostics: { code: string }[] }).diagnostics.map(({ code }) => code);
    };
    expect(await codesOf('bare')).toEqual(['plugin-no-version', 'plugin-no-description', 'plugin-empty']);
    expect(await codesOf('servers')).toEqual(['plugin-no-version', 'plugin-no-description']);
  });

  it('packs the same bytes each time, and signs the plugin as a whole', async () => {
    const { path: cwd } = await temporaryFolder();
    await runCli(cwd, ['plugin', 'new', 'billing']);
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await writeFile(path.join(cwd, 'signing.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const packed = async (...more: string[]) => {
      expect(await runCli(cwd, ['plugin', 'pack', 'billing', ...more])).toMatchObject({ code: 0 });
      return await readFile(path.join(cwd, 'billing-0.1.0.zip'));
    };
    expect(Buffer.compare(await packed(), await packed())).toBe(0);
    const { unzipSync } = await import('fflate');
    const signed = unzipSync(await packed('--key', 'signing.key'));
    expect(Object.keys(signed)).toEqual(['plugin.json', 'plugin.oms.sig', 'skills/billing/SKILL.md']);
    const publicKeys = [String(publicKey.export({ type: 'spki', format: 'pem' }))];
    const verifier = createSkillVerifier({ publicKeys, signatureName: 'plugin.oms.sig' });
    const files = new Map(Object.entries(signed));
    expect(await verifier.verifySkill(files)).toMatchObject({ verified: true });
    files.set('mcp.json', new TextEncoder().encode('{}'));
    expect(await verifier.verifySkill(files)).toMatchObject({ verified: false });
  });

  it('verify, lock, publish and serve take a plugin as a source, with the signatures of its skills', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const folder = await temporaryFolder({ 'own.pem': privateKey, 'own.pub': publicKey });
    const run = (...words: string[]) => runCli(folder.path, words);
    await run('plugin', 'new', 'plugins/acme');
    expect(await run('sign', 'plugins/acme/skills/acme', '--key', 'own.pem')).toMatchObject({ code: 0 });
    expect(await run('verify', 'plugin:plugins', '--public-key', 'own.pub')).toMatchObject({ code: 0 });
    expect(await run('lock', 'write', 'plugin:plugins', '--public-key', 'own.pub')).toMatchObject({ code: 0 });
    expect(await run('lock', 'verify', 'plugin:plugins', '--public-key', 'own.pub')).toMatchObject({ code: 0 });
    expect(await run('publish', 'plugin:plugins', '--to', './store')).toMatchObject({ code: 0 });
    const { url } = await serving(folder.path, 'plugin:plugins', '--http');
    // The copies have the bytes of the plugin: its signature holds for them.
    for (const source of ['store:./store', url]) {
      expect(await run('verify', source, '--public-key', 'own.pub'), source).toMatchObject({ code: 0 });
      // The place is another one, which a lock pins, too; nothing else differs.
      expect((await run('lock', 'verify', source)).stdout, source).toMatch(
        /^~ acme: now from "[^"]+", pinned from "plugins"\n- plugin acme@0\.1\.0 \(plugins\)\nThe skills/,
      );
    }
    await folder.write({ 'plugins/acme/skills/acme/references/new.md': 'new' });
    expect(await run('verify', 'plugin:plugins', '--public-key', 'own.pub')).toMatchObject({ code: 1 });
    expect(await run('lock', 'verify', 'plugin:plugins')).toMatchObject({ code: 1, stdout: expect.stringContaining('references/new.md') });
  });

  it('PLG-9: a lock pins plugins, and tells by name which server starts something else', async () => {
    const mcp = (command: string) => ({
      'plugins/acme/mcp.json': JSON.stringify({
        $schema: 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json',
        mcpServers: { ledger: { type: 'stdio', command, args: ['server.js'] } },
      }),
    });
    const folder = await temporaryFolder();
    const run = (...words: string[]) => runCli(folder.path, words);
    await run('plugin', 'new', 'plugins/acme');
    await folder.write(mcp('node'));
    expect(await run('lock', 'write', 'plugin:plugins')).toMatchObject({ code: 0 });
    const { plugins } = JSON.parse(await readFile(path.join(folder.path, 'skills.lock.json'), 'utf8')) as SkillLock;
    expect(plugins).toMatchObject([
      { name: 'acme', version: '0.1.0', servers: { ledger: '{"type":"stdio","command":"node","args":["server.js"],"env":{}}' } },
    ]);
    expect(Object.keys(plugins?.[0]?.files ?? {})).toEqual(['mcp.json', 'plugin.json', 'skills/acme/SKILL.md']);
    expect(await run('lock', 'verify', 'plugin:plugins')).toMatchObject({ code: 0 });
    // Every file is pinned, in folders of that name too, since a server may be started from it.
    await folder.write({ 'plugins/acme/lib/.git/srv.mjs': 'x' });
    expect(await run('lock', 'verify', 'plugin:plugins')).toMatchObject({ code: 1, stdout: expect.stringContaining('lib/.git/srv.mjs') });
    await folder.remove('plugins/acme/lib');
    await folder.write(mcp('bash'));
    expect(await run('lock', 'verify', 'plugin:plugins')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^~ plugin acme: server ledger, mcp\.json\n {4}server ledger was \{.*"node".*\}, is \{.*"bash".*\}\nThe skills/,
      ),
    });
    expect(await run('lock', 'write', 'plugin:plugins', '--frozen')).toMatchObject({ code: 1 });
  });

  it('PLG-9: sign and verify take a plugin as a whole', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const folder = await temporaryFolder({ 'own.pem': privateKey, 'own.pub': publicKey });
    const run = (...words: string[]) => runCli(folder.path, words);
    await run('plugin', 'new', 'plugins/acme');
    await run('plugin', 'new', 'plugins/bolt');
    expect(await run('sign', 'plugin:plugins/acme', '--key', 'own.pem')).toMatchObject({
      code: 0,
      stdout: 'Wrote plugins/acme/plugin.oms.sig: acme, 2 files.\n',
    });
    expect(await run('verify', 'plugin:plugins/acme', '--public-key', 'own.pub')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^verified acme\/acme: signed by the key/),
    });
    // A server may be started from what no signature covers, wherever it is.
    for (const name of ['.git/srv.mjs', '.gitignore', '.github/run.mjs']) {
      await folder.write({ [`plugins/acme/${name}`]: 'x' });
      const [top = ''] = name.split('/');
      const verified = await run('verify', 'plugin:plugins/acme', '--public-key', 'own.pub');
      expect([verified.code, verified.stdout]).toEqual([1, expect.stringContaining(`No signature covers ${top}`)]);
      expect((await run('sign', 'plugin:plugins/acme', '--key', 'own.pem')).stderr).toContain(`has ${top}, which no signature covers`);
      await folder.remove(`plugins/acme/${top}`);
    }
    // The signature of one plugin says nothing of another.
    expect((await run('verify', 'plugin:plugins', '--public-key', 'own.pub')).stdout).toMatch(
      /^verified plugins\/acme.*\nrefused plugins\/bolt/,
    );
    await folder.write({ 'plugins/acme/mcp.json': '{}' });
    expect(await run('verify', 'plugin:plugins/acme', '--public-key', 'own.pub')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('mcp.json'),
    });
    expect((await run('sign', 'plugin:plugins', '--key', 'own.pem')).stderr).toContain('is not the folder of one plugin');
  });

  it('PLG-8: check --fix corrects what can only be meant in one way, and changes nothing else', async () => {
    const folder = await temporaryFolder({
      'old/.claude-plugin/plugin.json': JSON.stringify({ name: 'My Plugin', version: 'v1.2', description: 'Old.' }),
      'old/skills/pay/SKILL.md': '---\nname: pay\ndescription: Pays. Use when money is due.\n---\nPay.\n',
      'old/mcp.json': JSON.stringify({
        mcpServers: {
          ledger: { command: 'npx -y ledger', args: ['--quiet'], env: { LEDGER_TOKEN: 'abc', MODE: 'x', PLUGIN_ROOT: '/' } },
          own: { command: '${CLAUDE_PLUGIN_ROOT}/bin/own', args: ['${CLAUDE_PLUGIN_ROOT}/data'] },
          shell: { type: 'stdio', command: 'sh -c "rm -rf /"' },
          web: { type: 'http', url: 'https://pay.example.com/mcp', headers: { Authorization: 'Bearer abc' } },
        },
      }),
    });
    const check = async (...more: string[]) => {
      const { code, stdout } = await runCli(folder.path, ['plugin', 'check', 'old', '--json', ...more]);
      return { code, ...(JSON.parse(stdout) as { fixed?: string[]; diagnostics: { code: string }[] }) };
    };
    const { code, fixed, diagnostics } = await check('--fix');
    expect([code, diagnostics.map((one) => one.code)]).toEqual([1, ['plugin-server-command']]);
    expect(fixed).toContain('Wrote plugin.json from the older manifest.');
    expect(JSON.parse(await readFile(path.join(folder.path, 'old/plugin.json'), 'utf8'))).toEqual({
      $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json',
      name: 'my-plugin',
      version: '1.2.0',
      description: 'Old.',
      extensions: {
        'dev.repertoire': {
          secrets: { ledger: { env: { LEDGER_TOKEN: 'ledger-token' } }, web: { headers: { Authorization: 'authorization' } } },
        },
      },
    });
    expect(JSON.parse(await readFile(path.join(folder.path, 'old/mcp.json'), 'utf8'))).toEqual({
      $schema: 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json',
      mcpServers: {
        ledger: { type: 'stdio', command: 'npx', args: ['-y', 'ledger', '--quiet'], env: { MODE: 'x' } },
        own: { type: 'stdio', command: './bin/own', args: ['${PLUGIN_ROOT}/data'] },
        shell: { type: 'stdio', command: 'sh -c "rm -rf /"' },
        web: { type: 'streamable-http', url: 'https://pay.example.com/mcp', headers: {} },
      },
    });
    const before = await readFile(path.join(folder.path, 'old/plugin.json'));
    expect((await check('--fix')).fixed).toEqual([]);
    expect(Buffer.compare(before, await readFile(path.join(folder.path, 'old/plugin.json')))).toBe(0);
    expect((await runCli(folder.path, ['plugin', 'pack', 'old', '--fix'])).code).toBe(2);
  });

  it('PLG-10: test runs what a plugin ships, and says which tests name no skill', async () => {
    const skillMd = (name: string, description: string) => `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`;
    const manifest = (name: string, tests: readonly string[]) =>
      JSON.stringify({
        $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json',
        name,
        extensions: { 'dev.repertoire': { tests } },
      });
    const folder = await temporaryFolder({
      'plugins/acme/plugin.json': manifest('acme', ['./tests/evals.json', './tests/gone.json', '../out.json']),
      'plugins/acme/skills/pay/SKILL.md': skillMd('pay', 'Pays invoices by bank transfer. Use when an invoice is due.'),
      'plugins/acme/skills/plan/SKILL.md': skillMd('plan', 'Plans train journeys. Use when somebody wants to travel.'),
      'plugins/acme/tests/evals.json': JSON.stringify([
        { skills: ['pay'], query: 'The invoice of the printer is due, pay it by bank transfer.' },
        { skills: ['acme:pay'], query: 'Pay the invoice that is due.' },
        { query: 'Whatever.' },
      ]),
      'plugins/bolt/plugin.json': manifest('bolt', ['./tests/evals.json']),
      'plugins/bolt/skills/pay/SKILL.md': skillMd('pay', 'Settles gambling debts in cash. Use when a gambler owes money.'),
      'plugins/bolt/tests/evals.json': JSON.stringify([{ query: 'A gambler owes money; settle the debts in cash.' }]),
    });
    const { code, stdout } = await runCli(folder.path, ['test', 'plugin:plugins', '--no-lint', '--json']);
    const { routing, diagnostics } = JSON.parse(stdout) as {
      routing: { prompts: { skill: string; first: string | null }[] };
      diagnostics: { code: string; message: string }[];
    };
    expect(code).toBe(1);
    expect(routing.prompts.map(({ skill, first }) => [skill, first])).toEqual([
      ['acme:pay', 'acme:pay'],
      ['acme:pay', 'acme:pay'],
      ['bolt:pay', 'bolt:pay'],
    ]);
    expect(diagnostics.filter((one) => one.code === 'eval-invalid').map(({ message }) => message)).toEqual([
      'Test 3 of tests/evals.json names no skill of plugin "acme".',
      'Plugin "acme" names the tests tests/gone.json, which is not there.',
    ]);
    expect(diagnostics.map((one) => one.code)).toContain('plugin-repertoire');
  });
});
