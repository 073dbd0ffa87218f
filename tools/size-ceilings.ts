/** A bundle that a user could make, and what it may weigh. */
export interface SizeCeiling {
  readonly name: string;
  /**
   * The module that is bundled, minified, for Workers. It imports the packages by their names, as
   * built.
   */
  readonly code: string;
  /** The most it may weigh, gzipped, in KiB: what was measured and a hundredth more. */
  readonly maxKib: number;
  /**
   * Packages that may not be in it, besides everything of Node. A weight drifts with unrelated
   * work; this does not.
   */
  readonly absent: readonly string[];
  /** Packages that the host brings. @default none */
  readonly peers?: readonly string[];
}

export const sizeCeilings: readonly SizeCeiling[] = [
  {
    name: 'skills-core, all of it',
    code: `export * from '@repertoire/skills-core';`,
    // Nearly a KiB of it are the letters that look alike, and what tells hidden characters and
    // bounds messages and diagnostics. Search takes 3.2 and hooks in sessions 1.2; approvals take
    // 5.9, of which more than one writes each question and each answer into the store, so that any
    // process finds them; and the matching of `allowed-tools` takes 2.3. What a program does not
    // use, a bundler leaves out, as the next bundle shows.
    maxKib: 65.5,
    absent: ['yaml', 'semver', 'fast-glob', 'zod', 'ai'],
  },
  {
    name: 'a skillset of skills in code',
    code: `export { createSkillset, defineSkill } from '@repertoire/skills-core';`,
    // Tools that a host adds describe themselves, so their words are in none of it, and adapters
    // bring restoring and renewal. What a load is bound to costs 7.5: 2.2 for hashes that cannot
    // wait, 1 for the canonical text that they are made of, 4.3 for what compares and remembers.
    // The rest, sessions, gates, the budget, bounded words of sources, hidden tools and warnings
    // that are printed where nobody listens, each needed by default, makes it 36.6. Half a KiB of
    // the whole pays for one line in place of a thousand where files deviate, and for asking at
    // each use of a loaded skill whether it is in force.
    maxKib: 45.7,
    absent: ['yaml', 'semver', 'fast-glob', 'zod'],
  },
  {
    name: 'skill-runner/scripts: runs, listings and snippets, without a runner',
    code: `export * from '@repertoire/skill-runner/scripts';`,
    // 0.5 KiB of it is the door through which every use of a loaded skill asks whether it is in
    // force.
    maxKib: 20.4,
    absent: ['yaml', 'semver', 'fast-glob', 'zod', 'just-bash'],
  },
  {
    name: 'skills-core/skill-md',
    code: `export * from '@repertoire/skills-core/skill-md';`,
    // A quarter of a KiB gives the YAML library only what stands behind the plain fields, and a
    // sixth reads more of them without it.
    maxKib: 50.5,
    absent: ['fast-glob', 'zod', 'ai'],
  },
  {
    name: 'one skill in code',
    code: `import { defineSkill } from '@repertoire/skills-core'; export default defineSkill({ name: 'a', description: 'b', body: 'c' });`,
    // A twelfth of a KiB takes tools of a framework as they are, for which each adapter had a
    // function of its own. A thirtieth compares the name of a tool with the one that it stands
    // under: the gate of a wrong name would close nothing.
    maxKib: 3.33,
    absent: ['yaml', 'fast-glob', 'tokenx'],
  },
  {
    name: 'core, skills in code and the AI SDK adapter',
    code: `export { createSkillset, defineSkill } from '@repertoire/skills-core'; export * from '@repertoire/adapter-vercel-ai';`,
    // Half a KiB carries questions of approvals to a person and the answers back; one more hands a
    // fork back that waits for a person, ends calls of the host for models that sign their
    // thinking, and tells unguarded calls apart. Beyond the half KiB that the skillset grew by,
    // half of one words the questions to a person, and guards each execution in one place.
    maxKib: 58.8,
    absent: ['yaml', 'semver', 'fast-glob'],
    peers: ['ai', 'zod', '@ai-sdk/*'],
  },
  {
    name: 'the same and the server of a chat',
    code: `export { createSkillset, defineSkill } from '@repertoire/skills-core'; export * from '@repertoire/adapter-vercel-ai'; export * from '@repertoire/adapter-vercel-ai/chat';`,
    // Over the adapter it is eleven, of which one reads answers of other machines out of Redis,
    // keeps answers of people in the same database, and makes calls inside of forks known.
    maxKib: 69.7,
    absent: ['yaml', 'semver', 'fast-glob', 'react'],
    peers: ['ai', 'zod', '@ai-sdk/*'],
  },
  {
    name: 'parts of React for a chat',
    code: `export * from '@repertoire/adapter-vercel-ai/chat/react';`,
    // What a card says of a call whose outcome is unknown is in it.
    maxKib: 3.4,
    absent: ['yaml', 'semver', 'fast-glob', 'tokenx'],
    peers: ['ai', 'zod', '@ai-sdk/*', 'react'],
  },
  {
    name: 'core, skills in code and the LangGraph part of the LangChain adapter',
    code: `export { createSkillset, defineSkill } from '@repertoire/skills-core'; export * from '@repertoire/adapter-langchain/langgraph';`,
    // Half a KiB ends turns before calls of the host, for models that sign what they think. Half a
    // KiB records the steps of workflows in the checkpoint. The skillset below it grew by
    // half a KiB, and a whole one asks a person through the graph and words the questions.
    maxKib: 62.6,
    absent: ['yaml', 'fast-glob', 'langchain'],
    peers: ['@langchain/core', '@langchain/core/*', '@langchain/langgraph', '@langchain/langgraph/*', 'zod', 'zod/*'],
  },
  {
    name: 'core, skills in code and the OpenAI Agents adapter',
    code: `export { createSkillset, defineSkill } from '@repertoire/skills-core'; export * from '@repertoire/adapter-openai-agents';`,
    // A part of a KiB asks for the context of a request, and tells whoever listens of gates that
    // match no tool. The skillset below it grew by half a KiB, and a
    // whole one asks a person in a run and words the questions.
    maxKib: 56.6,
    absent: ['yaml', 'semver', 'fast-glob', 'zod'],
    peers: ['@openai/agents-core'],
  },
  {
    name: 'bridges: Cloudflare, Deep Agents, TanStack AI and the sandbox of OpenAI Agents, with skills in code',
    code: `export { createSkillset } from '@repertoire/skills-core'; export * from '@repertoire/bridges/cloudflare'; export * from '@repertoire/bridges/deepagents'; export * from '@repertoire/bridges/tanstack'; export * from '@repertoire/bridges/openai-sandbox';`,
    // The skillset in it grew by half a KiB.
    maxKib: 95.2,
    absent: [
      'semver',
      'fast-glob',
      'zod',
      'ai',
      'agents',
      'deepagents',
      'langchain',
      '@tanstack/ai',
      '@openai/agents',
      '@openai/agents-core',
    ],
  },
  {
    name: 'declarative, all of it',
    code: `export * from '@repertoire/declarative';`,
    // It has the LangChain adapter, which keeps states of sub-agents apart, and a skillset, which
    // grew by half a KiB; asking a person through the graph weighs as much.
    maxKib: 165.7,
    absent: ['fast-glob', 'langchain'],
    peers: ['@langchain/core', '@langchain/core/*', '@langchain/langgraph', '@langchain/langgraph/*', 'zod', 'zod/*'],
  },
  {
    name: 'skill-http, reading and publishing',
    code: `export * from '@repertoire/skill-http'; export * from '@repertoire/skill-http/server';`,
    // Sums of archives are made four bytes at a time, by four tables. Archives and YAML load late,
    // which costs a third of a KiB where a bundle is one file; without them it is the next.
    maxKib: 102.4,
    absent: ['undici', 'fast-glob', 'zod', 'ai'],
  },
  {
    name: 'skill-http, reading a plain site: without what loads late',
    code: `export * from '@repertoire/skill-http';`,
    // Archives and frontmatter that is not plain bring the rest.
    maxKib: 46.1,
    absent: ['yaml', 'undici', 'fast-glob', 'zod', 'ai'],
    peers: ['@repertoire/skills-core/skill-md', 'unzipit', 'modern-tar'],
  },
  {
    name: 'agent-plugins, reading',
    code: `export { pluginProvider, r2PluginFiles } from '@repertoire/agent-plugins';`,
    // The parser of YAML is loaded only for frontmatter that needs it, and is most of what is
    // measured, with ranges of versions.
    maxKib: 76.2,
    absent: ['fast-glob', 'zod', 'ai', '@modelcontextprotocol/client'],
  },
  {
    name: "skill-mcp, reading; the client is the host's",
    code: `export * from '@repertoire/skill-mcp';`,
    maxKib: 63.9,
    absent: ['fast-glob', 'zod', 'ai', '@modelcontextprotocol/client', '@modelcontextprotocol/sdk', '@modelcontextprotocol/server'],
  },
  {
    name: "skill-mcp/server; the SDK is the host's",
    code: `export * from '@repertoire/skill-mcp/server';`,
    // A part of a KiB ends YAML at its first error, which bounds what hostile frontmatter costs.
    // The core in it prints one line where many files deviate, and asks whether a loaded skill is
    // in force.
    maxKib: 98.6,
    absent: ['fast-glob', 'zod', 'ai'],
    peers: ['@modelcontextprotocol/server'],
  },
  {
    name: 'skill-storage, reading from R2',
    code: `export { r2SkillStore, storageSkillProvider } from '@repertoire/skill-storage';`,
    maxKib: 13.3,
    absent: ['yaml', 'semver', 'unstorage', 'aws4fetch', 'zod', 'ai'],
  },
  {
    name: 'skill-storage, all of it',
    code: `export * from '@repertoire/skill-storage';`,
    maxKib: 22.2,
    absent: ['yaml', 'semver', 'unstorage', 'aws4fetch', 'zod', 'ai'],
  },
  {
    name: 'skill-storage/write: SKILL.md is read there, so YAML is in it',
    code: `export { writableStorageSkillProvider } from '@repertoire/skill-storage/write';`,
    maxKib: 64.3,
    absent: ['unstorage', 'aws4fetch', 'zod', 'ai'],
  },
  {
    name: 'skill-search, by words',
    code: `export { createSkillSearch } from '@repertoire/skill-search';`,
    // Finding where SKILL.md has its body, telling languages apart, and ordering by the host's
    // context are one KiB of it. Reading references, within their limits, is half a KiB. One KiB
    // prints warnings that no listener gets, with the rules for one line, which a skillset beside
    // it has anyway.
    maxKib: 21.8,
    absent: ['yaml', 'semver', 'minisearch', 'tokenx', 'zod', 'ai', '@orama/stemmers'],
  },
  {
    name: 'skill-search/languages: German alone',
    code: `export { german } from '@repertoire/skill-search/languages';`,
    // The glossary is most of it. No other language is in it.
    maxKib: 8.9,
    absent: ['stemmer', 'yaml', 'zod', 'ai'],
  },
  {
    name: 'skillDiscovery alone; a skillset has three quarters of it anyway',
    code: `export { skillDiscovery } from '@repertoire/skills-core';`,
    // Dropping openers and finding the words that tell a skill apart are one KiB of it; a few bytes
    // name references as the place of a word.
    maxKib: 14.2,
    absent: ['yaml', 'semver', 'zod', 'ai'],
  },
  {
    name: 'skill-workflow',
    code: `export * from '@repertoire/skill-workflow';`,
    // With the core's part of run_skill_workflow: finding, trust, gates and frames. What a run
    // records when it begins, and the check of what it reads back, are one KiB of it.
    maxKib: 37.8,
    absent: ['yaml', 'semver', 'zod', 'ai', '@langchain/core', '@langchain/langgraph', '@dbos-inc/dbos-sdk', 'pg'],
  },
  {
    name: 'skill-workflow on Cloudflare Workflows',
    code: `export { parseWorkflow } from '@repertoire/skill-workflow'; export * from '@repertoire/skill-workflow/cloudflare';`,
    maxKib: 20,
    absent: ['yaml', 'semver', 'zod', 'ai', '@langchain/core', '@langchain/langgraph', '@dbos-inc/dbos-sdk', 'pg'],
  },
  {
    name: 'skill-cards',
    code: `export * from '@repertoire/skill-cards';`,
    maxKib: 14.7,
    absent: ['yaml', 'semver', 'zod', 'ai'],
  },
  {
    name: 'skill-proposals',
    code: `export * from '@repertoire/skill-proposals';`,
    // It checks the SKILL.md that is proposed, so the YAML parser comes along, and the reader that
    // spares most files that parser.
    maxKib: 65.4,
    absent: ['semver', 'zod', 'ai'],
  },
  {
    name: 'skill-trust/lock: pins without signatures',
    code: `export * from '@repertoire/skill-trust/lock';`,
    // Less than what verifies signatures weighs beside what both need: whoever only locks carries
    // nothing of it. 0.7 KiB pin plugins: their files, and what their servers start or connect to.
    // 0.5 KiB take SKILL.md apart as its source wrote it, so that a pin is one of bytes.
    maxKib: 14.7,
    absent: ['yaml', 'semver', 'zod', '@sigstore/verify', '@peculiar/x509'],
  },
  {
    name: 'skill-trust, verifying',
    code: `export { createSkillVerifier } from '@repertoire/skill-trust';`,
    maxKib: 15.1,
    absent: ['yaml', 'semver', 'zod', '@sigstore/verify', '@peculiar/x509'],
  },
  {
    name: 'skill-trust, all of it',
    code: `export * from '@repertoire/skill-trust';`,
    maxKib: 19.2,
    absent: ['yaml', 'semver', 'zod', '@sigstore/verify', '@peculiar/x509'],
  },
  {
    name: "skill-trust/provider, without skills-core's parser, which sources bring along",
    code: `export { verifiedProvider } from '@repertoire/skill-trust/provider';`,
    maxKib: 19.5,
    absent: ['yaml', 'semver', 'zod', '@sigstore/verify', '@peculiar/x509'],
    peers: ['@repertoire/skills-core/skill-md'],
  },
  {
    name: "skill-runner on Workers: approvals, and shell scripts; the shell is the host's",
    code: `export * from '@repertoire/skill-runner'; export * from '@repertoire/skill-runner/just-bash';`,
    maxKib: 10.4,
    absent: ['yaml', 'semver', 'just-bash', 'quickjs-emscripten-core', 'zod', 'ai'],
  },
];
