import type { AgentDocument, DocumentPath, ProblemPlace } from '../document/agent-document.ts';
import { didYouMean, quote } from '../document/hints.ts';
import type { AgentShape, EdgeShape } from '../shape/agent-shape.ts';
import type { EdgePlan, NodePlan, ToolNodePlan } from './agent-plan.ts';
import { isNodeName } from './plan-nodes.ts';
import type { ExpressionCompiler } from './plan-expression.ts';

/** The names of the start and end nodes in files. */
export const startName = 'START';
export const endName = 'END';

/** The edges, and the tool nodes that are added. */
export interface PlannedEdges {
  readonly edges: readonly EdgePlan[];
  readonly toolNodes: readonly ToolNodePlan[];
}

/** Reads the edges, adds a tool node for each model with tools, and checks the graph. */
export function planEdges(
  document: AgentDocument,
  { nodes: written, edges: shapes, tools = [] }: AgentShape,
  nodes: readonly NodePlan[],
  compile: ExpressionCompiler,
): PlannedEdges {
  const names = written.map(({ name }) => name);
  const edges = shapes === undefined ? inOrder(names) : readEdges(document, shapes, names, compile);
  const toolNodes: ToolNodePlan[] = [];
  const all = edges.map((edge) => {
    const node = nodes.find(({ name }) => name === edge.source);
    if (node?.type !== 'call_llm' || (node.tools.length === 0 && !node.usesLoadedSkills)) return edge;
    const leadsTo = [...edge.targets, ...edge.branches.map(({ target }) => target)];
    if (leadsTo.some((target) => nodes.find(({ name }) => name === target)?.type === 'tool_node')) return edge;
    const name = `${node.name}_tools`;
    if (names.includes(name)) {
      const path = ['nodes', names.indexOf(name), 'name'];
      const message = `${quote(name)} is the name of the tool node that ${quote(node.name)} gets.`;
      document.report('agent-duplicate', path, message, 'Rename one, or write an edge to a tool_node of your own.');
    }
    toolNodes.push({ type: 'tool_node', name, tools: node.usesLoadedSkills ? tools.map(({ id }) => id) : node.tools });
    return { ...edge, callsTo: name };
  });
  const loops = toolNodes.map(({ name }): EdgePlan => ({
    source: name,
    callsTo: null,
    branches: [],
    targets: [name.slice(0, -'_tools'.length)],
  }));
  const planned = [...all, ...loops];
  checkReach(document, shapes, names, planned);
  return { edges: planned, toolNodes };
}

function inOrder(names: readonly string[]): EdgePlan[] {
  return [startName, ...names].map((source, index) => ({ source, callsTo: null, branches: [], targets: [names[index] ?? endName] }));
}

function readEdges(
  document: AgentDocument,
  shapes: readonly EdgeShape[],
  names: readonly string[],
  compile: ExpressionCompiler,
): EdgePlan[] {
  const edges = new Map<string, EdgePlan>();
  const report = (place: ProblemPlace | DocumentPath, message: string, fix: string) => document.report('agent-graph', place, message, fix);
  // An edge may lead to the node whose name is wrong, so it is judged when the name is right.
  const areNamed = new Set(names).size === names.length && names.every(isNodeName);
  const target = (name: string, path: DocumentPath): string => {
    if (names.includes(name) || name === endName) return name;
    if (areNamed) document.report('agent-reference', path, `There is no node ${quote(name)}.`, wayOut(name, endName, names));
    return endName;
  };
  for (const [index, edge] of shapes.entries()) {
    const path = ['edges', index];
    const { source } = edge;
    if (areNamed && !names.includes(source) && source !== startName) {
      document.report('agent-reference', [...path, 'source'], `There is no node ${quote(source)}.`, wayOut(source, startName, names));
    }
    if ((edge.target === undefined) === (edge.branches === undefined)) {
      const what = edge.target === undefined ? 'The edge leads nowhere.' : 'The edge has a target and branches.';
      report(path, what, 'Give it `target`, or `branches` with their conditions.');
    }
    if (edge.default !== undefined && edge.branches === undefined) {
      report({ path: [...path, 'default'], key: true }, 'Only an edge with branches has a default.', 'Use `target`.');
    }
    const branches = (edge.branches ?? []).flatMap((branch, number) => {
      const at = [...path, 'branches', number];
      const condition = compile({
        path: [...at, 'condition'],
        source: branch.condition,
        kinds: ['bool'],
        owner: `the edge from ${quote(source)}`,
      });
      const to = target(branch.target, [...at, 'target']);
      return condition === null ? [] : [{ condition, target: to, label: branch.label }];
    });
    const targets = edge.branches === undefined ? edge.target : (edge.default ?? endName);
    const to = targets === undefined ? [] : [target(targets, [...path, edge.branches === undefined ? 'target' : 'default'])];
    const before = edges.get(source);
    if (before === undefined) {
      edges.set(source, { source, callsTo: null, branches, targets: to });
    } else if (branches.length > 0 || before.branches.length > 0) {
      report([...path, 'source'], `${quote(source)} has branches and another edge.`, 'Put all of its targets into one edge.');
    } else {
      edges.set(source, { ...before, targets: [...new Set([...before.targets, ...to])] });
    }
  }
  return [...edges.values()];
}

