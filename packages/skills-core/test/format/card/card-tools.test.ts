import { cardToolsOf } from '@repertoire/skills-core/adapter';
import { describe, expect, it } from 'vitest';

const toolsOf = (server: object) => {
  const { mcps, diagnostics } = cardToolsOf({ name: 'weather', fields: { mcps: { weather: server as never } } });
  return { server: mcps['weather'], told: diagnostics.map(({ message }) => message) };
};

describe('the servers that a skill brings', () => {
  it('SRC-7: need nothing but a command, or nothing but a url', () => {
    expect(toolsOf({ transport: 'stdio', command: 'node' })).toMatchObject({
      server: { transport: 'stdio', command: 'node', args: [], env: {} },
      told: [],
    });
    expect(toolsOf({ transport: 'sse', url: 'https://mcp.example' })).toMatchObject({
      server: { url: 'https://mcp.example', headers: {} },
      told: [],
    });
  });

  it('SRC-7: have arguments that are a list of texts; what is none is told', () => {
    expect(toolsOf({ transport: 'stdio', command: 'node', args: ['a', 1] })).toMatchObject({
      server: { args: ['a'] },
      told: ['card.mcps.weather.args[1] is not text: 1. It is left out.'],
    });
    expect(toolsOf({ transport: 'stdio', command: 'node', args: 'a' })).toMatchObject({
      server: { args: [] },
      told: [expect.stringContaining('is not a list')],
    });
  });
});
