import type { Tracer } from '@opentelemetry/api'
import { readVersion } from '../domains/office/platform/read-version.ts'
import type { Config } from './config.ts'

export interface Tracing {
  tracer: Tracer
  flush(): Promise<void>
  /** Sends what is left. */
  stop(): Promise<void>
}

/** The SDK is loaded only where traces are wanted. It instruments nothing by itself: every span is one of ours. */
export async function startTracing(
  config: Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'TRACE_SAMPLE_RATIO'>,
  processName: 'api' | 'worker',
): Promise<Tracing | undefined> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined) return undefined
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': `switchyard-${processName}`,
      'service.version': readVersion(),
    }),
    sampler: new sdk.TraceIdRatioBasedSampler(config.TRACE_SAMPLE_RATIO),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  return {
    tracer: provider.getTracer('switchyard'),
    flush: () => provider.forceFlush(),
    stop: () => provider.shutdown(),
  }
}
