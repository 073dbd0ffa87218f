import { AsyncLocalStorage } from 'node:async_hooks';
import { DurableObject } from 'cloudflare:workers';
import { HumanMessage } from '@langchain/core/messages';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { Command } from '@langchain/langgraph';
import { loadedSkills } from '@repertoire/adapter-langchain/langgraph';
import { chooseModel } from './choose-model.ts';
import { deskGraph, type DeskGraph, type DeskState } from './desk-graph.ts';
import { deskTools, type Question } from './desk-tools.ts';
import { DurableObjectSaver } from './durable-object-saver.ts';
import type { Environment } from './environment.ts';

// LangGraph's builds for Workers include no AsyncLocalStorage, but `interrupt` needs it to find its
// run. It requires the flag `nodejs_als`, which enables only this module.
AsyncLocalStorageProviderSingleton.initializeGlobalInstance(new AsyncLocalStorage());

/**
 * The status of a conversation. `stopped`: its run was interrupted by a crash or an error, and can
 * be resumed.
 */
export interface Standing {
  readonly status: 'idle' | 'running' | 'waiting' | 'stopped';
  /** The open question, if the run waits for one. */
  readonly question?: Question;
  /** Names of the loaded skills. */
  readonly loaded: readonly string[];
  readonly messages: readonly { readonly type: string; readonly text: string }[];
  /** What the tools have done, in order. */
  readonly journal: readonly string[];
}

/**
 * One conversation. Everything is in the object's own SQLite, because the object may be evicted,
 * moved or killed at any time.
 */
export class Conversation extends DurableObject<Environment> {
  readonly #sql = this.ctx.storage.sql;
  readonly #graph: DeskGraph;
  #busy = false;

  constructor(ctx: DurableObjectState, env: Environment) {
    super(ctx, env);
    this.#sql.exec('CREATE TABLE IF NOT EXISTS journal (call TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (call, entry))');
    this.#graph = deskGraph({
      model: chooseModel(env),
      tools: deskTools((...done) => void this.#sql.exec('INSERT INTO journal VALUES (?, ?) ON CONFLICT DO NOTHING', ...done)),
      checkpointer: new DurableObjectSaver(this.#sql),
    });
  }

  /** Passes a message to the agent. Returns `null` if the last run has not ended. */
  say(text: string): Promise<Standing | null> {
    return this.#run('idle', { messages: [new HumanMessage(text)] });
  }

  /** Answers the question that a tool waits for. Returns `null` if there is none. */
  decide(approved: boolean): Promise<Standing | null> {
    return this.#run('waiting', new Command({ resume: approved }));
  }

  /** Resumes an interrupted run at the node that had not ended. Returns `null` if there is none. */
  goOn(): Promise<Standing | null> {
    return this.#run('stopped', null);
  }

  /** The current status. */
  async look(): Promise<Standing> {
    const standing = await this.#standing();
    return this.#busy ? { ...standing, status: 'running' } : standing;
  }

  async #run(from: Standing['status'], input: Parameters<DeskGraph['invoke']>[0]): Promise<Standing | null> {
    if (this.#busy) return null;
    this.#busy = true;
    try {
      if ((await this.#standing()).status !== from) return null;
      // 'sync': a step is stored before the next one begins.
      await this.#graph.invoke(input, { ...thread, durability: 'sync', recursionLimit: 50 });
      return await this.#standing();
    } finally {
      this.#busy = false;
    }
  }

  async #standing(): Promise<Standing> {
    const { values, next, tasks } = await this.#graph.getState(thread);
    const { messages = [] } = values as Partial<DeskState>;
    const [asked] = tasks.flatMap(({ interrupts }) => interrupts);
    const journal = this.#sql.exec<{ entry: string }>('SELECT entry FROM journal ORDER BY rowid').toArray();
    return {
      status: asked ? 'waiting' : next.length > 0 ? 'stopped' : 'idle',
      ...(asked && { question: asked.value as Question }),
      loaded: loadedSkills(values).map(({ name }) => name),
      messages: messages.map(({ type, text }) => ({ type, text })),
      journal: journal.map(({ entry }) => entry),
    };
  }
}

// An object has one conversation, so one thread.
const thread = { configurable: { thread_id: 'conversation' } };
