import { pino, type Bindings, type ChildLoggerOptions, type LogFn, type Logger } from 'pino'
import { correlationFields } from './flow/correlation.ts'

export type Log = Logger

/** Redaction by allow-list: a field that is not named here never reaches a log line. */
const allowedFields = new Set([
  'address',
  'apiKeyId',
  'attempt',
  'code',
  'count',
  'dependency',
  'durationMs',
  'err',
  'handler',
  'invocationId',
  'ip',
  'method',
  'notificationId',
  'orgId',
  'outboxId',
  'outcome',
  'paymentId',
  'port',
  'process',
  'provider',
  'requestId',
  'route',
  'service',
  'signal',
  'status',
  'traceId',
  'userId',
])

type ChildOf = (this: Log, bindings: Bindings, options?: ChildLoggerOptions) => Log

export function createLog(level: string, destination?: NodeJS.WritableStream): Log {
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: (_fields, _level, logger) => withoutBound(correlationFields(), logger),
      formatters: { level: (label) => ({ level: label }), log: onlyAllowed },
      hooks: {
        logMethod(args, method) {
          method.apply(this, withOwnMessage(args))
        },
      },
    },
    destination ?? pino.destination({ sync: false }),
  )
  // pino does not pass the bindings of a child through the formatter; children inherit this function.
  // oxlint-disable-next-line typescript/unbound-method -- it is called below with the logger it belongs to
  const { child }: { child: ChildOf } = log
  const narrowed: ChildOf = function (bindings, options) {
    return child.call(this, onlyAllowed(bindings), options)
  }
  return Object.assign(log, { child: narrowed })
}

/** The logger of a request is bound to its id, which would otherwise stand in the line twice. */
function withoutBound(fields: Record<string, string>, logger: Log): Record<string, string> {
  if (fields['requestId'] === undefined || !('requestId' in logger.bindings())) return fields
  const { requestId: _bound, ...others } = fields
  return others
}

const messageOfErrors = 'error'

/** pino uses the message of the error when the caller passes none, and Fastify passes it as the log message. */
function withOwnMessage(args: Parameters<LogFn>): Parameters<LogFn> {
  const [fields, message, ...more]: unknown[] = args
  const error = fields instanceof Error ? fields : errorIn(fields)
  if (!error || (message !== undefined && message !== error.message)) return args
  return [fields, messageOfErrors, ...more] as Parameters<LogFn> // the same arguments but for the message
}

const errorIn = (fields: unknown): Error | undefined =>
  typeof fields === 'object' && fields !== null && 'err' in fields && fields.err instanceof Error
    ? fields.err
    : undefined

function onlyAllowed(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'err') kept['err'] = describeError(value)
    else if (allowedFields.has(name)) kept[name] = isPlainValue(value) ? value : '[object]'
  }
  return kept
}

const isPlainValue = (value: unknown): boolean =>
  value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value)

const framePattern = /^    at .*(?::\d+:\d+|<anonymous>|native)\)?$/

/**
 * Logs the kind and origin of a foreign error but never its message, because a database or provider may quote
 * personal data in it. Stack frames name code only.
 */
function describeError(value: unknown): Record<string, unknown> {
  if (!(value instanceof Error)) return { type: typeof value }
  const code = 'code' in value && typeof value.code === 'string' ? value.code : undefined
  // The stack starts with the message, whose lines must not be taken for frames.
  const frames = value.stack
    ?.replace(value.message, () => '')
    .split('\n')
    .filter((line) => framePattern.test(line))
    .slice(0, 8)
    .map((line) => line.trim())
  return {
    type: value.name,
    ...(code !== undefined && { code }),
    frames,
    ...(value.cause instanceof Error && { cause: describeError(value.cause) }),
  }
}
