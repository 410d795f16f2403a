import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import type { Dispute, DisputeAction, DisputeProtocol, DisputeStep } from '../../core/dispute.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit, Route } from '../../protocol.ts'
import { minorOf, secondsOf } from './details.ts'
import { invalidRequest, noSuch } from './errors.ts'
import { EVENT_API_VERSION } from './events.ts'
import { chargeId, intentId, newSuffix, suffixOf } from './ids.ts'
import { parseParameters } from './parameters.ts'

/** Stripe's dispute fee in the smallest unit. It is not refunded. */
const FEE_MINOR = 1_500

/** A second chargeback of the same charge is a separate dispute. */
export const disputes: DisputeProtocol = {
  newId: () => `du_${newSuffix()}`,
  play,
  draftOf: (dispute, event, payment) => ({
    event,
    body: JSON.stringify({
      id: `evt_${createHash('sha256')
        .update(JSON.stringify([event, dispute]))
        .digest('hex')
        .slice(0, 24)}`,
      object: 'event',
      api_version: EVENT_API_VERSION,
      created: secondsOf(dispute.updatedAt),
      data: { object: presentDispute(dispute, payment) },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type: event,
    }),
    contentType: 'application/json; charset=utf-8',
  }),
  opensSecond: true,
}

const step = (event: string, change: Partial<Dispute>): DisputeStep => ({
  event: `charge.dispute.${event}`,
  change,
})

function play(dispute: Dispute, action: DisputeAction): DisputeStep[] {
  const isWarning = dispute.status.startsWith('warning')
  switch (action) {
    case 'warn':
      return [step('created', { status: 'warning_needs_response' })]
    case 'open':
    case 'second':
      return [step('created', { status: 'needs_response' }), step('funds_withdrawn', { moves: 1 })]
    case 'withdraw':
      return [step('updated', { status: 'needs_response' }), step('funds_withdrawn', { moves: 1 })]
    case 'review':
      return [step('updated', { status: isWarning ? 'warning_under_review' : 'under_review' })]
    case 'win':
      if (isWarning) return [step('closed', { status: 'warning_closed' })]
      return [
        ...(dispute.moves === 1 ? [step('funds_reinstated', { moves: 2 })] : []),
        step('closed', { status: 'won' }),
      ]
    case 'lose':
      return [step('closed', { status: 'lost' })]
    case 'remind':
      return []
  }
}

function presentDispute(dispute: Dispute, payment: Transaction) {
  const { id, status, reason, moves } = dispute
  const suffix = suffixOf(payment.providerRef)
  const amount = minorOf(dispute)
  const currency = dispute.currency.toLowerCase()
  const movement = (index: number) => ({
    id: `txn_${suffix}${index}`,
    object: 'balance_transaction',
    amount: index === 1 ? -amount : amount,
    currency,
    fee: index === 1 ? FEE_MINOR : 0,
    net: index === 1 ? -amount - FEE_MINOR : amount,
    type: 'adjustment',
  })
  return {
    id,
    object: 'dispute',
    amount,
    balance_transactions: Array.from({ length: moves }, (_, index) => movement(index + 1)),
    charge: chargeId(suffix),
    created: secondsOf(dispute.createdAt),
    currency,
    evidence: {},
    evidence_details: {
      due_by: secondsOf(dispute.dueAt),
      has_evidence: dispute.evidence.length > 0,
      past_due: false,
      submission_count: dispute.isSubmitted ? 1 : 0,
    },
    is_charge_refundable: status.startsWith('warning'),
    livemode: false,
    metadata: {},
    payment_intent: intentId(suffix),
    reason,
    status,
  }
}

export function disputeRoutes(kit: Kit, once: (handle: Handle) => Handle): Route[] {
  const files = new Set<string>()
  const reference = (call: { params: Readonly<Record<string, string>> }) => call.params['dispute']
  const path = '/stripe/v1/disputes'
  return [
    { method: 'GET', path, on: 'list', handle: (call) => listDisputes(kit, call) },
    {
      method: 'GET',
      path: `${path}/:dispute`,
      on: 'inquire',
      reference,
      handle: (call) => withDispute(kit, call, (dispute) => answerOf(kit, dispute)),
    },
    {
      method: 'POST',
      path: `${path}/:dispute`,
      on: 'dispute',
      reference,
      handle: once((call) => withDispute(kit, call, (dispute) => takeEvidence(kit, call, dispute, files))),
    },
    {
      method: 'POST',
      path: `${path}/:dispute/close`,
      on: 'dispute',
      reference,
      handle: once((call) => withDispute(kit, call, (dispute) => closeDispute(kit, dispute))),
    },
    { method: 'POST', path: '/stripe/v1/files', on: 'prepare', handle: (call) => takeFile(call, files) },
  ]
}

