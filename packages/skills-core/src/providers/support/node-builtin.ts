/** What Node brings that not every platform has. */
export interface NodeBuiltins {
  /** Since Node 20.12. */
  readonly 'node:crypto': { readonly hash?: (algorithm: 'sha256', data: string | Uint8Array, encoding: 'hex' | 'base64url') => string };
  /** Since Node 20.15. */
  readonly 'node:zlib': { readonly crc32?: (data: Uint8Array, begun: number) => number };
  /** Since Node 22.13. */
  readonly 'node:sqlite': { readonly DatabaseSync?: new (path: string) => object };
}

interface NodeProcess {
  /** Since Node 20.16. */
  readonly getBuiltinModule?: <Name extends keyof NodeBuiltins>(name: Name) => NodeBuiltins[Name] | undefined;
}

/**
 * A module of Node, where this is Node, or another platform that has it. It is not imported, so no
 * bundle for another platform asks for it, and it is loaded when it is first used.
 *
 * @returns an empty object where there is none: whoever asks has another way
 */
export function nodeBuiltin<Name extends keyof NodeBuiltins>(name: Name): Partial<NodeBuiltins[Name]> {
  return (globalThis as { readonly process?: NodeProcess }).process?.getBuiltinModule?.(name) ?? {};
}
