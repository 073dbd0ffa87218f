// Anything added here is public API.
export { langGraphEngine, type LangGraphEngineOptions } from './langgraph/langgraph-engine.ts';
export { workflowGraph, type WorkflowGraph, type WorkflowGraphOptions } from './langgraph/workflow-graph.ts';
