import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSkillTools, langGraphSkills } from '@repertoire/adapter-langchain/langgraph';
import { mcpTools as langChainMcpTools } from '@repertoire/adapter-langchain/mcp';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { skillChat } from '@repertoire/adapter-vercel-ai/chat';
import { mcpTools as aiSdkMcpTools } from '@repertoire/adapter-vercel-ai/mcp';
import { uploadSkills } from '@repertoire/adapter-vercel-ai/upload';
import { pluginProvider } from '@repertoire/agent-plugins';
import { pluginFolders, standardPluginRoots, stdioServers } from '@repertoire/agent-plugins/node';
import { pluginServers } from '@repertoire/agent-plugins/servers';
import { adkSkillRegistry, adkSkills } from '@repertoire/bridges/adk';
import { cloudflareSkillSource } from '@repertoire/bridges/cloudflare';
import { deepAgentsBackend } from '@repertoire/bridges/deepagents';
import { writeSkillFiles } from '@repertoire/bridges/files';
import { mastraSkills, mastraSkillSource } from '@repertoire/bridges/mastra';
import { lazySandboxSkills, sandboxSkillDescriptors } from '@repertoire/bridges/openai-sandbox';
import { tanstackSkillSource } from '@repertoire/bridges/tanstack';
import { skillsPlugin } from '@repertoire/cli/plugin';
import { checkAgent, compileAgent, runAgent } from '@repertoire/declarative';
import { cardOfSkill, parseSkillCard, resolveCardBase, validateSkillCard } from '@repertoire/skill-cards';
import { skillCardProvider } from '@repertoire/skill-cards/provider';
import { fileSystemSkillProvider, standardSkillRoots } from '@repertoire/skill-fs';
import { loadAgent } from '@repertoire/skill-fs/agent';
import { httpSkillProvider } from '@repertoire/skill-http';
import { diskCache, exportStatic, guardedFetch } from '@repertoire/skill-http/node';
import { createSkillsHandler } from '@repertoire/skill-http/server';
import { cappedFetch, mcpSkillProvider } from '@repertoire/skill-mcp';
import { createMcpSkillsHandler, serveSkillsOverMcp } from '@repertoire/skill-mcp/server';
import { justBashRunner } from '@repertoire/skill-runner/just-bash';
import { processRunner } from '@repertoire/skill-runner/process';
import { expandSnippets, skillScripts } from '@repertoire/skill-runner/scripts';
import { wasmRunner } from '@repertoire/skill-runner/wasm';
import { acceptProposal, rejectProposal, skillProposals, undoProposal } from '@repertoire/skill-proposals';
import { createSkillSearch, skillEmbedder } from '@repertoire/skill-search';
import { alikeSkills, rankSkills } from '@repertoire/skill-search/analysis';
import { pruneSkills, publishSkillsToStorage, rollbackSkills, s3SkillStore, storageSkillProvider } from '@repertoire/skill-storage';
import { writableStorageSkillProvider } from '@repertoire/skill-storage/write';
import { createSkillVerifier, indexSigner, indexVerifier, signSkill, verifyRelease } from '@repertoire/skill-trust';
import { createSkillLock, lockedProvider } from '@repertoire/skill-trust/lock';
import { readSkillFolder } from '@repertoire/skill-trust/node';
import { verifiedProvider } from '@repertoire/skill-trust/provider';
import { keylessSigner, sigstoreVerifier } from '@repertoire/skill-trust/sigstore';
import { checkWorkflow, parseWorkflow, runWorkflow, skillWorkflows } from '@repertoire/skill-workflow';
import { workflowGraph } from '@repertoire/skill-workflow/langgraph';
import { embeddedPostgres } from '@repertoire/skill-workflow/pglite';
import {
  composeProviders,
  createSkillset,
  skillAllowedTools,
  skillApprovals,
  skillDiscovery,
  SkillError,
  skillHooks,
  SkillRegistry,
} from '@repertoire/skills-core';
import { simpleSkillProvider } from '@repertoire/skills-core/provider';
import { parseSkillFrontmatter, parseSkillMd, skillFromFiles } from '@repertoire/skills-core/skill-md';
import { routedLibrary } from '@repertoire/skills-testkit/routing';
import { parseSync, Visitor, type ObjectExpression } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { inspectorReport, startInspector } from '../packages/inspector/src/index.ts';

