import { randomBytes, randomInt } from 'node:crypto'
import { card, cvv, otp } from '@switchyard/server/test/secrets/canaries.ts'

/**
 * Input that must not be stored anywhere. After the first card come the providers' own test
 * cards: one that leads to its bank's page at Adyen, Stripe and Flutterwave, and at Flutterwave one that asks for a
 * password and one that asks for a PIN.
 */
export const testCards = [
  card,
  '4917610000000000',
  '4000000000003220',
  '4187427415564246',
  '5438898014560229',
  '5531886652142950',
]
export const secretInputs = { cards: testCards, cvv, wrongPassword: otp }

/** Part of every payment and stored on purpose: a search that does not find it proves nothing. */
export const control = `control${randomBytes(9).toString('hex')}`

export const rightPassword = '123456'

export const orderPrefix = `order-${randomInt(1_000_000)}`
