// Public API. An entry point of its own, since ranges need a semver library.
export { resolveVersion } from './providers/versions/resolve-version.ts';
