import { nubanProblem } from '../../src/lib/instruments/bank-account.ts'
import { randomBytes, randomInt } from 'node:crypto'

const digits = (count: number): string => Array.from({ length: count }, () => randomInt(10)).join('')
export const word = (): string => randomBytes(12).toString('hex')

/** A card number with a valid check digit. */
function cardNumber(): string {
  const start = `49${digits(13)}`
  const last = Array.from({ length: 10 }, (_, digit) => String(digit)).find(
    (digit) => luhnSum(start + digit) % 10 === 0,
  )
  return start + (last ?? '0')
}
const luhnSum = (number: string): number =>
  Array.from(number, Number)
    .reverse()
    .reduce((sum, digit, index) => {
      const doubled = digit * (index % 2 === 1 ? 2 : 1)
      return sum + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)

export const card = cardNumber()
export const hostedCard = cardNumber()
/** Sent where no card number belongs. */
export const strayCard = cardNumber()
export const cvv = `9${digits(3)}`
export const otp = `otp${digits(9)}`
export const secrets = {
  pawapay: `pawapay-${word()}`,
  paystack: `sk_test_${word()}`,
  stripe: `sk_test_${word()}`,
  stripeWebhooks: `whsec_${word()}`,
}
/** The check digit is wrong, so the number is refused; it must not be logged or stored either. */
export const mistypedCard = card.slice(0, -1) + String((Number(card.at(-1)) + 1) % 10)
export const wrongKey = `sy_test_${word()}${word()}`
export const person = {
  phone: `25678${digits(5)}30`,
  account: nubanOf(`069${digits(5)}3`),
  email: `payer-${word()}@example.com`,
  name: `Payer ${word()}`,
}
export const cardDetails = (number: string) => ({
  card_details: {
    card_number: number,
    expiry_month: '12',
    expiry_year: '2031',
    cvv,
    card_holder_name: person.name,
  },
})
export const control = `control-${word()}`

/** Appends the check digit that makes the serial a valid account number of bank 044. */
function nubanOf(serial: string): string {
  const digit = Array.from('0123456789').find((last) => nubanProblem(serial + last, '044') === undefined)
  return `${serial}${digit}`
}