/** A rule as `OptionRules` has it: what `assertKnownOptions` of skills-core is given. */
type Rule = true | string | { readonly [word: string]: true | Rules };
interface Rules {
  readonly [option: string]: Rule;
}

const root = join(import.meta.dirname, '..');
const provider = new SkillRegistry();
const skillset = createSkillset({ provider });
const nothing: never = undefined as never;

/**
 * Every type of options with rules, and the public functions that take it. What they get besides
 * the options is never looked at.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- options are wrong on purpose
const callers: Readonly<Record<string, Readonly<Record<string, (options: any) => unknown>>>> = {
  ValidateSkillCardOptions: { validateSkillCard: (options) => validateSkillCard(nothing, options) },
  AcceptProposalOptions: { acceptProposal: (options) => acceptProposal(nothing, nothing, '', options) },
  AdkSkillRegistryOptions: { adkSkillRegistry: (options) => adkSkillRegistry(provider, options) },
  BridgeOptions: {
    adkSkills: (options) => adkSkills(provider, options),
    deepAgentsBackend: (options) => deepAgentsBackend(provider, options),
    lazySandboxSkills: (options) => lazySandboxSkills(provider, options),
    mastraSkillSource: (options) => mastraSkillSource(provider, options),
    sandboxSkillDescriptors: (options) => sandboxSkillDescriptors(provider, options),
    tanstackSkillSource: (options) => tanstackSkillSource(provider, options),
  },
  CloudflareSkillSourceOptions: { cloudflareSkillSource: (options) => cloudflareSkillSource(provider, options) },
  MastraSkillsOptions: { mastraSkills: (options) => mastraSkills(provider, options) },
  PluginProviderOptions: { pluginProvider },
  PluginServersOptions: { pluginServers: (options) => pluginServers(nothing, options) },
  PluginFoldersOptions: { pluginFolders: (options) => pluginFolders([], options) },
  RejectProposalOptions: { rejectProposal: (options) => rejectProposal(nothing, '', options) },
  SkillProposalsOptions: { skillProposals },
  StandardPluginRootsOptions: { standardPluginRoots },
  StdioServersOptions: { stdioServers },
  UndoProposalOptions: { undoProposal: (options) => undoProposal(nothing, nothing, '', options) },
  WriteSkillFilesOptions: { writeSkillFiles: (options) => writeSkillFiles(provider, options) },
  AddSkillsOptions: { addTo: (options) => langGraphSkills(skillset).addTo(nothing, options) },
  AiSdkAgentSettingsOptions: { agentSettings: async (options) => (await aiSdkSkills(skillset)).agentSettings(options) },
  AiSdkSkillsOptions: { aiSdkSkills: (options) => aiSdkSkills(skillset, options) },
  AlikeSkillsOptions: { alikeSkills: (options) => alikeSkills([], options) },
  BindLoadedToolsOptions: { bindLoadedTools: (options) => langGraphSkills(skillset).bindLoadedTools(nothing, nothing, options) },
  CappedFetchOptions: { cappedFetch },
  CardOfSkillOptions: { cardOfSkill: (options) => cardOfSkill(nothing, options) },
  CheckedChatOptions: { skillChat },
  CheckAgentOptions: { checkAgent: (options) => checkAgent('', options) },
  CheckWorkflowOptions: { checkWorkflow: (options) => checkWorkflow(nothing, options) },
  CompileAgentOptions: { compileAgent: (options) => compileAgent('', options) },
  ComposeProvidersOptions: { composeProviders: (options) => composeProviders([provider], options) },
  CreateSkillLockOptions: { createSkillLock: (options) => createSkillLock(provider, options) },
  CreateSkillToolsOptions: { createSkillTools },
  DiskCacheOptions: { diskCache },
  EmbeddedPostgresOptions: { embeddedPostgres },
  ExpandSnippetsOptions: { expandSnippets: (options) => expandSnippets('', options) },
  ExportStaticOptions: { exportStatic: (options) => exportStatic(provider, 'unused', options) },
  FileSystemSkillProviderOptions: { fileSystemSkillProvider },
  GuardedFetchOptions: { guardedFetch },
  HttpSkillProviderOptions: { httpSkillProvider: (options) => httpSkillProvider({ url: 'https://skills.example', ...options }) },
  IndexSignerOptions: { indexSigner },
  IndexVerifierOptions: { indexVerifier },
  InspectorOptions: { startInspector },
  InspectorReportOptions: { inspectorReport },
  JustBashRunnerOptions: { justBashRunner },
  KeylessSignerOptions: { keylessSigner },
  LoadAgentOptions: { loadAgent: (options) => loadAgent('unused', options) },
  LockedProviderOptions: { lockedProvider: (options) => lockedProvider(provider, nothing, options) },
  McpSkillProviderOptions: { mcpSkillProvider },
  McpSkillsHandlerOptions: { createMcpSkillsHandler: (options) => createMcpSkillsHandler(provider, options) },
  ModelNodeOptions: { modelNode: (options) => langGraphSkills(skillset).modelNode(nothing, options) },
  OpenAiAgentsSkillsOptions: { openAiAgentsSkills: (options) => openAiAgentsSkills(skillset, options) },
  OpenRequest: { open: (options) => skillset.open(options) },
  ParseSkillCardOptions: { parseSkillCard: (options) => parseSkillCard({}, options) },
  ParseSkillMdOptions: {
    parseSkillMd: (options) => parseSkillMd('', options),
    parseSkillFrontmatter: (options) => parseSkillFrontmatter('', options),
    skillFromFiles: (options) => skillFromFiles({ 'SKILL.md': '---\nname: a\ndescription: b\n---\n' }, options),
  },
  ParseWorkflowOptions: { parseWorkflow: (options) => parseWorkflow(nothing, options) },
  ProcessRunnerOptions: { processRunner },
  PruneSkillsOptions: { pruneSkills: (options) => pruneSkills(nothing, options) },
  PublishSkillsToStorageOptions: { publishSkillsToStorage: (options) => publishSkillsToStorage(nothing, provider, options) },
  ReadSkillFolderOptions: { readSkillFolder: (options) => readSkillFolder('unused', options) },
  SkillCardProviderOptions: { skillCardProvider },
  ResolveCardBaseOptions: { resolveCardBase: (options) => resolveCardBase({ baseUri: '.' }, 'https://skills.example', options) },
  RollbackSkillsOptions: { rollbackSkills: (options) => rollbackSkills(nothing, options) },
  RoutedLibraryOptions: { routedLibrary: (options) => routedLibrary(provider, options) },
  RunAgentOptions: { runAgent: (options) => runAgent('', options) },
  RunWorkflowOptions: { runWorkflow: (options) => runWorkflow(nothing, options) },
  S3SkillStoreOptions: { s3SkillStore },
  ServeSkillsOverMcpOptions: { serveSkillsOverMcp: (options) => serveSkillsOverMcp(nothing, provider, options) },
  SignSkillOptions: { signSkill: (options) => signSkill(nothing, options) },
  SigstoreVerifierOptions: { sigstoreVerifier },
  SimpleSkillProviderOptions: { simpleSkillProvider: (options) => simpleSkillProvider(nothing, options) },
  SkillAllowedToolsOptions: { skillAllowedTools },
  SkillApprovalsOptions: { skillApprovals },
  SkillDiscoveryOptions: { skillDiscovery: (options) => skillDiscovery({ search: async () => nothing }, options) },
  SkillEmbedderOptions: { skillEmbedder },
  SkillHooksOptions: { skillHooks },
  SkillRankingOptions: { rankSkills: (options) => rankSkills([], options) },
  SkillRegistryOptions: { SkillRegistry: (options) => new SkillRegistry(options) },
  SkillScriptsOptions: { skillScripts: (options) => skillScripts({ label: 'a', run: async () => nothing }, options) },
  SkillSearchOptions: { createSkillSearch: (options) => createSkillSearch(provider, options) },
  SkillVerifierOptions: { createSkillVerifier },
  SkillWorkflowsOptions: { skillWorkflows },
  SkillsHandlerOptions: { createSkillsHandler: (options) => createSkillsHandler(provider, options) },
  SkillsMiddlewareOptions: { skillsMiddleware: (options) => skillsMiddleware(skillset, options) },
  SkillsOptions: { langGraphSkills: (options) => langGraphSkills(skillset, options) },
  SkillsPluginOptions: { skillsPlugin: (options) => skillsPlugin.raw(options, { framework: 'vite' }) },
  SkillsetOptions: {
    createSkillset: (options) => createSkillset({ ...('provider' in options || 'skills' in options ? {} : { provider }), ...options }),
  },
  StandardSkillRootsOptions: { standardSkillRoots },
  // Other options have these inside, and are checked with them.
  RestoreBudget: {},
  RunnerOptions: {},
  StepPolicy: {},
  StorageSkillProviderOptions: { storageSkillProvider },
  UploadSkillsOptions: { uploadSkills: (options) => uploadSkills(provider, options) },
  VerifiedProviderOptions: { verifiedProvider: (options) => verifiedProvider(provider, options) },
  VerifyReleaseOptions: { verifyRelease: (options) => verifyRelease(nothing, options) },
  WasmRunnerOptions: { wasmRunner },
  WritableStorageSkillProviderOptions: { writableStorageSkillProvider },
  WorkflowGraphOptions: { workflowGraph: (options) => workflowGraph(nothing, options) },
  // Two packages have a type of this name.
  McpToolsOptions: { 'adapter-langchain': langChainMcpTools, 'adapter-vercel-ai': aiSdkMcpTools },
};

/** Types of options without rules, and why. */
const without: Readonly<Record<string, string>> = {
  AgentReadOptions: 'goes on to readAgent, which reads single fields',
  PluginCallOptions: 'a signal',
  AiSdkGenerateOptions: 'settings of a call, which the AI SDK checks',
  CheckAgentFileOptions: 'goes on to checkAgent',
  DbosEngineOptions: 'the configuration of steps is of DBOS',
  ForkAgentOptions: 'models and tools, which the AI SDK checks',
  LangGraphEngineOptions: 'the retries are of LangGraph',
  LocalSkillToolOptions: 'tools by name, of a skill',
  RenderSkillOptions: 'for adapters',
  ReadAgentFileOptions: 'folders, of which reading says what is wrong',
  ReadFilesToVerifyOptions: 'for verifiers',
  RemoteAiSdkModelOptions: 'functions of a durable engine',
  ReplayOptions: 'a signal',
  RestateEngineOptions: 'the configuration of steps is of Restate',
  RestateWorkflowOptions: 'goes on to runWorkflow',
  RunAgentFileOptions: 'goes on to runAgent',
  RunOptions: 'streams of a process',
  ScanFrontmatterOptions: 'for providers',
  SkillCallOptions: 'a signal',
  SkillChatOptions: 'are checked as CheckedChatOptions',
  TemporalActivitiesOptions: 'functions of a worker',
  TemporalAgentActivitiesOptions: 'functions of a worker',
  TemporalAgentOptions: 'the configuration of activities is of Temporal',
  TemporalWorkflowOptions: 'the configuration of activities is of Temporal',
};

