import type { Transaction } from '../../core/transaction.ts'
import type { WebhookDraft } from '../../protocol.ts'
import { detailsSchema, type Details } from './schema.ts'

export const detailsOf = (transaction: Transaction): Details => detailsSchema.parse(transaction.details)

const PROCESSED = 'The service request is processed successfully.'

/** Results are not signed. */
export function resultsFor(transaction: Transaction): readonly WebhookDraft[] {
  const { resultUrl, statusUrl } = detailsOf(transaction)
  if (statusUrl !== undefined) return [draftOf('status', statusUrl, { Result: statusOf(transaction) })]
  if (transaction.state === 'pending' || transaction.state === 'action_required') return []
  if (transaction.operation !== 'collect') {
    return [draftOf('result', resultUrl, { Result: commandResultOf(transaction) })]
  }
  return [draftOf('stkCallback', resultUrl, { Body: { stkCallback: pushResultOf(transaction) } })]
}

const draftOf = (event: string, url: string, body: object): WebhookDraft => ({
  event,
  url,
  body: JSON.stringify(body),
  contentType: 'application/json',
})

/** The metadata is present only on success, and the balance has no value. */
function pushResultOf(transaction: Transaction) {
  const { merchantRequestId, receipt, phone } = detailsOf(transaction)
  const { failure } = transaction
  return {
    MerchantRequestID: merchantRequestId,
    CheckoutRequestID: transaction.providerRef,
    ResultCode: Number(failure?.code ?? '0'),
    ResultDesc: failure?.message ?? PROCESSED,
    ...(!failure && {
      CallbackMetadata: {
        Item: [
          { Name: 'Amount', Value: Number(transaction.amount) },
          { Name: 'MpesaReceiptNumber', Value: receipt },
          { Name: 'Balance' },
          { Name: 'TransactionDate', Value: kenyanTime(transaction.updatedAt) },
          { Name: 'PhoneNumber', Value: Number(phone) },
        ],
      },
    }),
  }
}

function commandResultOf(transaction: Transaction) {
  const { receipt } = detailsOf(transaction)
  const { failure } = transaction
  return {
    ResultType: 0,
    ResultCode: Number(failure?.code ?? '0'),
    ResultDesc: failure?.message ?? PROCESSED,
    OriginatorConversationID: originatorOf(transaction),
    ConversationID: `AG_${receipt}`,
    TransactionID: receipt,
    ...(!failure && {
      ResultParameters: {
        ResultParameter: [
          { Key: 'TransactionReceipt', Value: receipt },
          { Key: 'TransactionAmount', Value: Number(transaction.amount) },
        ],
      },
    }),
  }
}

const STATUSES = { completed: 'Completed', failed: 'Failed', reversed: 'Reversed' } as const

/** The result belongs to the query; the transaction's state is one of its parameters. */
function statusOf(transaction: Transaction) {
  const { receipt } = detailsOf(transaction)
  const { state, failure } = transaction
  const status =
    state === 'completed' || state === 'failed' || state === 'reversed' ? STATUSES[state] : 'Pending'
  return {
    ResultType: 0,
    ResultCode: 0,
    ResultDesc: PROCESSED,
    OriginatorConversationID: `status-${receipt}`,
    ConversationID: `AG_status_${receipt}`,
    TransactionID: '0000000000',
    ResultParameters: {
      ResultParameter: [
        { Key: 'ReceiptNo', Value: receipt },
        { Key: 'OriginatorConversationID', Value: originatorOf(transaction) },
        { Key: 'TransactionStatus', Value: status },
        { Key: 'TransactionReason', Value: failure?.message ?? '' },
        { Key: 'ReasonType', Value: failure?.code ?? '' },
        { Key: 'Amount', Value: Number(transaction.amount) },
      ],
    },
  }
}

/** Our conversation id for a payout, Daraja's for a reversal. */
const originatorOf = ({ operation, reference, providerRef }: Transaction): string =>
  operation === 'payout' ? reference : providerRef

const KENYA_AHEAD_MS = 10_800_000

const kenyanTime = (iso: string): number =>
  Number(new Date(Date.parse(iso) + KENYA_AHEAD_MS).toISOString().replaceAll(/\D/g, '').slice(0, 14))
