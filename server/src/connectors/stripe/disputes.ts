import { z } from 'zod'
import type { Connector, Method } from '../kit/connector.ts'
import { disputeInquiry, notPreparedResponse, responseOutcome } from '../kit/dispute-replies.ts'
import {
  reasonFrom,
  type DisputeEvidence,
  type DisputeReason,
  type DisputeState,
  type EvidenceField,
  type EvidenceFile,
  type ProviderDispute,
} from '../kit/disputes.ts'
import { withQuery, type Form } from '../kit/form-body.ts'
import { multipartBody } from '../kit/multipart.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { handledOf, readData, readReply, type Reply } from '../kit/replies.ts'
import { bearer } from '../kit/reply-client.ts'
import { objectSchema } from './answers.ts'
import { envelopeOf, type Deps } from './client.ts'
import { intents } from './lookup.ts'
import { refusalOf, readObject } from './mapping.ts'

const path = '/v1/disputes'
const pageSize = 100

const amount = z.int().transform(BigInt)
const currency = z.string().toUpperCase()
const disputeSchema = z.object({
  object: z.literal('dispute'),
  id: z.string().min(1),
  amount,
  currency,
  created: z.int(),
  status: z.string().min(1),
  reason: z.string().catch('general'),
  charge: z.string().min(1),
  payment_intent: z.string().min(1).nullish(),
  balance_transactions: z.array(z.object({ amount, currency, fee: amount })).default([]),
  evidence_details: z.object({ due_by: z.int().nullish(), submission_count: z.int().default(0) }).nullish(),
})
const pageSchema = z.object({ data: z.array(disputeSchema), has_more: z.boolean() })
const fileSchema = z.object({ object: z.literal('file'), id: z.string().min(1) })
const eventSchema = z.object({
  object: z.literal('event'),
  id: z.string().min(1),
  type: z.string().regex(/^charge\.dispute\.(created|updated|closed|funds_withdrawn|funds_reinstated)$/),
  created: z.int(),
  data: z.object({ object: disputeSchema }),
})

const states: Readonly<Record<string, DisputeState>> = {
  warning_needs_response: 'warning',
  warning_under_review: 'under_review',
  // The bank asked and went no further, so nothing was lost.
  warning_closed: 'won',
  needs_response: 'needs_response',
  under_review: 'under_review',
  won: 'won',
  prevented: 'won',
  lost: 'lost',
}

const reasons: Readonly<Record<string, DisputeReason>> = {
  credit_not_processed: 'credit_not_processed',
  duplicate: 'duplicate',
  fraudulent: 'fraudulent',
  product_not_received: 'not_received',
  product_unacceptable: 'not_as_described',
  subscription_canceled: 'canceled',
  unrecognized: 'unrecognized',
  incorrect_account_details: 'incorrect_amount',
  insufficient_funds: 'authorization',
  bank_cannot_process: 'authorization',
  debit_not_authorized: 'authorization',
}

/** `balance_transactions` has the withdrawal and then its return, each with Stripe's charge. */
function readDispute(
  dispute: z.infer<typeof disputeSchema>,
  dedupeKey: string,
  reportedAt?: Date,
): ProviderDispute {
  const { id: providerRef, status: providerStatus, reason, evidence_details: details } = dispute
  const money = { amountMinor: dispute.amount, currency: dispute.currency }
  const moves = dispute.balance_transactions.slice(0, 2).map(({ fee, ...moved }, index) => ({
    amount: money,
    cost: { amountMinor: charge(index === 0 ? fee : -fee), currency: moved.currency },
  }))
  const dueBy = details?.due_by
  return {
    dedupeKey,
    providerRef,
    payment: { providerRef: dispute.payment_intent ?? dispute.charge },
    state: Object.hasOwn(states, providerStatus) ? states[providerStatus] : undefined,
    round: 1,
    providerStatus,
    reason: reasonFrom(reasons, reason),
    providerReason: reason,
    amount: money,
    dueBy: dueBy ? new Date(dueBy * 1_000) : undefined,
    reportedAt,
    funds: { moves },
    hasEvidence: (details?.submission_count ?? 0) > 0,
  }
}

const charge = (fee: bigint): bigint => (fee > 0n ? fee : 0n)

const keyOf = ({ id, status, balance_transactions: moved }: z.infer<typeof disputeSchema>): string =>
  `asked ${id} ${status} ${moved.length}`

export function readDisputes(rawBody: Buffer): ProviderDispute[] {
  const event = parseAnswer(rawBody.toString('utf8'), eventSchema)
  return event ? [readDispute(event.data.object, event.id, new Date(event.created * 1_000))] : []
}

