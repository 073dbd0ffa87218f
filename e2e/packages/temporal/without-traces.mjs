/** Runs before the sandbox is frozen. Temporal keeps where each promise was made, for a query that nobody asks here, which takes longer than the workflows. */
Error.stackTraceLimit = 0;
