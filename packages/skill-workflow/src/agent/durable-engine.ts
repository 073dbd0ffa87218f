import type { SkillEngine } from '@repertoire/skills-core/adapter';

/** A durable engine in one run: `dbosEngine`, `cloudflareEngine` and so on. One for each run. */
export type DurableEngine = SkillEngine;
