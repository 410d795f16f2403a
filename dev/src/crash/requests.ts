import {
  bankPayout,
  bankTransferPayin,
  cardPayin,
  ghanaianPayin,
  kenyanPayin,
  mobileMoneyPayin,
  mobileMoneyPayout,
} from '../../../server/src/testing/payment-requests.ts'
import { control, orderPrefix, secretInputs } from './canaries.ts'
import type { CrashOrg } from './people.ts'
import type { PlannedPayment } from './plan.ts'

export type Payees = { bank: string; bankByHand: string; mobileMoney: ReadonlyMap<string, string> }
export type Quote = { rate: number; orgRateId: string }

export const clientReference = (payment: PlannedPayment): string => `${orderPrefix}-${payment.index}`

/** The same bytes on every try, so that an Idempotency-Key may go with them. */
export function requestFor(
  payment: PlannedPayment,
  { org, payees, quote }: { org: CrashOrg; payees: Payees; quote: Quote | undefined },
): string {
  const texts = {
    client_reference: clientReference(payment),
    description: `${org.canary} ${control}`,
    metadata: { note: org.canary },
  }
  const body: unknown = { ...bodyOf(payment, payees, quote), ...texts }
  return JSON.stringify(body)
}

function bodyOf(payment: PlannedPayment, payees: Payees, quote: Quote | undefined): object {
  const { sentinel } = payment
  const amounts = amountsOf(payment, quote)
  switch (payment.corridor) {
    case 'mobile money in UG':
      return mobileMoneyPayin({ ...whole(payment), ...momo('MTN', `2567834567${sentinel}`) })
    case 'mobile money in KE':
      return kenyanPayin({ ...whole(payment), ...momo('MPESA', `2547086631${sentinel}`) })
    case 'mobile money in GH':
      return ghanaianPayin(amounts)
    case 'mobile money out UG': {
      const payee = payees.mobileMoney.get(sentinel)
      return mobileMoneyPayout(payee ?? '', { ...whole(payment), ...momo('MTN', `2567834567${sentinel}`) })
    }
    case 'card in GB':
      return cardPayin({ ...amounts, card_details: cardDetails })
    case 'card in NG':
      return cardPayin({ ...amounts, ...inNaira, card_details: cardDetails })
    case 'bank in NG':
      return bankTransferPayin(amounts)
    case 'bank out NG':
      return bankPayout(payees.bank, amounts)
    case 'bank out GB by hand':
      return bankPayout(payees.bankByHand, { ...amounts, ...inPounds })
  }
}

const inNaira = { country: 'NG', currency: 'NGN', target_currency: 'NGN' }
const inPounds = {
  country: 'GB',
  currency: 'GBP',
  target_currency: 'GBP',
  bank_details: { account_name: 'Hartley', account_number: '00012345', country: 'GB' },
  bank_account: { account_number: '00012345' },
}

const cardDetails = {
  card_number: secretInputs.card,
  expiry_month: '12',
  expiry_year: '2031',
  cvv: secretInputs.cvv,
}

const momo = (provider: string, phone_number: string): object => ({
  mobile_money_details: { provider, phone_number },
})

const whole = ({ amount }: PlannedPayment): object => ({ amount: amount * 100, target_amount: amount * 100 })

/** Where money has cents, they are the sentinel. */
function amountsOf({ amount, sentinel }: PlannedPayment, quote: Quote | undefined): object {
  const exact = Number(`${amount}.${sentinel}`)
  if (!quote) return { amount: exact, target_amount: exact }
  const target = Math.round(exact * quote.rate * 100) / 100
  return { amount: exact, target_amount: target, target_currency: 'NGN', org_rate_id: quote.orgRateId }
}
