import { AsyncLocalStorage } from 'node:async_hooks'
import {
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Span,
  type SpanKind,
  type Tracer,
} from '@opentelemetry/api'

/** What every log line and every trace of a request or a job names. */
interface Ids {
  requestId?: string
  orgId?: string
  paymentId?: string
}

/** A request or a job. Without tracing it has no span, and its logs still carry the ids. */
export interface Trace {
  readonly tracer: Tracer | undefined
  readonly span: Span | undefined
  readonly ids: Ids
}

/** Attributes by allow-list: nothing else reaches a trace, however it got into the code. Routes are templates. */
const allowedAttributes = [
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'db.system.name',
  'db.operation.name',
  'error.type',
  'switchyard.provider',
  'switchyard.operation',
  'switchyard.service',
  'switchyard.handler',
  'switchyard.request_id',
  'switchyard.org_id',
  'switchyard.payment_id',
] as const

type Attributes = Partial<Record<(typeof allowedAttributes)[number], string | number>>

const current = new AsyncLocalStorage<Trace>()
const plainName = /^[A-Za-z0-9_]{1,60}$/

interface Begin {
  tracer: Tracer | undefined
  name: string
  kind: SpanKind
  ids: Ids
  attributes: Attributes
}

export function beginTrace({ tracer, name, kind, ids, attributes }: Begin): Trace {
  const span = tracer?.startSpan(name, { kind, attributes: onlyAllowed(attributes) }, ROOT_CONTEXT)
  const begun: Trace = { tracer, span, ids: {} }
  current.run(begun, () => note(ids))
  return begun
}

/** Runs the work, and all that it awaits, as part of the trace. */
export const withinTrace = <Result>(begun: Trace | undefined, work: () => Result): Result =>
  begun ? current.run(begun, work) : work()

export function endTrace(
  { span }: Trace,
  end: { name?: string; attributes?: Attributes; isError?: boolean },
): void {
  if (!span) return
  if (end.name !== undefined) span.updateName(end.name)
  span.setAttributes(onlyAllowed(end.attributes ?? {}))
  if (end.isError === true) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** Adds what has become known to the logs and the trace of the current request or job. */
export function note(ids: Ids): void {
  const store = current.getStore()
  if (!store) return
  Object.assign(store.ids, ids)
  store.span?.setAttributes(
    onlyAllowed({
      ...(ids.requestId !== undefined && { 'switchyard.request_id': ids.requestId }),
      ...(ids.orgId !== undefined && { 'switchyard.org_id': ids.orgId }),
      ...(ids.paymentId !== undefined && { 'switchyard.payment_id': ids.paymentId }),
    }),
  )
}

/** A part of the current request or job. Without tracing it costs one look-up. */
export async function inSpan<Result>(
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  const store = current.getStore()
  if (!store?.tracer || !store.span) return work()
  const options = { attributes: onlyAllowed(attributes) }
  const span = store.tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, store.span))
  try {
    return await current.run({ ...store, span }, work)
  } catch (error) {
    // Only the kind of an error: its message may quote personal data.
    span.setAttributes(onlyAllowed({ 'error.type': kindOf(error) }))
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

/** The fields that a log line gets from the request or job during which it is written. */
export function correlationFields(): Record<string, string> {
  const store = current.getStore()
  if (!store) return {}
  const traceId = store.span?.spanContext().traceId
  return { ...store.ids, ...(traceId !== undefined && { traceId }) }
}

function onlyAllowed(attributes: Attributes): Attributes {
  const kept: Attributes = {}
  for (const name of allowedAttributes) {
    const value = attributes[name]
    if (value !== undefined) kept[name] = value
  }
  return kept
}

function kindOf(error: unknown): string {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
  if (code !== undefined && plainName.test(code)) return code
  return error instanceof Error && plainName.test(error.name) ? error.name : 'unknown'
}
