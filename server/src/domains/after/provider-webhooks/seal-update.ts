import type { ProviderDeposit } from '../../../connectors/kit/accounts.ts'
import type { ProviderUpdate } from '../../../connectors/kit/connector.ts'
import { redactText } from '../../../connectors/kit/redact-text.ts'
import { hasCardNumber, redactCardNumbers } from '../../../lib/instruments/card-number.ts'
import { hmac } from '../../../lib/crypto/crypto.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'

/**
 * A provider's message as it may be stored, without card numbers. An id that looks like one is replaced by its HMAC,
 * which still distinguishes two of them; our own references are UUIDs, so nothing that is ours is replaced.
 */
export const sealUpdate = (key: KeyRing, update: ProviderUpdate): ProviderUpdate => ({
  ...update,
  dedupeKey: sealId(key, update.dedupeKey),
  reference: sealId(key, update.reference),
  providerRef: update.providerRef === null ? null : sealId(key, update.providerRef),
  ...redactText(update),
})

export const sealDeposit = (key: KeyRing, deposit: ProviderDeposit): ProviderDeposit => ({
  ...deposit,
  dedupeKey: sealId(key, deposit.dedupeKey),
  providerRef: sealId(key, deposit.providerRef),
  sender: {
    name: deposit.sender.name && redactCardNumbers(deposit.sender.name),
    accountNumber: deposit.sender.accountNumber && redactCardNumbers(deposit.sender.accountNumber),
    bankName: deposit.sender.bankName && redactCardNumbers(deposit.sender.bankName),
  },
  description: deposit.description && redactCardNumbers(deposit.description),
})

const sealId = (key: KeyRing, id: string): string =>
  hasCardNumber(id) ? `sealed-${hmac(key.current, id).toString('hex')}` : id
