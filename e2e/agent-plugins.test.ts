import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifestOf, mcpOf, skillOf } from '../packages/agent-plugins/test/support/plugins.ts';
import { bundleTestWorker } from './bundle-test-worker.ts';
import { openWorkerd } from './open-workerd.ts';

describe('PLG-1: plugins in workerd without nodejs_compat', () => {
  let runtime: Miniflare;
  beforeAll(async () => {
    const code = await bundleTestWorker(`export { default } from './workers/agent-plugins-worker.ts';`);
    runtime = openWorkerd(code);
    const bucket = await runtime.getR2Bucket('BUCKET');
    const files = {
      'plugins/billing/plugin.json': manifestOf('billing'),
      'plugins/billing/skills/pay/SKILL.md': skillOf('pay', 'Pay.'),
      'plugins/billing/skills/pay/references/rules.md': 'Rules.\n',
      'plugins/billing/skills/bad/SKILL.md': 'No frontmatter.\n',
      'plugins/billing/mcp.json': mcpOf({
        web: { type: 'streamable-http', url: 'https://pay.example.com/mcp' },
        odd: { type: 'stdio', command: 'a b' },
      }),
      'plugins/refused/plugin.json': '{}',
    };
    for (const [key, content] of Object.entries(files)) await bucket.put(key, content);
  });
  afterAll(() => runtime.dispose());
  const get = async (path: string) => await runtime.dispatchFetch(`http://localhost${path}`);

  it('are read from R2: manifest, skills, servers, and what is wrong', async () => {
    expect(await (await get('/')).json()).toEqual({
      plugins: [['billing', ['web']]],
      skills: [['pay', 'billing/skills/pay', false]],
      diagnostics: ['plugin-server-command', 'plugin-schema', 'plugin-name', 'plugin-skill-invalid'],
    });
    expect(await (await get('/skill?name=pay')).json()).toMatchObject({
      body: 'Pay.',
      content: expect.stringMatching(/^[0-9a-f]{64}$/),
      resources: [{ path: 'references/rules.md', size: 7 }],
    });
    expect(await (await get('/file?name=pay&path=references/rules.md')).text()).toBe('Rules.\n');
    expect(await (await get('/file?name=pay&path=../../plugin.json')).text()).toBe('none');
  });
});
