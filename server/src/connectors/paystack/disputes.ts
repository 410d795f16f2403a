import { z } from 'zod'
import { rawNumber } from '../../lib/text/json.ts'
import type { Connector, Method } from '../kit/connector.ts'
import {
  declinedResponse,
  disputeInquiry,
  notPreparedResponse,
  responseOutcome,
} from '../kit/dispute-replies.ts'
import type {
  DisputeEvidence,
  DisputeOutcome,
  DisputeReason,
  DisputeState,
  DisputeSubject,
  ProviderDispute,
} from '../kit/disputes.ts'
import { withQuery } from '../kit/form-body.ts'
import type { HttpClient } from '../kit/http-client.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { handledOf, readData, type RefusedReply } from '../kit/replies.ts'
import { idSchema, pagesSchema, subunitsSchema, timeSchema } from './answers.ts'
import type { PaystackClient } from './client.ts'

const pageSize = 100

const disputeSchema = z.object({
  id: idSchema,
  refund_amount: subunitsSchema.nullish(),
  status: z.string().min(1),
  resolution: z.string().nullish(),
  category: z.string().nullish().catch(null),
  dueAt: timeSchema.nullish().catch(null),
  updatedAt: timeSchema.nullish().catch(null),
  transaction: z.object({
    reference: z.string().min(1),
    amount: subunitsSchema,
    currency: z.string(),
  }),
})
const eventSchema = z.object({
  event: z.string().regex(/^charge\.dispute\.(create|remind|resolve)$/),
  data: disputeSchema,
})
const uploadSchema = z.object({ signedUrl: z.url({ protocol: /^https?$/ }), fileName: z.string().min(1) })
const evidenceSchema = z.object({ id: z.int() })

type Dispute = z.infer<typeof disputeSchema>

/** Accepted by the merchant, or lost because nobody answered in time; a declined one was won. */
function stateOf({ status, resolution }: Dispute): DisputeState | undefined {
  if (status === 'awaiting-merchant-feedback') return 'needs_response'
  if (status === 'awaiting-bank-feedback' || status === 'pending') return 'under_review'
  if (status !== 'resolved' || !resolution) return undefined
  if (resolution === 'merchant-accepted') return 'accepted'
  return resolution === 'declined' ? 'won' : 'lost'
}

const reasons = new Map<string, DisputeReason>([
  ['fraud', 'fraudulent'],
  ['duplicate', 'duplicate'],
])

/** Money moves only when the dispute ends against the merchant. */
function readDispute(dispute: Dispute, dedupeKey: string): ProviderDispute {
  const { transaction, status, resolution } = dispute
  const { reference, currency } = transaction
  const state = stateOf(dispute)
  const amount = { amountMinor: dispute.refund_amount || transaction.amount, currency }
  const isLost = state === 'accepted' || state === 'lost'
  const category = dispute.category ?? ''
  return {
    dedupeKey,
    providerRef: dispute.id,
    payment: { reference },
    state,
    round: 1,
    providerStatus: resolution ? `${status} ${resolution}` : status,
    reason: reasons.get(category) ?? 'general',
    providerReason: category,
    amount,
    dueBy: dispute.dueAt ? new Date(dispute.dueAt) : undefined,
    reportedAt: dispute.updatedAt ? new Date(dispute.updatedAt) : undefined,
    ...(isLost && { funds: { moves: [{ amount }] } }),
    hasEvidence: status === 'awaiting-bank-feedback' || resolution === 'declined',
  }
}

const keyOf = ({ id, status, resolution }: Dispute): string => `dispute ${id} ${status} ${resolution ?? ''}`

export function readDisputes(rawBody: Buffer): ProviderDispute[] {
  const event = parseAnswer(rawBody.toString('utf8'), eventSchema)
  return event ? [readDispute(event.data, `${event.event} ${keyOf(event.data)}`)] : []
}

const readOne = (data: unknown): ProviderDispute | undefined => {
  const dispute = disputeSchema.safeParse(data).data
  return dispute && readDispute(dispute, `asked ${keyOf(dispute)}`)
}

/** A dispute that is resolved already may have been resolved by an earlier call. */
const isClear = ({ status, words }: RefusedReply): boolean =>
  (status === 400 || status === 401 || status === 404) && !/already|resolved/i.test(words.join(' '))

export const paystackDisputes = (
  client: PaystackClient,
  http: HttpClient,
): Pick<
  Connector,
  'inquireDispute' | 'listDisputes' | 'disputesOf' | 'submitEvidence' | 'acceptDispute'
