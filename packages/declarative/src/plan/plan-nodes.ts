import type { AgentDocument, DocumentPath } from '../document/agent-document.ts';
import { didYouMean, quote } from '../document/hints.ts';
import type { ExpressionKind } from '../cel/expression.ts';
import type { AgentShape, CallLlmShape, NodeShape, WorkflowShape } from '../shape/agent-shape.ts';
import type { CallLlmPlan, NodePlan, PromptPlan, UpdatePlan } from './agent-plan.ts';
import { isJoinable, isObjectMember, isOwnChannel } from './plan-state.ts';
import type { ExpressionCompiler, OwnVariable } from './plan-expression.ts';

/** The names that nodes may use. */
export interface NodeNames {
  readonly llms: readonly string[];
  /** Tools of the file. */
  readonly tools: readonly string[];
  /** Tools that every agent with skills has. */
  readonly skillTools: readonly string[];
}

/** Checks nodes and compiles their expressions. Nodes with problems are reported and left out. */
export function planNodes(document: AgentDocument, shape: AgentShape, names: NodeNames, compile: ExpressionCompiler): NodePlan[] {
  const channels = shape.state ?? {};
  const seen = new Set<string>();
  return shape.nodes.flatMap((node, index): NodePlan[] => {
    const path = ['nodes', index];
    const at = { path: [...path, 'name'] };
    if (seen.has(node.name)) document.report('agent-duplicate', at, `Two nodes are named ${quote(node.name)}.`, 'Rename one.');
    seen.add(node.name);
    if (isOwnChannel(node.name) || Object.hasOwn(channels, node.name)) {
      document.report('agent-duplicate', at, `${quote(node.name)} is the name of a channel of the state.`, 'Rename the node.');
    }
    if (!isNodeName(node.name)) {
      document.report('agent-graph', at, `${quote(node.name)} cannot be the name of a node.`, 'Rename it.');
    }
    const planned = new NodePlanner({ document, names: { ...names, channels }, compile, node, path: [...path, 'args'] }).plan();
    return planned === null ? [] : [planned];
  });
}

/** START, END and the names that LangGraph and JavaScript have for themselves are none. */
export function isNodeName(name: string): boolean {
  return !['START', 'END'].includes(name) && !name.startsWith('__') && !isObjectMember(name);
}

interface NodeToPlan {
  readonly document: AgentDocument;
  readonly names: NodeNames & { readonly channels: NonNullable<AgentShape['state']> };
  readonly compile: ExpressionCompiler;
  readonly node: NodeShape;
  /** Path of its `args`. */
  readonly path: DocumentPath;
}

class NodePlanner {
  readonly #of: NodeToPlan;

  constructor(of: NodeToPlan) {
    this.#of = of;
  }