// Rules for a part of options are looked at where they are spread or nested.
const parts = ['Omit', 'SkillCatalogOptions', 'SkillRoot', 'PublishOptions', 'FileSystemWatchOptions', 'PluginRoot', 'PluginListEntry'];
const found = rulesOfSources().filter(({ type }) => !parts.includes(type) && !type.endsWith('Limits'));

describe('options of public functions', () => {
  it('are checked by rules: a type of options that a public function takes has some', () => {
    expect(found.map(({ type }) => type).filter((type) => !(type in callers))).toEqual([]);
    const taken = globSync('packages/*/api/*.snapshot.d.ts', { cwd: root })
      .filter((file) => !file.includes('/internal.'))
      .flatMap((file) => readFileSync(join(root, file), 'utf8').match(/^export declare (?:async )?function .*$/gm) ?? [])
      .flatMap((line) => [...line.matchAll(/: (?:readonly )?(?<type>\w+Options)\b/g)].map(({ groups }) => groups?.['type'] ?? ''));
    const known = new Set([...Object.keys(callers), ...Object.keys(without)]);
    expect([...new Set(taken)].filter((type) => !known.has(type) && type !== 'LangGraphSkillsOptions')).toEqual([]);
    expect(Object.keys(without).filter((type) => !taken.includes(type))).toEqual([]);
  });

  it('are checked by rules that the compiler makes fit their type, in every function', () => {
    const tables = globSync('packages/*/src/**/*.ts', { cwd: root }).flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return [...text.matchAll(/\bassertKnownOptions\([^;]*, (?<table>\w+)\);/g)].map(({ groups }) => {
        const table = groups?.['table'] ?? '';
        return { file, table, isTyped: new RegExp(`(?:import .*\\b${table}\\b|\\b${table}: OptionRules<)`).test(text) };
      });
    });
    expect(tables.length).toBeGreaterThan(80);
    expect(tables.filter(({ isTyped }) => !isTyped)).toEqual([]);
  });

  const rows = found.flatMap(({ folder, type, rules }) =>
    Object.entries(callers[type] ?? {})
      .filter(([name]) => !(name in callersByFolder) || name === folder)
      .map(([name, call]) => ({ name, type, rules, call })),
  );

  it.each(rows)('CON-11: $name refuses an unknown option, with the nearest one', async ({ name, rules, call }) => {
    const [option] = Object.keys(rules);
    const error = await refusal(call, { [`${option}x`]: undefined });
    expect(error).toMatchObject({ code: 'invalid-options', message: expect.stringContaining(`"${option}"`) });
    expect(error?.message).toMatch(new RegExp(`^${calledAs[name] ?? name} has`));
    for (const path of nestedOptions(rules)) {
      expect(await refusal(call, nest([...path, 'noSuchOption'], 1)), path.join('.')).toMatchObject({
        code: 'invalid-options',
        message: expect.stringContaining(`"${[...path, 'noSuchOption'].join('.')}"`),
      });
    }
  });

  it.each(rows)('CON-11: $name refuses what is no word and no kind that the type of an option has (ATK-400)', async ({ rules, call }) => {
    expect(flat(rules)).not.toEqual([]);
    for (const { path, rule } of flat(rules)) {
      const name = path.join('.');
      for (const { given, near } of wrongValues(rule)) {
        const error = await refusal(call, nest(path, given));
        expect(error, `${name}: ${String(given)}`).toMatchObject({
          code: 'invalid-options',
          message: expect.stringContaining(`"${name}"`),
        });
        if (near !== undefined) expect(error?.message, name).toContain(`Did you mean ${JSON.stringify(near)}?`);
      }
    }
  });

  const numbered = rows.filter(({ name, rules }) => !acting.has(name) && flat(rules).some(({ rule }) => bordersOf(rule).length > 0));
  it('CON-11: there are functions that take numbers', () => expect(numbered.length).toBeGreaterThan(20));
  it.each(numbered)('CON-11: $name names the option of which a number at the border is refused', async ({ rules, call }) => {
    const refusedWith = async (options: object) => await refusal(call, options).catch(() => undefined);
    const unasked = await refusedWith({});
    const unnamed: string[] = [];
    for (const { path, rule } of flat(rules)) {
      for (const given of bordersOf(rule)) {
        const error = await refusedWith(nest(path, given));
        const isAsked = error?.code === 'invalid-options' && error.message !== unasked?.message;
        if (isAsked && !error.message.includes(path.at(-1) ?? '')) unnamed.push(`${path.join('.')} ${String(given)}: ${error.message}`);
      }
    }
    expect(unnamed).toEqual([]);
  });
});

