/**
 * SHA-256 for where the platform has none that answers at once, imported as `#sha256`. On Node.js
 * that is `dist/sha256.js`, which holds what we use of the library in one file: an import takes
 * longer for each of its four. Everywhere else it is the package, which a bundler shares with
 * others.
 */
export { sha256 } from '@noble/hashes/sha2.js';
