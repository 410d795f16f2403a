import { randomInt, randomUUID } from 'node:crypto'
import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import type { MoneyOperation, Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor } from '../../sentinels.ts'
import { badRequest, busy, overloaded, parseRequest, refused } from './envelope.ts'
import { failureOf } from './failures.ts'
import { pushQuerySchema, pushSchema, type Details, type SignedFields } from './schema.ts'

const RECEIPT_CHARACTERS = 10

export const newReceipt = (): string =>
  BigInt(`0x${randomUUID().replaceAll('-', '')}`)
    .toString(36)
    .toUpperCase()
    .slice(0, RECEIPT_CHARACTERS)

/** Each call is a new prompt, without deduplication. */
export async function createPush(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(pushSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  const details: Details = {
    resultUrl: input.CallBackURL,
    merchantRequestId: `${randomInt(10_000, 99_999)}-${randomInt(1_000_000, 99_999_999)}-1`,
    receipt: newReceipt(),
    phone: input.PhoneNumber,
  }
  return carryOut(kit, call, {
    operation: 'collect',
    reference: logReferenceOf(kit, call, { operation: 'collect', reference: input.AccountReference }),
    providerRef: `ws_CO_${randomUUID().replaceAll('-', '')}`,
    method: 'mobile_money',
    amount: input.Amount,
    currency: 'KES',
    behaviour: behaviourFor({ amount: input.Amount, account: input.PhoneNumber }),
    details,
    duplicate: () => badRequest('Invalid AccountReference'),
    check: () => problemOf(call, input),
    decline: (reason) => (reason === 'temporarily_unavailable' ? busy() : undefined),
    failure: (reason) => failureOf('collect', reason),
    accepted: (transaction) =>
      json(200, {
        MerchantRequestID: details.merchantRequestId,
        CheckoutRequestID: transaction.providerRef,
        ResponseCode: '0',
        ResponseDescription: 'Success. Request accepted for processing',
        CustomerMessage: 'Success. Request accepted for processing',
      }),
  })
}

export function queryPush(kit: Kit, call: Call): Answer {
  const parsed = parseRequest(pushQuerySchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const problem = problemOf(call, parsed.input)
  if (problem) return problem
  const push = kit.transactions.findByProviderRef(call.account.name, parsed.input.CheckoutRequestID)
  if (push?.operation !== 'collect') return overloaded('The transaction does not exist')
  const isOpen = push.state === 'pending' || push.state === 'action_required'
  return isOpen ? overloaded('The transaction is being processed') : pushState(push)
}

function pushState(push: Transaction): Answer {
  return json(200, {
    ResponseCode: '0',
    ResponseDescription: 'The service request has been accepted successsfully',
    MerchantRequestID: String(push.details['merchantRequestId']),
    CheckoutRequestID: push.providerRef,
    ResultCode: push.failure?.code ?? '0',
    ResultDesc: push.failure?.message ?? 'The service request is processed successfully.',
  })
}

function problemOf(call: Call, { BusinessShortCode, Password, Timestamp }: SignedFields): Answer | undefined {
  const { shortcode = '', passkey = '' } = call.account.secrets
  if (BusinessShortCode !== shortcode) return overloaded('Merchant does not exist')
  const expected = Buffer.from(`${shortcode}${passkey}${Timestamp}`).toString('base64')
  return Password === expected ? undefined : refused(500, '500.001.1001', 'Wrong credentials')
}

/** The AccountReference is the log reference, so that tests can find it; a second prompt gets a unique suffix. */
function logReferenceOf(
  kit: Kit,
  call: Call,
  key: { readonly operation: MoneyOperation; readonly reference: string },
): string {
  const known = kit.transactions.find({ account: call.account.name, ...key })
  return known === undefined ? key.reference : `${key.reference} ${randomUUID()}`
}