/** Functions that do something with options which they take: they write, listen, or start programs. */
const acting: ReadonlySet<string> = new Set(['embeddedPostgres', 'exportStatic', 'inspectorReport', 'startInspector', 'writeSkillFiles']);

/** Numbers that may be too small, too large, or no whole ones. */
function bordersOf(rule: Rule): readonly unknown[] {
  return rule === 'number' || (typeof rule === 'object' && 'number' in rule) ? [0, 0.5, 1, 2 ** 31, Infinity] : [];
}

/** How messages call a function, where it is another one that takes the options. */
const calledAs: Readonly<Record<string, string>> = {
  skillFromFiles: 'parseSkillMd',
  'adapter-langchain': 'mcpTools',
  'adapter-vercel-ai': 'mcpTools',
};
const callersByFolder: Readonly<Record<string, true>> = { 'adapter-langchain': true, 'adapter-vercel-ai': true };

/** What a call is refused with; `undefined` if it is not. */
async function refusal(call: (options: object) => unknown, options: object): Promise<SkillError | undefined> {
  try {
    await call(options);
  } catch (error) {
    if (SkillError.isInstance(error)) return error;
    throw error;
  }
  return undefined;
}

const samples: readonly (readonly [kind: string, value: unknown])[] = [
  ['string', 'no such word'],
  ['number', 7],
  ['boolean', true],
  ['()', () => 0],
  ['string[]', ['a']],
  ['{}', {}],
  ['null', null],
];

