import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterEach, describe, expect, it } from 'vitest';
import { createSkillset, emptySkillState } from '@repertoire/skills-core';

const skillset = createSkillset({ skills: [{ name: 'billing', description: 'Money.', body: 'Secret body.', version: '1.0.0' }] });

afterEach(() => {
  trace.disable();
  context.disable();
});

describe('spans', () => {
  it('DIS-15: with the OpenTelemetry API present, each tool call is a span by the GenAI conventions, below the caller’s own', async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
    trace.setGlobalTracerProvider(provider);
    context.setGlobalContextManager(new AsyncLocalStorageContextManager());
    const [load] = (await skillset.open()).tools;
    const parent = trace.getTracer('app').startSpan('request');
    await context.with(trace.setSpan(context.active(), parent), async () => {
      await load?.execute({ name: 'billing', arguments: 'private words' }, { state: emptySkillState });
      await load?.execute({ name: 'nobody' }, { state: emptySkillState });
    });
    parent.end();
    const [loaded, refused] = exporter.getFinishedSpans();
    expect(loaded?.name).toBe('execute_tool load_skill');
    expect(loaded?.parentSpanContext?.spanId).toBe(parent.spanContext().spanId);
    expect(loaded?.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'load_skill',
      'gen_ai.tool.type': 'function',
      'skill.name': 'billing',
      'skill.version': '1.0.0',
      'skill.source': 'code',
      'skill.trusted': true,
    });
    expect(refused?.status).toEqual({ code: 2, message: 'skill-not-found' });
    expect(refused?.attributes['error.type']).toBe('skill-not-found');
  });

  it('DIS-15: telemetry that is broken breaks nothing', async () => {
    const broken = () => {
      throw new Error('telemetry');
    };
    trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan: broken, startActiveSpan: broken }) });
    const [load] = (await skillset.open()).tools;
    expect((await load?.execute({ name: 'billing' }, { state: emptySkillState }))?.text).toContain('Secret body.');
  });
});
