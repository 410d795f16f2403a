import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import type { Dispute, DisputeAction, DisputeProtocol, DisputeStep } from '../../core/dispute.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Route } from '../../protocol.ts'
import { handled, notFound, parseRequest, refused } from './envelope.ts'
import { newId, subunitsOf } from './identifiers.ts'
import { chargeDetailsOf, customerOf, presentTransaction } from './present-transaction.ts'
import type { Paystack } from './state.ts'

/** Money moves only when a dispute is accepted, by the merchant or because nobody answered in time. */
export const disputesOf = (paystack: Paystack): DisputeProtocol => ({
  newId: () => String(newId()),
  play,
  draftOf: (dispute, event, payment) => ({
    event,
    body: JSON.stringify({ event, data: presentDispute(paystack, dispute, payment) }),
    contentType: 'application/json',
  }),
  opensSecond: true,
})

const step = (event: string, change: Partial<Dispute>): DisputeStep => ({
  event: `charge.dispute.${event}`,
  change,
})

function play(dispute: Dispute, action: DisputeAction): DisputeStep[] {
  const awaiting = 'awaiting-merchant-feedback'
  switch (action) {
    case 'open':
    case 'warn':
      return [step('create', { status: awaiting })]
    case 'second':
      return [step('create', { status: awaiting, category: 'pre-arbitration' })]
    case 'remind':
      return [step('remind', { status: dispute.status })]
    case 'review':
      return [step('remind', { status: 'awaiting-bank-feedback' })]
    case 'withdraw':
    case 'lose':
      return [step('resolve', { status: 'resolved', resolution: 'auto-accepted', moves: 1 })]
    case 'win':
      return [step('resolve', { status: 'resolved', resolution: 'declined' })]
  }
}

function presentDispute(paystack: Paystack, dispute: Dispute, payment: Transaction) {
  const { email } = chargeDetailsOf(payment)
  const { resolution = null, status, category, currency } = dispute
  return {
    id: Number(dispute.id),
    refund_amount: subunitsOf(dispute.amount),
    currency,
    status,
    resolution,
    domain: 'test',
    transaction: presentTransaction(paystack, payment),
    transaction_reference: null,
    category,
    customer: customerOf(email),
    bin: null,
    last4: null,
    dueAt: dispute.dueAt,
    resolvedAt: status === 'resolved' ? dispute.updatedAt : null,
    evidence: dispute.evidence.at(-1) ?? null,
    attachments: null,
    note: null,
    history: [],
    messages: [],
    createdAt: dispute.createdAt,
    updatedAt: dispute.updatedAt,
  }
}

export function disputeRoutes(paystack: Paystack): Route[] {
  const uploads = new Map<string, Buffer>()
  const path = '/paystack/dispute'
  return [
    { method: 'GET', path, on: 'list', handle: (call) => listDisputes(paystack, call) },
    {
      method: 'GET',
      path: `${path}/:id`,
      on: 'inquire',
      handle: (call) => withDispute(paystack, call, (dispute) => shown(paystack, dispute)),
    },
    {
      method: 'GET',
      path: `${path}/:id/upload_url`,
      on: 'prepare',
      handle: (call) => withDispute(paystack, call, () => uploadUrl(paystack, uploads)),
    },
    {
      method: 'PUT',
      path: `${path}-uploads/:name`,
      on: 'prepare',
      open: true,
      handle: (call) => {
        uploads.set(call.params['name'] ?? '', call.rawBody)
        return json(200, {})
      },
    },
    {
      method: 'POST',
      path: `${path}/:id/evidence`,
      on: 'prepare',
      handle: (call) => withDispute(paystack, call, (dispute) => takeEvidence(paystack, call, dispute)),
    },
    {
      method: 'PUT',
      path: `${path}/:id/resolve`,
      on: 'dispute',
      handle: (call) => withDispute(paystack, call, (dispute) => resolve(paystack, call, dispute, uploads)),
    },
  ]
}

async function withDispute(
  { kit }: Paystack,
  call: Call,
  handle: (dispute: Dispute) => Answer | Promise<Answer>,
): Promise<Answer> {
  const dispute = kit.disputes.find(call.account.name, call.params['id'] ?? '')
  return dispute ? handle(dispute) : notFound('Dispute not found', 'dispute_not_found')
}

