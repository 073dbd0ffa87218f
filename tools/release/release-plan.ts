/** A package as it would be published. */
export interface ReleasePackage {
  readonly name: string;
  readonly version: string;
  /** Absolute path of the `.tgz`. */
  readonly archive: string;
  /** Bytes of the archive. */
  readonly bytes: number;
  /** Paths in the archive. */
  readonly files: readonly string[];
  /** Absolute path of the CycloneDX document that lists what the package depends on. */
  readonly sbom: string;
}

/** What a release consists of. */
export interface ReleasePlan {
  readonly packages: readonly ReleasePackage[];
  /** Steps of `pnpm check` that failed. */
  readonly failedChecks: readonly string[];
  /** Changesets that no version holds yet. */
  readonly pendingChangesets: readonly string[];
}
