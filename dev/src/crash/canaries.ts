import { randomBytes, randomInt } from 'node:crypto'
import { card, cvv, otp } from '../../../server/src/testing/canaries.ts'

/** What a customer types in and what must be found nowhere afterwards. */
export const secretInputs = { card, cvv, wrongPassword: otp }

/** In every payment, and meant to be stored: a search that does not find it proves nothing. */
export const control = `control${randomBytes(9).toString('hex')}`

export const rightPassword = '123456'

export const orderPrefix = `order-${randomInt(1_000_000)}`
