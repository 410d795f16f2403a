import { json, type Answer } from '../../core/answer.ts'
import type { OpenCall } from '../../core/call.ts'
import { parseRequest } from './envelope.ts'
import { subunitsOf } from './identifiers.ts'
import { chargeDetailsOf } from './present-transaction.ts'
import { bankPaymentSchema } from './schema.ts'
import type { Paystack } from './state.ts'
import { findCharge } from './transactions.ts'

/** Acts as the customer's bank: sends an amount to the account of a bank-transfer charge. No real API has this. */
export async function payByBank(paystack: Paystack, call: OpenCall): Promise<Answer> {
  const parsed = parseRequest(bankPaymentSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { account, reference, amount } = parsed.input
  const transaction = findCharge(paystack, account, reference)
  if (transaction === undefined || chargeDetailsOf(transaction).flow !== 'bank_transfer') {
    return json(404, { error: 'no bank-transfer charge has this reference' })
  }
  if (transaction.state !== 'pending') return json(409, { error: 'the charge has been decided' })
  if (amount === BigInt(subunitsOf(transaction.amount))) {
    await paystack.kit.move(transaction, { state: 'completed' })
    return json(200, { outcome: 'paid' })
  }
  await paystack.kit.move(transaction, { state: 'pending', details: { rejectedSubunits: String(amount) } })
  return json(200, { outcome: 'rejected' })
}