> => ({
  inquireDispute: async (id) => disputeInquiry(await client(`/dispute/${encodeURIComponent(id)}`), readOne),
  listDisputes: listDisputes(client),
  disputesOf: disputesOf(client),
  submitEvidence: (dispute, evidence) => submitEvidence(client, http, dispute, evidence),
  acceptDispute: (dispute) =>
    resolve(client, dispute, { resolution: 'merchant-accepted', message: 'Accepted', uploaded_filename: '' }),
})

const listDisputes =
  (client: PaystackClient): Method<'listDisputes'> =>
  async (since, cursor) => {
    const page = cursor === null ? 1 : Number(cursor)
    const query = { from: since.toISOString(), perPage: pageSize, page }
    const { data, meta } = handledOf(await client(withQuery('/dispute', query)), 'Paystack')
    const disputes = z.array(disputeSchema).parse(data)
    return {
      disputes: disputes.map((dispute) => readDispute(dispute, `asked ${keyOf(dispute)}`)),
      nextCursor: page < pagesSchema.parse(meta).pageCount ? String(page + 1) : null,
    }
  }

const transactionId = /^\d+$/

/** Asked for by the id of the transaction. One page is enough: no payment has a hundred disputes. */
const disputesOf =
  (client: PaystackClient): Method<'disputesOf'> =>
  async ({ reference, providerRef }) => {
    if (providerRef === null || !transactionId.test(providerRef)) return undefined
    const reply = await client(withQuery('/dispute', { transaction: providerRef, perPage: pageSize }))
    const listed = z.object({ data: z.array(disputeSchema), meta: pagesSchema }).safeParse(reply).data
    if (!listed || listed.meta.pageCount > 1) return undefined
    return listed.data
      .filter(({ transaction }) => transaction.reference === reference)
      .map((dispute) => readDispute(dispute, `asked ${keyOf(dispute)}`))
  }

const neededTexts = ['customer_email', 'customer_name', 'customer_phone'] as const

/** The texts and the file are stored first; only `resolve` declines the dispute. Paystack takes one file. */
async function submitEvidence(
  client: PaystackClient,
  http: HttpClient,
  dispute: DisputeSubject,
  { texts, files }: DisputeEvidence,
): Promise<DisputeOutcome> {
  const [file] = files
  const details = texts.product_description ?? texts.notes
  const missing = neededTexts.filter((field) => texts[field] === undefined)
  if (!file || missing.length > 0 || details === undefined)
    return declinedResponse(
      'Paystack needs a file and the texts customer_email, customer_name, customer_phone and product_description.',
    )
  const path = `/dispute/${encodeURIComponent(dispute.providerRef)}`
  const stored = await client(`${path}/evidence`, {
    ...Object.fromEntries(neededTexts.map((field) => [field, texts[field]])),
    service_details: details,
    ...(texts.shipping_address !== undefined && { delivery_address: texts.shipping_address }),
    ...(texts.shipping_date !== undefined && { delivery_date: texts.shipping_date }),
  })
  const evidence = readData(stored, evidenceSchema)?.id
  if (evidence === undefined) return notPreparedResponse(stored, 'Paystack did not take the texts.')
  const offered = await client(withQuery(`${path}/upload_url`, { upload_filename: file.name }))
  const upload = readData(offered, uploadSchema)
  if (!upload) return notPreparedResponse(offered, 'Paystack offered no place for the file.')
  const headers = { 'content-type': file.contentType }
  const sent = await http({ method: 'PUT', url: upload.signedUrl, headers, bytes: file.bytes })
  if (sent.kind !== 'answered' || sent.status !== 200)
    return { kind: 'not_sent', reason: 'the file could not be uploaded' }
  const message = (texts.notes ?? details).slice(0, 500)
  const terms = { resolution: 'declined', message, uploaded_filename: upload.fileName, evidence }
  return resolve(client, dispute, terms)
}

async function resolve(
  client: PaystackClient,
  { providerRef, amount }: DisputeSubject,
  terms: { resolution: string; message: string; uploaded_filename: string; evidence?: number },
): Promise<DisputeOutcome> {
  const refundMinor = terms.resolution === 'declined' ? 0n : amount.amountMinor
  const body = { ...terms, refund_amount: rawNumber(refundMinor.toString()) }
  const path = `/dispute/${encodeURIComponent(providerRef)}/resolve`
  return responseOutcome(await client(path, body, undefined, 'PUT'), readOne, isClear)
}
