import { control, orderPrefix, secretInputs } from './canaries.ts'
import { hasCents, type Corridor } from './corridors.ts'
import type { CrashOrg } from './people.ts'
import type { PlannedPayment } from './plan.ts'

/** Beneficiary ids by `payeeKey`. */
export type Payees = ReadonlyMap<string, string>
export type Quote = { rate: number; orgRateId: string }

export const clientReference = (payment: PlannedPayment): string => `${orderPrefix}-${payment.index}`

/** Returns the same bytes for every retry, as an Idempotency-Key requires. */
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
  const { corridor } = payment
  const { direction, method, place } = corridor
  const digits = digitsOf(payment)
  const terms = {
    direction,
    payment_method: method,
    country: place.country,
    currency: place.currency,
    target_currency: place.currency,
    ...amountsOf(payment, quote),
  }
  return {
    ...terms,
    ...(direction === 'payin'
      ? { payer_details: { name: 'Ann Payer', email: 'ann@example.com', phone: phoneOf(corridor, '00') } }
      : { beneficiary_id: payees.get(payeeKey(corridor, digits)) }),
    ...(method === 'mobile_money' && {
      mobile_money_details: { provider: place.network, phone_number: phoneOf(corridor, digits) },
    }),
    ...(method === 'bank_transfer' && {
      bank_details: { account_name: 'Ann Payer', account_number: '0690000031', country: place.country },
      bank_account: { account_number: bankOf(corridor, digits).account_number },
    }),
    ...(method === 'card' && {
      card_details: {
        card_number: secretInputs.cards[payment.card],
        expiry_month: '12',
        expiry_year: '2031',
        cvv: secretInputs.cvv,
      },
    }),
  }
}

/** Where amounts have cents, they carry the sentinel; elsewhere the last digits of a phone or account number do. */
export const digitsOf = ({ corridor, sentinel }: Pick<PlannedPayment, 'corridor' | 'sentinel'>): string =>
  hasCents(corridor) ? '00' : sentinel

export const payeeKey = ({ place, method }: Corridor, digits: string): string =>
  `${place.country} ${method} ${digits}`

/** The recipient of a payout. */
export function payeeOf(corridor: Corridor, digits: string): object {
  const { place, method } = corridor
  const person = { country: place.country, currency: place.currency, fname: 'Grace', lname: 'Akello' }
  return method === 'mobile_money'
    ? {
        ...person,
        account_type: 'mobile_money',
        momo_details: { provider: place.network, phone_number: phoneOf(corridor, digits) },
      }
    : { ...person, account_type: 'bank', bank_details: bankOf(corridor, digits) }
}

const elsewhere = '4479111234'
const phoneOf = ({ place }: Corridor, digits: string): string => `${place.phone ?? elsewhere}${digits}`

function bankOf(corridor: Corridor, digits: string) {
  const { account_number = '', ...bank } = corridor.place.bank ?? {}
  return { ...bank, account_number: hasCents(corridor) ? account_number : `${account_number}${digits}` }
}

export const amountOf = ({
  amount,
  sentinel,
  corridor,
}: Pick<PlannedPayment, 'amount' | 'sentinel' | 'corridor'>): number =>
  hasCents(corridor) ? Number(`${amount}.${sentinel}`) : amount * 100

function amountsOf(payment: PlannedPayment, quote: Quote | undefined): object {
  const exact = amountOf(payment)
  if (!quote) return { amount: exact, target_amount: exact }
  const target = Math.round(exact * quote.rate * 100) / 100
  return { amount: exact, target_amount: target, target_currency: 'NGN', org_rate_id: quote.orgRateId }
}
