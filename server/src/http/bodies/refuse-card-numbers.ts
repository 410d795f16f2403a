import type { FastifyRequest } from 'fastify'
import { cardNumberNotAllowed, hasCardNumber } from '../../lib/instruments/card-number.ts'
import { AppError } from '../../lib/errors.ts'
import { InexactNumber } from '../../lib/text/json.ts'
import type { App } from '../app.ts'

/** The headers whose values are stored or logged. */
const storedHeaders = ['Idempotency-Key', 'X-Request-Id', 'User-Agent'] as const
/** Numbers below have fewer digits than any card number. */
const smallestNumber = 1e10

/**
 * Refuses requests with a card number anywhere but in the fields that the route declares as `cardFields`. It runs before
 * validation and before an Idempotency-Key is claimed, so nothing of the request has been stored or repeated in an error.
 */
export function registerCardNumberRefusal(app: App): void {
  app.addHook('preValidation', async (request) => {
    // Providers' webhooks arrive as bytes and cannot be refused: what is stored of them is redacted.
    if (Buffer.isBuffer(request.body)) return
    const { cardFields = [] } = request.routeOptions.config
    const place =
      placeInHeaders(request) ??
      placeIn(request.params, '', []) ??
      placeIn(request.query, '', []) ??
      placeIn(request.body, '', cardFields)
    if (place !== undefined) throw refusal(place)
  })
}

function placeInHeaders({ headers }: FastifyRequest): string | undefined {
  const name = storedHeaders.find((header) => {
    const value = headers[header.toLowerCase()]
    return typeof value === 'string' && hasCardNumber(value)
  })
  return name && `the header ${name}`
}

/** The path of the first card number. Keys are checked before their values, so that no path repeats one. */
function placeIn(value: unknown, path: string, cardFields: readonly string[]): string | undefined {
  if (typeof value === 'string')
    return hasCardNumber(value) && !cardFields.includes(path) ? path || 'the body' : undefined
  if (typeof value === 'number')
    return Math.abs(value) >= smallestNumber && hasCardNumber(String(value)) ? path : undefined
  if (value instanceof InexactNumber) return hasCardNumber(value.source) ? path : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (hasCardNumber(key)) return `a key of ${path || 'the body'}`
    const place = placeIn(inner, path === '' ? key : `${path}.${key}`, cardFields)
    if (place !== undefined) return place
  }
  return undefined
}

const refusal = (place: string): AppError =>
  new AppError(
    cardNumberNotAllowed,
    400,
    `${place} looks like a card number. Nothing was stored. Send a card number in card_details.card_number only; if this is another number, put a letter between its digits.`,
    { details: [{ path: place, message: `${place} looks like a card number.` }] },
  )
