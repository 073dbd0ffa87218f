// Anything added here is public API. An entry point of its own, since ranges bring a semver library
// that most programs do not need.
export { resolveVersion } from './providers/versions/resolve-version.ts';
