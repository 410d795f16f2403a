import type { Attempt, Card, CollectDetails, Payee } from '../kit/connector.ts'
import { europeanOf } from '../kit/missing-details.ts'
import type { Transfers } from './credentials.ts'

const descriptionCharacters = 140

/** Marks links in the signed reference, because a refused card does not end a link. */
export const linkMark = '.link'

const shopperOf = ({ country }: Attempt, { payer, returnUrl }: CollectDetails) => ({
  countryCode: country,
  returnUrl,
  shopperEmail: payer.email,
  telephoneNumber: payer.phone,
})

/** The only request that contains a card. */
export const paymentRequest = (terms: object, attempt: Attempt, details: CollectDetails, card: Card) => ({
  ...terms,
  ...shopperOf(attempt, details),
  reference: attempt.reference,
  channel: 'Web',
  origin: new URL(details.returnUrl).origin,
  paymentMethod: {
    type: 'scheme',
    number: card.number.replaceAll(/\D/g, ''),
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear.length === 2 ? `20${card.expiryYear}` : card.expiryYear,
    cvc: card.cvv,
    holderName: card.holderName ?? details.payer.name,
  },
})

export const linkRequest = (terms: object, attempt: Attempt, details: CollectDetails) => ({
  ...terms,
  ...shopperOf(attempt, details),
  reference: `${attempt.reference}${linkMark}`,
  description: details.description?.slice(0, descriptionCharacters),
  allowedPaymentMethods: ['scheme'],
})

export function transferRequest(
  { balanceAccountId, priority }: Transfers,
  { reference }: Attempt,
  { name, bankAccount, description }: Payee,
  amount: object,
): object {
  const account = europeanOf(bankAccount ?? {})
  const accountIdentification = { type: 'iban' in account ? 'iban' : 'ukLocal', ...account }
  const accountHolder = { fullName: name || bankAccount?.accountName }
  return {
    amount,
    balanceAccountId,
    category: 'bank',
    priority,
    counterparty: { bankAccount: { accountHolder, accountIdentification } },
    reference,
    referenceForBeneficiary: reference.replaceAll('-', '').slice(0, 18),
    description: description?.slice(0, descriptionCharacters),
  }
}
