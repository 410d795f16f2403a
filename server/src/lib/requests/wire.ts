import { z } from 'zod'
import { codes } from '../error-codes.ts'
import { isRawNumber, type RawNumber } from '../text/json.ts'
import { hasLinkOrMarkup } from '../text/plain-text.ts'

/** The parts that every domain's wire schemas share. */
/** The id that messages and the reference show; no resource has it. */
export const exampleId = '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f'
// Ids are in lower case, as Postgres writes them, because they are compared as text.
export const uuid = z.uuid().toLowerCase().meta({ example: exampleId })
export const dateTime = z.iso.datetime().meta({ example: '2026-03-01T09:30:00.000Z' })
// An OpenID Connect subject has at most 255 ASCII characters, so a cursor that contains one has a bounded length.
export const userId = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x20-\x7e]+$/, 'must be ASCII, as subjects of an identity provider are')
export const countryCode = z
  .string()
  .regex(/^[A-Z]{2}$/, 'must be an ISO 3166 alpha-2 country code in capitals, such as NG')
  .meta({ example: 'NG' })
export const shortText = z.string().trim().min(1).max(200)
/** A name that our mails contain. */
export const plainName = shortText.refine(
  (name) => !hasLinkOrMarkup(name),
  'must not contain a link or markup',
)

/** A decimal in a response: a JSON number with a fractional part and exactly the digits that we store. */
export const wireDecimal = z
  .custom<RawNumber>(isRawNumber, 'must be a raw number')
  .meta({ type: 'number', format: 'double', example: 1500.25 })

export const success = <Data extends z.ZodType>(data: Data) =>
  z.object({ status: z.literal('success'), message: z.string(), data })

export const ok = <Data>(
  message: string,
  data: Data,
): { status: 'success'; message: string; data: Data } => ({
  status: 'success',
  message,
  data,
})

const detail = z.object({ path: z.string(), message: z.string() })

/** In an error about a payment that exists, or may exist: its id, and the provider's last definite refusal. */
const paymentFields = {
  payment_id: uuid.optional(),
  failure: z.object({ code: z.string(), message: z.string() }).optional(),
}

const code = z.enum(codes)

export const standardError = z
  .object({
    status: z.literal('error'),
    message: z.string(),
    code,
    details: z.array(detail).optional(),
    ...paymentFields,
    request_id: z.string().optional(),
  })
  .meta({ id: 'Error' })

export const initiationError = z
  .object({
    error: z.string(),
    message: z.string(),
    code,
    details: z.array(detail).optional(),
    ...paymentFields,
    request_id: z.string().optional(),
  })
  .meta({ id: 'InitiationError' })

type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503
type ErrorSchemas<Status extends ErrorStatus> = Record<
  Status | 400 | 401 | 403 | 413 | 415 | 429 | 500 | 503,
  typeof standardError
>

const everywhere = [400, 401, 403, 413, 415, 429, 500, 503] as const

/** The error responses of a route: the given statuses and those of every route. */
export const errors = <Status extends ErrorStatus>(...statuses: Status[]): ErrorSchemas<Status> =>
  Object.fromEntries(
    [...everywhere, ...statuses].map((status) => [status, standardError]),
  ) as ErrorSchemas<Status> // keys are exactly those listed