function wayOut(name: string, special: string, names: readonly string[]): string {
  if (name === '__start__' || name === '__end__') return `Write ${name === '__end__' ? endName : startName}.`;
  if (name === startName || name === endName) return name === startName ? 'START can only be a source.' : 'END can only be a target.';
  return didYouMean(name, [...new Set([...names, special])]);
}

function checkReach(document: AgentDocument, shapes: AgentShape['edges'], names: readonly string[], edges: readonly EdgePlan[]): void {
  // What is unreachable because of a wrong condition or name is no problem of its own.
  if (shapes === undefined || document.hasErrors) return;
  const targetsOf = (source: string): string[] =>
    edges
      .filter((edge) => edge.source === source)
      .flatMap(({ callsTo, branches, targets }) => [
        ...targets,
        ...branches.map(({ target }) => target),
        ...(callsTo === null ? [] : [callsTo]),
      ]);
  const reached = closure([startName], targetsOf);
  if (reached.size === 1) {
    document.report('agent-graph', ['edges'], 'No edge leaves START.', `Add { source: START, target: ${names[0] ?? '…'} }.`);
    return;
  }
  // Finds the nodes that can reach the end, backwards from it.
  const sources = [...new Set(edges.map(({ source }) => source))];
  const ending = closure([endName], (target) => sources.filter((source) => targetsOf(source).includes(target)));
  for (const [index, name] of names.entries()) {
    const path = ['nodes', index, 'name'];
    if (!reached.has(name)) document.report('agent-graph', path, `No edge leads to ${quote(name)}.`, 'Add one, or remove the node.');
    else if (targetsOf(name).length === 0)
      document.report('agent-graph', path, `No edge leaves ${quote(name)}.`, `Add { source: ${name}, target: END }.`);
    else if (!ending.has(name))
      document.report(
        'agent-graph',
        path,
        `No way leads from ${quote(name)} to END.`,
        'The run would only end at its recursion limit.',
        'warning',
      );
  }
}

function closure(from: readonly string[], next: (name: string) => readonly string[]): Set<string> {
  const found = new Set(from);
  const open = [...from];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const other of next(name)) {
      if (found.has(other)) continue;
      found.add(other);
      open.push(other);
    }
  }
  return found;
}

/**
 * Reports channels that two nodes write in one step: LangGraph fails at run time then, because only
 * one value can replace the old one. It follows edges without conditions. Where a condition or a
 * model decides, how many steps a way has is not known.
 */
export function checkParallelWrites(
  document: AgentDocument,
  { nodes: shapes, state = {} }: AgentShape,
  nodes: readonly NodePlan[],
  edges: readonly EdgePlan[],
): void {
  const edgeFrom = new Map(edges.map((edge) => [edge.source, edge]));
  const writes = new Map(nodes.map((node) => [node.name, 'updates' in node ? node.updates.map(({ channel }) => channel) : []]));
  const reported = new Set<string>();
  for (const { targets } of edges) {
    let step = [...new Set(targets)];
    for (let depth = 0; step.length > 1 && depth < nodes.length; depth += 1) {
      const writer = new Map<string, string>();
      for (const name of step) {
        for (const channel of writes.get(name) ?? []) {
          if (!Object.hasOwn(state, channel) || state[channel]?.reducer !== 'replace') continue;
          const other = writer.get(channel);
          writer.set(channel, name);
          const key = [channel, ...[name, other].toSorted()].join(' ');
          if (other === undefined || reported.has(key)) continue;
          reported.add(key);
          const path = ['nodes', shapes.findIndex((node) => node.name === name), 'name'];
          const fix = `Give the channel a reducer (append, sum, merge), or let the nodes write different channels.`;
          const message = `${quote(name)} and ${quote(other)} run in one step, and both write ${quote(channel)}.`;
          document.report('agent-graph', path, message, fix);
        }
      }
      step = [...new Set(step.flatMap((name) => certainTargets(edgeFrom.get(name))))];
    }
  }
}

function certainTargets(edge: EdgePlan | undefined): readonly string[] {
  return edge === undefined || edge.branches.length > 0 || edge.callsTo !== null ? [] : edge.targets;
}
