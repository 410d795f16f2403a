import type { Translated } from '../translated.ts'
import type { terms as english } from '../en/terms.ts'

/** Words of the API that several screens show. */
export const terms: Translated<typeof english> = {
  paymentStatus: {
    initiated: 'Yanasubiri idhini',
    reviewed: 'Yameidhinishwa mara moja',
    confirmed: 'Yameidhinishwa',
    processing: 'Yanashughulikiwa',
    pending: 'Yanamsubiri mlipaji',
    completed: 'Yamekamilika',
    failed: 'Yameshindikana',
    refunded: 'Yamerejeshwa',
    rejected: 'Yamekataliwa',
    canceled: 'Yameghairiwa',
  },
  provider: {
    adyen: 'Adyen',
    circle: 'Circle',
    flutterwave: 'Flutterwave',
    manual: 'Kwa mkono',
    mpesa: 'M-Pesa',
    pawapay: 'pawaPay',
    paystack: 'Paystack',
    stripe: 'Stripe',
    truelayer: 'TrueLayer',
    yellowcard: 'Yellow Card',
  },
  disputeState: {
    warning: 'Benki inauliza',
    needs_response: 'Unahitaji jibu',
    under_review: 'Unakaguliwa',
    won: 'Umeshinda',
    lost: 'Umeshindwa',
    accepted: 'Umekubaliwa',
  },
  direction: { inbound: 'Yanayoingia', outbound: 'Yanayotoka', external: 'Ya nje' },
  method: {
    bank_transfer: 'Uhamisho wa benki',
    card: 'Kadi',
    mobile_money: 'Pesa kwa simu',
    crypto: 'Kripto',
    wallet: 'Pochi',
  },
}
