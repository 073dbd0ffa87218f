import { describe, expect, it } from 'vitest';
import { parseLocalToolReference } from '../../../src/format/card/local-tool-reference.ts';

describe('parseLocalToolReference', () => {
  it.each([
    ['./tools.js#getWeather', { kind: 'relative', module: './tools.js', export: 'getWeather' }],
    ['tools/weather.ts#default', { kind: 'relative', module: './tools/weather.ts', export: 'default' }],
    ['./tools.mjs', { kind: 'relative', module: './tools.mjs', export: 'default' }],
    ['@acme/tools#getWeather', { kind: 'package', module: '@acme/tools', export: 'getWeather' }],
    ['acme-tools/weather#$get', { kind: 'package', module: 'acme-tools/weather', export: '$get' }],
    ['@acme/tools/weather.js#get', { kind: 'package', module: '@acme/tools/weather.js', export: 'get' }],
  ])('SRC-8: %s', (importPath, expected) => {
    expect(parseLocalToolReference(importPath)).toEqual(expected);
  });

  it.each([
    'my_tools.get_weather',
    'package.tools.get_weather',
    '../tools.js#x',
    './../tools.js#x',
    './a/../../tools.js#x',
    '/abs/tools.js#x',
    'C:/tools.js#x',
    '.\\tools.js#x',
    'file:///tools.js#x',
    'https://evil.example/tools.js#x',
    'data:text/javascript,0#x',
    'node:child_process#exec',
    '@acme/../tools#x',
    'acme/./x#y',
    './tools.js#',
    './tools.js#a b',
    './tools.js#a#b',
    '#x',
    'acme-tools',
    '',
  ])('SRC-8: %j is no reference', (importPath) => {
    expect(parseLocalToolReference(importPath)).toBeNull();
  });
});
