import { describe, expect, it } from 'vitest';
import type { SkillMetadata } from '@repertoire/skills-core';
import type { SkillOrigin } from '@repertoire/skills-core/provider';
import {
  isSurfaceMode,
  resolveSurfaceMode,
  skillSurfaceMode,
  splitCatalog,
  surfaceModeOf,
  surfaceOf,
} from '../../../src/catalog/surface.ts';

const trusted: SkillOrigin = { kind: 'fs', label: 'project', trusted: true };
const skill = (name: string, more: object = {}): SkillMetadata => ({
  name,
  description: `${name}.`,
  version: null,
  origin: trusted,
  ...more,
});

describe('resolveSurfaceMode', () => {
  it.each([
    ['anthropic', 'claude-sonnet-4-5-20250929', 'both'],
    ['openai', 'gpt-4o', 'tool-only'],
    ['anthropic', 'claude-3-5-sonnet-20241022', 'both'],
    ['anthropic', 'claude-3-5-haiku-latest', 'both'],
    ['anthropic', 'claude-3-7-sonnet-20250219', 'both'],
    ['anthropic', 'claude-sonnet-4-20250514', 'both'],
    ['anthropic.messages', 'claude-opus-4-1', 'both'],
    ['anthropic', 'claude-haiku-4-5', 'both'],
    ['anthropic', 'claude-opus-10', 'both'],
    ['amazon-bedrock', 'us.anthropic.claude-3-5-sonnet-20241022-v2:0', 'both'],
    ['vertex', 'claude-3-5-sonnet@20240620', 'both'],
    ['openrouter', 'anthropic/claude-sonnet-4.5', 'both'],
    ['Anthropic', 'Claude-3.5-Sonnet', 'both'],
    ['anthropic', undefined, 'both'],
    ['anthropic', 'claude-latest', 'both'],
    ['anthropic', 'claude-3-opus-20240229', 'tool-only'],
    ['anthropic', 'claude-3-haiku-20240307', 'tool-only'],
    ['anthropic', 'claude-2.1', 'tool-only'],
    ['anthropic', 'claude-instant-1.2', 'tool-only'],
    ['amazon-bedrock', 'anthropic.claude-v2:1', 'tool-only'],
    ['amazon-bedrock', 'anthropic.claude-instant-v1', 'tool-only'],
    ['google', 'gemini-2.5-pro', 'tool-only'],
    ['ollama', 'llama3.1:8b', 'tool-only'],
    [undefined, undefined, 'tool-only'],
  ] as const)('DIS-11: auto for %s %s is %s', (provider, model, mode) => {
    expect(resolveSurfaceMode(provider, model)).toBe(mode);
  });
});

describe('the cascade', () => {
  it('DIS-11: skill before registry before what is known of the model, and auto passes the question on', () => {
    const claude = { provider: 'anthropic', model: 'claude-sonnet-4-5' };
    const plain = skill('plain');
    const own = skill('own', { fields: { 'surface-mode': 'system-prompt' } });
    const auto = skill('auto', { fields: { 'surface-mode': 'auto' } });
    expect(skillSurfaceMode(own, { ...claude, mode: 'tool-only' })).toBe('system-prompt');
    expect(skillSurfaceMode(plain, { ...claude, mode: 'tool-only' })).toBe('tool-only');
    expect(skillSurfaceMode(auto, { ...claude, mode: 'tool-only' })).toBe('tool-only');
    expect(skillSurfaceMode(auto, { ...claude, mode: 'auto' })).toBe('both');
    expect(skillSurfaceMode(plain, claude)).toBe('both');
    expect(skillSurfaceMode(plain)).toBe('tool-only');
  });

  it('DIS-11: a mode is read from code and from every spelling of the field; what is no mode is none', () => {
    expect(surfaceModeOf(skill('a', { surfaceMode: 'both' }))).toBe('both');
    for (const name of ['surface-mode', 'surfaceMode', 'surface_mode'])
      expect(surfaceModeOf(skill('a', { fields: { [name]: 'tool-only' } }))).toBe('tool-only');
    for (const value of ['everywhere', '', ['both'], { mode: 'both' }])
      expect(surfaceModeOf(skill('a', { fields: { 'surface-mode': value } }))).toBeUndefined();
    expect(['both', 'auto', 'tool-only', 'system-prompt', 'none', undefined].map(isSurfaceMode)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('DIS-11 GOV-6: a source that is not trusted does not choose where its text stands', () => {
    const untrusted = { fields: { 'surface-mode': 'both' }, origin: { ...trusted, trusted: false } };
    expect(surfaceModeOf(skill('a', untrusted))).toBeUndefined();
    expect(surfaceModeOf(skill('a', { ...untrusted, origin: undefined }))).toBeUndefined();
    expect(surfaceOf('both', { instructions: 'with-catalog', trusted: false }).body).toEqual({ systemPrompt: false, toolResult: true });
    expect(surfaceOf('system-prompt', { instructions: 'with-catalog' }).body).toEqual({ systemPrompt: false, toolResult: true });
  });
});

describe('surfaceOf', () => {
  it.each([
    ['system-prompt', { systemPrompt: true, toolDescription: false }, { systemPrompt: true, toolResult: false }],
    ['tool-only', { systemPrompt: false, toolDescription: true }, { systemPrompt: false, toolResult: true }],
    ['both', { systemPrompt: true, toolDescription: true }, { systemPrompt: true, toolResult: true }],
  ] as const)('DIS-11: %s', (mode, catalog, bodyByMode) => {
    expect(surfaceOf(mode)).toEqual({ catalog, body: { systemPrompt: false, toolResult: true } });
    expect(surfaceOf(mode, { instructions: 'with-catalog', trusted: true })).toEqual({ catalog, body: bodyByMode });
  });

  it('DIS-11: each skill is listed where its own mode says, in the order of the list, and none is lost', () => {
    const skills = [
      skill('a', { surfaceMode: 'both' }),
      skill('b'),
      skill('c', { surfaceMode: 'system-prompt' }),
      skill('d', { surfaceMode: 'tool-only' }),
    ];
    const names = (list: readonly SkillMetadata[]) => list.map(({ name }) => name);
    const { systemPrompt, toolDescription } = splitCatalog(skills, { provider: 'openai', model: 'gpt-4o' });
    expect(names(systemPrompt)).toEqual(['a', 'c']);
    expect(names(toolDescription)).toEqual(['a', 'b', 'd']);
  });
});
