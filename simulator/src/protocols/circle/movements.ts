import { z } from 'zod'
import type { Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor } from '../../sentinels.ts'
import type { Books } from './places.ts'
import {
  data,
  declineOf,
  failureBy,
  fingerprintOf,
  invalid,
  keySchema,
  moneySchema,
  notFound,
  parseRequest,
  present,
  repeated,
  WALLET,
} from './wire.ts'

const payoutSchema = z.object({
  idempotencyKey: keySchema,
  destination: z.object({ type: z.enum(['wire', 'sepa', 'sepa_instant']), id: z.uuid() }),
  amount: moneySchema,
})

export async function createPayout(kit: Kit, { wires }: Books, call: Call): Promise<Answer> {
  const parsed = parseRequest(payoutSchema, call)
  if ('refusal' in parsed) return parsed.refusal
  const { idempotencyKey: key, destination, amount } = parsed.input
  const wire = wires.find(call.account.name, destination.id)
  if (wire?.['status'] !== 'complete') return invalid('destination.id')
  return move(kit, call, {
    key,
    method: 'bank_transfer',
    money: amount,
    asset: amount.currency,
    account: String(wire['description']),
    destination: { ...destination, name: String(wire['description']) },
  })
}

const transferSchema = z.object({
  idempotencyKey: keySchema,
  destination: z.object({ type: z.literal('verified_blockchain'), addressId: z.uuid() }),
  amount: moneySchema,
})

export async function createTransfer(kit: Kit, { recipients }: Books, call: Call): Promise<Answer> {
  const parsed = parseRequest(transferSchema, call)
  if ('refusal' in parsed) return parsed.refusal
  const { idempotencyKey: key, destination, amount } = parsed.input
  const recipient = recipients.find(call.account.name, destination.addressId)
  if (recipient?.['status'] !== 'active') return invalid('destination.addressId')
  const { address, chain } = recipient
  return move(kit, call, {
    key,
    method: 'crypto',
    money: amount,
    asset: `${amount.currency}C`,
    destination: { type: 'blockchain', address: String(address), chain: String(chain) },
  })
}

interface Move {
  readonly key: string
  readonly method: 'bank_transfer' | 'crypto'
  readonly money: { readonly amount: string; readonly currency: string }
  readonly asset: string
  readonly account?: string
  readonly destination: Record<string, string>
}

function move(
  kit: Kit,
  call: Call,
  { key, method, money, asset, account, destination }: Move,
): Promise<Answer> {
  return carryOut(kit, call, {
    operation: 'payout',
    reference: key,
    method,
    amount: money.amount,
    currency: asset,
    behaviour: behaviourFor({ amount: money.amount, account }),
    details: { fingerprint: fingerprintOf(call), currency: money.currency, source: WALLET, destination },
    duplicate: (existing) => repeated(call, existing, () => data(201, present(existing))),
    decline: declineOf,
    failure: failureBy(method),
    accepted: (transaction) => data(201, present(transaction)),
  })
}

export function showMovement(kit: Kit, call: Call): Answer {
  const found = kit.transactions.findByProviderRef(call.account.name, call.params['id'] ?? '')
  return found === undefined || !isSeen(found) ? notFound() : data(200, present(found))
}

/** Circle has no record of a deposit until the customer pays. */
const isSeen = ({ operation, state }: Transaction): boolean => operation !== 'collect' || state !== 'pending'

const LISTS: Readonly<Record<string, (one: Transaction) => boolean>> = {
  deposits: ({ operation, method }) => operation === 'collect' && method === 'bank_transfer',
  payouts: ({ operation, method }) => operation === 'payout' && method === 'bank_transfer',
  transfers: ({ method }) => method === 'crypto',
}

export const listMovements = (kit: Kit, call: Call, list: keyof typeof LISTS): Answer => {
  const rows = [...kit.transactions.values()]
    .filter((one) => one.account === call.account.name && LISTS[list]?.(one) === true && isSeen(one))
    .map(present)
    .filter(({ createDate }) => String(createDate) >= (call.query['from'] ?? ''))
  return page(rows, call)
}

const DEFAULT_PAGE_SIZE = 50

/** The newest come first. */
export function page(rows: readonly Record<string, unknown>[], call: Call): Answer {
  const size = Number(call.query['pageSize'] ?? DEFAULT_PAGE_SIZE)
  const newest = rows.toReversed()
  const after = newest.findIndex(({ id }) => id === call.query['pageAfter'])
  return data(200, newest.slice(after + 1, after + 1 + size))
}
