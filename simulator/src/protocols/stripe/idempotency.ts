import { createHash } from 'node:crypto'
import { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import type { Kit } from '../../protocol.ts'
import { errorAnswer, SERVER_ERROR } from './errors.ts'

const MAX_KEY_CHARACTERS = 255
const HEADER = 'idempotency-key'

const storedSchema = z.object({ fingerprint: z.string(), status: z.number(), body: z.unknown() })

type Handle = (call: Call) => Answer | Promise<Answer>

/** Wraps a POST: the first status and body for a key are stored and returned again. */
export function createIdempotency(kit: Kit): (handle: Handle) => (call: Call) => Promise<Answer> {
  const stored = kit.objects('idempotency', storedSchema)
  const running = new Set<string>()
  return (handle) => async (call) => {
    const key = call.header(HEADER)
    if (key === undefined) return handle(call)
    if (key.length > MAX_KEY_CHARACTERS) return keyError(400, 'The idempotency key is too long.')
    const storeKey = JSON.stringify([call.account.name, key])
    const fingerprint = fingerprintOf(call)
    const before = stored.get(storeKey)
    if (before !== undefined) {
      if (before.fingerprint !== fingerprint) return keyError(400, differsMessage(key))
      return json(before.status, before.body, { 'idempotent-replayed': 'true' })
    }
    if (running.has(storeKey)) return inUse(key)
    running.add(storeKey)
    try {
      const answer = await handle(call)
      const storable = storableAnswer(call, answer)
      if (storable !== undefined) stored.put(storeKey, { fingerprint, ...storable })
      return answer
    } finally {
      running.delete(storeKey)
    }
  }
}

/** The reference of a payment or refund is the client's idempotency key. */
export function idempotencyKeyOf(call: Pick<Call, 'header'>): string | undefined {
  return call.header(HEADER)
}

/** A failure before execution is not stored; a 500 during execution is. */
function storableAnswer(call: Call, answer: Answer): { status: number; body: unknown } | undefined {
  const isAccepted = answer.status === 200
  const isServerError = answer.effect === 'server_error' || call.fault?.fault === 'error_500_accepted'
  if (isAccepted && isServerError) return { status: SERVER_ERROR.status, body: SERVER_ERROR.body }
  return isAccepted || answer.status === 402 ? { status: answer.status, body: answer.body } : undefined
}

/** The fingerprint is stored on disk, so it does not include the secrets of a card. */
function fingerprintOf(call: Call): string {
  const text = JSON.stringify([call.path, call.payload ?? {}], (name, value: unknown) =>
    name === 'card' ? withoutSecrets(value) : inOrder(value),
  )
  return createHash('sha256').update(text).digest('hex')
}

function withoutSecrets(card: unknown): unknown {
  const shape = z.object({ number: z.string(), exp_month: z.string(), exp_year: z.string() }).safeParse(card)
  return shape.success ? { ...shape.data, number: shape.data.number.slice(-4) } : {}
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
}

function differsMessage(key: string): string {
  return `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
}

function keyError(status: number, message: string): Answer {
  return errorAnswer(status, { type: 'idempotency_error', message })
}

function inUse(key: string): Answer {
  return errorAnswer(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this Idempotent Key: ${key}`,
  })
}
