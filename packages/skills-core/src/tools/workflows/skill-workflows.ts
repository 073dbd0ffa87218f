import type { Skill } from '../../contract/skill-provider.ts';
import type { SkillToolNames } from '../../prompt/tool-names.ts';
import type { SkillToolDescription } from '../describe-tool.ts';
import type { SkillTool, SkillToolResult } from '../skill-tool.ts';
import type { ToolEnvironment } from '../tool-environment.ts';

/**
 * What a skillset does with skills that say their steps: `skillWorkflows({ tools })` of
 * `@repertoire/skill-workflow` makes it. A host that runs no workflows carries none of it.
 */
export interface SkillWorkflows {
  /** The tool that runs a workflow. */
  tool(environment: ToolEnvironment): SkillTool;
  /** What a model is told of it before a session is opened. */
  describeTool(names: SkillToolNames): SkillToolDescription;
  /** The steps of a skill and how to run them. Empty if it has none. */
  describe(environment: ToolEnvironment, skill: Skill): string;
}

/** Runs the steps of a skill. Trust, permissions and gates were checked. */
export interface SkillWorkflowRunner {
  /** @throws {SkillError} `invalid-skill` or `invalid-options` if the steps cannot run */
  describe(skill: Skill): SkillWorkflowDescription;
  /** Runs the steps. Errors reach the model; only an abort must reject. */
  run(skill: Skill, request: SkillWorkflowRequest): Promise<Pick<SkillToolResult, 'text' | 'error'>>;
}

/** A workflow, as a model is told of it. */
export interface SkillWorkflowDescription {
  /** Names of the steps, in order. */
  readonly steps: readonly string[];
  /** JSON Schema of the input. */
  readonly inputSchema: object;
}

/** One run of a workflow. */
export interface SkillWorkflowRequest {
  readonly input: unknown;
  /** Id of the tool call, where the framework has one: the same if the call is repeated. */
  readonly callId: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Gets the progress, a line at a time. */
  readonly onProgress: ((line: string) => void) | undefined;
  /**
   * Asked before each call of a tool of the host.
   *
   * @throws {SkillError} `not-loaded` or `permission-denied` if the session does not allow it
   */
  assertCallAllowed(tool: string, input: unknown): Promise<void>;
}
