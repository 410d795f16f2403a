import { z } from 'zod'
import type { Connector, Method } from '../kit/connector.ts'
import { disputeInquiry, responseOutcome } from '../kit/dispute-replies.ts'
import type { DisputeEvidence, DisputeState, ProviderDispute } from '../kit/disputes.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { handledOf, type RefusedReply } from '../kit/replies.ts'
import { amountSchema, idSchema, pageInfoSchema, textSchema } from './answers.ts'
import type { FlutterwaveClient } from './client.ts'

const chargebackSchema = z.object({
  id: idSchema,
  amount: amountSchema,
  status: z.string().min(1),
  stage: textSchema,
  comment: textSchema,
  due_date: textSchema,
  tx_ref: z.string().min(1),
})
type Chargeback = z.infer<typeof chargebackSchema>
const pageSchema = z.array(chargebackSchema)
const eventSchema = z.object({ event: z.string().regex(/^chargeback\./), data: chargebackSchema })

const states: Readonly<Record<string, DisputeState>> = {
  new: 'needs_response',
  initiated: 'needs_response',
  pending: 'needs_response',
  declined: 'under_review',
  accepted: 'accepted',
  lost: 'lost',
  won: 'won',
  reversed: 'won',
}

/** Flutterwave names no currency and debits a chargeback once it is accepted or lost. */
function readChargeback(chargeback: Chargeback, source: string): ProviderDispute {
  const { id, amount: decimal, status, stage, comment } = chargeback
  const state = Object.hasOwn(states, status) ? states[status] : undefined
  const dueBy = new Date(chargeback.due_date ?? '')
  const isSecond = stage !== null && stage !== undefined && stage !== 'new'
  const isWithdrawn = state === 'accepted' || state === 'lost'
  return {
    dedupeKey: `${source} chargeback ${id} ${stage ?? ''} ${status}`,
    providerRef: id,
    payment: { reference: chargeback.tx_ref },
    state,
    round: isSecond ? 2 : 1,
    providerStatus: stage ? `${stage} ${status}` : status,
    reason: 'general',
    providerReason: comment ?? '',
    amount: { decimal },
    dueBy: Number.isNaN(dueBy.getTime()) ? undefined : dueBy,
    ...((isWithdrawn || state === 'won') && { funds: { isWithdrawn, amount: { decimal } } }),
    hasEvidence: state === 'under_review',
  }
}

/** The secret in the header does not cover the body, so the chargeback is looked up. */
export function readChargebacks(rawBody: Buffer): ProviderDispute[] {
  const event = parseAnswer(rawBody.toString('utf8'), eventSchema)
  return event ? [readChargeback(event.data, 'webhook')] : []
}

/** A chargeback that was answered before may have been answered by an earlier call. */
const isClear = ({ status, words }: RefusedReply): boolean =>
  [400, 401, 403, 404].includes(status) && !/already/i.test(words.join(' '))

const readOne = (data: unknown): ProviderDispute | undefined => {
  const chargeback = chargebackSchema.safeParse(data).data
  return chargeback && readChargeback(chargeback, 'inquiry')
}

export const flutterwaveChargebacks = (
  client: FlutterwaveClient,
): Pick<Connector, 'inquireDispute' | 'listDisputes' | 'submitEvidence' | 'acceptDispute'> => ({
  inquireDispute: async (id) => {
    const reply = await client(`/chargebacks?id=${encodeURIComponent(id)}`)
    if (reply.kind !== 'handled') return disputeInquiry(reply, readOne)
    // The list may ignore the filter.
    const rows = pageSchema.safeParse(reply.data).data
    const row = rows?.find((one) => one.id === id)
    if (row) return { kind: 'found', dispute: readChargeback(row, 'inquiry') }
    return rows ? { kind: 'not_found' } : { kind: 'unknown', reason: 'no readable answer' }
  },
  listDisputes: listDisputes(client),
  submitEvidence: async ({ providerRef }, evidence) =>
    act(client, providerRef, 'decline', commentOf(evidence)),
  acceptDispute: ({ providerRef }) => act(client, providerRef, 'accept', 'Accepted'),
})

const listDisputes =
  (client: FlutterwaveClient): Method<'listDisputes'> =>
  async (since, cursor) => {
    const page = cursor === null ? 1 : Number(cursor)
    const from = since.toISOString().slice(0, 10)
    const { data, meta } = handledOf(await client(`/chargebacks?from=${from}&page=${page}`), 'Flutterwave')
    return {
      disputes: pageSchema.parse(data).map((chargeback) => readChargeback(chargeback, 'inquiry')),
      nextCursor: page < pageInfoSchema.parse(meta).page_info.total_pages ? String(page + 1) : null,
    }
  }

const act = async (client: FlutterwaveClient, id: string, action: 'accept' | 'decline', comment: string) =>
  responseOutcome(
    await client(`/chargebacks/${encodeURIComponent(id)}`, { action, comment }, undefined, 'PUT'),
    readOne,
    isClear,
  )

const commentCharacters = 2_000

/** The call takes one text and no files, so files stay here. */
const commentOf = ({ texts }: DisputeEvidence): string =>
  Object.entries(texts)
    .map(([field, text]) => `${field}: ${text}`)
    .join('\n')
    .slice(0, commentCharacters) || 'The payment is valid; documents follow.'
