import type { AgentDocument } from '../document/agent-document.ts';
import { quote } from '../document/quote.ts';
import type { AgentShape } from '../shape/agent-shape.ts';
import type { EdgePlan, NodePlan } from './agent-plan.ts';

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
