/**
 * A test double of a Temporal server, in memory, for one namespace: it starts workflows, hands out workflow tasks and activities, tries activities again, cancels them,
 * has timers, and keeps histories. It is not a Temporal server: no signals, queries, updates, children, schedules, timeouts or sticky queues. Client and worker are the real ones.
 */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { promisify } from 'node:util';
import grpc from '@grpc/grpc-js';
import proto from '@temporalio/proto';

const { workflowservice, enums, history } = proto.temporal.api;
const service = workflowservice.v1;
const Events = enums.v1.EventType;
const Commands = enums.v1.CommandType;

export class TemporalDouble {
  #runs = new Map();
  #workflowTasks = [];
  #activityTasks = [];
  /** Tasks that a worker has, by their token. */
  #held = new Map();
  #changed = new EventEmitter().setMaxListeners(0);
  #server = new grpc.Server();
  #closed = false;

  /** @returns the address */
  async start() {
    const definition = {};
    const methods = {};
    for (const [method, handle] of Object.entries(this.#handlers())) {
      const [Request, Response] = [service[`${method}Request`], service[`${method}Response`]];
      definition[method] = {
        path: `/temporal.api.workflowservice.v1.WorkflowService/${method}`,
        requestStream: false,
        responseStream: false,
        requestSerialize: (message) => Buffer.from(Request.encode(message).finish()),
        requestDeserialize: (bytes) => Request.decode(bytes),
        responseSerialize: (message) => Buffer.from(Response.encode(message).finish()),
        responseDeserialize: (bytes) => Response.decode(bytes),
      };
      methods[method] = async (call, answer) => {
        try {
          answer(null, await Promise.resolve(handle(call.request, call)));
        } catch (error) {
          answer({ code: error.code ?? grpc.status.INTERNAL, message: error.message });
        }
      };
    }
    this.#server.addService(definition, methods);
    const bind = promisify(this.#server.bindAsync).bind(this.#server);
    const port = await bind('127.0.0.1:0', grpc.ServerCredentials.createInsecure());
    return `127.0.0.1:${port}`;
  }

  stop() {
    this.#closed = true;
    this.#changed.emit('change');
    this.#server.forceShutdown();
  }

  /** What a server does after its time limits: it hands out again what the dead worker had. */
  workerDied() {
    for (const task of this.#held.values()) {
      if (task.activity === undefined) {
        this.#record(task.run, Events.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT, {
          workflowTaskTimedOutEventAttributes: { scheduledEventId: task.scheduledId, startedEventId: task.startedId, timeoutType: 1 },
        });
        task.run.busy = false;
        this.#scheduleWorkflowTask(task.run);
      } else this.#activityTasks.push({ ...task, attempt: task.attempt + 1 });
    }
    this.#held.clear();
    this.#changed.emit('change');
  }

