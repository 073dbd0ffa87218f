// Shared by packages of this repository. Any release may change or remove it.
export { pluginDigest } from './policy/plugin-digest.ts';
export { readPlugin } from './read/read-plugin.ts';
