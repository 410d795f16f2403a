import { pino, type Logger } from 'pino'

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
  'userId',
])

export const createLog = (level: string, destination?: NodeJS.WritableStream): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: onlyAllowed },
    },
    destination ?? pino.destination({ sync: false }),
  )

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

/**
 * Where and what kind, never the message of a foreign error: a database or provider may quote the data
 * it choked on. The frames name code only.
 */
function describeError(value: unknown): Record<string, unknown> {
  if (!(value instanceof Error)) return { type: typeof value }
  const code = 'code' in value && typeof value.code === 'string' ? value.code : undefined
  const frames = value.stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 8)
    .map((line) => line.trim())
  return {
    type: value.name,
    ...(code !== undefined && { code }),
    frames,
    ...(value.cause instanceof Error && { cause: describeError(value.cause) }),
  }
}
