import { expect, it } from 'vitest'
import { flutterwaveCredentials } from '../flutterwave/credentials.ts'
import { paystackCredentials } from '../paystack/client.ts'
import { pawapayCredentials } from '../pawapay/credentials.ts'
import { yellowcardCredentials } from '../yellowcard/credentials.ts'

const [sendDeadlineMs, longestCallMs] = [45_000, 60_000]
const schemas = { flutterwaveCredentials, paystackCredentials, pawapayCredentials, yellowcardCredentials }

it.each(Object.entries(schemas))(
  '%s: "not found" is not final while a request may still be on its way',
  (_, schema) => {
    const { notFoundFinalAfterMs: window } = schema.shape
    expect(window.safeParse(sendDeadlineMs + longestCallMs).success).toBe(false)
    expect(window.safeParse(299_999).success).toBe(false)
    expect(window.parse(300_000)).toBe(300_000)
    expect(window.parse(undefined)).toBe(900_000)
  },
)