/**
 * Values that a rule does not allow: one for each kind that it has not, and its words with a letter
 * too much.
 */
function wrongValues(rule: Rule): { readonly given: unknown; readonly near?: string }[] {
  if (rule === true) return [];
  const allowed = typeof rule === 'string' ? [rule] : Object.keys(rule);
  const kinds = new Set(allowed);
  const fits = (kind: string): boolean =>
    kinds.has(kind) ||
    (kind === '()' && kinds.has('{}')) ||
    (kind === 'string[]' && (kinds.has('[]') || kinds.has('iterable'))) ||
    (kind === 'boolean' && kinds.has('true'));
  const words = allowed.filter((word) => /^[a-zA-Z-]+$/.test(word) && !kindNames.has(word));
  return [
    ...samples.filter(([kind]) => !fits(kind)).map(([, given]) => ({ given })),
    ...(kinds.has('string[]') ? [{ given: ['a', 1] }] : []),
    ...(kinds.has('number') ? [{ given: Number.NaN }, { given: -1 }] : []),
    ...(kinds.has('string') ? [] : words.map((word) => ({ given: `${word}x`, near: word }))),
  ];
}

const kindNames = new Set(['boolean', 'true', 'false', 'number', 'string', 'null', 'iterable']);

function flat(rules: Rules, above: readonly string[] = []): { readonly path: readonly string[]; readonly rule: Rule }[] {
  return Object.entries(rules).flatMap(([option, rule]) => {
    const path = [...above, option];
    const nested = typeof rule === 'object' ? rule['{}'] : undefined;
    return [{ path, rule }, ...(typeof nested === 'object' ? flat(nested, path) : [])];
  });
}

