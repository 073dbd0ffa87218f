// Anything added here is public API.
export {
  workflowGraph,
  type WorkflowGraph,
  type WorkflowGraphInvocation,
  type WorkflowGraphOptions,
  type WorkflowGraphState,
} from './langgraph/workflow-graph.ts';
