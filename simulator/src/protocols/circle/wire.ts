import { createHash } from 'node:crypto'
import { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import type { Failure, Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import type { DeclineReason, FailureReason } from '../../sentinels.ts'

/** Circle wraps every answer in `data`; a refusal has a numeric code and a message. */
export const data = (status: number, body: unknown): Answer => json(status, { data: body })
export const refusal = (status: number, code: number, message: string): Answer =>
  json(status, { code, message })
export const notFound = (): Answer => refusal(404, 404, 'Not found.')
export const invalid = (field: string): Answer => refusal(400, 2, `Invalid entity. ${field} is invalid.`)
const conflict = (): Answer => refusal(409, 1083, 'Idempotency key already bound to other request')

export function parseRequest<Output>(
  schema: z.ZodType<Output>,
  call: Call,
): { readonly input: Output } | { readonly refusal: Answer } {
  const parsed = schema.safeParse(call.payload ?? {})
  if (parsed.success) return { input: parsed.data }
  return { refusal: invalid(parsed.error.issues[0]?.path.join('.') ?? 'body') }
}

export const keySchema = z.uuid({ version: 'v4' })
export const moneySchema = z.object({
  amount: z.string().regex(/^\d+(\.\d{1,6})?$/),
  currency: z.enum(['USD', 'EUR']),
})
export const chainSchema = z.enum(
  'ALGO ARB AVAX BASE BTC CELO ETH HBAR NEAR NOBLE OP PAH POLY SOL SUI XLM ZKS'.split(' '),
)

/** The same for every key of the account. */
export const masterWalletOf = (account: string): string =>
  `${1_000_000_000 + createHash('sha256').update(account).digest().readUInt32BE(0)}`

export const fingerprintOf = (call: Call): string =>
  createHash('sha256').update(call.path).update(call.rawBody).digest('hex')

const placeSchema = z.looseObject({ id: z.string() })
export type Place = z.infer<typeof placeSchema>
const storedSchema = z.object({ account: z.string(), fingerprint: z.string(), place: placeSchema })

/** Linked accounts, recipients or deposit addresses; each idempotency key has exactly one. */
export interface Book {
  readonly all: (account: string) => Place[]
  readonly find: (account: string, id: string) => Place | undefined
  readonly known: (
    call: Call,
    key: string,
  ) => { readonly place: Place } | { readonly refusal: Answer } | undefined
  readonly store: (call: Call, key: string, place: Place) => Place
}

export function openBook(kit: Kit, name: string): Book {
  const stored = kit.objects(name, storedSchema)
  const keyIn = ({ account }: Call, key: string) => JSON.stringify([account.name, key])
  const all = (account: string) =>
    [...stored.values()].filter((one) => one.account === account).map(({ place }) => place)
  return {
    all,
    find: (account, id) => all(account).find((place) => place.id === id),
    known: (call, key) => {
      const found = stored.get(keyIn(call, key))
      return found && (found.fingerprint === fingerprintOf(call) ? found : { refusal: conflict() })
    },
    store: (call, key, place) => {
      stored.put(keyIn(call, key), { account: call.account.name, fingerprint: fingerprintOf(call), place })
      return place
    },
  }
}

const detailsSchema = z.object({
  fingerprint: z.string(),
  /** The currency on the wire, where USDC is USD. */
  currency: z.string(),
  source: z.record(z.string(), z.string()),
  destination: z.record(z.string(), z.string()),
  trackingRef: z.string().optional(),
})
export type Details = z.infer<typeof detailsSchema>
const detailsOf = ({ details }: Transaction): Details => detailsSchema.parse(details)

export const repeated = (call: Call, existing: Transaction, answer: () => Answer): Answer =>
  detailsOf(existing).fingerprint === fingerprintOf(call) ? answer() : conflict()

/** The wallet that all deposits and payouts use. */
export const WALLET = { type: 'wallet', id: '1000038499' } as const

export const declineOf = (reason: DeclineReason): Answer | undefined =>
  reason === 'temporarily_unavailable' ? refusal(403, 3, 'Forbidden') : undefined

const FIAT_CODES: Readonly<Record<FailureReason, string>> = {
  temporarily_unavailable: 'vendor_inactive',
  insufficient_funds: 'insufficient_funds',
  declined: 'transaction_denied',
  not_approved: 'transaction_failed',
  reversed: 'transaction_returned',
}
const CHAIN_CODES: Readonly<Record<FailureReason, string>> = {
  ...FIAT_CODES,
  temporarily_unavailable: 'transfer_failed',
  declined: 'transfer_denied',
  not_approved: 'transfer_failed',
  reversed: 'transfer_failed',
}
export const failureBy =
  (method: string) =>
  (reason: FailureReason): Failure => {
    const code = (method === 'crypto' ? CHAIN_CODES : FIAT_CODES)[reason]
    return { code, message: code }
  }

const STATUSES: Readonly<Record<Transaction['state'], string>> = {
  action_required: 'pending',
  pending: 'pending',
  completed: 'complete',
  failed: 'failed',
  canceled: 'failed',
  reversed: 'complete',
}

/** A deposit, a payout or a transfer. Only a payout can have a return. */
export function present(transaction: Transaction): Record<string, unknown> {
  const { source, destination, currency, trackingRef } = detailsOf(transaction)
  const { providerRef, amount, state, failure, createdAt, updatedAt, method, operation } = transaction
  const isBack = state === 'reversed' && method === 'bank_transfer' && operation !== 'collect'
  return {
    id: providerRef,
    source,
    destination,
    amount: { amount, currency },
    status: STATUSES[state],
    ...(trackingRef !== undefined && { trackingRef }),
    ...(state === 'failed' && operation !== 'collect' && { errorCode: failure?.code }),
    ...(isBack && { return: { payoutId: providerRef, reason: failure?.code, status: 'complete' } }),
    createDate: operation === 'collect' ? updatedAt : createdAt,
    updateDate: updatedAt,
  }
}
