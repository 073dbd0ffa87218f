// Anything added here is public API.
export { workflowGraph, type WorkflowGraph, type WorkflowGraphOptions, type WorkflowGraphState } from './engines/langgraph.ts';