const readOne = (data: unknown): ProviderDispute | undefined => {
  const dispute = disputeSchema.safeParse(data).data
  return dispute && readDispute(dispute, keyOf(dispute))
}

const isClear = (refusal: Parameters<typeof refusalOf>[0]): boolean =>
  refusalOf(refusal).kind === 'declined' && !/closed|under review/i.test(refusal.words.join(' '))

export const stripeDisputes = (
  deps: Deps,
): Pick<
  Connector,
  'inquireDispute' | 'listDisputes' | 'referenceOf' | 'submitEvidence' | 'acceptDispute'
> => ({
  inquireDispute: async (id) =>
    disputeInquiry(await deps.client(`${path}/${encodeURIComponent(id)}`), readOne),
  listDisputes: listDisputes(deps),
  referenceOf: async (intentId) => {
    const reply = await deps.client(`${intents}/${encodeURIComponent(intentId)}`)
    const intent = readData(reply, objectSchema)
    return intent ? (readObject(intent, deps.clock.now()).reference ?? undefined) : undefined
  },
  submitEvidence: async ({ providerRef, reference }, evidence) => {
    const files: Form[] = []
    for (const file of evidence.files) {
      const reply = await upload(deps, file)
      const id = readData(reply, fileSchema)?.id
      if (id === undefined) return notPreparedResponse(reply, 'Stripe refused a file.')
      files.push({ [`evidence[${fileFields[file.purpose]}]`]: id })
    }
    const form = { ...textForm(evidence), ...Object.assign({}, ...files), submit: 'true' }
    const reply = await deps.client(`${path}/${encodeURIComponent(providerRef)}`, form, reference)
    return responseOutcome(reply, readOne, isClear)
  },
  acceptDispute: async ({ providerRef, reference }) => {
    const reply = await deps.client(`${path}/${encodeURIComponent(providerRef)}/close`, {}, reference)
    return responseOutcome(reply, readOne, isClear)
  },
})

const listDisputes =
  ({ client }: Deps): Method<'listDisputes'> =>
  async (since, cursor) => {
    const query = {
      'created[gte]': Math.floor(since.getTime() / 1_000),
      starting_after: cursor ?? undefined,
      limit: pageSize,
    }
    const page = pageSchema.parse(handledOf(await client(withQuery(path, query)), 'Stripe').data)
    return {
      disputes: page.data.map((dispute) => readDispute(dispute, keyOf(dispute))),
      nextCursor: page.has_more ? (page.data.at(-1)?.id ?? null) : null,
    }
  }

async function upload({ http, credentials }: Deps, file: EvidenceFile): Promise<Reply> {
  const { contentType, bytes } = multipartBody(
    { purpose: 'dispute_evidence' },
    { name: 'file', fileName: file.name, contentType: file.contentType, bytes: file.bytes },
  )
  const headers = { ...bearer(credentials.secretKey), 'content-type': contentType }
  const url = `${credentials.filesUrl}/v1/files`
  return readReply(await http({ method: 'POST', url, headers, bytes }), envelopeOf)
}

const textFields: Readonly<Partial<Record<EvidenceField, string>>> = {
  access_log: 'access_activity_log',
  billing_address: 'billing_address',
  customer_email: 'customer_email_address',
  customer_ip: 'customer_purchase_ip',
  customer_name: 'customer_name',
  notes: 'uncategorized_text',
  product_description: 'product_description',
  refund_policy: 'refund_policy_disclosure',
  service_date: 'service_date',
  shipping_address: 'shipping_address',
  shipping_carrier: 'shipping_carrier',
  shipping_date: 'shipping_date',
  shipping_tracking_number: 'shipping_tracking_number',
}
const fileFields: Readonly<Record<EvidenceFile['purpose'], string>> = {
  customer_communication: 'customer_communication',
  customer_signature: 'customer_signature',
  other: 'uncategorized_file',
  receipt: 'receipt',
  refund_policy: 'refund_policy',
  service_documentation: 'service_documentation',
  shipping_documentation: 'shipping_documentation',
}

/** Fields that Stripe does not have stay here. */
const textForm = ({ texts }: DisputeEvidence): Form =>
  Object.fromEntries(
    Object.entries(textFields).flatMap(([field, name]) => {
      const text = texts[field as EvidenceField] // the keys of the table
      return text === undefined ? [] : [[`evidence[${name}]`, text]]
    }),
  )
