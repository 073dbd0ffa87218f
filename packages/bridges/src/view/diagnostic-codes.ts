/** Codes of bridges, all warnings; see `docs/guide/bridges.md`. */
export const bridgeDiagnosticCodes: readonly string[] = [
  'bridge-not-gated',
  'bridge-not-restricted',
  'bridge-skill-left-out',
  'bridge-file-left-out',
  'bridge-folder-refused',
  'bridge-nothing-removed',
];