function shown(paystack: Paystack, dispute: Dispute, message = 'Dispute retrieved'): Answer {
  const { account, payment: reference } = dispute
  const payment = paystack.kit.transactions.find({ account, operation: 'collect', reference })
  if (!payment) return notFound('Transaction not found', 'transaction_not_found')
  return handled(message, presentDispute(paystack, dispute, payment))
}

function uploadUrl({ kit }: Paystack, uploads: Map<string, Buffer>): Answer {
  const fileName = randomUUID().replaceAll('-', '').slice(0, 20)
  uploads.set(fileName, Buffer.alloc(0))
  const signedUrl = `${kit.publicUrl()}/paystack/dispute-uploads/${fileName}?X-Amz-Signature=simulated`
  return handled('Upload url generated', { signedUrl, fileName })
}

const evidenceSchema = z.object({
  customer_email: z.email(),
  customer_name: z.string().min(1),
  customer_phone: z.string().min(1),
  service_details: z.string().min(1),
  delivery_address: z.string().optional(),
  delivery_date: z.string().optional(),
})

function takeEvidence({ kit }: Paystack, call: Call, dispute: Dispute): Answer {
  const parsed = parseRequest(evidenceSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const evidence = { id: newId(), ...parsed.input, dispute: Number(dispute.id) }
  kit.disputes.put({ ...dispute, evidence: [...dispute.evidence, evidence] })
  return handled('Evidence created', evidence)
}

const resolveSchema = z.object({
  resolution: z.enum(['merchant-accepted', 'declined']),
  message: z.string().min(1),
  refund_amount: z.int().nonnegative(),
  uploaded_filename: z.string(),
  evidence: z.int().optional(),
})

async function resolve(
  paystack: Paystack,
  call: Call,
  dispute: Dispute,
  uploads: ReadonlyMap<string, Buffer>,
): Promise<Answer> {
  const parsed = parseRequest(resolveSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { resolution, uploaded_filename: name, refund_amount: subunits } = parsed.input
  if (dispute.status !== 'awaiting-merchant-feedback')
    return refused(400, { message: 'Dispute is already resolved', code: 'dispute_resolved' })
  if (resolution === 'declined' && (uploads.get(name)?.length ?? 0) === 0)
    return refused(400, { message: 'Invalid value of uploaded_filename', code: 'invalid_uploaded_filename' })
  if (resolution === 'merchant-accepted' && subunits !== subunitsOf(dispute.amount))
    return refused(400, { message: 'Invalid value of refund_amount', code: 'invalid_refund_amount' })
  const steps =
    resolution === 'declined'
      ? [step('remind', { status: 'awaiting-bank-feedback', isSubmitted: true })]
      : [step('resolve', { status: 'resolved', resolution, moves: 1 })]
  return shown(paystack, await paystack.kit.disputes.report(dispute, steps), 'Dispute successfully resolved')
}

const querySchema = z.object({
  from: z.iso.datetime({ offset: true }).optional(),
  /** The id of a transaction. */
  transaction: z.string().optional(),
  perPage: z.coerce.number().int().min(1).max(100).default(50),
  page: z.coerce.number().int().min(1).default(1),
})

function listDisputes(paystack: Paystack, call: Call): Answer {
  const parsed = parseRequest(querySchema, call.query)
  if ('refusal' in parsed) return parsed.refusal
  const { from, transaction, perPage, page } = parsed.input
  const fromMs = from === undefined ? 0 : Date.parse(from)
  const { kit } = paystack
  const payment =
    transaction === undefined ? undefined : kit.transactions.findByProviderRef(call.account.name, transaction)
  const found = kit.disputes
    .values(call.account.name)
    .filter(({ createdAt }) => Date.parse(createdAt) >= fromMs)
    .filter((dispute) => transaction === undefined || dispute.payment === payment?.reference)
  const skipped = (page - 1) * perPage
  const data = found.slice(skipped, skipped + perPage).map((dispute) => dataOf(shown(paystack, dispute)))
  const pageCount = Math.max(1, Math.ceil(found.length / perPage))
  return handled('Disputes retrieved', data, { total: found.length, skipped, perPage, page, pageCount })
}

const dataOf = ({ body }: Answer): unknown => z.object({ data: z.unknown() }).parse(body).data
