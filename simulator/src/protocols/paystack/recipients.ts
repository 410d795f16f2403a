import type { Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { bankOf } from './bank-list.ts'
import { created, parseRequest, refused } from './envelope.ts'
import { newCode, newId } from './identifiers.ts'
import { presentRecipient } from './present-payout.ts'
import { recipientInputSchema, type Recipient } from './schema.ts'
import type { Paystack } from './state.ts'

const NUBAN = /^\d{10}$/

/** The same account returns the existing recipient. */
export function createRecipient({ kit, recipients }: Paystack, call: Call): Answer {
  const parsed = parseRequest(recipientInputSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { type, name, account_number: accountNumber, bank_code: bankCode, description } = parsed.input
  const bank = bankOf(type, bankCode)
  if (bank === undefined || (parsed.input.currency ?? bank.currency) !== bank.currency) {
    return refused(400, { message: 'Bank code is invalid', code: 'invalid_bank_code' })
  }
  if (type === 'nuban' && !NUBAN.test(accountNumber)) {
    return refused(400, { message: 'Account number is invalid', code: 'invalid_account_number' })
  }
  const account = call.account.name
  const key = JSON.stringify([account, type, accountNumber, bankCode])
  const known = recipients.get(key)
  if (known !== undefined) return created('Transfer recipient created successfully', presentRecipient(known))
  const recipient: Recipient = {
    id: newId(),
    recipientCode: newCode('RCP_'),
    account,
    type,
    name,
    accountNumber,
    bankCode,
    bankName: bank.name,
    currency: bank.currency,
    description: description ?? null,
    createdAt: kit.clock.now().toISOString(),
  }
  recipients.put(key, recipient)
  recipients.put(recipient.recipientCode, recipient)
  return created('Transfer recipient created successfully', presentRecipient(recipient))
}