type Handle = (call: Call) => Answer | Promise<Answer>

async function withDispute(
  kit: Kit,
  call: Call,
  handle: (dispute: Dispute) => Answer | Promise<Answer>,
): Promise<Answer> {
  const id = call.params['dispute'] ?? ''
  const dispute = kit.disputes.find(call.account.name, id)
  return dispute ? handle(dispute) : noSuch('dispute', id)
}

function answerOf(kit: Kit, dispute: Dispute): Answer {
  const { account, payment: reference } = dispute
  const payment = kit.transactions.find({ account, operation: 'collect', reference })
  return payment ? json(200, presentDispute(dispute, payment)) : noSuch('charge', reference)
}

const fileFields = new Set(
  [
    'customer_communication',
    'customer_signature',
    'receipt',
    'refund_policy',
    'service_documentation',
  ].concat('shipping_documentation', 'uncategorized_file'),
)
const textFields = new Set(
  `access_activity_log billing_address customer_email_address customer_name customer_purchase_ip product_description
  refund_policy_disclosure service_date shipping_address shipping_carrier shipping_date shipping_tracking_number
  uncategorized_text`.split(/\s+/),
)

const evidenceParameters = z.strictObject({
  evidence: z.record(z.string(), z.string()),
  submit: z.enum(['true', 'false']).default('true'),
})

const takesResponses = ['needs_response', 'warning_needs_response']

async function takeEvidence(kit: Kit, call: Call, dispute: Dispute, files: Set<string>): Promise<Answer> {
  const parsed = parseParameters(evidenceParameters, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { evidence, submit } = parsed.input
  for (const [name, value] of Object.entries(evidence)) {
    if (!fileFields.has(name) && !textFields.has(name))
      return invalidRequest('parameter_unknown', `Received unknown parameter: evidence[${name}]`)
    if (fileFields.has(name) && !files.has(value)) return noSuch('file upload', value, `evidence[${name}]`)
  }
  if (!takesResponses.includes(dispute.status))
    return invalidRequest('dispute_closed', 'This dispute is already closed or under review.')
  const isWarning = dispute.status.startsWith('warning')
  const isSubmitted = submit === 'true'
  const change = {
    evidence: [...dispute.evidence, evidence],
    isSubmitted,
    ...(isSubmitted && { status: isWarning ? 'warning_under_review' : 'under_review' }),
  }
  return answerOf(kit, await kit.disputes.report(dispute, [step('updated', change)]))
}

/** Closing a dispute concedes it; Stripe reports it as lost. */
async function closeDispute(kit: Kit, dispute: Dispute): Promise<Answer> {
  if (!takesResponses.includes(dispute.status))
    return invalidRequest('dispute_closed', 'This dispute is already closed or under review.')
  return answerOf(kit, await kit.disputes.report(dispute, [step('closed', { status: 'lost' })]))
}

const fileTypes = [
  Buffer.from('%PDF-'),
  Buffer.from([0xff, 0xd8, 0xff]),
  Buffer.from([0x89, 0x50, 0x4e, 0x47]),
]

function takeFile(call: Call, files: Set<string>): Answer {
  const isMultipart = (call.header('content-type') ?? '').startsWith('multipart/form-data; boundary=')
  const text = call.rawBody.toString('latin1')
  const isEvidence = /name="purpose"\r\n\r\ndispute_evidence\r\n/.test(text)
  const isReadable = fileTypes.some((type) => call.rawBody.includes(type))
  if (!isMultipart || !isEvidence || !isReadable)
    return invalidRequest('parameter_invalid', 'The file could not be read.', 'file')
  const id = `file_${randomUUID().replaceAll('-', '').slice(0, 24)}`
  files.add(id)
  return json(200, {
    id,
    object: 'file',
    purpose: 'dispute_evidence',
    created: Math.floor(Date.now() / 1_000),
  })
}

const listParameters = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(10),
  starting_after: z.string().optional(),
  'created[gte]': z.coerce.number().int().optional(),
})

function listDisputes(kit: Kit, call: Call): Answer {
  const parsed = parseParameters(listParameters, call.query)
  if ('refusal' in parsed) return parsed.refusal
  const { limit, starting_after: after, 'created[gte]': since = 0 } = parsed.input
  const found = kit.disputes
    .values(call.account.name)
    .filter(({ createdAt }) => secondsOf(createdAt) >= since)
  const start = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1
  const page = found.slice(start, start + limit)
  const data = page.map((dispute) => answerOf(kit, dispute).body)
  return json(200, {
    object: 'list',
    url: '/v1/disputes',
    has_more: start + page.length < found.length,
    data,
  })
}
