import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { buildUi } from '../build/build-ui.ts';

/** What was measured and about a tenth more, in KiB, gzipped. */
const most = { script: 56, style: 8 };

describe('the page', () => {
  it('AUT-3: stays small, holds nothing of the core, and names no other address', async () => {
    const { html, script, style } = await buildUi();
    expect(gzipSync(script, { level: 9 }).length / 1024).toBeLessThan(most.script);
    expect(gzipSync(style, { level: 9 }).length / 1024).toBeLessThan(most.style);
    // A sentence of the core that would come along with it.
    expect(script).not.toContain('createSkillset needs');
    for (const text of [html, style]) expect(text).not.toMatch(/https?:\/\//);
    expect(html).not.toMatch(/<script(?![^>]* src=)/);
  });
});
