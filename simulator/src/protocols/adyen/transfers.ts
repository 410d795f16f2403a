import { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor } from '../../sentinels.ts'
import { transferFailure } from './refusals.ts'
import {
  amountOf,
  amountSchema,
  idempotencyKeyOf,
  majorOf,
  newTransferId,
  parseRequest,
  problem,
} from './wire.ts'

const PAGE_SIZE = 10

const identificationSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ukLocal'),
    accountNumber: z.string().regex(/^\d{8}$/),
    sortCode: z.string().regex(/^\d{6}$/),
  }),
  z.object({ type: z.literal('iban'), iban: z.string().regex(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/) }),
])

const transferSchema = z.object({
  amount: amountSchema,
  balanceAccountId: z.string(),
  category: z.literal('bank'),
  priority: z.enum(['regular', 'fast', 'instant', 'wire', 'crossBorder', 'internal']).optional(),
  priorities: z.array(z.string()).optional(),
  counterparty: z.object({
    bankAccount: z.object({
      accountHolder: z.object({ fullName: z.string().min(1) }),
      accountIdentification: identificationSchema,
    }),
  }),
  reference: z.string().max(80).optional(),
  referenceForBeneficiary: z.string().optional(),
  description: z.string().max(140).optional(),
})

const transferDetails = z.object({ body: z.record(z.string(), z.unknown()), reference: z.string() })

const invalid = (field: string): Answer => problem(422, '30_112', `Invalid value for ${field}`)

export async function createTransfer(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(transferSchema, call, invalid)
  if ('refusal' in parsed) return parsed.refusal
  const { amount, balanceAccountId, counterparty, reference = '', category } = parsed.input
  if (balanceAccountId !== call.account.options['balance_account']) return invalid('balanceAccountId')
  const { accountIdentification: account } = counterparty.bankAccount
  const id = newTransferId()
  const body = {
    id,
    category,
    balanceAccount: { id: balanceAccountId },
    counterparty,
    direction: 'outgoing',
    type: 'bankTransfer',
    reference,
  }
  const major = majorOf(amount)
  return carryOut(kit, call, {
    operation: 'payout',
    reference: idempotencyKeyOf(call) ?? id,
    providerRef: id,
    method: 'bank_transfer',
    amount: major,
    currency: amount.currency,
    behaviour: behaviourFor({
      amount: major,
      account: account.type === 'iban' ? account.iban : account.accountNumber,
    }),
    details: { body, reference },
    duplicate: (existing) => json(200, presentTransfer(existing)),
    // An unknown account fails later, at its bank.
    decline: (reason) =>
      reason === 'declined'
        ? undefined
        : json(200, { ...body, amount, status: 'refused', reason: transferFailure(reason).code }),
    failure: transferFailure,
    accepted: (transfer) => json(200, presentTransfer(transfer)),
  })
}

/** Payouts, and deposits to business accounts. Cards belong to the other platform. */
export const isTransfer = ({ operation, method }: Transaction): boolean =>
  operation === 'payout' || method === 'bank_transfer'

export function showTransfer(kit: Kit, call: Call): Answer {
  const transfer = kit.transactions.findByProviderRef(call.account.name, call.params['id'] ?? '')
  return transfer && isTransfer(transfer) ? json(200, presentTransfer(transfer)) : invalid('id')
}

/** The period is required; the newest transfers come last. */
export function listTransfers(kit: Kit, call: Call): Answer {
  const { createdSince = '', createdUntil = '', reference, cursor = '0' } = call.query
  if (Number.isNaN(Date.parse(createdSince)) || Number.isNaN(Date.parse(createdUntil)))
    return invalid('createdSince')
  const from = Date.parse(createdSince)
  const until = Date.parse(createdUntil)
  const rows = [...kit.transactions.values()].filter(
    (one) =>
      isTransfer(one) &&
      one.account === call.account.name &&
      Date.parse(one.createdAt) >= from &&
      Date.parse(one.createdAt) < until &&
      (reference === undefined || transferDetails.parse(one.details).reference === reference),
  )
  const start = Number(cursor)
  const end = start + PAGE_SIZE
  const next = { href: `${kit.publicUrl()}/adyen/btl/v4/transfers?cursor=${end}` }
  const data = rows.slice(start, end).map(presentTransfer)
  return json(200, { data, _links: end < rows.length ? { next } : {} })
}

export function presentTransfer(transfer: Transaction): object {
  const { body } = transferDetails.parse(transfer.details)
  const reason = transfer.failure?.code ?? 'approved'
  const status = STATUSES[transfer.state]
  return { ...body, amount: amountOf(transfer), status, reason, createdAt: transfer.createdAt }
}

const STATUSES: Readonly<Record<Transaction['state'], string>> = {
  pending: 'authorised',
  action_required: 'pendingApproval',
  completed: 'booked',
  failed: 'failed',
  reversed: 'returned',
  canceled: 'cancelled',
}
