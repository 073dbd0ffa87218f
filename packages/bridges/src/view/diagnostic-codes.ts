/**
 * Codes of the diagnostics of bridges; `docs/guide/bridges.md` says what each means. All are
 * warnings.
 */
export const bridgeDiagnosticCodes: readonly string[] = [
  'bridge-not-gated',
  'bridge-not-restricted',
  'bridge-skill-left-out',
  'bridge-file-left-out',
  'bridge-folder-refused',
  'bridge-nothing-removed',
];
