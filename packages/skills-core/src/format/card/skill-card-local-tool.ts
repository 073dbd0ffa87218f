/** A tool imported from the host's code, or taken from a map. */
export interface SkillCardLocalTool {
  readonly id: string;
  readonly version?: string | undefined;
  /** `import_path`, such as `./tools.js#getWeather`; see `parseLocalToolReference`. */
  readonly importPath: string;
  readonly other?: Readonly<Record<string, unknown>> | undefined;
}