  plan(): NodePlan | null {
    const node = this.#of.node;
    const { name } = node;
    switch (node.type) {
      case 'call_llm':
        return this.#callLlm(node);
      case 'load_skills': {
        const skillIds = this.#expression('skill_ids', node.args.skill_ids, ['list']);
        return skillIds && { type: node.type, name, skillIds };
      }
      case 'tool_node':
        return { type: node.type, name, tools: this.#tools(node.args.tools, this.#of.names.tools) ?? this.#of.names.tools };
      case 'set_state':
        return { type: node.type, name, updates: this.#updates(node.args.state_updates) };
      case 'interrupt': {
        const value = this.#expression('value', node.args.value, ['any']);
        return value && { type: node.type, name, value, updates: this.#updates(node.args.state_updates, 'answer') };
      }
      case 'workflow':
        return this.#workflow(node);
    }
  }

  #callLlm(node: CallLlmShape): CallLlmPlan | null {
    const { args, name } = node;
    const llm = this.#llm(args.llm);
    const tools = this.#tools(args.tools, [...this.#of.names.tools, ...this.#of.names.skillTools]) ?? [];
    const usesLoadedSkills = args.use_tools_from_loaded_skills;
    const callsTools = tools.length > 0 || usesLoadedSkills;
    if (args.response_format !== undefined && callsTools) {
      const at = { path: [...this.#of.path, 'response_format'], key: true };
      this.#of.document.report('agent-graph', at, 'A node has tools or a response_format, not both.', 'Split it into two nodes.');
    }
    if (args.response_format !== undefined) this.#checkSchema(args.response_format.schema, [...this.#of.path, 'response_format', 'schema']);
    const written = args.state_updates ?? { messages: '[llm_response]' };
    if (callsTools && !Object.hasOwn(written, 'messages')) {
      const at = { path: [...this.#of.path, 'state_updates'], key: true };
      const message = 'Tool calls are run from the messages, and this node writes none.';
      this.#of.document.report('agent-graph', at, message, "Add messages: '[llm_response]'.");
    }
    const updates = this.#updates(written, 'llm_response');
    const prompt = this.#prompt(args.prompt);
    if (prompt === null || llm === null) return null;
    return { type: 'call_llm', name, llm, prompt, tools, usesLoadedSkills, responseFormat: args.response_format, updates };
  }

  /** With references, a few lines of schema could keep validation busy for hours. */
  #checkSchema(schema: unknown, path: DocumentPath): void {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [key, value] of Object.entries(schema)) {
      const at = [...path, Array.isArray(schema) ? Number(key) : key];
      if (typeof value === 'string' && ['$ref', '$dynamicRef', '$recursiveRef'].includes(key)) {
        const message = `A schema of an answer has no ${quote(key)}.`;
        this.#of.document.report('agent-shape', { path: at, key: true }, message, 'Write the part out.');
      }
      this.#checkSchema(value, at);
    }
  }

  #llm(reference: CallLlmShape['args']['llm']): string | null {
    const { llms } = this.#of.names;
    if (reference !== undefined) {
      if (llms.includes(reference.id)) return reference.id;
      const path = [...this.#of.path, 'llm', 'id'];
      const message = `There is no model ${quote(reference.id)} in llms.`;
      this.#of.document.report('agent-reference', path, message, didYouMean(reference.id, llms));
      return null;
    }
    if (llms.length === 1 && llms[0] !== undefined) return llms[0];
    const fix = llms.length === 0 ? 'Add one to llms: - id: …' : didYouMean('', llms);
    this.#of.document.report('agent-reference', this.#of.path, 'The node does not say which model it calls.', fix);
    return null;
  }

  #prompt(prompt: CallLlmShape['args']['prompt']): PromptPlan | null {
    if (typeof prompt === 'string') {
      const expression = this.#expression('prompt', prompt, ['string']);
      return expression && { kind: 'system', expression };
    }
    const parts = prompt.flatMap(({ role, content }, index) => {
      const path = [...this.#of.path, 'prompt', index, 'content'];
      const expression = this.#of.compile({
        path,
        source: content,
        kinds: role === 'messages' ? ['list'] : ['string'],
        owner: this.#owner,
      });
      return expression === null ? [] : [{ role, expression }];
    });
    return { kind: 'roles', parts };
  }

  #workflow(node: WorkflowShape): NodePlan {
    const { skill, input, state_updates: updates } = node.args;
    return {
      type: 'workflow',
      name: node.name,
      skill,
      input: input === undefined ? null : this.#expression('input', input, ['map']),
      updates: this.#updates(updates, 'workflow_result'),
    };
  }

  /** Names of tools; `undefined` if the key is missing. */
  #tools(references: readonly { readonly id: string }[] | undefined, known: readonly string[]): string[] | undefined {
    return references?.flatMap(({ id }, index) => {
      if (known.includes(id)) return [id];
      const path = [...this.#of.path, 'tools', index, 'id'];
      const message = `There is no tool ${quote(id)}.`;
      this.#of.document.report('agent-reference', path, message, `Name one of \`tools\` or a skill tool. ${didYouMean(id, known)}`);
      return [];
    });
  }

  #updates(written: Readonly<Record<string, string>>, variable?: OwnVariable): UpdatePlan {
    return Object.entries(written).flatMap(([channel, source]) => {
      const path = [...this.#of.path, 'state_updates', channel];
      const declared = Object.hasOwn(this.#of.names.channels, channel) ? this.#of.names.channels[channel] : undefined;
      if (declared === undefined && channel !== 'messages') {
        const isSkills = isOwnChannel(channel);
        const fix = isSkills
          ? 'Only loading and unloading skills writes it.'
          : didYouMean(channel, ['messages', ...Object.keys(this.#of.names.channels)]);
        const text = isSkills ? `${quote(channel)} cannot be written.` : `There is no channel ${quote(channel)} in state.`;
        this.#of.document.report('agent-reference', { path, key: true }, text, fix);
        return [];
      }
      const kinds: readonly ExpressionKind[] = [declared === undefined ? 'list' : isJoinable(declared) ? declared.type : 'any'];
      const expression = this.#of.compile({ path, source, kinds, variable, owner: this.#owner });
      return expression === null ? [] : [{ channel, expression }];
    });
  }

  #expression(key: string, source: string, kinds: readonly ExpressionKind[]): ReturnType<ExpressionCompiler> {
    return this.#of.compile({ path: [...this.#of.path, key], source, kinds, owner: this.#owner });
  }

  get #owner(): string {
    return `node ${quote(this.#of.node.name)}`;
  }
}