  #handlers() {
    return {
      GetSystemInfo: () => ({
        serverVersion: '1.29.0',
        capabilities: { internalErrorDifferentiation: true, encodedFailureAttributes: true, sdkMetadata: true },
      }),
      DescribeNamespace: ({ namespace }) => ({
        namespaceInfo: { name: namespace, id: 'namespace', state: 1, capabilities: {} },
        config: {},
        replicationConfig: {},
      }),
      RecordWorkerHeartbeat: () => ({}),
      ShutdownWorker: () => ({}),
      RecordActivityTaskHeartbeat: ({ taskToken }) => ({
        cancelRequested: this.#held.get(Buffer.from(taskToken).toString())?.isCanceled === true,
      }),
      StartWorkflowExecution: (request) => this.#startWorkflow(request),
      PollWorkflowTaskQueue: (_request, call) => this.#pollWorkflowTask(call),
      RespondWorkflowTaskCompleted: (request) => this.#workflowTaskCompleted(request),
      RespondWorkflowTaskFailed: ({ taskToken, failure }) => {
        const { run } = this.#take(taskToken);
        // A real server tries again for ever. A test wants to know.
        this.#close(run, Events.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED, {
          workflowExecutionFailedEventAttributes: { failure, retryState: 1 },
        });
        return {};
      },
      PollActivityTaskQueue: (_request, call) => this.#pollActivity(call),
      RespondActivityTaskCompleted: ({ taskToken, result }) => {
        const { task, startedId } = this.#endActivity(taskToken);
        this.#record(task.run, Events.EVENT_TYPE_ACTIVITY_TASK_COMPLETED, {
          activityTaskCompletedEventAttributes: { scheduledEventId: task.scheduledId, startedEventId: startedId, result },
        });
        this.#scheduleWorkflowTask(task.run);
        return {};
      },
      RespondActivityTaskCanceled: ({ taskToken, details }) => {
        const { task, startedId } = this.#endActivity(taskToken);
        this.#activityCanceled(task, { startedEventId: startedId, details });
        return {};
      },
      RespondActivityTaskFailed: ({ taskToken, failure }) => this.#activityFailed(taskToken, failure),
      GetWorkflowExecutionHistory: (request, call) => this.#history(request, call),
    };
  }

  #startWorkflow({ workflowId, workflowType, taskQueue, input }) {
    const run = {
      workflowId,
      runId: randomUUID(),
      workflowType,
      queue: { name: taskQueue.name, kind: 1 },
      events: [],
      late: [],
      timers: new Map(),
      busy: false,
      dirty: false,
      waiting: false,
      lastStarted: 0,
      closed: false,
    };
    this.#runs.set(workflowId, run);
    this.#record(run, Events.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED, {
      workflowExecutionStartedEventAttributes: {
        workflowType,
        taskQueue: run.queue,
        input,
        workflowId,
        originalExecutionRunId: run.runId,
        firstExecutionRunId: run.runId,
        attempt: 1,
        workflowTaskTimeout: { seconds: 10 },
      },
    });
    this.#scheduleWorkflowTask(run);
    return { runId: run.runId, started: true };
  }

  #scheduleWorkflowTask(run) {
    if (run.closed || run.waiting) return;
    if (run.busy) {
      run.dirty = true;
      return;
    }
    const scheduledId = this.#record(run, Events.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED, {
      workflowTaskScheduledEventAttributes: { taskQueue: run.queue, startToCloseTimeout: { seconds: 10 }, attempt: 1 },
    });
    run.waiting = true;
    this.#workflowTasks.push({ run, scheduledId });
    this.#changed.emit('change');
  }

  async #pollWorkflowTask(call) {
    const task = await this.#next(this.#workflowTasks, call);
    if (task === undefined) return {};
    const { run, scheduledId } = task;
    const now = { seconds: Math.floor(Date.now() / 1000) };
    Object.assign(run, { waiting: false, busy: true });
    const startedId = this.#record(run, Events.EVENT_TYPE_WORKFLOW_TASK_STARTED, {
      workflowTaskStartedEventAttributes: { scheduledEventId: scheduledId, requestId: randomUUID() },
    });
    return {
      taskToken: this.#hold({ run, scheduledId, startedId }),
      workflowExecution: { workflowId: run.workflowId, runId: run.runId },
      workflowType: run.workflowType,
      previousStartedEventId: run.lastStarted,
      startedEventId: startedId,
      attempt: 1,
      scheduledTime: now,
      startedTime: now,
      history: { events: [...run.events] },
      workflowExecutionTaskQueue: run.queue,
    };
  }

  #workflowTaskCompleted({ taskToken, commands, sdkMetadata }) {
    const { run, scheduledId, startedId } = this.#take(taskToken);
    const workflowTaskCompletedEventId = this.#record(
      run,
      Events.EVENT_TYPE_WORKFLOW_TASK_COMPLETED,
      {
        workflowTaskCompletedEventAttributes: { scheduledEventId: scheduledId, startedEventId: startedId, sdkMetadata },
      },
      true,
    );
    Object.assign(run, { busy: false, lastStarted: startedId });
    for (const command of commands) this.#command(run, command, workflowTaskCompletedEventId);
    // What came in meanwhile stands behind what the task did.
    for (const event of run.late.splice(0)) this.#append(run, event);
    if (run.dirty) {
      run.dirty = false;
      this.#scheduleWorkflowTask(run);
    }
    return {};
  }

  #command(run, command, workflowTaskCompletedEventId) {
    const {
      scheduleActivityTaskCommandAttributes: activity,
      completeWorkflowExecutionCommandAttributes: completed,
      failWorkflowExecutionCommandAttributes: failed,
      startTimerCommandAttributes: timer,
      cancelTimerCommandAttributes: canceled,
      requestCancelActivityTaskCommandAttributes: unwanted,
    } = command;
    if (command.commandType === Commands.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK) {
      const scheduledId = this.#record(run, Events.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED, {
        activityTaskScheduledEventAttributes: { ...activity, workflowTaskCompletedEventId },
      });
      this.#activityTasks.push({ run, scheduledId, activity, attempt: 1 });
      this.#changed.emit('change');
    } else if (command.commandType === Commands.COMMAND_TYPE_REQUEST_CANCEL_ACTIVITY_TASK) {
      const scheduledId = Number(unwanted.scheduledEventId);
      this.#record(run, Events.EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED, {
        activityTaskCancelRequestedEventAttributes: { scheduledEventId: scheduledId, workflowTaskCompletedEventId },
      });
      const isWanted = (task) => task.run === run && task.scheduledId === scheduledId;
      const waiting = this.#activityTasks.findIndex(isWanted);
      if (waiting !== -1) {
        const [task] = this.#activityTasks.splice(waiting, 1);
        // Behind the other commands of this workflow task.
        queueMicrotask(() => this.#activityCanceled(task));
      }
      // Its worker learns of it with the next heartbeat.
      for (const task of this.#held.values()) if (isWanted(task)) task.isCanceled = true;
    } else if (command.commandType === Commands.COMMAND_TYPE_START_TIMER) {
      const startedEventId = this.#record(run, Events.EVENT_TYPE_TIMER_STARTED, {
        timerStartedEventAttributes: { ...timer, workflowTaskCompletedEventId },
      });
      this.#startTimer(run, timer, startedEventId);
    } else if (command.commandType === Commands.COMMAND_TYPE_CANCEL_TIMER) {
      const { timerId } = canceled;
      const { handle, startedEventId } = run.timers.get(timerId);
      clearTimeout(handle);
      // One that fired meanwhile, which the workflow does not know, has not.
      run.late = run.late.filter(({ timerFiredEventAttributes: fired }) => fired?.timerId !== timerId);
      this.#record(run, Events.EVENT_TYPE_TIMER_CANCELED, {
        timerCanceledEventAttributes: { timerId, startedEventId, workflowTaskCompletedEventId },
      });
    } else if (command.commandType === Commands.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION) {
      this.#close(run, Events.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED, {
        workflowExecutionCompletedEventAttributes: { ...completed, workflowTaskCompletedEventId },
      });
    } else if (command.commandType === Commands.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION) {
      this.#close(run, Events.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED, {
        workflowExecutionFailedEventAttributes: { ...failed, workflowTaskCompletedEventId, retryState: 1 },
      });
    } else throw new Error(`The double knows no command ${command.commandType}.`);
  }

  #startTimer(run, { timerId, startToFireTimeout: { seconds, nanos } }, startedEventId) {
    const fire = () => {
      if (run.closed) return;
      this.#record(run, Events.EVENT_TYPE_TIMER_FIRED, { timerFiredEventAttributes: { timerId, startedEventId } });
      this.#scheduleWorkflowTask(run);
    };
    const handle = setTimeout(fire, Number(seconds ?? 0) * 1_000 + (nanos ?? 0) / 1e6).unref();
    run.timers.set(timerId, { handle, startedEventId });
  }

  async #pollActivity(call) {
    const task = await this.#next(this.#activityTasks, call);
    if (task === undefined) return {};
    const { run, activity, attempt } = task;
    const none = { seconds: 0 };
    const now = { seconds: Math.floor(Date.now() / 1000) };
    return {
      taskToken: this.#hold(task),
      workflowNamespace: 'default',
      workflowType: run.workflowType,
      workflowExecution: { workflowId: run.workflowId, runId: run.runId },
      activityType: activity.activityType,
      activityId: activity.activityId,
      input: activity.input,
      attempt,
      scheduledTime: now,
      currentAttemptScheduledTime: now,
      startedTime: now,
      startToCloseTimeout: activity.startToCloseTimeout,
      // Zero: the worker does not take nothing for nothing.
      scheduleToCloseTimeout: activity.scheduleToCloseTimeout ?? none,
      heartbeatTimeout: activity.heartbeatTimeout ?? none,
      retryPolicy: activity.retryPolicy,
    };
  }

  #activityFailed(taskToken, failure) {
    const key = Buffer.from(taskToken).toString();
    const held = this.#held.get(key);
    const most = held?.activity.retryPolicy?.maximumAttempts ?? 0;
    const isFinal = failure.applicationFailureInfo?.nonRetryable === true || held?.isCanceled === true;
    if (held !== undefined && !isFinal && (most === 0 || held.attempt < most)) {
      this.#held.delete(key);
      this.#activityTasks.push({ ...held, attempt: held.attempt + 1 });
      this.#changed.emit('change');
      return {};
    }
    const { task, startedId } = this.#endActivity(taskToken);
    this.#record(task.run, Events.EVENT_TYPE_ACTIVITY_TASK_FAILED, {
      activityTaskFailedEventAttributes: { scheduledEventId: task.scheduledId, startedEventId: startedId, failure, retryState: 5 },
    });
    this.#scheduleWorkflowTask(task.run);
    return {};
  }

  #activityCanceled({ run, scheduledId }, attributes = {}) {
    if (run.closed) return;
    this.#record(run, Events.EVENT_TYPE_ACTIVITY_TASK_CANCELED, {
      activityTaskCanceledEventAttributes: { scheduledEventId: scheduledId, ...attributes },
    });
    this.#scheduleWorkflowTask(run);
  }

  #endActivity(taskToken) {
    const task = this.#take(taskToken);
    const startedId = this.#record(task.run, Events.EVENT_TYPE_ACTIVITY_TASK_STARTED, {
      activityTaskStartedEventAttributes: { scheduledEventId: task.scheduledId, requestId: randomUUID(), attempt: task.attempt },
    });
    return { task, startedId };
  }

  async #history({ execution, waitNewEvent, historyEventFilterType }, call) {
    const run = this.#runs.get(execution.workflowId);
    if (run === undefined) throw Object.assign(new Error('There is no such workflow.'), { code: grpc.status.NOT_FOUND });
    while (waitNewEvent && !run.closed && !this.#closed && !call.cancelled) await once(this.#changed, 'change');
    const onlyTheEnd = historyEventFilterType === enums.v1.HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT;
    return { history: { events: onlyTheEnd ? run.events.slice(-1) : run.events } };
  }

  /** Waits for a task; claims it before anybody else wakes. */
  async #next(tasks, call) {
    call.on('cancelled', () => this.#changed.emit('change'));
    for (;;) {
      if (this.#closed || call.cancelled) return undefined;
      const task = tasks.shift();
      if (task !== undefined) return task;
      await once(this.#changed, 'change');
    }
  }

  #hold(task) {
    const token = randomUUID();
    this.#held.set(token, task);
    return Buffer.from(token);
  }

  #take(taskToken) {
    const token = Buffer.from(taskToken).toString();
    const task = this.#held.get(token);
    if (task === undefined) throw Object.assign(new Error('Nobody has this task.'), { code: grpc.status.NOT_FOUND });
    this.#held.delete(token);
    return task;
  }

  /** Ends a run. Its history stays as it is, though activities may end later: a client takes the last event for the end. */
  #close(run, eventType, attributes) {
    this.#record(run, eventType, attributes, true);
    run.closed = true;
  }

  /** While a workflow task runs, other events wait: a history has them behind it. Their ids are only known then, so the ids of started events are mended. */
  #record(run, eventType, attributes, own = false) {
    const event = { eventType, ...attributes };
    const isOfTask = [Events.EVENT_TYPE_WORKFLOW_TASK_STARTED, Events.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT].includes(eventType);
    if (run.busy && !own && !isOfTask) {
      run.late.push(event);
      return event;
    }
    return this.#append(run, event);
  }

  #append(run, event) {
    if (run.closed) return 0;
    const eventId = run.events.length + 1;
    event.eventId = eventId;
    for (const attributes of Object.values(event)) {
      // The event before it was late as well: it has its id by now.
      if (typeof attributes?.startedEventId === 'object') attributes.startedEventId = attributes.startedEventId.eventId;
    }
    const eventTime = { seconds: Math.floor(Date.now() / 1000) };
    run.events.push(history.v1.HistoryEvent.create({ ...event, taskId: eventId, eventTime }));
    this.#changed.emit('change');
    return eventId;
  }
}