function nestedOptions(rules: Rules): readonly (readonly string[])[] {
  return flat(rules).flatMap(({ path, rule }) => (typeof rule === 'object' && typeof rule['{}'] === 'object' ? [path] : []));
}

function nest(path: readonly string[], value: unknown): Record<string, unknown> {
  const [first = '', ...rest] = path;
  return { [first]: rest.length === 0 ? value : nest(rest, value) };
}

/**
 * The rules that the sources have, by the type of options that they are for. The compiler makes
 * them fit the types.
 */
function rulesOfSources(): { readonly folder: string; readonly type: string; readonly rules: Rules }[] {
  const consts = new Map<string, { folder: string; type: string; value: ObjectExpression; file: string }>();
  for (const file of globSync('packages/*/src/**/*.ts', { cwd: root }).toSorted()) {
    const text = readFileSync(join(root, file), 'utf8');
    if (!text.includes('OptionRules<')) continue;
    new Visitor({
      VariableDeclarator(node) {
        if (node.id.type !== 'Identifier' || node.init?.type !== 'ObjectExpression') return;
        const written = /^OptionRules<(?<type>.+)>$/s.exec(typeOf(text, node.id));
        if (written?.groups === undefined) return;
        consts.set(`${file}#${node.id.name}`, {
          folder: file.split('/')[1] ?? '',
          type: written.groups['type'] ?? '',
          value: node.init,
          file,
        });
      },
    }).visit(parseSync(file, text).program);
  }
  const named = (file: string, name: string): Rules => {
    const entry = consts.get(`${file}#${name}`) ?? [...consts].find(([key]) => key.endsWith(`#${name}`))?.[1];
    if (entry === undefined) throw new Error(`${file} has rules ${name} that are not found.`);
    return valueOf(entry.value, entry.file) as Rules;
  };
  const valueOf = (node: ObjectExpression, file: string): Record<string, unknown> =>
    Object.fromEntries(
      node.properties.flatMap((property): (readonly [string, unknown])[] => {
        if (property.type === 'SpreadElement') {
          if (property.argument.type !== 'Identifier') throw new Error(`${file} spreads what is no name.`);
          return Object.entries(named(file, property.argument.name));
        }
        const key =
          property.key.type === 'Identifier' ? property.key.name : property.key.type === 'Literal' ? String(property.key.value) : '';
        const { value } = property;
        if (value.type === 'ObjectExpression') return [[key, valueOf(value, file)]];
        if (value.type === 'Identifier') return [[key, named(file, value.name)]];
        if (value.type === 'Literal') return [[key, value.value]];
        throw new Error(`${file} has a rule for ${key} that is no literal.`);
      }),
    );
  return [...consts.values()].map(({ folder, type, value, file }) => ({
    folder,
    type: /^\w+/.exec(type)?.[0] ?? type,
    rules: valueOf(value, file) as Rules,
  }));
}

function typeOf(
  text: string,
  id: { readonly typeAnnotation?: { readonly typeAnnotation: { start: number; end: number } } | null },
): string {
  const annotation = id.typeAnnotation?.typeAnnotation;
  return annotation === undefined ? '' : text.slice(annotation.start, annotation.end);
}
