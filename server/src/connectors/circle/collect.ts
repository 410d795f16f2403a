import type {
  AcceptedOutcome,
  Attempt,
  CollectDetails,
  Inquiry,
  NextAction,
  Outcome,
} from '../kit/connector.ts'
import { failureOf } from '../kit/failures.ts'
import { declined } from '../kit/reasons.ts'
import { readData } from '../kit/replies.ts'
import { addressSchema, instructionsSchema, movementSchema, wireSchema } from './answers.ts'
import { linkRequest } from './bank-accounts.ts'
import { paths, readAll, type CircleClient } from './client.ts'
import type { CircleCredentials } from './credentials.ts'
import { arrivalsOf, circleCurrency, inquiryOf, isFromChain, nameOf, outcomeOf, placeOf } from './mapping.ts'

export interface Parts {
  client: CircleClient
  credentials: CircleCredentials
}

/** Links an account for this payment alone, so that its deposits belong to this payment. */
export async function collectWire(parts: Parts, attempt: Attempt, details: CollectDetails): Promise<Outcome> {
  const { client, credentials } = parts
  const { payer, payerAccount } = details
  const request = linkRequest(credentials, payer.name, payerAccount, attempt.country)
  if (!request) return declined('ACCOUNT_INVALID', 'final')
  const reply = await client(paths.wires, { idempotencyKey: attempt.reference, ...request })
  const outcome = outcomeOf(reply, openedOf)
  if (outcome.kind !== 'accepted') return outcome
  const search = `instructions?currency=${attempt.amount.currency}`
  const instructions = readData(
    await client(`${paths.wires}/${outcome.providerRef}/${search}`),
    instructionsSchema,
  )
  const expiresAtMs = attempt.createdAt.getTime() + credentials.wireLifetimeMs
  // Repeating the call returns the same account.
  return instructions
    ? { ...outcome, nextAction: nextActionOf(instructions, new Date(expiresAtMs)) }
    : { kind: 'unknown', reason: 'the instructions are not available yet' }
}

function openedOf(data: unknown): AcceptedOutcome | undefined {
  const wire = wireSchema.safeParse(data).data
  if (!wire) return undefined
  const failed = { state: 'failed', failure: failureOf('ACCOUNT_INVALID') } as const
  const state = wire.status === 'failed' ? failed : ({ state: 'pending' } as const)
  return { kind: 'accepted', providerRef: wire.id, providerStatus: wire.status, state }
}

function nextActionOf(
  instructions: ReturnType<typeof instructionsSchema.parse>,
  expiresAt: Date,
): NextAction {
  const { name, accountNumber, routingNumber, swiftCode } = instructions.beneficiaryBank
  const bankCode = routingNumber ?? swiftCode
  return {
    type: 'bank_transfer',
    instructions: {
      account_number: accountNumber,
      ...(instructions.beneficiary?.name && { account_name: instructions.beneficiary.name }),
      ...(name && { bank_name: name }),
      ...(bankCode && { bank_code: bankCode }),
      reference: instructions.trackingRef,
      expires_at: expiresAt.toISOString(),
    },
  }
}

/** Creates an address for this payment alone. */
export async function collectCrypto(parts: Parts, attempt: Attempt, to: CollectDetails): Promise<Outcome> {
  const network = to.cryptoNetwork ?? ''
  const chain = parts.credentials.networks[attempt.amount.currency]?.[network]
  if (chain === undefined) return declined('NETWORK_NOT_SUPPORTED')
  const currency = circleCurrency(attempt.amount.currency)
  const reply = await parts.client(paths.depositAddresses, {
    idempotencyKey: attempt.reference,
    currency,
    chain,
  })
  return outcomeOf(reply, (data) => {
    const { address, addressTag: memo } = addressSchema.safeParse(data).data ?? {}
    const opened = address && arrivalsOf(attempt, placeOf(address, memo, currency), [])
    if (!opened) return undefined
    const instructions = { address, network, ...(memo && { memo }) }
    return { ...opened, nextAction: { type: 'crypto_transfer', instructions } }
  })
}

const unlisted = { kind: 'unknown', reason: 'the deposits could not be listed' } as const

export async function inquireWire(client: CircleClient, attempt: Attempt, id: string): Promise<Inquiry> {
  const reply = await client(`${paths.wires}/${id}`)
  const opened = inquiryOf(reply, openedOf)
  if (opened.kind !== 'accepted' || opened.state.state === 'failed') return opened
  const mark = readData(reply, wireSchema)?.trackingRef
  const query = { type: 'wire', from: attempt.createdAt.toISOString() }
  const deposits = await readAll(client, paths.deposits, movementSchema, query)
  // By Circle's documentation, a deposit has the linked account or the account's tracking reference.
  const own = deposits?.filter((one) => nameOf(one) === id || (one.trackingRef && one.trackingRef === mark))
  return (own && arrivalsOf(attempt, id, own)) ?? unlisted
}

export async function inquireAddress(
  client: CircleClient,
  attempt: Attempt,
  place: string,
): Promise<Inquiry> {
  const query = { from: attempt.createdAt.toISOString() }
  const transfers = await readAll(client, paths.transfers, movementSchema, query)
  const own = transfers?.filter((one) => isFromChain(one) && nameOf(one) === place)
  return (own && arrivalsOf(attempt, place, own)) ?? unlisted
}
