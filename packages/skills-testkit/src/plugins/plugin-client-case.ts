import type { ClientStdioServer, PluginFixture } from './plugin-client.ts';

/** What a client has to answer. What is not named is not looked at. */
export interface PluginExpectation {
  readonly loaded: boolean;
  /** All skills, in any order. */
  readonly skills?: readonly string[];
  /** Names of all servers, in any order. */
  readonly servers?: readonly string[];
  /** Words that have to be among the reports, whatever their case. */
  readonly reports?: readonly string[];
  /** How servers are started. `{root}` and `{data}` stand for the folders of the plugin. */
  readonly launch?: Readonly<Record<string, Partial<Omit<ClientStdioServer, 'type'>>>>;
  /** Which headers a request to a target has. `null`: it must not be there. */
  readonly headers?: readonly {
    readonly server: string;
    readonly target: string;
    readonly own?: Readonly<Record<string, string>>;
    readonly sent: Readonly<Record<string, string | null>>;
  }[];
}

/** One rule of the standard, as files and what has to come of them. */
export interface PluginClientCase {
  /** Stable name. */
  readonly id: string;
  /** Section of Agent Plugins 1.0.0. */
  readonly section: string;
  readonly level: 'MUST' | 'SHOULD';
  /** The rule in a sentence, of which the client is the subject. */
  readonly sentence: string;
  readonly fixture: PluginFixture;
  readonly expect: PluginExpectation;
}

/** A rule that the standard demands. */
export function must(id: string, section: string, sentence: string, fixture: PluginFixture, expect: PluginExpectation): PluginClientCase {
  return { id, section, level: 'MUST', sentence, fixture, expect };
}
