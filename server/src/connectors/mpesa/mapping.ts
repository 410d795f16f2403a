import { readMoney, type Money } from '../../lib/money/money.ts'
import type { Outcome, ProviderUpdate } from '../kit/connector.ts'
import type { ProviderState } from '../kit/state.ts'
import { failureOf, type FailureCode } from '../kit/failures.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { declined, reasonIn } from '../kit/reasons.ts'
import { callbackSchema, type CommandResult, type PushResult } from './answers.ts'
import { readAddress, type Address } from './callback.ts'
import type { Reply } from './client.ts'
import type { MpesaCredentials } from './credentials.ts'

/** Result codes of prompts and commands. Any other code except 0 is a failure without a reason. */
const results: readonly (readonly [FailureCode, readonly string[]])[] = [
  ['INSUFFICIENT_FUNDS', ['1']],
  ['AMOUNT_NOT_ALLOWED', ['2', '3']],
  ['ACCOUNT_LIMIT_REACHED', ['4', '8']],
  ['ACCOUNT_INVALID', ['11', '12', '13', '14', '2040']],
  ['PROVIDER_UNAVAILABLE', ['17', '26', '1025', '9999']],
  ['PROVIDER_REFUSED', ['20']],
  ['OTHER_PAYMENT_IN_PROGRESS', ['1001']],
  ['EXPIRED', ['1019', '1037']],
  ['NOT_APPROVED', ['1032']],
  ['AUTHENTICATION_FAILED', ['2001']],
]
/** In progress, or a duplicate of a command that M-PESA already has. Neither is final. */
const openResults = new Set(['4999', '15'])

export function stateOf(open: 'pending' | 'processing', resultCode: string): ProviderState {
  if (resultCode === '0') return { state: 'completed' }
  if (openResults.has(resultCode)) return { state: open }
  const [code] = results.find(([, codes]) => codes.includes(resultCode)) ?? ['UNSPECIFIED' as const]
  return { state: 'failed', failure: failureOf(code) }
}

/** The prompt's id and, after a `/`, the receipt, which a reversal needs and only the callback reports. */
export const readPushRef = (
  providerRef: string | null,
): { id?: string | undefined; receipt?: string | undefined } => {
  const [id, receipt] = (providerRef ?? '').split('/')
  return { id: id || undefined, receipt }
}

/** Certain refusals: a bad request, a wrong token, the gateway. One code is ambiguous, so its message decides. */
export function refusalOf(
  { gateCodes }: MpesaCredentials,
  reply: Exclude<Reply, { kind: 'answered' }>,
): Outcome {
  if (reply.kind !== 'refused') return reply
  const { code, message, status } = reply
  const unclear: Outcome = { kind: 'unknown', reason: `${code} (HTTP ${status})` }
  if (/duplicate|already been|being processed/i.test(message)) return unclear
  if (gateCodes.includes(code)) return declined('PROVIDER_UNAVAILABLE')
  if (/unable to lock subscriber/i.test(message)) return declined('OTHER_PAYMENT_IN_PROGRESS', 'final')
  if (/merchant does not exist|wrong credentials/i.test(message)) return declined('PROVIDER_REFUSED')
  if (status >= 500) return unclear
  const reason = code.startsWith('400.002') ? reasonIn(message) : undefined
  const isParty = /party ?[ab]\b/i.test(message)
  return isParty
    ? declined('ACCOUNT_INVALID', 'final')
    : declined(reason?.[1] ?? 'PROVIDER_REFUSED', reason?.[2])
}

export function readCallback(rawBody: Buffer, url?: string): ProviderUpdate[] {
  const address = readAddress(url)
  const body = parseAnswer(rawBody.toString('utf8'), callbackSchema)
  if (!address || !body) return []
  const update = 'Body' in body ? updateOfPush(body.Body.stkCallback) : updateOfCommand(address, body.Result)
  if (!update) return []
  const { reference, subject, kind, at } = address
  const isAnswer = kind === 'inquiry'
  const dedupeKey = [subject, reference, kind, isAnswer ? at : '', update.providerStatus].join(':')
  return [{ ...update, dedupeKey, reference, subject }]
}

type ReportedState = Pick<ProviderUpdate, 'providerRef' | 'providerStatus' | 'state' | 'amount'>

function updateOfPush({ CheckoutRequestID, ResultCode, CallbackMetadata }: PushResult): ReportedState {
  const item = (name: string) => CallbackMetadata?.Item.find(({ Name }) => Name === name)?.Value
  return {
    providerRef: [CheckoutRequestID, item('MpesaReceiptNumber') ?? []].flat().join('/'),
    providerStatus: ResultCode,
    state: stateOf('pending', ResultCode),
    amount: moneyOf(item('Amount')),
  }
}

const ends: Readonly<Record<string, string>> = {
  Completed: '0',
  Failed: '',
  Declined: '',
  Cancelled: '',
  Reversed: '',
}

/** In the answer to an inquiry, the result is that of the inquiry; the payment's state is a parameter. */
function updateOfCommand(
  { kind, subject, reference }: Address,
  result: CommandResult,
): ReportedState | undefined {
  const { ResultCode, OriginatorConversationID, ResultParameters } = result
  const parameter = (key: string) => ResultParameters?.ResultParameter.find(({ Key }) => Key === key)?.Value
  if (kind === 'late') return { providerRef: null, providerStatus: 'late', state: { state: 'processing' } }
  if (kind === 'result') {
    const state = stateOf('processing', ResultCode)
    const amount = moneyOf(parameter('TransactionAmount'))
    return { providerRef: OriginatorConversationID, providerStatus: ResultCode, state, amount }
  }
  const originator = parameter('OriginatorConversationID')
  const status = parameter('TransactionStatus') ?? ''
  const isOurs = originator !== undefined && (subject === 'refund' || originator === reference)
  if (ResultCode !== '0' || !isOurs) return undefined
  const code = ends[status] === '' ? parameter('ReasonType') || status : (ends[status] ?? '4999')
  const state = stateOf('processing', code)
  return { providerRef: originator, providerStatus: status, state, amount: moneyOf(parameter('Amount')) }
}

const moneyOf = (amount: string | undefined): Money | undefined =>
  amount === undefined ? undefined : readMoney(amount, 'KES')
